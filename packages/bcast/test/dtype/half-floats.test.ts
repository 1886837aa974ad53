// Exhaustive: a rounding function is settled by its decode table and by what happens at every boundary, so both are
// checked whole, against the definition of the format and exact midpoints.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as bfloat16 from '../../src/dtype/bfloat16.ts'
import * as float16 from '../../src/dtype/float16.ts'

/** The parts of a format of 16 bits, the constants as its definition has them, and the functions under test. */
const formats = [
  {
    name: 'float16',
    exponentBits: 5,
    largest: 65_504,
    smallest: 2 ** -24,
    one: 0x3c00,
    nan: 0x7e00,
    toNumber: float16.float16ToNumber,
    fromNumber: float16.numberToFloat16,
    round: float16.roundToFloat16,
    decode: float16.decodeFloat16,
    encode: float16.encodeFloat16,
  },
  {
    name: 'bfloat16',
    exponentBits: 8,
    largest: 2 ** 128 - 2 ** 120,
    smallest: 2 ** -133,
    one: 0x3f80,
    nan: 0x7fc0,
    toNumber: bfloat16.bfloat16ToNumber,
    fromNumber: bfloat16.numberToBfloat16,
    round: bfloat16.roundToBfloat16,
    decode: bfloat16.decodeBfloat16,
    encode: bfloat16.encodeBfloat16,
  },
] as const

function neighbour(x: number, steps: bigint): number {
  const value = new Float64Array([x])
  const bits = new BigInt64Array(value.buffer)
  bits[0]! += steps
  return value[0]!
}

describe.each(formats)('$name', ({ exponentBits, largest, smallest, one, nan, ...format }) => {
  const { toNumber, fromNumber, round, decode, encode } = format
  /** Values of the fraction, the bias of the exponent, the bits of infinity, and what comes behind the largest value. */
  const fractions = 2 ** (15 - exponentBits)
  const bias = 2 ** (exponentBits - 1) - 1
  const infinite = 0x8000 - fractions
  const beyond = 2 ** (bias + 1)

  /** The definition: sign, exponent, fraction. */
  function definition(bits: number): number {
    const sign = bits >= 0x8000 ? -1 : 1
    const exponent = Math.floor((bits % 0x8000) / fractions)
    const fraction = (bits % fractions) / fractions
    if (exponent === 2 * bias + 1) return fraction === 0 ? sign * Infinity : NaN
    return sign * (exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias))
  }

  /** Halfway from positive `bits` to its successor, exact in float64. */
  function middle(bits: number): number {
    const next = bits + 1 === infinite ? beyond : definition(bits + 1)
    return definition(bits) / 2 + next / 2
  }

  /** The nearest by search: the first whose upper boundary is not passed, boundaries belonging to the even side. */
  function nearest(magnitude: number): number {
    let low = 0
    let high = infinite
    while (low < high) {
      const bits = (low + high) >> 1
      const fits = bits % 2 === 0 ? magnitude <= middle(bits) : magnitude < middle(bits)
      if (fits) high = bits
      else low = bits + 1
    }
    return low
  }

  it('decodes all 65536 patterns by definition', () => {
    const wrong: number[] = []
    for (let bits = 0; bits < 0x10000; bits++) {
      if (!Object.is(toNumber(bits), definition(bits))) wrong.push(bits)
    }
    expect(wrong).toEqual([])
    expect(toNumber(one)).toBe(1)
    expect(toNumber(0x8000)).toBe(-0)
    expect(toNumber(1)).toBe(smallest)
    expect(toNumber(infinite - 1)).toBe(largest)
  })

  it('encodes every value to its own bits, and every NaN to one', () => {
    const wrong: number[] = []
    for (let bits = 0; bits < 0x10000; bits++) {
      const value = toNumber(bits)
      if (fromNumber(value) !== (Number.isNaN(value) ? nan : bits)) wrong.push(bits)
    }
    expect(wrong).toEqual([])
    const payload = new Float64Array(new BigUint64Array([0xfff0000000000001n]).buffer)
    expect(fromNumber(payload[0]!)).toBe(nan)
  })

  it('rounds to nearest even at every boundary, of either sign', () => {
    const wrong: number[] = []
    for (let bits = 0; bits < infinite; bits++) {
      const tie = middle(bits)
      const even = bits % 2 === 0 ? bits : bits + 1
      const right =
        fromNumber(tie) === even &&
        fromNumber(neighbour(tie, -1n)) === bits &&
        fromNumber(neighbour(tie, 1n)) === bits + 1 &&
        fromNumber(-tie) === even + 0x8000 &&
        fromNumber(-neighbour(tie, -1n)) === bits + 0x8000 &&
        fromNumber(-neighbour(tie, 1n)) === bits + 0x8001
      if (!right) wrong.push(bits)
    }
    expect(wrong).toEqual([])
  })

  it('overflows to infinity from the middle between the largest value and the power of two behind it', () => {
    const limit = largest / 2 + beyond / 2
    expect(round(neighbour(limit, -1n))).toBe(largest)
    expect(round(limit)).toBe(Infinity)
    expect(round(-limit)).toBe(-Infinity)
    expect(round(Number.MAX_VALUE)).toBe(Infinity)
    expect(round(-Infinity)).toBe(-Infinity)
  })

  it('underflows to a zero of the same sign up to half the smallest value', () => {
    const half = smallest / 2
    expect(round(half)).toBe(0)
    expect(round(-half)).toBe(-0)
    expect(round(neighbour(half, 1n))).toBe(smallest)
    expect(round(-5e-324)).toBe(-0)
    expect(round(-0)).toBe(-0)
  })

  it('rounds once where a stop at float32 would round twice', () => {
    const x = 1 + 0.5 / fractions + 2 ** -40
    expect(round(Math.fround(x))).toBe(1)
    expect(round(x)).toBe(1 + 1 / fractions)
  })

  it('finds the nearest of any float64', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1.1 * largest, max: 1.1 * largest }), (x) => {
        const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0
        expect(fromNumber(x)).toBe(sign + nearest(Math.abs(x)))
      }),
      { numRuns: 5000 },
    )
  })

  it('converts along any stride, touching nothing else', () => {
    const bits = Uint16Array.of(7, one, 8, 0x4000, 9, 0x8000, nan)
    const out = new Float64Array(4).fill(-1)
    decode(bits, 1, 2, 3, out)
    expect([...out]).toEqual([1, 2, -0, -1])
    decode(bits, 3, -2, 2, out)
    expect([...out]).toEqual([2, 1, -0, -1])
    decode(bits, 6, 0, 2, out)
    expect([...out]).toEqual([NaN, NaN, -0, -1])

    const target = new Uint16Array(7).fill(5)
    encode(Float64Array.of(1, 2, Infinity, NaN), 3, target, 5, -2)
    expect([...target]).toEqual([5, infinite, 5, 0x4000, 5, one, 5])
    encode(Float64Array.of(NaN), 1, target, 6, 1)
    expect(target[6]).toBe(nan)
  })
})
