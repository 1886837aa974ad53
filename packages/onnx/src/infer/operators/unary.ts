// Operators of one tensor that the library has not, whose result has its shape, and conversions between element types.
import { constant, isEqual } from '../../dims/index.ts'
import type { ElementType } from '../../model/element-type.ts'
import { castType } from '../attributes/types.ts'
import { held } from '../elements.ts'
import { isFloat, type Known, type KnownTensor, type Scalar, tensor } from '../known.ts'
import type { Row } from '../row.ts'

const plain = [
  ...['Acos', 'Acosh', 'Asin', 'Asinh', 'Atanh', 'Celu', 'Cosh', 'HardSwish', 'Hardmax', 'LogSoftmax', 'Mish', 'Selu'],
  ...['Shrink', 'Sinh', 'Softmax', 'Softsign', 'Swish', 'Tan', 'ThresholdedRelu'],
  // Of several inputs, of which the first gives shape and type.
  ...['CumSum', 'CumProd', 'ReverseSequence', 'Trilu'],
]

const sameRows: readonly Row[] = [
  ...plain.map((name): Row => ({ name, infer: (call) => [tensor(call.element(0), call.shape(0))] })),
  ...['IsNaN', 'IsInf'].map((name): Row => ({ name, infer: (call) => [tensor('bool', call.shape(0))] })),
]

/** Toward zero; what no integer of 53 bits is, is not known. */
const truncated = (value: number): Scalar =>
  Number.isSafeInteger(Math.trunc(value)) ? constant(Math.trunc(value)) : null

/** An element of one type as one of another; null where it is not known, or wraps around. */
export function castScalar(value: Scalar, to: ElementType | undefined): Scalar {
  if (value === null) return null
  if (to === 'bool') {
    if (typeof value === 'number') return constant(value === 0 ? 0 : 1)
    const zero = isEqual(value, 0)
    return zero === undefined ? null : constant(zero ? 0 : 1)
  }
  return held(typeof value === 'number' && !isFloat(to) ? truncated(value) : value, to)
}

const cast = ({ shape, values }: KnownTensor, to: ElementType | undefined): Known =>
  tensor(
    to,
    shape,
    values?.map((value) => castScalar(value, to)),
  )

const castRow: Row = { name: 'Cast', infer: (call) => [cast(call.tensor(0), castType(call))] }

const castLike: Row = { name: 'CastLike', since: 15, infer: (call) => [cast(call.tensor(0), call.element(1))] }

/** The bits of elements taken as another type of the same width. */
const bitCast: Row = {
  name: 'BitCast',
  since: 26,
  infer: (call) => [tensor(castType(call), call.shape(0))],
}

const identity: Row = { name: 'Identity', infer: (call) => [call.input(0)] }

/** The mask that tells what was dropped has the same shape; its type was the data's until opset 10. */
const dropout: Row = {
  name: 'Dropout',
  infer: (call) => {
    const { element, shape, values } = call.tensor(0)
    const training = call.opset >= 12 && call.has(2)
    return [tensor(element, shape, training ? undefined : values), tensor(call.opset < 10 ? element : 'bool', shape)]
  },
}

export const unaryRows: readonly Row[] = [...sameRows, castRow, castLike, bitCast, identity, dropout]
