// The float formats, exhaustively for the 16-bit ones; float32 and float64 against the machine's own.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bitsToNumber,
  compare,
  exact,
  type FloatType,
  floatFormats,
  integerRange,
  integerTypes,
  isRepresentable,
  largest,
  numberToBits,
  rational,
  roundNumber,
  roundTo,
  saturate,
  wrap,
} from '../src/index.ts'
import { plus, ratio, times } from '../src/rational.ts'

const half = ratio(1n, 2n)
const sixteenBit: FloatType[] = ['float16', 'bfloat16']
const f32 = (bits: number): number => new Float32Array(new Uint32Array([bits]).buffer)[0]!

describe('known values', () => {
  it('has the largest, the smallest normal and the smallest number of each format', () => {
    expect(sixteenBit.concat('float32', 'float64').map(largest)).toEqual([
      65504,
      f32(0x7f7f0000),
      f32(0x7f7fffff),
      Number.MAX_VALUE,
    ])
    expect(bitsToNumber('float16', 0x0400)).toBe(1 / 16384)
    expect(bitsToNumber('float16', 0x0001)).toBe(1 / 16777216)
    expect(bitsToNumber('float16', 0x3c00)).toBe(1)
    expect(bitsToNumber('float16', 0xc000)).toBe(-2)
    expect(bitsToNumber('bfloat16', 0x3f80)).toBe(1)
    expect(bitsToNumber('bfloat16', 0x4049)).toBe(3.140625)
    expect(bitsToNumber('float64', 1n)).toBe(Number.MIN_VALUE)
  })
  it('overflows at half a unit beyond the largest number', () => {
    expect(roundTo('float16', rational(65519n))).toBe(65504)
    expect(roundTo('float16', rational(65520n))).toBe(Infinity)
    expect(roundTo('float16', rational(-65520n))).toBe(-Infinity)
    expect(roundTo('float64', ratio(1n << 1024n))).toBe(Infinity)
    expect(roundTo('float64', ratio((1n << 1024n) - (1n << 970n)))).toBe(Infinity)
    expect(roundTo('float64', ratio((1n << 1024n) - (1n << 970n) - 1n))).toBe(Number.MAX_VALUE)
  })
  it('underflows to a zero that keeps the sign, ties to even', () => {
    expect(roundTo('float64', ratio(1n, 1n << 1075n))).toBe(0)
    expect(roundTo('float64', ratio(3n, 1n << 1076n))).toBe(Number.MIN_VALUE)
    expect(roundTo('float64', ratio(-1n, 1n << 1075n))).toBe(-0)
    expect(roundTo('float16', ratio(0n), -1)).toBe(-0)
    expect(roundTo('float16', ratio(0n))).toBe(0)
  })
  it('rounds a third', () => {
    expect(roundTo('float32', rational(1n, 3n))).toBe(Math.fround(1 / 3))
    expect(roundTo('float64', rational(-1n, 3n))).toBe(-1 / 3)
    expect(roundTo('float16', rational(1n, 3n))).toBe(0.333251953125)
    expect(roundTo('bfloat16', rational(1n, 3n))).toBe(0.333984375)
  })
})

