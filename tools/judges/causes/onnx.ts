// What the onnx package does of its own: shape inference, its version converter, Mean.
import { accepts, all, type Cause, natureIs, opIs, refuses, ruleIs } from './cause.ts'

const INFERENCE = ['onnx-inference', 'onnx-inference-default']

export const onnx: readonly Cause[] = [
  {
    id: 'mean-in-place',
    engines: ['onnx-reference'],
    what: 'Mean fails when its first operand is not of the result’s shape: it adds in place.',
    decides: 'ONNX Mean: multidirectional broadcasting [onnx.multi.op.mean].',
    explains: all(refuses, opIs('Mean')),
  },
  {
    id: 'converter-misplaces-axis',
    engines: ['onnx-reference'],
    what: 'The version converter 6 → 7 puts B in the wrong place for most values of `axis`: wrong values, a larger result, or a failure.',
    decides: 'ONNX operators before opset 7: `axis` is where B’s sizes start in A.',
    explains: all(natureIs('value', 'shape', 'refuses'), ruleIs('onnxLegacy')),
  },
  {
    id: 'converter-accepts-more',
    engines: ['onnx-reference'],
    what: 'The version converter 6 → 7 accepts shapes that opset 6 does not broadcast, and A may grow.',
    decides: 'ONNX operators before opset 7: B is one element or a run of A’s sizes; the result has A’s shape.',
    explains: all(accepts, ruleIs('onnxLegacy')),
  },
  {
    id: 'inference-drops-conditions',
    engines: [...INFERENCE, 'openvino'],
    what: 'A shape is inferred as if every unknown size fitted; under which condition it holds is not said.',
    decides: 'Decision: a verdict is ok, an error, or ok under conditions that are necessary and sufficient.',
    explains: natureIs('condition'),
  },
  {
    id: 'prelu-inference-unchecked',
    engines: INFERENCE,
    what: 'PRelu’s inference copies X’s shape and never looks at the slope.',
    decides: 'ONNX: the slope is unidirectionally broadcastable to X [onnx.uni.2]; a named size that must be 3 is 3.',
    explains: all(natureIs('accepts', 'shape'), opIs('PRelu')),
  },
  {
    id: 'inference-keeps-a-name',
    engines: INFERENCE,
    what: 'A name stays in the result although only one size is left for it.',
    decides: 'Decision: conditions hold over all axes together, so a name that must be 1 is 1.',
    explains: all(natureIs('shape'), ({ ours, theirs }) => {
      if (ours.kind !== 'shape' || theirs.kind !== 'shape' || ours.shape === null || theirs.shape === null) return false
      const { shape } = theirs
      return ours.shape.every(
        (dim, axis) => dim === shape[axis] || typeof shape[axis] === 'string' || shape[axis] === null,
      )
    }),
  },
  {
    id: 'inference-stops-at-unknown-rank',
    engines: [...INFERENCE, 'openvino'],
    what: 'Next to an operand of unknown rank the other operands are not compared.',
    decides: 'ONNX: sizes on an axis are equal or 1 [onnx.multi.2], whatever else there is.',
    explains: all(accepts, ({ question }) => question.kind === 'infer' && question.shapes.includes(null)),
  },
  {
    id: 'inference-swallows-errors',
    engines: ['onnx-inference-default'],
    what: 'Shapes that cannot meet are passed over: no shape is inferred and nothing is said.',
    decides: 'ONNX: sizes on an axis are equal or 1 [onnx.multi.2].',
    explains: all(accepts, ({ theirs }) => theirs.kind === 'shape' && theirs.shape === null),
  },
]
