// Exhaustive: a rounding function is settled by its decode table and by what happens at every boundary, so both are
// checked whole, against the definition of the format and exact midpoints.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeFloat16,
  encodeFloat16,
  float16ToNumber,
  numberToFloat16,
  roundToFloat16,
} from '../../src/dtype/float16.ts'

const NAN = 0x7e00
const INFINITE = 0x7c00

/** The definition: sign, 5 bits of exponent biased by 15, 10 of fraction. */
function definition(bits: number): number {
  const sign = bits >= 0x8000 ? -1 : 1
  const exponent = Math.floor((bits % 0x8000) / 0x400)
  const fraction = (bits % 0x400) / 0x400
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15))
}

/** Halfway from positive `bits` to its successor, exact in float64; 2^16 stands for infinity. */
function middle(bits: number): number {
  const next = bits + 1 === INFINITE ? 2 ** 16 : definition(bits + 1)
  return definition(bits) / 2 + next / 2
}

function neighbour(x: number, steps: bigint): number {
  const value = new Float64Array([x])
  const bits = new BigInt64Array(value.buffer)
  bits[0]! += steps
  return value[0]!
}

/** The nearest by search: the first whose upper boundary is not passed, boundaries belonging to the even side. */
function nearest(magnitude: number): number {
  let low = 0
  let high = INFINITE
  while (low < high) {
    const bits = (low + high) >> 1
    const fits = bits % 2 === 0 ? magnitude <= middle(bits) : magnitude < middle(bits)
    if (fits) high = bits
    else low = bits + 1
  }
  return low
}

describe('float16', () => {
  it('decodes all 65536 patterns by definition', () => {
    const wrong: number[] = []
    for (let bits = 0; bits < 0x10000; bits++) {
      if (!Object.is(float16ToNumber(bits), definition(bits))) wrong.push(bits)
    }
    expect(wrong).toEqual([])
    expect(float16ToNumber(0x3c00)).toBe(1)
    expect(float16ToNumber(0x8000)).toBe(-0)
    expect(float16ToNumber(1)).toBe(2 ** -24)
    expect(float16ToNumber(INFINITE - 1)).toBe(65504)
  })

  it('encodes every value to its own bits, and every NaN to one', () => {
    const wrong: number[] = []
    for (let bits = 0; bits < 0x10000; bits++) {
      const value = float16ToNumber(bits)
      if (numberToFloat16(value) !== (Number.isNaN(value) ? NAN : bits)) wrong.push(bits)
    }
    expect(wrong).toEqual([])
    const payload = new Float64Array(new BigUint64Array([0xfff0000000000001n]).buffer)
    expect(numberToFloat16(payload[0]!)).toBe(NAN)
  })

  it('rounds to nearest even at every boundary, of either sign', () => {
    const wrong: number[] = []
    for (let bits = 0; bits < INFINITE; bits++) {
      const tie = middle(bits)
      const even = bits % 2 === 0 ? bits : bits + 1
      const right =
        numberToFloat16(tie) === even &&
        numberToFloat16(neighbour(tie, -1n)) === bits &&
        numberToFloat16(neighbour(tie, 1n)) === bits + 1 &&
        numberToFloat16(-tie) === even + 0x8000 &&
        numberToFloat16(-neighbour(tie, -1n)) === bits + 0x8000 &&
        numberToFloat16(-neighbour(tie, 1n)) === bits + 0x8001
      if (!right) wrong.push(bits)
    }
    expect(wrong).toEqual([])
  })

  it('overflows to infinity from the middle between the largest value and 2^16', () => {
    const limit = 65520
    expect(roundToFloat16(neighbour(limit, -1n))).toBe(65504)
    expect(roundToFloat16(limit)).toBe(Infinity)
    expect(roundToFloat16(-limit)).toBe(-Infinity)
    expect(roundToFloat16(Number.MAX_VALUE)).toBe(Infinity)
    expect(roundToFloat16(-Infinity)).toBe(-Infinity)
  })

  it('underflows to a zero of the same sign up to half the smallest value', () => {
    const half = 2 ** -25
    expect(roundToFloat16(half)).toBe(0)
    expect(roundToFloat16(-half)).toBe(-0)
    expect(roundToFloat16(neighbour(half, 1n))).toBe(2 ** -24)
    expect(roundToFloat16(-5e-324)).toBe(-0)
    expect(roundToFloat16(-0)).toBe(-0)
  })

  it('rounds once where a stop at float32 would round twice', () => {
    const x = 1 + 2 ** -11 + 2 ** -40
    expect(roundToFloat16(Math.fround(x))).toBe(1)
    expect(roundToFloat16(x)).toBe(1 + 2 ** -10)
  })

  it('finds the nearest of any float64', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -70000, max: 70000 }), (x) => {
        const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0
        expect(numberToFloat16(x)).toBe(sign + nearest(Math.abs(x)))
      }),
      { numRuns: 5000 },
    )
  })

  it('converts along any stride, touching nothing else', () => {
    const bits = Uint16Array.of(7, 0x3c00, 8, 0x4000, 9, 0x8000, NAN)
    const out = new Float64Array(4).fill(-1)
    decodeFloat16(bits, 1, 2, 3, out)
    expect([...out]).toEqual([1, 2, -0, -1])
    decodeFloat16(bits, 3, -2, 2, out)
    expect([...out]).toEqual([2, 1, -0, -1])
    decodeFloat16(bits, 6, 0, 2, out)
    expect([...out]).toEqual([NaN, NaN, -0, -1])

    const target = new Uint16Array(7).fill(5)
    encodeFloat16(Float64Array.of(1, 2, Infinity, NaN), 3, target, 5, -2)
    expect([...target]).toEqual([5, INFINITE, 5, 0x4000, 5, 0x3c00, 5])
    encodeFloat16(Float64Array.of(NaN), 1, target, 6, 1)
    expect(target[6]).toBe(NAN)
  })
})
