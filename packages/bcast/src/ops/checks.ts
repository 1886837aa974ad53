// What an operator asks of the element types of its operands, and of the tensor that its result goes into.
import type { DType } from '../dtype/dtype.ts'
import { DTypeError, OperandError, ReadOnlyError } from '../errors/index.ts'
import { type Attributes, allowedTypes, type Row } from '../expr/row.ts'
import { formatShape, type Shape } from '../shape/dim.ts'
import { operandName } from '../shape/rule.ts'
import { Tensor } from '../tensor/tensor.ts'

const quoted = (dtypes: readonly DType[]): string => dtypes.join(', ')

/**
 * Throws unless the operator takes these types together. Asked first without the numbers (undefined here), which take
 * their types from the tensors beside them, so that no number is named for what is wrong with a tensor.
 */
export function checkGiven(row: Row, operands: readonly ({ readonly dtype: DType } | undefined)[]): void {
  const { own } = row
  const allowed = allowedTypes(row.types)
  let first = -1
  operands.forEach((operand, i) => {
    if (operand === undefined) return
    const { dtype } = operand
    const isOwn = i === own?.operand
    const takes = isOwn ? allowedTypes(own!.types) : allowed
    if (!takes.includes(dtype)) {
      throw new DTypeError(
        `${row.name} does not take ${dtype} for ${operandName(i)}; it takes ${quoted(takes)}. Convert with cast(${operandName(i).toLowerCase()}, '${takes.includes('float32') ? 'float32' : takes[0]}').`,
        dtype,
        takes,
      )
    }
    if (isOwn) return
    if (first < 0) first = i
    const expected = operands[first]!.dtype
    if (dtype !== expected) {
      throw new DTypeError(
        `${row.name}: element types differ: ${operandName(first)} is ${expected}, ${operandName(i)} is ${dtype}. Nothing is converted by itself: use cast(${operandName(i).toLowerCase()}, '${expected}') or cast(${operandName(first).toLowerCase()}, '${dtype}').`,
        dtype,
        [expected],
      )
    }
  })
}

/** Throws unless the operator takes these types with these attributes. */
export function checkTypes(row: Row, tensors: readonly { readonly dtype: DType }[], attributes: Attributes): void {
  const { own } = row
  checkGiven(row, tensors)
  const shared = tensors[own?.operand === 0 ? 1 : 0]!.dtype
  const refusal = row.refuse?.(shared, tensors[own?.operand ?? 0]!.dtype, attributes)
  if (refusal !== undefined) throw new DTypeError(`${row.name}${refusal.why}.`, refusal.dtype, refusal.allowed)
}

/** Throws unless the result may be written into `out`. */
export function checkOut(name: string, out: unknown, dtype: DType, shape: Shape): asserts out is Tensor {
  if (!(out instanceof Tensor)) throw new OperandError(`${name}: out is not a tensor.`)
  if (out.dtype !== dtype)
    throw new DTypeError(`${name}: out is ${out.dtype} and the result is ${dtype}.`, out.dtype, [dtype])
  if (out.rank !== shape.length || out.shape.some((size: number, axis: number) => size !== shape[axis])) {
    throw new OperandError(
      `${name}: out has shape ${formatShape(out.shape)} and the result has ${formatShape(shape)}; they must be equal.`,
    )
  }
  if (out.readOnly) {
    throw new ReadOnlyError(
      `${name}: out is a view of shape ${formatShape(out.shape)} made by broadcasting, so it is read-only: several of its positions may be one element.`,
    )
  }
}
