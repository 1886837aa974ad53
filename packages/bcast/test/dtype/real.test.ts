// Exact rationals: made from texts, integers and the exact value of a float; rounded to integers and floats once.
import { type FloatType, floatTypes, rational, roundNumber, roundTo, saturate } from '@bcast/spec'
import { type DType, tensor, ValueError } from 'bcast'
import { real } from 'bcast/real'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ceilReal, floorReal, isZero, realToFloat, realToInteger, roundReal } from '../../src/dtype/real-convert.ts'
import { settings } from '../support/oracle.ts'

const plain = (value: { s: bigint; n: bigint; d: bigint }): [bigint, bigint] => [value.s * value.n, value.d]

describe('real', () => {
  it('is exact, whatever it is made from', () => {
    expect(plain(real('1/3'))).toEqual([1n, 3n])
    expect(plain(real('-0.25'))).toEqual([-1n, 4n])
    expect(plain(real(6, 4))).toEqual([3n, 2n])
    expect(plain(real(10n ** 30n, -3n))).toEqual([-(10n ** 30n), 3n])
    expect(plain(real(0.1))).toEqual([3602879701896397n, 36028797018963968n])
    expect(plain(real(2 ** -1074))).toEqual([1n, 2n ** 1074n])
    expect(plain(real(2 ** 1000))).toEqual([2n ** 1000n, 1n])
    expect(plain(real(-0))).toEqual([0n, 1n])
  })

  it('takes the exact value of any float', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        expect(realToFloat(real(x), 'float64')).toBe(x === 0 ? 0 : x)
      }),
      settings(300),
    )
  })

  it('refuses what is no number, and a denominator of zero', () => {
    for (const value of [Number.NaN, Infinity, -Infinity, '', 'x', '1/0', {} as never]) {
      expect(() => real(value)).toThrow(ValueError)
      expect(() => real(value)).toThrow(
        "is not an exact number; give a finite number, a bigint, or a text such as '1/3' or '0.25'.",
      )
    }
    for (const zero of [0, 0n]) expect(() => real(1, zero)).toThrow('1 over 0 is not a number')
    expect(() => real(1, Number.NaN)).toThrow(ValueError)
  })

  it('tensors hold it', () => {
    const x = tensor([1, 0.5], { dtype: 'real' })
    expect(plain(x.get(1))).toEqual([1n, 2n])
    expect(() => tensor([Number.NaN], { dtype: 'real' })).toThrow('it is not a finite number')
  })
})

const anyRational = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
    fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 24n }), fc.bigInt({ min: 1n, max: 4n })),
  )
  .map(([n, d]) => ({ spec: rational(n, d), own: real(n, d) }))

describe('integers of a rational', () => {
  it('floor, ceil and the nearest, halves to even', () => {
    fc.assert(
      fc.property(anyRational, ({ spec: { n, d }, own }) => {
        const floor = n >= 0n ? n / d : -((-n + d - 1n) / d)
        expect(floorReal(own)).toBe(floor)
        expect(ceilReal(own)).toBe(n === floor * d ? floor : floor + 1n)
        const twice = 2n * (n - floor * d)
        const nearest = twice < d ? floor : twice > d ? floor + 1n : floor % 2n === 0n ? floor : floor + 1n
        expect(roundReal(own)).toBe(nearest)
      }),
      settings(500),
    )
    expect([0.5, 1.5, 2.5, -0.5, -1.5, -2.5].map((x) => roundReal(real(x)))).toEqual([0n, 2n, 2n, 0n, -2n, -2n])
  })

  it('zero is zero', () => {
    expect(isZero(real(0))).toBe(true)
    expect(isZero(real('1/9'))).toBe(false)
  })

  it.each<DType>(['int8', 'uint8', 'int64', 'uint64'])('%s: truncated and saturated', (dtype) => {
    fc.assert(
      fc.property(anyRational, ({ spec, own }) => {
        expect(realToInteger(own, dtype)).toBe(saturate(dtype as 'int8', spec.n / spec.d))
      }),
      settings(200),
    )
  })
})

describe('floats of a rational', () => {
  const scaled = fc.tuple(anyRational, fc.integer({ min: -1200, max: 1100 }))

  it.each(floatTypes)('%s: rounded once, ties to even', (dtype: FloatType) => {
    fc.assert(
      fc.property(scaled, ([{ spec }, exponent]) => {
        const power = 2n ** BigInt(Math.abs(exponent))
        const value = exponent < 0 ? rational(spec.n, spec.d * power) : rational(spec.n * power, spec.d)
        // What is too large becomes infinite where it is stored.
        expect(roundNumber(dtype, realToFloat(real(value.n, value.d), dtype))).toBe(roundTo(dtype, value))
      }),
      settings(400),
    )
  })
})
