// What changed in ONNX's own operators from opset 1 to 8, operator by operator. Operators that are not listed mean the
// same in all of them; of those that only accept more, nothing has to change.
import { dropsAtRandom, trains } from '../../infer/attributes/training.ts'
import { castNumber } from '../../infer/attributes/types.ts'
import { numberOfScalar } from '../../infer/known.ts'
import { isLegacyName, isVariadicName } from '../../model/elementwise-operators.ts'
import type { Draft } from './draft.ts'
import { lowerBroadcast, lowerEqual, lowerSlope } from './legacy.ts'

/** The version that broadcasts can be written out in: the first with Expand, and one that onnxruntime runs. */
export const EXPAND = 8

type Change = (draft: Draft) => void

/** The version that an operator changed in, and what that takes. */
type Entry = readonly [since: number, change: Change]

/** A hint to the memory of one engine, which set 6 no longer has. */
const unconsumed: Change = (draft) => draft.drop(['consumed_inputs'])

const shapeAsInput: Change = (draft) => {
  const shape = draft.node.attributes.ints('shape')
  draft.drop(['shape', 'consumed_inputs'])
  draft.addInput(shape, 'shape')
}

const concatAxis: Change = (draft) => {
  if (!draft.node.attributes.has('axis')) draft.setInt('axis', 1)
}

const renamedPads: Change = (draft) => {
  const pads = draft.node.attributes.ints('paddings')
  draft.drop(['paddings'])
  draft.setInts('pads', pads)
}

/** The lengths of the parts were an attribute or an input. */
const splitAttribute: Change = (draft: Draft) => {
  const [data, lengths] = draft.inputs
  if (lengths === undefined || lengths === '') return
  const known = draft.known(lengths)
  const sizes = known.kind === 'tensor' ? known.values?.map(numberOfScalar) : undefined
  if (!sizes?.every((size) => size !== undefined && Number.isInteger(size))) {
    draft.refuse('its second input gives the lengths, and is no constant.')
  }
  draft.inputs = [data!]
  draft.setInts('split', sizes as number[])
}

const wholeNorm: Change = (draft) => {
  const { attributes } = draft.node
  const p = attributes.kind('p') === 'int' ? attributes.int('p') : attributes.float('p', 2)
  if (!Number.isInteger(p)) draft.refuse(`p is ${p}, which must be whole from opset 2 on.`)
  if (draft.node.opType === 'LpPool' && !attributes.has('kernel_shape')) {
    draft.refuse('it has no kernel_shape, which opset 2 wants.')
  }
  if (attributes.kind('p') === 'float') draft.setInt('p', p)
}

/** The type was named in words. */
const castAsNumber: Change = (draft: Draft) => {
  const { attributes } = draft.node
  if (attributes.kind('to') === 'int') return
  const type = castNumber(draft.node)
  if (type === 0) draft.refuse(`to is ${JSON.stringify(attributes.string('to'))}, which is no element type.`)
  draft.setInt('to', type)
}

/** Without limits nothing was clipped; from set 6 on infinities would be. */
const clipLimits: Change = (draft) => {
  unconsumed(draft)
  const { attributes } = draft.node
  if (!attributes.has('min')) draft.setFloat('min', Number.NEGATIVE_INFINITY)
  if (!attributes.has('max')) draft.setFloat('max', Number.POSITIVE_INFINITY)
}

/** The defaults had fewer digits. */
const seluDefaults: Change = (draft) => {
  unconsumed(draft)
  const { attributes } = draft.node
  if (!attributes.has('alpha')) draft.setFloat('alpha', Math.fround(1.6732))
  if (!attributes.has('gamma')) draft.setFloat('gamma', Math.fround(1.0507))
}

/** One axis was repeated, named by an input. */
const tileRepeats: Change = (draft: Draft) => {
  const [times, axis, rank] = [draft.scalar(1), draft.scalar(2), draft.rank(0)]
  if (times === undefined || axis === undefined || rank === undefined) {
    draft.refuse('its tiles or axis are no constants, or the rank of its data is not known.')
  }
  const at = axis < 0 ? axis + rank : axis
  draft.inputs = draft.inputs.slice(0, 1)
  draft.addInput(
    Array.from({ length: rank }, (_, i) => (i === at ? times : 1)),
    'repeats',
  )
}

/** What ran as in training. */
const noTraining: Change = (draft) => {
  const { node, opset } = draft
  if (trains({ node, opset, attributes: node.attributes }))
    draft.refuse('it computes as in training (is_test is 0), which later sets do not have.')
  draft.drop(['is_test'], 'without is_test')
}

/** A dropout at random cannot give the same twice; in use it hands its data on. */
const noDropout: Change = (draft) => {
  const { node, opset } = draft
  if (dropsAtRandom({ opset, attributes: node.attributes })) {
    draft.refuse('it drops at random (is_test is 0), which later sets do not do.')
  }
  draft.drop(['is_test'], 'without is_test')
}

const upsampleScales: Change = (draft) => {
  const { attributes } = draft.node
  const [height, width] = [attributes.float('height_scale'), attributes.float('width_scale')]
  draft.drop(['height_scale', 'width_scale'])
  draft.setFloats('scales', [1, 1, height, width])
  if (attributes.string('mode', 'nearest') === 'bilinear') draft.setString('mode', 'linear')
}

/** Whether the sequence comes out is told by the outputs that are named. */
const recurrent: Change = (draft) => draft.drop(['output_sequence'])

const consuming = [
  ...['Abs', 'Add', 'BatchNormalization', 'Ceil', 'Div', 'Dropout', 'Elu', 'Exp', 'Floor', 'HardSigmoid'],
  ...['InstanceNormalization', 'LeakyRelu', 'Log', 'Max', 'Mean', 'Min', 'Mul', 'Neg', 'PRelu', 'Reciprocal', 'Relu'],
  ...['Sigmoid', 'Sqrt', 'Sub', 'Sum', 'Tanh'],
]

const own: Readonly<Record<string, Entry>> = {
  BatchNormalization: [7, noTraining],
  Cast: [6, castAsNumber],
  Clip: [6, clipLimits],
  Concat: [4, concatAxis],
  Dropout: [7, noDropout],
  GRU: [7, recurrent],
  Gemm: [7, (draft) => draft.drop(['broadcast'], 'without broadcast')],
  GlobalLpPool: [2, wholeNorm],
  LSTM: [7, recurrent],
  LpPool: [2, wholeNorm],
  PRelu: [7, (draft) => lowerSlope(draft, EXPAND)],
  Pad: [2, renamedPads],
  RNN: [7, recurrent],
  Reshape: [5, shapeAsInput],
  Selu: [6, seluDefaults],
  Split: [2, splitAttribute],
  Tile: [6, tileRepeats],
  Upsample: [7, upsampleScales],
}

/** What a node of an older set goes through, in the order of the sets. */
export function changesOf(operator: string, opset: number): readonly Change[] {
  const changes: Entry[] = Object.hasOwn(own, operator) ? [own[operator]!] : []
  if (consuming.includes(operator)) changes.push([6, unconsumed])
  if (isVariadicName(operator)) changes.push([8, lowerEqual])
  if (isLegacyName(operator)) changes.push([7, (draft) => lowerBroadcast(draft, EXPAND)])
  return changes
    .filter(([since]) => since > opset && since <= EXPAND)
    .sort(([a], [b]) => a - b)
    .map(([, change]) => change)
}