describe.each(sixteenBit)('%s, all 65,536 patterns', (dtype) => {
  const patterns = Array.from({ length: 65536 }, (_, bits) => bits)

  it('survives the way to numbers and back', () => {
    for (const bits of patterns) {
      const x = bitsToNumber(dtype, bits)
      if (Number.isNaN(x)) expect(Number(numberToBits(dtype, x))).toBe(dtype === 'float16' ? 0x7e00 : 0x7fc0)
      else if (Number(numberToBits(dtype, x)) !== bits) expect.fail(`${bits} -> ${x} -> ${numberToBits(dtype, x)}`)
    }
  })
  it('has 2 * (2^fraction - 1) NaNs and increases with its pattern', () => {
    const fraction = floatFormats[dtype].precision - 1
    const values = patterns.map((bits) => bitsToNumber(dtype, bits))
    expect(values.filter(Number.isNaN)).toHaveLength(2 * (2 ** fraction - 1))
    for (let bits = 1; !Number.isNaN(values[bits]); bits++) {
      if (!(values[bits]! > values[bits - 1]!)) expect.fail(`pattern ${bits}`)
      if (values[bits + 0x8000] !== -values[bits]!) expect.fail(`pattern ${bits} negated`)
    }
  })
  it('agrees with the upper half of float32 (bfloat16), or with the fields of IEEE 754 (float16)', () => {
    for (const bits of patterns) {
      const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023]
      const field =
        exponent === 31
          ? fraction
            ? Number.NaN
            : Infinity
          : exponent === 0
            ? fraction / 2 ** 24
            : (1 + fraction / 1024) * 2 ** (exponent - 15)
      const expected = dtype === 'bfloat16' ? f32((bits << 16) >>> 0) : bits >> 15 ? -field : field
      if (!Object.is(bitsToNumber(dtype, bits), expected)) expect.fail(`pattern ${bits}`)
    }
  })
  it('rounds midpoints to even and everything beside them to the nearer', () => {
    const sliver = ratio(1n, 1n << 200n)
    const infinity = Number(numberToBits(dtype, Infinity))
    for (let bits = 0; bits < infinity; bits++) {
      const low = bitsToNumber(dtype, bits)
      const high = bitsToNumber(dtype, bits + 1)
      const top = high === Infinity ? ratio(1n << BigInt(floatFormats[dtype].emax + 1)) : exact(high)
      const middle = times(plus(exact(low), top), half)
      const even = bits % 2 === 0 ? low : high
      const found = [
        roundTo(dtype, middle),
        roundTo(dtype, plus(middle, { n: -sliver.n, d: sliver.d })),
        roundTo(dtype, plus(middle, sliver)),
      ]
      if (found[0] !== even || found[1] !== low || found[2] !== high) expect.fail(`above pattern ${bits}: ${found}`)
    }
  })
})

describe('float32 and float64', () => {
  it('float32 rounds as Math.fround does', () => {
    fc.assert(
      fc.property(fc.double(), (x) => Object.is(roundNumber('float32', x), Math.fround(x))),
      { numRuns: 3000 },
    )
    fc.assert(
      fc.property(fc.double({ min: -1e-37, max: 1e-37 }), (x) => Object.is(roundNumber('float32', x), Math.fround(x))),
      { numRuns: 1000 },
    )
  })
  it('float64 holds every double, and its exact value is read back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (x) => {
        expect(isRepresentable('float64', x)).toBe(true)
        expect(bitsToNumber('float64', numberToBits('float64', x))).toBe(x)
      }),
      { numRuns: 1000 },
    )
    expect(exact(0.1)).toEqual({ n: 0x1999999999999an, d: 1n << 56n })
    expect(exact(Number.MIN_VALUE)).toEqual({ n: 1n, d: 1n << 1074n })
    expect(exact(-Number.MAX_VALUE)).toEqual({ n: (1n << 971n) - (1n << 1024n), d: 1n })
    expect(compare(exact(-1.5), rational(-3n, 2n))).toBe(0)
  })
  it('float32 patterns are those of the machine', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (bits) => {
        const x = f32(bits)
        expect(bitsToNumber('float32', bits)).toBe(x)
        if (!Number.isNaN(x)) expect(numberToBits('float32', x)).toBe(BigInt(bits))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('integers', () => {
  it('have the ranges of two’s complement', () => {
    expect(integerTypes.map((dtype) => integerRange(dtype).min)).toEqual([
      -128n,
      -32768n,
      -(2n ** 31n),
      -(2n ** 63n),
      0n,
      0n,
      0n,
      0n,
    ])
    expect(integerTypes.map((dtype) => integerRange(dtype).max)).toEqual([
      127n,
      32767n,
      2n ** 31n - 1n,
      2n ** 63n - 1n,
      255n,
      65535n,
      2n ** 32n - 1n,
      2n ** 64n - 1n,
    ])
  })
  it('wrap modulo 2^width, 64-bit ones as bigint', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (x) => {
        for (const dtype of integerTypes) {
          const width = Number(dtype.match(/\d+/)![0])
          const expected = dtype.startsWith('u') ? BigInt.asUintN(width, x) : BigInt.asIntN(width, x)
          expect(wrap(dtype, x)).toBe(width === 64 ? expected : Number(expected))
        }
      }),
      { numRuns: 300 },
    )
  })
  it('saturate at the ends of the range', () => {
    expect(saturate('int8', 1000n)).toBe(127)
    expect(saturate('int8', -1000n)).toBe(-128)
    expect(saturate('uint64', -1n)).toBe(0n)
    expect(saturate('uint8', 200n)).toBe(200)
  })
})
