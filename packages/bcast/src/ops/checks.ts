// What an operator asks of the element types of its operands, and of the tensor that its result goes into.
import type { DType } from '../dtype/dtype.ts'
import { DTypeError, OperandError, ReadOnlyError, typeNotTaken, typesDiffer, wrongOption } from '../errors/index.ts'
import { type Attributes, allowedTypes, type Row } from '../expr/row.ts'
import { formatShape, type Shape } from '../shape/dim.ts'
import { Tensor } from '../tensor/tensor.ts'

/**
 * Throws unless the operator takes these types together. Asked first without the numbers (undefined here), which take
 * their types from the tensors beside them, so that no number is named for what is wrong with a tensor.
 */
export function checkGiven(
  row: Pick<Row, 'name' | 'types' | 'own'>,
  operands: readonly ({ readonly dtype: DType } | undefined)[],
): void {
  const { own } = row
  const allowed = allowedTypes(row.types)
  let first = -1
  operands.forEach((operand, i) => {
    if (operand === undefined) return
    const { dtype } = operand
    const isOwn = i === own?.operand
    const takes = isOwn ? allowedTypes(own!.types) : allowed
    if (!takes.includes(dtype)) throw typeNotTaken(row.name, { operand: i, dtype }, takes)
    if (isOwn) return
    if (first < 0) first = i
    const expected = operands[first]!.dtype
    if (dtype !== expected) {
      const types = operands.map((other, j) => (j === own?.operand ? undefined : other?.dtype))
      throw typesDiffer(row.name, { operand: i, dtype }, { operand: first, dtype: expected }, types)
    }
  })
}

/** Throws unless the operator takes these types with these attributes. */
export function checkTypes(row: Row, tensors: readonly { readonly dtype: DType }[], attributes: Attributes): void {
  const { own } = row
  checkGiven(row, tensors)
  const shared = tensors[own?.operand === 0 ? 1 : 0]!.dtype
  const refusal = row.refuse?.(shared, tensors[own?.operand ?? 0]!.dtype, attributes)
  if (refusal !== undefined)
    throw new DTypeError(`${row.name}${refusal.why}.`, refusal.dtype, refusal.allowed, { operator: row.name })
}

/** Throws unless the result may be written into `out`. */
export function checkOut(name: string, out: unknown, dtype: DType, shape: Shape): asserts out is Tensor {
  if (!(out instanceof Tensor))
    throw new OperandError(`${name}: out is not a tensor.`, { operator: name, option: 'out' })
  if (out.dtype !== dtype)
    throw new DTypeError(`${name}: out is ${out.dtype} and the result is ${dtype}.`, out.dtype, [dtype], {
      operator: name,
    })
  if (out.rank !== shape.length || out.shape.some((size: number, axis: number) => size !== shape[axis])) {
    const what = `has shape ${formatShape(out.shape)} and the result has ${formatShape(shape)}`
    throw wrongOption(name, 'out', what, 'they must be equal')
  }
  if (out.readOnly) {
    throw new ReadOnlyError(
      `${name}: out is a view of shape ${formatShape(out.shape)} made by broadcasting, so it is read-only: several of its positions may be one element.`,
    )
  }
}
