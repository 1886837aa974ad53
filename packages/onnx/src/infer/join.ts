// What holds of a value that is one of two: the branches of If, the rounds of Loop.
import { bounds, type Dim, type DimShape, isEqual, type SymbolBounds } from '../dims/index.ts'
import { type Known, optional, type Scalar, sequence, tensor, unknown } from './known.ts'

/** One size for two; of sizes that are equal it is the first. */
export type JoinDims = (a: Dim, b: Dim) => Dim

const limit = (bound: bigint | number): bigint | null => (typeof bound === 'bigint' ? bound : null)

/** The least bounds that hold both, as sizes. */
export function hull(a: Dim, b: Dim): SymbolBounds {
  const [left, right] = [bounds(a), bounds(b)]
  const min = limit(left.min < right.min ? left.min : right.min)
  return { min: min === null || min < 0n ? 0n : min, max: limit(left.max > right.max ? left.max : right.max) }
}

function joinShapes(a: DimShape, b: DimShape, dims: JoinDims): DimShape {
  if (a === b) return a
  if (a === null || b === null || a.length !== b.length) return null
  return a.map((dim, axis) => (isEqual(dim, b[axis]!) === true ? dim : dims(dim, b[axis]!)))
}

function joinScalars(a: Scalar, b: Scalar): Scalar {
  if (a === null || b === null || typeof a === 'number' || typeof b === 'number') return Object.is(a, b) ? a : null
  return isEqual(a, b) === true ? a : null
}

export function join(a: Known, b: Known, dims: JoinDims): Known {
  if (a === b) return a
  if (a.kind === 'tensor' && b.kind === 'tensor') {
    const element = a.element === b.element ? a.element : undefined
    const values = b.values
    const both = a.values?.length === values?.length ? a.values?.map((x, i) => joinScalars(x, values![i]!)) : undefined
    return tensor(element, joinShapes(a.shape, b.shape, dims), both)
  }
  if (a.kind === 'sequence' && b.kind === 'sequence') {
    const length = isEqual(a.length, b.length) === true ? a.length : dims(a.length, b.length)
    return sequence(join(a.of, b.of, dims), length)
  }
  if (a.kind === 'optional' && b.kind === 'optional') {
    return optional(join(a.of, b.of, dims), a.present === b.present ? a.present : undefined)
  }
  if (a.kind === 'map' && b.kind === 'map' && a.key === b.key) return { ...a, of: join(a.of, b.of, dims) }
  return unknown
}

const sameShape = (a: DimShape, b: DimShape): boolean =>
  a === b || (a !== null && a.length === b?.length && a.every((dim, axis) => isEqual(dim, b[axis]!) === true))

const sameValues = (a: readonly Scalar[] | undefined, b: readonly Scalar[] | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    a.length === b?.length &&
    a.every((x, i) => x === b[i] || (x !== null && joinScalars(x, b[i]!) !== null)))

/** Whether the same is known of two values. */
export function same(a: Known, b: Known): boolean {
  if (a === b) return true
  if (a.kind === 'tensor' && b.kind === 'tensor') {
    return a.element === b.element && sameShape(a.shape, b.shape) && sameValues(a.values, b.values)
  }
  if (a.kind === 'sequence' && b.kind === 'sequence') return isEqual(a.length, b.length) === true && same(a.of, b.of)
  if (a.kind === 'optional' && b.kind === 'optional') return a.present === b.present && same(a.of, b.of)
  if (a.kind === 'map' && b.kind === 'map') return a.key === b.key && same(a.of, b.of)
  return a.kind === 'unknown' && b.kind === 'unknown'
}
