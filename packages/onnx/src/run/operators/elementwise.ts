// Operators that the library has, element by element. What one meant depends on its version: before opset 7 (8 for the
// variadic ones) broadcasting was asked for by attributes.
import * as bcast from 'bcast'
import { BroadcastError, broadcastShapes, broadcastTo, onnxLegacy, type Rule, type Tensor } from 'bcast'
import { isTruncated } from '../../infer/attributes/forms.ts'
import { binaryRule, meetingOf, slopeRule, variadicRule } from '../../infer/attributes/legacy.ts'
import type { ElementwiseRow } from '../row.ts'
import type { NodeUse } from '../use.ts'

type Options = { readonly broadcast?: Rule }
type Unary = (x: Tensor) => Tensor
type Binary = (x: Tensor, y: Tensor, options?: Options) => Tensor
type Variadic = (operands: readonly Tensor[], options: Options) => Tensor

const unary = (name: string, f: Unary, since = 1): ElementwiseRow => ({
  kind: 'elementwise',
  name,
  since,
  operands: [1, 1],
  compute: ([x]) => f(x!),
})

const binary = (name: string, f: Binary, since: number): ElementwiseRow => ({
  kind: 'elementwise',
  name,
  since,
  operands: [2, 2],
  compute: ([x, y]) => f(x!, y!),
})

/** Whether the shapes of tensors meet under a rule. */
function meet(x: Tensor, y: Tensor, rule: Rule): boolean {
  try {
    broadcastShapes([x.shape, y.shape], { broadcast: rule })
    return true
  } catch (error) {
    if (error instanceof BroadcastError) return false
    throw error
  }
}

const ruleFor = (use: NodeUse, x: Tensor, y: Tensor): Rule =>
  binaryRule(use, y.shape.includes(1), (rule) => meet(x, y, rule))

/** An operator that broadcasts by attributes in old files; without them shapes have to be equal. */
const legacy = (name: string, f: Binary): ElementwiseRow => ({
  kind: 'elementwise',
  name,
  operands: [2, 2],
  arrange: (use) => {
    if (meetingOf(use) !== 'placed') return undefined
    return ([x, y]) => [x!, broadcastTo(y!, x!.shape, { broadcast: ruleFor(use, x!, y!) })]
  },
  compute: ([x, y], use) => (meetingOf(use) === 'equal' ? f(x!, y!, { broadcast: onnxLegacy() }) : f(x!, y!)),
})

/** From opset 8 on by the general rule; before, shapes must be equal. */
const variadic = (name: string, f: Variadic): ElementwiseRow => ({
  kind: 'elementwise',
  name,
  operands: [1, Number.POSITIVE_INFINITY],
  compute: (operands, use) => f(operands as readonly Tensor[], { broadcast: variadicRule(use) }),
})

const mod: ElementwiseRow = {
  kind: 'elementwise',
  name: 'Mod',
  since: 10,
  operands: [2, 2],
  compute: ([x, y], use) => bcast.mod(x!, y!, { fmod: isTruncated(use) }),
}

const bitShift: ElementwiseRow = {
  kind: 'elementwise',
  name: 'BitShift',
  since: 11,
  operands: [2, 2],
  compute: ([x, y], { attributes }) =>
    bcast.bitShift(x!, y!, { direction: attributes.string('direction') as 'LEFT' | 'RIGHT' }),
}

const where: ElementwiseRow = {
  kind: 'elementwise',
  name: 'Where',
  since: 9,
  operands: [3, 3],
  compute: ([condition, x, y]) => bcast.where(condition!, x!, y!),
}

/** Before opset 7 a slope has one element, or one for each channel (axis 1). */
const prelu: ElementwiseRow = {
  kind: 'elementwise',
  name: 'PRelu',
  operands: [2, 2],
  arrange: (use) => {
    if (use.opset >= 7) return undefined
    return ([x, slope]) => [x!, broadcastTo(slope!, x!.shape, { broadcast: slopeRule(use, x!.rank) })]
  },
  compute: ([x, slope]) => bcast.prelu(x!, slope!),
}

export const elementwiseRows: readonly ElementwiseRow[] = [
  ...[unary('Abs', bcast.abs), unary('Ceil', bcast.ceil), unary('Exp', bcast.exp), unary('Floor', bcast.floor)],
  ...[unary('Log', bcast.log), unary('Neg', bcast.neg), unary('Not', bcast.not), unary('Relu', bcast.relu)],
  ...[unary('Reciprocal', bcast.reciprocal), unary('Sigmoid', bcast.sigmoid), unary('Sqrt', bcast.sqrt)],
  ...[unary('Tanh', bcast.tanh), unary('Sign', bcast.sign, 9), unary('Round', bcast.round, 11)],
  unary('BitwiseNot', bcast.bitwiseNot, 18),
  ...[legacy('Add', bcast.add), legacy('Sub', bcast.sub), legacy('Mul', bcast.mul), legacy('Div', bcast.div)],
  ...[legacy('Pow', bcast.pow), legacy('And', bcast.and), legacy('Or', bcast.or), legacy('Xor', bcast.xor)],
  ...[legacy('Equal', bcast.equal), legacy('Greater', bcast.greater), legacy('Less', bcast.less)],
  ...[binary('GreaterOrEqual', bcast.greaterOrEqual, 12), binary('LessOrEqual', bcast.lessOrEqual, 12)],
  ...[binary('BitwiseAnd', bcast.bitwiseAnd, 18), binary('BitwiseOr', bcast.bitwiseOr, 18)],
  binary('BitwiseXor', bcast.bitwiseXor, 18),
  ...[variadic('Max', bcast.max), variadic('Min', bcast.min), variadic('Mean', bcast.mean), variadic('Sum', bcast.sum)],
  ...[mod, bitShift, where, prelu],
]
