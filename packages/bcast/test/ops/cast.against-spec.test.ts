// Cast between all types, against the specification: one rounding from the exact element, truncation and saturation from
// floats, wrapping among integers. The values include ties of every target, and values a hair beside a tie.
import {
  type FloatType,
  floatFormats,
  fromFlat,
  integerRange,
  isFloat,
  isInteger,
  isRepresentable,
  numpy,
  type Rational,
  rational,
} from '@bcast/spec'
import { cast, castLike, type DType, DTypeError, dtypes, ValueError } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementsOf, make, specials, type Value } from '../../../../testing/elements.ts'
import { sample } from '../support/layouts.ts'
import { expectAnswer, settings } from '../support/oracle.ts'
import { resultShape } from '../support/shapes.ts'

const castable = dtypes.filter((dtype) => dtype !== 'string')
const pairs = castable.flatMap((from) => castable.map((to): [DType, DType] => [from, to]))

/** Halfway between two neighbours of a float format, and just beside it, as exact numbers. */
function ties(to: FloatType): Rational[] {
  const { precision, emin, emax } = floatFormats[to]
  const scales = [emin - precision + 1, emin, 0, 10, 33, 52 - precision, 60 - precision, emax - precision + 1]
  return scales.flatMap((scale) =>
    [2n ** BigInt(precision - 1), 2n ** BigInt(precision) - 1n, 1n].flatMap((significand) =>
      [0n, 1n, -1n].map((nudge) => {
        // (significand + 1/2) 2^scale, moved by 2^-70 of a unit, or by one where that is less.
        const n = ((2n * significand + 1n) << 70n) + nudge
        return scale >= 71 ? rational(n << BigInt(scale - 71)) : rational(n, 1n << BigInt(71 - scale))
      }),
    ),
  )
}

const toNumber = ({ n, d }: Rational): number => {
  const shift = BigInt(Math.max(0, d.toString(2).length - 1))
  // d is a power of two; division in two steps keeps subnormals exact when the result is representable.
  const half = Number(shift / 2n)
  return Number(n) * 2 ** -half * 2 ** -(Number(shift) - half)
}

function valuesOf(from: DType, to: DType): Value[] {
  const plain = [...specials(from)]
  const near = isFloat(to) ? ties(to) : []
  const signed = near.flatMap(({ n, d }) => [
    { n, d },
    { n: -n, d },
  ])
  if (from === 'real') return [...plain, ...signed]
  if (isFloat(from)) {
    const floats = signed.map(toNumber).filter((x) => isRepresentable(from, x))
    const edges = isInteger(to) ? edgesOf(from, to) : []
    return [...plain, ...floats, ...edges]
  }
  if (!isInteger(from)) return plain
  const { min, max } = integerRange(from)
  const wide = [
    ...signed.map(({ n, d }) => n / d),
    2n ** 60n + 2n ** 52n + 1n,
    -(2n ** 62n) - 2n ** 54n - 1n,
    2n ** 62n + 2n ** 38n + 1n,
  ]
  const beside = wide.flatMap((x) => [x - 1n, x, x + 1n]).filter((x) => x >= min && x <= max)
  return [...plain, ...beside.map((x) => (from.endsWith('64') ? x : Number(x)))]
}

/** Floats around the ends of an integer type. */
function edgesOf(from: FloatType, to: DType): number[] {
  const { min, max } = integerRange(to as 'int8')
  return [Number(min), Number(max)]
    .flatMap((x) => [x - 1, x - 0.5, x, x + 0.5, x + 1, x * (1 - 2 ** -52), x * (1 + 2 ** -52), x * 2])
    .filter((x) => isRepresentable(from, x))
}

describe('Cast of special values', () => {
  it.each(pairs)('%s to %s', (from, to) => {
    const finite = (value: Value) => to !== 'real' || typeof value !== 'number' || Number.isFinite(value)
    const values = valuesOf(from, to).filter(finite)
    expectAnswer(
      {
        operator: 'Cast',
        dtype: from,
        attributes: { to },
        met: numpy([[values.length]]),
        operands: [fromFlat([values.length], values)],
      },
      () => cast(make(from, values), to),
    )
  })

  it('really holds ties that a second rounding would miss', () => {
    expect(valuesOf('int64', 'bfloat16')).toContain(2n ** 60n + 2n ** 52n + 1n)
    expect(cast(make('int64', [2n ** 60n + 2n ** 52n + 1n]), 'bfloat16').get(0)).toBe(2 ** 60 + 2 ** 53)
    expect(cast(make('int64', [2n ** 60n + 2n ** 52n]), 'bfloat16').get(0)).toBe(2 ** 60)
  })
})

describe('Cast over layouts', () => {
  it.each(pairs)('%s to %s', (from, to) => {
    fc.assert(
      fc.property(
        resultShape.chain((shape) => sample(from, shape)),
        ({ tensor, spec }) => {
          expectAnswer(
            { operator: 'Cast', dtype: from, attributes: { to }, met: numpy([spec.shape]), operands: [spec] },
            () => cast(tensor, to),
          )
        },
      ),
      settings(5),
    )
  })

  it('castLike takes the type of another tensor', () => {
    const like = castLike(make('float32', [1.5, -1.5, 300]), make('uint8', [0]))
    expect(like.dtype).toBe('uint8')
    expect(like.toArray()).toEqual([1, 0, 255])
  })
})

describe('what Cast refuses', () => {
  it('strings, except to themselves', () => {
    expect(elementsOf(cast(make('string', ['a']), 'string'))).toEqual(['a'])
    expect(() => cast(make('string', ['1']), 'int32')).toThrow(DTypeError)
    expect(() => cast(make('int32', [1]), 'string')).toThrow(
      /Cast does not convert int32 to string; it converts between float16, .*bool, real\./,
    )
  })

  it.each<DType>(['float16', 'bfloat16', 'float32', 'float64'])('%s that is no number, to real', (from) => {
    for (const value of [Number.NaN, Infinity, -Infinity]) {
      expect(() => cast(make(from, [1, value]), 'real')).toThrow(ValueError)
      expect(() => cast(make(from, [1, value]), 'real')).toThrow('cannot be an element of type real')
    }
  })
})
