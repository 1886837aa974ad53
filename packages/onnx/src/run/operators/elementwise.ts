// Operators that the library has, element by element. What one meant depends on its version: before opset 7 (8 for the
// variadic ones) broadcasting was asked for by attributes.
import * as bcast from 'bcast'
import { BroadcastError, broadcastShapes, broadcastTo, none, onnxLegacy, pdpd, type Rule, type Tensor } from 'bcast'
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

/** Whether a node broadcasts by attributes: before opset 7, and in files that keep them beyond it. */
const isLegacy = ({ attributes, opset }: NodeUse): boolean =>
  opset < 7 || attributes.has('broadcast') || attributes.has('axis')

const asksForBroadcast = ({ attributes }: NodeUse): boolean => attributes.int('broadcast', 0) !== 0

/**
 * How the second operand goes onto the first. The text leaves ones inside it alone, but exporters of the time wrote
 * (2,3) + (2,1) and ONNX's own tests expect it to stretch; such an operand, and only such a one, goes on as under pdpd.
 */
function legacyRule({ attributes }: NodeUse, x: Tensor, y: Tensor): Rule {
  const axis = attributes.int('axis', undefined)
  const at = axis === undefined ? {} : { axis }
  const rule = onnxLegacy({ broadcast: true, ...at })
  if (!y.shape.includes(1)) return rule
  try {
    broadcastShapes([x.shape, y.shape], { broadcast: rule })
    return rule
  } catch (error) {
    if (error instanceof BroadcastError) return pdpd(at)
    throw error
  }
}

/** An operator that broadcasts by attributes in old files; without them shapes have to be equal. */
const legacy = (name: string, f: Binary): ElementwiseRow => ({
  kind: 'elementwise',
  name,
  operands: [2, 2],
  arrange: (use) => {
    if (!isLegacy(use) || !asksForBroadcast(use)) return undefined
    return ([x, y]) => [x!, broadcastTo(y!, x!.shape, { broadcast: legacyRule(use, x!, y!) })]
  },
  compute: ([x, y], use) =>
    isLegacy(use) && !asksForBroadcast(use) ? f(x!, y!, { broadcast: onnxLegacy() }) : f(x!, y!),
})

/** From opset 8 on by the general rule; before, shapes must be equal. */
const variadic = (name: string, f: Variadic): ElementwiseRow => ({
  kind: 'elementwise',
  name,
  operands: [1, Number.POSITIVE_INFINITY],
  compute: (operands, { opset }) => f(operands as readonly Tensor[], opset < 8 ? { broadcast: none } : {}),
})

const mod: ElementwiseRow = {
  kind: 'elementwise',
  name: 'Mod',
  since: 10,
  operands: [2, 2],
  compute: ([x, y], { attributes }) => bcast.mod(x!, y!, { fmod: attributes.int('fmod', 0) !== 0 }),
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
  arrange: ({ opset }) => {
    if (opset >= 7) return undefined
    return ([x, slope]) => {
      const rule = onnxLegacy(x!.rank < 2 ? { broadcast: true } : { broadcast: true, axis: 1 })
      return [x!, broadcastTo(slope!, x!.shape, { broadcast: rule })]
    }
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
