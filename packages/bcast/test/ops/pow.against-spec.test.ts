// Pow, the one operator whose operands may have different types. Integers to integer powers wrap exactly; float bases
// are held to the bound in units in the last place, with integer exponents taken exactly.
import {
  bitsToNumber,
  correctlyRounded,
  fromFlat,
  type IntegerType,
  isFloat,
  isInteger,
  numberToBits,
  SpecError,
  saturate,
  scalar,
  numpy as specNumpy,
  ulpError,
} from '@bcast/spec'
import { DivisionByZeroError, type DType, dtypes, pow } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementsOf, make, show, specials, type Value } from '../../../../testing/elements.ts'
import { sample } from '../support/layouts.ts'
import { loosely } from '../support/operators.ts'
import { expectAnswer, settings } from '../support/oracle.ts'
import { numpyShapes } from '../support/shapes.ts'

const INTEGERS = dtypes.filter((dtype) => isInteger(dtype))
const FLOATS = dtypes.filter((dtype) => isFloat(dtype))
const NUMERIC = [...FLOATS, ...INTEGERS]

const pairs = (bases: readonly DType[], exponents: readonly DType[]): [DType, DType][] =>
  bases.flatMap((base) => exponents.map((exponent): [DType, DType] => [base, exponent]))

/** Bases down, exponents across; a base of 0 has no negative powers among integers and rationals, so it is left out. */
function table(
  base: DType,
  exponent: DType,
  everyNth: number,
): { bases: readonly Value[]; exponents: readonly Value[] } {
  const nonzero = (value: Value) =>
    isFloat(base) || isFloat(exponent) || !(Number(typeof value === 'object' ? value.n : value) === 0)
  return { bases: specials(base).filter(nonzero), exponents: specials(exponent).filter((_, i) => i % everyNth === 0) }
}

describe('Pow of integers and integers', () => {
  it.each(pairs(INTEGERS, INTEGERS))('%s to %s wraps', (base, exponent) => {
    const { bases, exponents } = table(base, exponent, 1)
    const shapes = [[bases.length, 1], [exponents.length]] as const
    expectAnswer(
      {
        operator: 'Pow',
        dtype: base,
        attributes: { exponentType: exponent },
        met: specNumpy(shapes),
        operands: [fromFlat(shapes[0], bases), fromFlat(shapes[1], exponents)],
      },
      () => loosely('pow')(make(base, bases, shapes[0]), make(exponent, exponents)),
    )
  })

  it.each(pairs(['int8', 'uint32', 'int64'], ['int8', 'int64']))(
    '%s to %s names the first zero with a negative power',
    (base, exponent) => {
      fc.assert(
        fc.property(
          numpyShapes(2).chain(([a, b]) => fc.tuple(sample(base, a!), sample(exponent, b!))),
          ([x, y]) => {
            const met = specNumpy([x.spec.shape, y.spec.shape])
            expectAnswer(
              { operator: 'Pow', dtype: base, attributes: { exponentType: exponent }, met, operands: [x.spec, y.spec] },
              () => loosely('pow')(x.tensor, y.tensor),
            )
          },
        ),
        settings(10),
      )
    },
  )

  it('says so', () => {
    const make32 = (values: number[]) => make('int32', values)
    expect(() => pow(make32([1, 0, 0]), make32([-1, 2, -3]))).toThrow(DivisionByZeroError)
    expect(() => pow(make32([1, 0, 0]), make32([-1, 2, -3]))).toThrow(
      'Pow: zero to a negative power at index [2] of the result. Make the exponents there zero or positive.',
    )
  })
})

describe('Pow of floats', () => {
  it.each(pairs(FLOATS, NUMERIC))('%s to %s, special values', (base, exponent) => {
    const { bases, exponents } = table(base, exponent, 2)
    const shapes = [[bases.length, 1], [exponents.length]] as const
    expectAnswer(
      {
        operator: 'Pow',
        dtype: base,
        attributes: { exponentType: exponent },
        met: specNumpy(shapes),
        operands: [fromFlat(shapes[0], bases), fromFlat(shapes[1], exponents)],
      },
      () => loosely('pow')(make(base, bases, shapes[0]), make(exponent, exponents)),
    )
  })

  it.each(pairs(FLOATS, ['float16', 'float64', 'int8', 'int64', 'uint64']))(
    '%s to %s, any values and layouts',
    (base, exponent) => {
      const ordinary = fc.integer({ min: -300, max: 300 })
      const values = (dtype: DType) =>
        isFloat(dtype)
          ? ordinary.map((x) => x / 32)
          : ordinary.map((x) => (dtype === 'uint64' ? BigInt(Math.abs(x)) : dtype === 'int64' ? BigInt(x) : x % 100))
      fc.assert(
        fc.property(
          numpyShapes(2).chain(([a, b]) =>
            fc.tuple(
              sample(base, a!, base === 'bfloat16' ? ordinary.map((x) => (x % 128) / 16) : values(base)),
              sample(exponent, b!, values(exponent)),
            ),
          ),
          ([x, y]) => {
            const met = specNumpy([x.spec.shape, y.spec.shape])
            expectAnswer(
              { operator: 'Pow', dtype: base, attributes: { exponentType: exponent }, met, operands: [x.spec, y.spec] },
              () => loosely('pow')(x.tensor, y.tensor),
            )
          },
        ),
        settings(8),
      )
    },
  )
})

