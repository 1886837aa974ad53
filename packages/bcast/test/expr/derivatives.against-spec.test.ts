// The derivative of every operator against the specification: equal in exact rationals, and in floats as near as the
// roundings on the way allow, on every backend.
import { partials, type Rational, rational, roundNumber, type Value } from '@bcast/spec'
import type { DType, Tensor } from 'bcast'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { anyBackend, everyBackend } from '../../../../testing/backends.ts'
import { elementsOf, make, sameElement, show } from '../../../../testing/elements.ts'
import { type Differentiable, differentiable, operandType } from '../support/differentiable.ts'
import { gradientOf, haveGradients } from '../support/gradients.ts'
import { settings } from '../support/oracle.ts'

afterAll(anyBackend)

/** The relative size of a rounding. */
const EPSILON: Partial<Record<DType, number>> = {
  float16: 2 ** -11,
  bfloat16: 2 ** -8,
  float32: 2 ** -24,
  float64: 2 ** -53,
}

const SIZE = 32

/** Of a few wholes often, so that operands tie and meet kinks. */
const eighths = fc.oneof(fc.integer({ min: -32, max: 32 }), fc.constantFrom(-8, 0, 8))

/** For each operand its elements, and the gradient of the result behind them. */
const cases = ({ count, within }: Differentiable, dtype: DType): fc.Arbitrary<Value[][]> => {
  const lists = fc.array(fc.array(eighths, { minLength: SIZE, maxLength: SIZE }), {
    minLength: count + 1,
    maxLength: count + 1,
  })
  const element = (drawn: number, operand: number): Value => {
    const value = operand === count ? drawn / 8 : within(drawn, operand)
    if (typeof value === 'boolean') return value
    return dtype === 'real' ? rational(BigInt(value * 8), 8n) : roundNumber(dtype as 'float32', value)
  }
  return lists.map((all) => all.map((list, operand) => list.map((drawn) => element(drawn, operand))))
}

const times = (x: Rational, y: Rational): Rational => rational(x.n * y.n, x.d * y.d)

/** Why a gradient is wrong; undefined when it is right. */
function complaint(dtype: DType, approximate: boolean, got: Value, slope: number | Rational, delta: Value) {
  if (dtype === 'real') {
    const wanted = times(slope as Rational, delta as Rational)
    return sameElement(got, wanted) ? undefined : `${show(wanted)}, got ${show(got)}`
  }
  const wanted = (slope as number) * (delta as number)
  const rounded = roundNumber(dtype as 'float32', wanted)
  if (!Number.isFinite(rounded)) return got === rounded ? undefined : `${rounded}, got ${show(got)}`
  // A slope near zero may be what is left of numbers of the size of one.
  const size = Math.abs(wanted) + (approximate ? Math.abs(delta as number) : 0)
  const error = Math.abs((got as number) - wanted)
  return error <= 6 * EPSILON[dtype]! * size ? undefined : `${wanted}, got ${show(got)}`
}

describe.each(differentiable)('$title', (operator) => {
  const { row, attributes, count, types } = operator
  it.each(types)('%s', (dtype) => {
    const dtypes = Array.from({ length: count }, (_, i) => operandType(row, i, dtype))
    const present = haveGradients(row, dtypes, attributes)
    const gradients = present.map((has, i) => (has ? gradientOf(row, i, count, attributes) : undefined))
    const slopesAt = partials(row.name, dtype, { ...attributes })
    fc.assert(
      fc.property(cases(operator, dtype), (lists) => {
        const deltas = lists.at(-1)!
        const slopes = deltas.map((_, at) => slopesAt(...lists.slice(0, -1).map((list) => list[at]!)))
        const tensors = lists.map((list, i) => make(dtypes[i] ?? dtype, list))
        const complaints = gradients.flatMap((gradient, i) => {
          if (gradient === undefined)
            return slopes.flatMap((each) => (each[i] === undefined ? [] : [`no gradient ${i}`]))
          return everyBackend.flatMap(({ name, use }) => {
            use()
            const result: Tensor = gradient(...tensors)
            expect(result.dtype).toBe(dtypes[i])
            return elementsOf(result).flatMap((got, at) => {
              const text = complaint(dtype, row.approximate === true, got, slopes[at]![i]!, deltas[at]!)
              const operands = lists.map((list) => show(list[at])).join(', ')
              return text === undefined ? [] : [`${name}: operand ${i} of (${operands}): ${text}`]
            })
          })
        })
        expect(complaints.slice(0, 5)).toEqual([])
      }),
      settings(2),
    )
  })
})
