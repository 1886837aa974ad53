// Gemm and PRelu: what is one-way in ONNX, and what engines make of it.
import {
  accepts,
  all,
  type Cause,
  compute,
  isFloat,
  isInteger,
  natureIs,
  opIs,
  refuses,
  ruleIs,
  type Test,
  value,
} from './cause.ts'

const PRELU = opIs('PRelu')
const GEMM = opIs('Gemm')

/** The engine's result is larger than X. */
const enlarges: Test = (disagreement) => {
  const x = compute(disagreement)?.inputs[0]?.shape
  const { theirs } = disagreement
  return theirs.kind === 'tensor' && x !== undefined && theirs.tensor.shape.join() !== x.join()
}

const beta = ({ question }: { readonly question: { readonly attrs: { readonly beta?: number } } }): number =>
  question.attrs.beta ?? 1

/** A has no columns, so that the product is a sum of nothing. */
const emptyProduct: Test = (disagreement) => {
  const question = compute(disagreement)
  return question?.inputs[0]?.shape[question.attrs.transA === true ? 0 : 1] === 0
}

export const products: readonly Cause[] = [
  {
    id: 'prelu-enlarges',
    engines: ['onnxruntime', 'onnx-reference'],
    what: 'PRelu lets the slope enlarge X.',
    decides: 'ONNX: the slope is unidirectionally broadcastable to X, and the result has X’s shape [onnx.uni.shape].',
    explains: all(accepts, PRELU, ruleIs('unidirectional'), enlarges),
  },
  {
    id: 'prelu-per-channel',
    engines: ['onnx-reference'],
    what: 'PRelu puts a 1-D slope on the one axis that has its length.',
    decides: 'ONNX: unidirectional broadcasting aligns from the right [onnx.uni.2].',
    explains: all(accepts, PRELU, ruleIs('unidirectional')),
  },
  {
    id: 'prelu-slope-unchecked',
    engines: ['openvino', 'openvino-cpu'],
    what: 'PReLU takes a slope that does not fit X, and reads a part of it or beyond it.',
    decides: 'OpenVINO PReLU: the slope is broadcast one way onto the data.',
    explains: all(natureIs('accepts', 'crash'), PRELU, ruleIs('openvinoPrelu')),
  },
  {
    id: 'prelu-slope-for-channels-only',
    engines: ['torch'],
    what: 'A slope of one axis is for axis 1 and nothing else.',
    decides: 'OpenVINO PReLU: a slope that does not have the channels’ length is right-aligned.',
    explains: all(refuses, PRELU, ruleIs('openvinoPrelu')),
  },
  {
    id: 'gemm-without-columns',
    engines: ['onnxruntime'],
    what: 'Gemm with A of no columns returns C and forgets beta.',
    decides: 'ONNX Gemm: alpha * A * B + beta * C; an empty sum is 0.',
    explains: all(value, GEMM, emptyProduct),
  },
  {
    id: 'gemm-beta-zero',
    engines: ['onnxruntime', 'onnx-reference', 'torch'],
    what: 'Gemm with beta = 0 does not read C, so that a NaN there vanishes.',
    decides: 'ONNX Gemm: beta * C, and 0 * NaN is NaN.',
    explains: all(value, GEMM, (disagreement) => beta(disagreement) === 0),
  },
  {
    id: 'gemm-of-integers-through-float',
    engines: ['onnx-reference'],
    what: 'Gemm of integers goes through double where alpha or beta are floats: sums that overflow become MIN.',
    decides: 'Decision: integers wrap.',
    explains: all(value, GEMM, isInteger),
  },
  {
    id: 'gemm-overflow',
    engines: ['onnxruntime', 'onnx-reference', 'torch'],
    what: 'Gemm with infinities or overflow adds in another order, so that infinity and NaN change places.',
    decides: 'Decision: ascending k, one accumulator, each step rounded.',
    explains: all(
      value,
      GEMM,
      isFloat,
      ({ difference }) => !Number.isFinite(difference?.ours) || !Number.isFinite(difference?.theirs),
    ),
  },
]
