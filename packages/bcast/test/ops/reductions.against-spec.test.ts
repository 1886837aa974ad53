// Reductions of every type over random axes, sizes around the blocks of the tree, and random layouts, against the
// specification: equal to the bit on every backend.
import {
  argReduce,
  type DType as SpecType,
  logSumExp as specLogSumExp,
  reduce as specReduce,
  toFlat,
  type Value,
} from '@bcast/spec'
import { argMax, argMin, type DType, logSumExp, max, mean, min, sum, type Tensor } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyBackend, everyBackend } from '../../../../testing/backends.ts'
import { elementsOf, sameElement } from '../../../../testing/elements.ts'
import * as rows from '../../src/expr/reductions.ts'
import * as reductions from '../../src/ops/reductions.ts'
import { sample } from '../support/layouts.ts'

type Call = (x: Tensor, options: object) => Tensor

const CASES: readonly (readonly [spec: string, row: rows.ReductionRow, call: Call])[] = [
  ['Sum', rows.sum, sum],
  ['Mean', rows.mean, mean],
  ['Prod', rows.prod, reductions.prod],
  ['Max', rows.max, max],
  ['Min', rows.min, min],
  ['SumSquare', rows.sumSquare, reductions.sumSquare],
  ['L1', rows.norm1, (x, options) => reductions.norm(x, { ...options, ord: 1 })],
  ['L2', rows.norm2, reductions.norm],
  ['Any', rows.any, reductions.any],
  ['All', rows.all, reductions.all],
]

/** Few axes of which one may be long enough for several blocks. */
const shapes = fc
  .tuple(
    fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
    fc.constantFrom(1, 7, 8, 9, 17, 128, 131, 300),
    fc.nat(3),
  )
  .map(([sizes, long, at]) => sizes.toSpliced(at, 0, long))

const questions = shapes.chain((shape) =>
  fc.record({
    shape: fc.constant(shape),
    axes: fc.option(fc.subarray(shape.map((_, axis) => axis))),
    fromEnd: fc.boolean(),
    keepdims: fc.boolean(),
  }),
)

describe.each(CASES)('%s', (operator, row, call) => {
  it.each(row.types)('%s', (dtype) => {
    fc.assert(
      fc.property(
        questions.chain((question) => fc.tuple(fc.constant(question), sample(dtype, question.shape))),
        ([{ shape, axes, fromEnd, keepdims }, { spec, tensor }]) => {
          const own = axes?.map((axis) => (fromEnd ? axis - shape.length : axis))
          const options = { keepdims, ...(own && { axes: own }) }
          let wanted: { shape: readonly number[]; values: Value[] } | undefined
          try {
            const answer = specReduce(operator, dtype as SpecType, spec, options)
            wanted = { shape: answer.shape, values: toFlat(answer) }
          } catch {
            wanted = undefined
          }
          for (const { use } of everyBackend) {
            use()
            if (wanted === undefined) expect(() => call(tensor, options)).toThrow('no elements')
            else expectSame(call(tensor, options), dtype, wanted)
          }
          anyBackend()
        },
      ),
      { numRuns: 5 },
    )
  })
})

function expectSame(result: Tensor, dtype: DType, wanted: { shape: readonly number[]; values: Value[] }): void {
  expect(result.dtype).toBe(dtype)
  expect(result.shape).toEqual(wanted.shape)
  const got = elementsOf(result)
  const wrong = wanted.values.flatMap((value, i) => (sameElement(got[i], value) ? [] : [[i, got[i], value]]))
  expect(wrong.slice(0, 5)).toEqual([])
}

describe.each([
  ['ArgMax', argMax],
  ['ArgMin', argMin],
] as const)('%s', (operator, call) => {
  it.each(rows.max.types.filter((dtype) => dtype !== 'real'))('%s', (dtype) => {
    fc.assert(
      fc.property(
        shapes
          .filter((shape) => !shape.includes(0))
          .chain((shape) => fc.tuple(fc.nat(shape.length - 1), fc.boolean(), fc.boolean(), sample(dtype, shape))),
        ([axis, keepdims, last, { spec, tensor }]) => {
          const wanted = argReduce(operator, dtype as SpecType, spec, { axis, keepdims, last })
          for (const { use } of everyBackend) {
            use()
            const got = call(tensor, { axis, keepdims, last })
            expectSame(got, 'int64', { shape: wanted.shape, values: toFlat(wanted) })
          }
          anyBackend()
        },
      ),
      { numRuns: 5 },
    )
  })
})

/** Exp and Log are within a unit of the specification's, so that their sums are nearly. */
it.each(['float16', 'bfloat16', 'float32', 'float64'] as const)('LogSumExp of %s', (dtype) => {
  const near = fc.constantFrom(0, 1, -1, 2.5, 10, -30, Infinity, -Infinity, Number.NaN)
  fc.assert(
    fc.property(
      questions.chain((question) => fc.tuple(fc.constant(question), sample(dtype, question.shape, near))),
      ([{ axes, keepdims }, { spec, tensor }]) => {
        const options = { keepdims, ...(axes && { axes }) }
        const wanted = specLogSumExp(dtype, spec, options)
        const results = everyBackend.map(({ use }) => {
          use()
          return logSumExp(tensor, options)
        })
        anyBackend()
        const [first, ...others] = results.map((result) => elementsOf(result) as number[])
        for (const other of others) expect(other).toEqual(first)
        expect(results[0]!.shape).toEqual(wanted.shape)
        toFlat(wanted).forEach((value, i) => {
          const [want, got] = [value as number, first![i]!]
          if (!Object.is(want, got))
            expect(Math.abs(got - want)).toBeLessThanOrEqual(Math.abs(want) * UNIT[dtype] + UNIT[dtype])
        })
      },
    ),
    { numRuns: 5 },
  )
})

const UNIT = { float16: 2 ** -10, bfloat16: 2 ** -7, float32: 2 ** -22, float64: 2 ** -51 }
