// Exhaustive: a rounding function is settled by its decode table and by what happens at every boundary, so both are
// checked whole, against the definition of the format and exact midpoints.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bfloat16ToNumber,
  decodeBfloat16,
  encodeBfloat16,
  numberToBfloat16,
  roundToBfloat16,
} from '../../src/dtype/bfloat16.ts'

const NAN = 0x7fc0
const INFINITE = 0x7f80

/** The definition: sign, 8 bits of exponent biased by 127, 7 of fraction. */
function definition(bits: number): number {
  const sign = bits >= 0x8000 ? -1 : 1
  const exponent = Math.floor((bits % 0x8000) / 0x80)
  const fraction = (bits % 0x80) / 0x80
  if (exponent === 255) return fraction === 0 ? sign * Infinity : NaN
  return sign * (exponent === 0 ? fraction * 2 ** -126 : (1 + fraction) * 2 ** (exponent - 127))
}

/** Halfway from positive `bits` to its successor, exact in float64; 2^128 stands for infinity. */
function middle(bits: number): number {
  const next = bits + 1 === INFINITE ? 2 ** 128 : definition(bits + 1)
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

describe('bfloat16', () => {
  it('decodes all 65536 patterns by definition', () => {
    const wrong: number[] = []
    for (let bits = 0; bits < 0x10000; bits++) {
      if (!Object.is(bfloat16ToNumber(bits), definition(bits))) wrong.push(bits)
    }
    expect(wrong).toEqual([])
    expect(bfloat16ToNumber(0x3f80)).toBe(1)
    expect(bfloat16ToNumber(0x8000)).toBe(-0)
    expect(bfloat16ToNumber(1)).toBe(2 ** -133)
    expect(bfloat16ToNumber(INFINITE - 1)).toBe(2 ** 128 - 2 ** 120)
  })

  it('encodes every value to its own bits, and every NaN to one', () => {
    const wrong: number[] = []
    for (let bits = 0; bits < 0x10000; bits++) {
      const value = bfloat16ToNumber(bits)
      if (numberToBfloat16(value) !== (Number.isNaN(value) ? NAN : bits)) wrong.push(bits)
    }
    expect(wrong).toEqual([])
    const payload = new Float64Array(new BigUint64Array([0xfff0000000000001n]).buffer)
    expect(numberToBfloat16(payload[0]!)).toBe(NAN)
  })

  it('rounds to nearest even at every boundary, of either sign', () => {
    const wrong: number[] = []
    for (let bits = 0; bits < INFINITE; bits++) {
      const tie = middle(bits)
      const even = bits % 2 === 0 ? bits : bits + 1
      const right =
        numberToBfloat16(tie) === even &&
        numberToBfloat16(neighbour(tie, -1n)) === bits &&
        numberToBfloat16(neighbour(tie, 1n)) === bits + 1 &&
        numberToBfloat16(-tie) === even + 0x8000 &&
        numberToBfloat16(-neighbour(tie, -1n)) === bits + 0x8000 &&
        numberToBfloat16(-neighbour(tie, 1n)) === bits + 0x8001
      if (!right) wrong.push(bits)
    }
    expect(wrong).toEqual([])
  })

  it('overflows to infinity from the middle between the largest value and 2^128', () => {
    const limit = 2 ** 128 - 2 ** 119
    expect(roundToBfloat16(neighbour(limit, -1n))).toBe(2 ** 128 - 2 ** 120)
    expect(roundToBfloat16(limit)).toBe(Infinity)
    expect(roundToBfloat16(-limit)).toBe(-Infinity)
    expect(roundToBfloat16(Number.MAX_VALUE)).toBe(Infinity)
    expect(roundToBfloat16(-Infinity)).toBe(-Infinity)
  })

  it('underflows to a zero of the same sign up to half the smallest value', () => {
    const half = 2 ** -134
    expect(roundToBfloat16(half)).toBe(0)
    expect(roundToBfloat16(-half)).toBe(-0)
    expect(roundToBfloat16(neighbour(half, 1n))).toBe(2 ** -133)
    expect(roundToBfloat16(-5e-324)).toBe(-0)
    expect(roundToBfloat16(-0)).toBe(-0)
  })

  it('rounds once where a stop at float32 would round twice', () => {
    const x = 1 + 2 ** -8 + 2 ** -40
    expect(roundToBfloat16(Math.fround(x))).toBe(1)
    expect(roundToBfloat16(x)).toBe(1 + 2 ** -7)
  })

  it('finds the nearest of any float64', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -3.5e38, max: 3.5e38 }), (x) => {
        const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0
        expect(numberToBfloat16(x)).toBe(sign + nearest(Math.abs(x)))
      }),
      { numRuns: 5000 },
    )
  })

  it('converts along any stride, touching nothing else', () => {
    const bits = Uint16Array.of(7, 0x3f80, 8, 0x4000, 9, 0x8000, NAN)
    const out = new Float64Array(4).fill(-1)
    decodeBfloat16(bits, 1, 2, 3, out)
    expect([...out]).toEqual([1, 2, -0, -1])
    decodeBfloat16(bits, 3, -2, 2, out)
    expect([...out]).toEqual([2, 1, -0, -1])
    decodeBfloat16(bits, 6, 0, 2, out)
    expect([...out]).toEqual([NaN, NaN, -0, -1])

    const target = new Uint16Array(7).fill(5)
    encodeBfloat16(Float64Array.of(1, 2, Infinity, NaN), 3, target, 5, -2)
    expect([...target]).toEqual([5, INFINITE, 5, 0x4000, 5, 0x3f80, 5])
    encodeBfloat16(Float64Array.of(NaN), 1, target, 6, 1)
    expect(target[6]).toBe(NAN)
  })
})
