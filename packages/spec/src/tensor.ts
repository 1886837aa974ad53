// A tensor in the mathematical sense: a shape and a function from indices to elements. No storage, no strides, so that
// nothing an engine could get wrong about memory can also be wrong here.
import { SpecError } from './error.ts'

/** The sizes of the axes. */
export type Shape = readonly number[]

/** The position of an element, one number for each axis. */
export type Index = readonly number[]

/** A tensor as mathematics has it: a shape and a function from indices to elements. */
export interface SpecTensor<T> {
  readonly shape: Shape
  at(index: Index): T
}

/** Nested arrays, to any depth. */
export type Nested<T> = T | readonly Nested<T>[]

/** Every index of a shape in row-major order: the last axis varies fastest. A shape with a 0 has none, [] has one. */
export function* indices(shape: Shape): Generator<number[], void, undefined> {
  const [first, ...rest] = shape
  if (first === undefined) {
    yield []
    return
  }
  for (let i = 0; i < first; i++) {
    for (const tail of indices(rest)) yield [i, ...tail]
  }
}

const elementCount = (shape: Shape): number => shape.reduce((product, size) => product * size, 1)

const checkIndex = (shape: Shape, index: Index): void => {
  const inside =
    index.length === shape.length && index.every((i, axis) => Number.isInteger(i) && i >= 0 && i < shape[axis]!)
  if (!inside) throw new RangeError(`index (${index.join(',')}) is outside shape (${shape.join(',')})`)
}

/** The tensor whose element at `index` is `element(index)`. */
export const define = <T>(shape: Shape, element: (index: Index) => T): SpecTensor<T> => ({
  shape: [...shape],
  at(index) {
    checkIndex(shape, index)
    return element(index)
  },
})

/**
 * The tensor of `shape` whose elements in row-major order are `values`.
 *
 * @example
 * ```ts
 * toFlat(fromFlat([2, 2], [1, 2, 3, 4])) // [1, 2, 3, 4]
 * ```
 */
export const fromFlat = <T>(shape: Shape, values: ArrayLike<T>): SpecTensor<T> => {
  if (values.length !== elementCount(shape)) {
    throw new SpecError('shape', `${values.length} values do not fill shape (${shape.join(',')})`)
  }
  const copy = Array.from(values)
  return define(shape, (index) => copy[index.reduce((offset, i, axis) => offset * shape[axis]! + i, 0)]!)
}

const nestedShape = (nested: unknown): number[] =>
  Array.isArray(nested) ? [nested.length, ...(nested.length === 0 ? [] : nestedShape(nested[0]))] : []

/**
 * The tensor written as nested arrays; all arrays of one depth must have one length.
 *
 * @example
 * ```ts
 * fromNested([[1, 2], [3, 4]]).shape // [2, 2]
 * ```
 */
export const fromNested = <T>(nested: Nested<T>): SpecTensor<T> => {
  const shape = nestedShape(nested)
  const flatten = (part: unknown, depth: number): T[] => {
    if (Array.isArray(part) !== depth < shape.length) throw new SpecError('shape', 'nested arrays are ragged')
    if (!Array.isArray(part)) return [part as T]
    if (part.length !== shape[depth]) throw new SpecError('shape', 'nested arrays are ragged')
    return part.flatMap((child) => flatten(child, depth + 1))
  }
  return fromFlat(shape, flatten(nested, 0))
}

/**
 * The elements in row-major order.
 *
 * @example
 * ```ts
 * toFlat(fromNested([[1, 2], [3, 4]])) // [1, 2, 3, 4]
 * ```
 */
export const toFlat = <T>(tensor: SpecTensor<T>): T[] => [...indices(tensor.shape)].map((index) => tensor.at(index))

/** Applies an element function to tensors of one shape; an error names the lowest row-major index that has none. */
export const elementwise = <T, R>(
  operator: (...elements: T[]) => R,
  tensors: readonly SpecTensor<T>[],
): SpecTensor<R> => {
  const [first] = tensors
  if (first === undefined) throw new SpecError('shape', 'an operator needs at least one operand')
  for (const { shape } of tensors) {
    if (shape.length !== first.shape.length || shape.some((size, axis) => size !== first.shape[axis])) {
      throw new SpecError('shape', 'element-wise operands have different shapes')
    }
  }
  const results = [...indices(first.shape)].map((index) => {
    try {
      return operator(...tensors.map((tensor) => tensor.at(index)))
    } catch (error) {
      if (error instanceof SpecError) throw new SpecError(error.code, error.message, index)
      throw error
    }
  })
  return fromFlat(first.shape, results)
}
