// What inference knows of a value: its kind, element type, shape, and the elements of small tensors, through which
// sizes flow from Shape to Reshape. A size that is not known is a symbol of its own, so every axis has a Dim; only the
// rank can be missing.
import { dtypeInfo } from 'bcast'
import { constant, constantOf, type Dim, type DimShape } from '../dims/index.ts'
import { type ElementType, isDType } from '../model/element-type.ts'
import { countOf } from '../model/row-major.ts'

/**
 * An element: an integer (also a bool, as 0 or 1, and a whole float that depends on sizes) as a Dim, any other float as
 * a number, `null` where it is not known.
 */
export type Scalar = Dim | number | null

/** What is known of a tensor: type, shape, and values where they follow. */
export interface KnownTensor {
  readonly kind: 'tensor'
  readonly element: ElementType | undefined
  readonly shape: DimShape
  /** In row-major order, at most MAX_VALUES of them; there only if the shape is made of numbers. */
  readonly values: readonly Scalar[] | undefined
}

/** What is known of a sequence. */
export interface KnownSequence {
  readonly kind: 'sequence'
  /** What holds of every element. */
  readonly of: Known
  readonly length: Dim
  /** The elements one by one, where each is known. */
  readonly elements: readonly Known[] | undefined
}

/** What is known of an optional. */
export interface KnownOptional {
  readonly kind: 'optional'
  readonly of: Known
  /** Undefined when not known. */
  readonly present: boolean | undefined
}

/** What is known of a map. */
export interface KnownMap {
  readonly kind: 'map'
  readonly key: ElementType | undefined
  readonly of: Known
}

/** What is known of a value, by its kind. */
export type Known = KnownTensor | KnownSequence | KnownOptional | KnownMap | { readonly kind: 'unknown' }

/** Tensors of more elements than this are known by their shape alone. */
export const MAX_VALUES = 1024

/** Shapes of more axes than any engine has are those of damaged or hostile files: their rank counts as unknown. */
export const MAX_RANK = 256

/** The largest size that a file can say. */
export const MAX_SIZE: bigint = 2n ** 63n - 1n

export const unknown: Known = { kind: 'unknown' }

/** The sizes of a shape that is made of numbers. */
export function sizesOf(shape: DimShape): readonly number[] | undefined {
  if (shape === null) return undefined
  const sizes: number[] = []
  for (const dim of shape) {
    const size = constantOf(dim)
    if (size === undefined) return undefined
    sizes.push(Number(size))
  }
  return sizes
}

/** The element count of a shape of numbers that is small enough for values; undefined otherwise. */
export function smallCount(shape: DimShape): number | undefined {
  const sizes = sizesOf(shape)
  const count = sizes && countOf(sizes)
  return count !== undefined && count <= MAX_VALUES ? count : undefined
}

/** A tensor; values that do not fit the shape, or of which none is known, are left out. */
export function tensor(
  element: ElementType | undefined,
  given: DimShape,
  values?: readonly Scalar[] | undefined,
): KnownTensor {
  const shape = given !== null && given.length > MAX_RANK ? null : given
  const kept = values !== undefined && values.length === smallCount(shape) && !isBlank(values) ? values : undefined
  return { kind: 'tensor', element, shape, values: kept }
}

/** Whether there are elements, and none of them is known. */
const isBlank = (values: readonly Scalar[]): boolean => values.length > 0 && values.every((value) => value === null)

export const sequence = (of: Known, length: Dim, elements?: readonly Known[]): KnownSequence => ({
  kind: 'sequence',
  of,
  length,
  elements: elements !== undefined && elements.length <= MAX_VALUES ? elements : undefined,
})

export const optional = (of: Known, present: boolean | undefined): KnownOptional => ({ kind: 'optional', of, present })

/** Whether elements of the type are numbers with a fraction; false for a type that is not known. */
export const isFloat = (element: ElementType | undefined): boolean => isDType(element) && dtypeInfo(element).isFloat

/** An element as an integer; null where it is none. */
export function dimOfScalar(value: Scalar): Dim | null {
  if (typeof value !== 'number') return value
  return Number.isSafeInteger(value) ? constant(value) : null
}

/** An element as a number; undefined where it depends on sizes. An integer beyond 2^53 is the nearest number. */
export function numberOfScalar(value: Scalar): number | undefined {
  if (typeof value === 'number') return value
  const integer = value === null ? undefined : constantOf(value)
  return integer === undefined ? undefined : Number(integer)
}
