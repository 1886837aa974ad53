// Reductions as rows: what is done to each element before they are combined, what combines them, in which type, and
// what is done to the one that is left. packages/spec/src/ops/reductions.ts states the same.
import { type DType, isFloat, isHalf, isWide } from '../dtype/dtype.ts'
import { integerRange } from '../dtype/element.ts'
import type { Term } from './derivative.ts'
import { Builder, type Program, type Value } from './ir.ts'
import { BOOL, F4, NUMERIC, REAL, union } from './type-sets.ts'

/** What makes one element of two. */
export type Combining = 'add' | 'mul' | 'min' | 'max'

export interface ReductionRow {
  readonly name: string
  readonly types: readonly DType[]
  readonly combine: Combining
  /** What each element becomes first. */
  readonly prepare?: (b: Builder, x: Value) => Value
  /** What the element that is left becomes; `count` is how many there were. */
  readonly finish?: (b: Builder, x: Value, count: Value) => Value
  /** The gradient of the elements, as an expression; undefined where they have no influence. Without it there is none. */
  readonly derivative?: (given: ReductionDifferential) => Term | undefined
  /** The result of no elements; undefined where there is none. */
  readonly empty: (dtype: DType) => number | bigint | undefined
}

/** What the derivative of a reduction is made from; all have the shape of the elements. */
export interface ReductionDifferential {
  readonly x: Term
  readonly result: Term
  /** The gradient of the result. */
  readonly delta: Term
  /** How many elements became one. */
  readonly count: number
  /** The sum, and the product, over the axes that are reduced. */
  readonly total: (term: Term) => Term
  readonly product: (term: Term) => Term
}

/** The type in which elements are combined: 16-bit floats in float32, truth as bytes. */
export const combinedType = (dtype: DType): DType => (isHalf(dtype) ? 'float32' : dtype === 'bool' ? 'uint8' : dtype)

/** The program that gives the elements which are combined. */
export function prepareProgram({ prepare }: ReductionRow, dtype: DType): Program {
  const b = new Builder([dtype])
  const x = b.cast(b.input(0), combinedType(dtype))
  return b.program(prepare === undefined ? x : prepare(b, x))
}

/** The program that makes the result of what is left and the count; undefined where what is left is the result. */
export function finishProgram({ finish }: ReductionRow, dtype: DType): Program | undefined {
  const type = combinedType(dtype)
  // Truth is bytes of 0 and 1 already.
  if (finish === undefined && (type === dtype || dtype === 'bool')) return undefined
  const b = new Builder([type, type])
  const [x, count] = [b.input(0), b.input(1)]
  return b.program(b.cast(finish === undefined ? x : finish(b, x, count), dtype))
}

const NUMBERS = /* @__PURE__ */ union(NUMERIC, REAL)
const FLOATS = /* @__PURE__ */ union(F4, REAL)

const own = (dtype: DType, value: bigint): number | bigint => (isWide(dtype) ? value : Number(value))
const zero = (dtype: DType): number | bigint => own(dtype, 0n)

/** The value beyond all others of a type; there is none among rationals. */
const extreme =
  (end: 'min' | 'max', infinite: number) =>
  (dtype: DType): number | bigint | undefined => {
    if (isFloat(dtype)) return infinite
    return dtype === 'real' ? undefined : own(dtype, integerRange(dtype)[end])
  }

const square = (b: Builder, x: Value): Value => b.op('mul', x, x)

/** Elements that are equal to the result share its gradient; where it is NaN, each has it whole, as of operands. */
const shared = ({ x, result, delta, total }: ReductionDifferential): Term => {
  const chosen = x.equal(result)
  const share = chosen.where(delta.div(total(chosen.cast(x.dtype))), 0)
  return result.notEqual(result).where(delta, share)
}

export const sum: ReductionRow = {
  name: 'sum',
  types: NUMBERS,
  combine: 'add',
  empty: zero,
  derivative: ({ delta }) => delta,
}
export const mean: ReductionRow = {
  name: 'mean',
  types: FLOATS,
  combine: 'add',
  empty: (dtype) => (isFloat(dtype) ? Number.NaN : undefined),
  finish: (b, x, count) => b.op('div', x, count),
  derivative: ({ delta, count }) => delta.div(count),
}
export const prod: ReductionRow = {
  name: 'prod',
  types: NUMBERS,
  combine: 'mul',
  empty: (dtype) => own(dtype, 1n),
  // The product of the others: beside one zero it is left for the zero alone, beside two for none.
  derivative: ({ x, result, delta, total, product }) => {
    const isZero = x.equal(0)
    const zeros = total(isZero.cast(x.dtype))
    const others = product(isZero.where(1, x))
    // Beside a zero the product of all is 0, and what it changes by is in its own derivative.
    const elsewhere = zeros.equal(0).where(others, result).div(isZero.where(1, x))
    return isZero.where(zeros.equal(1).where(others, 0), elsewhere).mul(delta)
  },
}
export const max: ReductionRow = {
  name: 'max',
  types: NUMBERS,
  combine: 'max',
  empty: extreme('min', -Infinity),
  derivative: shared,
}
export const min: ReductionRow = {
  name: 'min',
  types: NUMBERS,
  combine: 'min',
  empty: extreme('max', Infinity),
  derivative: shared,
}
export const sumSquare: ReductionRow = {
  ...sum,
  name: 'sumSquare',
  prepare: square,
  derivative: ({ x, delta }) => x.mul(2).mul(delta),
}
/** Sums of magnitudes, and roots of sums of squares. */
export const norm1: ReductionRow = {
  ...sum,
  name: 'norm',
  prepare: (b, x) => b.op('abs', x),
  derivative: ({ x, delta }) => x.less(0).where(delta.neg(), x.greater(0).where(delta, 0)),
}
export const norm2: ReductionRow = {
  ...sum,
  name: 'norm',
  types: F4,
  prepare: square,
  finish: (b, x) => b.op('sqrt', x),
  // Nothing at the origin, where every direction is as good; divided by one there, so that its own derivative is finite.
  derivative: ({ x, result, delta }) => {
    const origin = result.equal(0)
    return origin.where(0, x.div(origin.where(1, result)).mul(delta))
  },
}
export const any: ReductionRow = { name: 'any', types: BOOL, combine: 'max', empty: () => 0 }
export const all: ReductionRow = { name: 'all', types: BOOL, combine: 'min', empty: () => 1 }
