// What a dimension can be. Concrete shapes hold numbers only; symbolic ones may also hold a name
// (the same size wherever it stands), an unknown size, or an interval of sizes.
import { ShapeError } from '../errors/index.ts'
import { show } from './show.ts'

/** A concrete shape. */
export type Shape = readonly number[]

/** Sizes from `min` to `max`, both included; `max: null` has no bound. */
export interface Interval {
  readonly min: number
  readonly max: number | null
}

/** A size: known, named, unknown (`null`), or somewhere in an interval. */
export type Dim = number | string | null | Interval

/** A shape of dimensions; `null` when not even the rank is known. */
export type SymbolicShape = readonly Dim[] | null

/** The largest number of elements: beyond it element counts are no longer exact integers. */
const MAX_ELEMENTS = Number.MAX_SAFE_INTEGER

function sizeProblem(size: unknown): string | undefined {
  if (typeof size !== 'number' || Number.isNaN(size)) return 'is not a number'
  if (!Number.isFinite(size)) return 'is not finite'
  if (!Number.isInteger(size)) return 'is not an integer'
  if (size < 0) return 'is negative'
  if (size > MAX_ELEMENTS) return 'is above 2^53 - 1'
  return undefined
}

function checkArray(shape: unknown, label: string): asserts shape is readonly unknown[] {
  if (!Array.isArray(shape)) {
    throw new ShapeError(
      `${label} is not an array: got ${show(shape)}. A shape is an array of sizes, such as [2, 3].`,
      shape,
    )
  }
}

function badSize(shape: readonly unknown[], position: number, problem: string, label: string): ShapeError {
  const size = shape[position]
  return new ShapeError(
    `${label} ${show(shape)}: size ${show(size)} at position ${position} ${problem}. Sizes are integers from 0 to 2^53 - 1.`,
    size,
    position,
  )
}

/** The smallest size that a dimension can be. */
function leastSize(dim: Dim): number {
  if (typeof dim === 'number') return dim
  return typeof dim === 'object' && dim !== null ? dim.min : 0
}

/** The position at which the number of elements passes what is counted exactly, however small open sizes are; or -1. */
function overflowAt(shape: readonly Dim[]): number {
  let elements = 1
  let position = -1
  for (let i = 0; i < shape.length; i++) {
    const least = leastSize(shape[i]!)
    // A zero anywhere makes the product zero, however large the rest.
    if (least === 0) return -1
    elements *= least
    if (elements > MAX_ELEMENTS && position < 0) position = i
  }
  return position
}

/** Whether a shape whose sizes are in order can have a number of elements that is counted exactly. */
export const isCountable = (shape: SymbolicShape): boolean => shape === null || overflowAt(shape) < 0

function checkCount(shape: readonly Dim[], label: string): void {
  const position = overflowAt(shape)
  if (position < 0) return
  throw new ShapeError(
    `${label} ${show(shape)}: the product of the sizes passes 2^53 - 1 at position ${position}. Elements are counted exactly up to 2^53 - 1.`,
    shape[position],
    position,
  )
}

/** Throws a ShapeError, naming value and position, unless `shape` is an array of sizes whose product is exact. */
export function checkShape(shape: unknown, label = 'shape'): asserts shape is Shape {
  checkArray(shape, label)
  for (let i = 0; i < shape.length; i++) {
    const problem = sizeProblem(shape[i])
    if (problem !== undefined) throw badSize(shape, i, problem, label)
  }
  checkCount(shape as Shape, label)
}

function dimProblem(dim: unknown): string | undefined {
  if (dim === null) return undefined
  if (typeof dim === 'string') return dim === '' ? 'is an empty name' : undefined
  if (typeof dim !== 'object') return sizeProblem(dim)
  const { min, max } = dim as Partial<Interval>
  if (sizeProblem(min) !== undefined || (max !== null && sizeProblem(max) !== undefined)) {
    return 'is not an interval { min, max } of sizes (max: null has no bound)'
  }
  return max !== null && max! < min! ? 'is an empty interval' : undefined
}

/** Throws a ShapeError unless `shape` is a symbolic shape. */
export function checkSymbolicShape(shape: unknown, label = 'shape'): asserts shape is SymbolicShape {
  if (shape === null) return
  checkArray(shape, label)
  for (let i = 0; i < shape.length; i++) {
    const problem = dimProblem(shape[i])
    if (problem !== undefined) throw badSize(shape, i, problem, label)
  }
  checkCount(shape as readonly Dim[], label)
}

/** The number of elements of a concrete shape. */
export function elementCount(shape: Shape): number {
  let count = 1
  for (const size of shape) count *= size
  return count
}

export const isConcrete = (shape: SymbolicShape): shape is Shape =>
  shape?.every((dim) => typeof dim === 'number') ?? false

/** One dimension as text: `3`, `N`, `?`, `2..8`, `4..`. */
export function formatDim(dim: Dim): string {
  if (dim === null) return '?'
  if (typeof dim !== 'object') return String(dim)
  return `${dim.min}..${dim.max ?? ''}`
}

/** A shape as text: `(2,3)`, `()` for a scalar, `(?…)` when the rank is unknown. */
export const formatShape = (shape: SymbolicShape): string =>
  shape === null ? '(?…)' : `(${shape.map(formatDim).join(',')})`