describe('Pow of integers and floats', () => {
  const neighbour = (x: number, steps: bigint): number =>
    Number.isFinite(x) && x !== 0 ? bitsToNumber('float64', numberToBits('float64', x) + steps) : x

  /** Truncated and saturated; NaN is 0. */
  const integer = (dtype: IntegerType, x: number): Value =>
    saturate(
      dtype,
      Number.isNaN(x) ? 0n : Number.isFinite(x) ? BigInt(Math.trunc(x)) : x > 0 ? 2n ** 64n : -(2n ** 64n),
    )

  // The power is a float64 within two units of the exact one, then cast: an exact power is exact, and one that lies
  // just below an integer may become that integer.
  const fits = (dtype: IntegerType, got: Value, wanted: Value, x: Value, y: number): boolean => {
    if (Object.is(got, wanted)) return true
    const nearest = correctlyRounded('Pow', [Number(x), y], 'float64')
    if (Number.isInteger(nearest) && BigInt(wanted as bigint) === BigInt(nearest)) return false
    return [-2n, -1n, 0n, 1n, 2n].some((steps) => got === integer(dtype, neighbour(nearest, steps)))
  }

  it.each(pairs(INTEGERS, FLOATS))('%s to %s truncates and saturates', (base, exponent) => {
    const { bases, exponents } = table(base, exponent, 2)
    const got = elementsOf(loosely('pow')(make(base, bases, [bases.length, 1]), make(exponent, exponents)))
    const operator = scalar('Pow', base, { exponentType: exponent })
    const complaints = bases.flatMap((x, i) =>
      exponents.flatMap((y, j) => {
        const value = got[i * exponents.length + j]!
        const wanted = operator(x, y)
        return fits(base as IntegerType, value, wanted, x, y as number)
          ? []
          : [`${show(x)}^${show(y)} = ${show(wanted)}, got ${show(value)}`]
      }),
    )
    expect(complaints.slice(0, 10)).toEqual([])
  })

  it('9 to 1/2 is 3, 2 to 1/2 is 1', () => {
    expect(elementsOf(pow(make('int32', [9, 2, 8]), make('float32', [0.5, 0.5, 1 / 3])))).toEqual([3, 1, 2])
  })
})

describe('Pow of rationals', () => {
  it('takes integer powers exactly', () => {
    const { bases, exponents } = {
      bases: specials('real'),
      exponents: [
        { n: 0n, d: 1n },
        { n: 3n, d: 1n },
        { n: -2n, d: 1n },
      ],
    }
    const nonzero = bases.filter((value) => (value as { n: bigint }).n !== 0n)
    const shapes = [[nonzero.length, 1], [exponents.length]] as const
    expectAnswer(
      {
        operator: 'Pow',
        dtype: 'real',
        met: specNumpy(shapes),
        operands: [fromFlat(shapes[0], nonzero), fromFlat<Value>(shapes[1], exponents)],
      },
      () => loosely('pow')(make('real', nonzero, shapes[0]), make('real', exponents)),
    )
  })

  it('refuses what the specification refuses', () => {
    const half = { n: 1n, d: 2n }
    expect(() => scalar('Pow', 'real')(half, half)).toThrow(SpecError)
    expect(() => loosely('pow')(make('real', [half]), make('real', [half]))).toThrow(
      'Pow of real takes integer exponents; 0.5 has no exact power.',
    )
    expect(() => loosely('pow')(make('real', [half, { n: 0n, d: 1n }]), make('real', [{ n: -1n, d: 1n }]))).toThrow(
      'zero to a negative power at index [1]',
    )
  })
})

describe('bare exponents', () => {
  it('take the base type where it holds them, and stay exact where it does not', () => {
    expect(pow(make('int32', [3, -2]), 3).toArray()).toEqual([27, -8])
    expect(pow(make('int64', [3n, -2n]), 3).toArray()).toEqual([27n, -8n])
    expect(pow(make('uint8', [3, 1]), -1).toArray()).toEqual([0, 1])
    expect(pow(make('int32', [9, 16]), 0.5).toArray()).toEqual([3, 4])
    expect(pow(make('float16', [9, 16]), 0.5).toArray()).toEqual([3, 4])
  })

  it('are within the bound for a large base', () => {
    const value = pow(make('float64', [1.0000001]), 1e9).toArray() as number[]
    expect(ulpError('Pow', [1.0000001, 1e9], 'float64', value[0]!)).toBeLessThan(2)
  })
})
