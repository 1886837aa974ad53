// Two arrays of one type and shape, compared run by run: how many elements differ, the first places, the largest
// distances.
import { converted } from '../files/blocks/convert.ts'
import { bytesOf, type StoredDType, type TypedArray } from '../files/element.ts'
import { elementTexts } from '../files/json/text.ts'
import { distanceOf, type Steps } from './distance.ts'

/** Elements that differ by no more pass: by ulp, or by `atol + rtol · |b|`. */
export interface Tolerance {
  readonly ulp: Steps
  readonly rtol: number
  readonly atol: number
  /** Whether NaN differs from NaN. */
  readonly nanDiffers: boolean
}

export interface Difference {
  /** Position in row-major order. */
  readonly position: number
  /** The elements as text. */
  readonly a: string
  readonly b: string
  /** NaN where one of them is NaN. */
  readonly ulp: Steps
  /** |a - b| / |b|; NaN where one of them is NaN. */
  readonly relative: number
}

/** Pieces this long are compared as bytes first; most are equal. */
const PIECE = 2 ** 12

/** 64-bit integers as the nearest numbers; a BigInt for each would take ten times as long. */
function wideNumbers({ buffer, byteOffset, length }: TypedArray, signed: boolean): Float64Array {
  const words = new Uint32Array(buffer, byteOffset, 2 * length)
  const upper = (bits: number): number => (signed ? bits | 0 : bits)
  return new Float64Array(length).map((_, i) => upper(words[2 * i + 1]!) * 2 ** 32 + words[2 * i]!)
}

/** Elements as numbers; 64-bit integers are rounded, which is enough for a relative difference. */
function numbersOf(dtype: StoredDType, elements: TypedArray): ArrayLike<number> {
  if (dtype === 'float16' || dtype === 'bfloat16') return converted(dtype, elements, 'float64') as Float64Array
  if (dtype === 'int64' || dtype === 'uint64') return wideNumbers(elements, dtype === 'int64')
  return elements as Float64Array
}

const equalBytes = (a: TypedArray, b: TypedArray): boolean => Buffer.compare(bytesOf(a), bytesOf(b)) === 0

export class Comparison {
  readonly #dtype: StoredDType
  readonly #tolerance: Tolerance
  /** How many of the first differences are kept. */
  readonly #shown: number
  elements = 0
  /** Elements that are not equal. */
  differing = 0
  /** Those of them that the tolerance does not let pass. */
  beyond = 0
  /** Zeros that differ in their sign only; they are equal. */
  zeroSigns = 0
  /** Differences where one element is NaN. */
  nans = 0
  readonly first: Difference[] = []
  largestUlp: Difference | undefined
  largestRelative: Difference | undefined

  constructor(dtype: StoredDType, tolerance: Tolerance, shown: number) {
    this.#dtype = dtype
    this.#tolerance = tolerance
    this.#shown = shown
  }

  /** Takes runs of the two arrays; `positionOf` tells where an element of the runs stands in row-major order. */
  take(a: TypedArray, b: TypedArray, positionOf: (i: number) => number): void {
    this.elements += a.length
    for (let start = 0; start < a.length; start += PIECE) {
      const [pieceA, pieceB] = [a.subarray(start, start + PIECE), b.subarray(start, start + PIECE)]
      if (!equalBytes(pieceA, pieceB) || this.#tolerance.nanDiffers) {
        this.#piece(pieceA, pieceB, (i) => positionOf(start + i))
      }
    }
  }

  /** Numbers that stand for 64-bit integers may be equal where those are not. */
  get #isExact(): boolean {
    return this.#dtype !== 'int64' && this.#dtype !== 'uint64'
  }

  #piece(a: TypedArray, b: TypedArray, positionOf: (i: number) => number): void {
    const [x, y] = [numbersOf(this.#dtype, a), numbersOf(this.#dtype, b)]
    const distance = distanceOf(this.#dtype, a, b)
    // Text is made for the few differences that are kept.
    const text = (elements: TypedArray, i: number): string =>
      elementTexts(this.#dtype, elements.subarray(i, i + 1))(0).replaceAll('"', '')
    const found: Found = {
      positionOf,
      describe: (i, ulp, relative) => ({ position: positionOf(i), a: text(a, i), b: text(b, i), ulp, relative }),
    }
    for (let i = 0; i < a.length; i++) {
      const [one, other] = [x[i]!, y[i]!]
      if (this.#isExact && one === other && one !== 0) continue
      if (Number.isNaN(one) || Number.isNaN(other)) this.#nan(one, other, i, found)
      else this.#numbers(one, other, i, distance(i), found)
    }
  }

  #nan(one: number, other: number, i: number, found: Found): void {
    if (Number.isNaN(one) && Number.isNaN(other) && !this.#tolerance.nanDiffers) return
    this.differing++
    this.beyond++
    this.nans++
    this.#keep(i, NaN, NaN, found)
  }

  #numbers(one: number, other: number, i: number, ulp: Steps, found: Found): void {
    if (ulp === 0) {
      if (one === 0 && !Object.is(one, other)) this.zeroSigns++
      return
    }
    const { ulp: ulps, rtol, atol } = this.#tolerance
    // 64-bit integers may differ and round to one number; their distance is their difference.
    const apart: Steps = this.#isExact ? Math.abs(one - other) : ulp
    const areFinite = Number.isFinite(one) && Number.isFinite(other)
    const relative = areFinite ? Number(apart) / Math.abs(other) : Infinity
    this.differing++
    if (this.largestUlp === undefined || ulp > this.largestUlp.ulp) this.largestUlp = found.describe(i, ulp, relative)
    if (this.largestRelative === undefined || relative > this.largestRelative.relative) {
      this.largestRelative = found.describe(i, ulp, relative)
    }
    // What lies beside infinity is infinitely far from it, however much rtol times infinity is.
    if (ulp <= ulps || (areFinite && apart <= atol + rtol * Math.abs(other))) return
    this.beyond++
    this.#keep(i, ulp, relative, found)
  }

  /** Keeps a difference that is among the first in row-major order. */
  #keep(i: number, ulp: Steps, relative: number, { positionOf, describe }: Found): void {
    if (this.first.length === this.#shown && !(positionOf(i) < (this.first.at(-1)?.position ?? 0))) return
    const difference = describe(i, ulp, relative)
    const after = this.first.findLastIndex(({ position }) => position < difference.position)
    this.first.splice(after + 1, 0, difference)
    if (this.first.length > this.#shown) this.first.pop()
  }
}

/** What is known about the elements of a piece beside their values. */
interface Found {
  readonly positionOf: (i: number) => number
  readonly describe: (i: number, ulp: Steps, relative: number) => Difference
}
