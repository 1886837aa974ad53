// Reductions of every type over random axes, sizes around the blocks of the tree, and random layouts, against the
// specification: equal to the bit on every backend.
import { type DType as SpecType, reduce as specReduce, toFlat, type Value } from '@bcast/spec'
import type { DType, Tensor } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyBackend, everyBackend } from '../../../../testing/backends.ts'
import { elementsOf, sameElement } from '../../../../testing/elements.ts'
import * as rows from '../../src/expr/reductions.ts'
import * as reductions from '../../src/ops/reductions.ts'
import { sample } from '../support/layouts.ts'

type Call = (x: Tensor, options: object) => Tensor

const CASES: readonly (readonly [spec: string, row: rows.ReductionRow, call: Call])[] = [
  ['Sum', rows.sum, reductions.reduceSum],
  ['Mean', rows.mean, reductions.reduceMean],
  ['Prod', rows.prod, reductions.prod],
  ['Max', rows.max, reductions.reduceMax],
  ['Min', rows.min, reductions.reduceMin],
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
      { numRuns: 15 },
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
