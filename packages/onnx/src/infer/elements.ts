// Elements of small tensors, moved and computed as the operators do it: gathered by index, broadcast, held to the range
// of their type.
import { dtypeInfo } from 'bcast'
import { bounds, constantOf, type Dim, max, min } from '../dims/index.ts'
import { type ElementType, isDType, type OnnxDType } from '../model/element-type.ts'
import { countOf } from '../model/row-major.ts'
import { isFloat, type KnownTensor, numberOfScalar, type Scalar, sizesOf, smallCount } from './known.ts'

/** Strides in row-major order. */
export function stridesOf(sizes: readonly number[]): number[] {
  const strides = new Array<number>(sizes.length)
  let stride = 1
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    strides[axis] = stride
    stride *= sizes[axis]!
  }
  return strides
}

/** For every index of a shape in row-major order, where the element lies: offset + sum of index times stride. */
export function placesOf(sizes: readonly number[], strides: readonly number[], offset = 0): number[] {
  let places = [offset]
  for (const [axis, size] of sizes.entries()) {
    const next: number[] = []
    for (const place of places) for (let i = 0; i < size; i++) next.push(place + i * strides[axis]!)
    places = next
  }
  return places
}

/** The values of a tensor broadcast to sizes that it fits, right-aligned. */
export function spread({ values, shape }: KnownTensor, sizes: readonly number[]): Scalar[] | undefined {
  const own = sizesOf(shape)
  if (values === undefined || own === undefined || own.length > sizes.length) return undefined
  const strides = stridesOf(own).map((stride, axis) => (own[axis] === 1 ? 0 : stride))
  const padded = [...new Array<number>(sizes.length - own.length).fill(0), ...strides]
  return placesOf(sizes, padded).map((place) => values[place]!)
}

/** Element by element over operands that were broadcast to one small shape; undefined where none is known. */
export function elementwise(
  operands: readonly KnownTensor[],
  shape: KnownTensor['shape'],
  compute: (elements: readonly Scalar[]) => Scalar,
): Scalar[] | undefined {
  const count = smallCount(shape)
  if (count === undefined) return undefined
  const sizes = sizesOf(shape)!
  const all = operands.map((operand) => spread(operand, sizes))
  if (all.every((elements) => elements === undefined)) return undefined
  return Array.from({ length: countOf(sizes) }, (_, i) => compute(all.map((elements) => elements?.[i] ?? null)))
}

/** One of two elements: as Dims where both are whole, as numbers where both are numbers. */
function chosen(a: Scalar, b: Scalar, dims: typeof max, numbers: typeof Math.max): Scalar {
  if (a === null || b === null) return null
  if (typeof a !== 'number' && typeof b !== 'number') return dims(a, b)
  const [x, y] = [numberOfScalar(a), numberOfScalar(b)]
  return x === undefined || y === undefined ? null : numbers(x, y)
}

export const larger = (a: Scalar, b: Scalar): Scalar => chosen(a, b, max, Math.max)
export const smaller = (a: Scalar, b: Scalar): Scalar => chosen(a, b, min, Math.min)

/** The integers that a type holds exactly; and how far numbers in an expression may go, undefined where none fits. */
interface Span {
  readonly min: bigint
  readonly max: bigint
  readonly reach: bigint | undefined
}

/** Sizes are taken to need no more than half the bits of a type of 32 bits or more: numbers beside them have the rest. */
const reachOf = (bits: bigint): bigint | undefined => (bits >= 24n ? 2n ** (bits / 2n) : undefined)

/** Of a float those of its significant bits. */
function spanOf(dtype: OnnxDType): Span | undefined {
  const { kind, bits, min, max, precision } = dtypeInfo(dtype)
  if (precision !== undefined) {
    const most = 2n ** BigInt(precision)
    return { min: -most, max: most, reach: reachOf(BigInt(precision)) }
  }
  if (min === undefined || max === undefined) return undefined
  return { min: BigInt(min), max: BigInt(max), reach: reachOf(kind === 'bool' ? 1n : BigInt(bits)) }
}

/** Products of more sizes than a tensor has axes are no count of elements. */
const MAX_FACTORS = 8

/** Whether an expression of sizes is taken to lie within a type: no tensor is so large that its counts would not. */
const isCount = ({ terms }: Dim, reach: bigint): boolean =>
  terms.every(
    ({ coefficient, monomial }) => coefficient <= reach && coefficient >= -reach && monomial.degree <= MAX_FACTORS,
  )

/** A result as an element of a type; null where the type may not hold it, so that it would wrap around or lose digits. */
export function held(value: Scalar, element: ElementType | undefined): Scalar {
  const span = isDType(element) ? spanOf(element) : undefined
  if (value === null || span === undefined) return null
  if (typeof value === 'number') {
    return element === 'float32' ? Math.fround(value) : element === 'float64' ? value : null
  }
  const { min, max } = bounds(value)
  if (min >= span.min && max <= span.max) {
    const integer = constantOf(value)
    return integer !== undefined && isFloat(element) ? Number(integer) : value
  }
  if (constantOf(value) !== undefined || (span.min === 0n && min < 0)) return null
  return span.reach !== undefined && isCount(value, span.reach) ? value : null
}
