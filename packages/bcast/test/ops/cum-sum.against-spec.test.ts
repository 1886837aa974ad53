// Running sums of every type, axis and layout against the specification, to the bit: on every backend, now and
// asynchronously, into out and in sequences, by lines and by rows.
import { type DType as SpecType, cumSum as specCumSum, toFlat } from '@bcast/spec'
import { cumSum, type DType, identity, sequence, type Tensor, tensor } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyBackend, everyBackend } from '../../../../testing/backends.ts'
import { elementsOf, make, sameElement } from '../../../../testing/elements.ts'
import { sum as row } from '../../src/expr/reductions.ts'
import { sample } from '../support/layouts.ts'
import { firstDifference, randomTensor } from '../support/random.ts'
import { thrownBy } from '../support/thrown.ts'

const loosely = cumSum as (x: Tensor, options?: object) => Tensor
const ways = fc.record({ exclusive: fc.boolean(), reverse: fc.boolean() })

const shapes = fc
  .tuple(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 3 }), fc.constantFrom(1, 4, 9), fc.nat(3))
  .map(([sizes, size, at]) => sizes.toSpliced(at, 0, size))

const questions = (dtype: DType) =>
  shapes.chain((shape) =>
    fc.tuple(fc.integer({ min: -shape.length, max: shape.length - 1 }), ways, sample(dtype, shape)),
  )

describe('cumSum', () => {
  it.each(row.types)('%s', async (dtype) => {
    await fc.assert(
      fc.asyncProperty(questions(dtype), async ([axis, way, { spec, tensor: x }]) => {
        const wanted = specCumSum(dtype as SpecType, spec, axis, way)
        const expectSame = (got: Tensor): void => {
          expect([got.dtype, got.shape]).toEqual([dtype, wanted.shape])
          const elements = elementsOf(got)
          const wrong = toFlat(wanted).flatMap((value, i) =>
            sameElement(elements[i], value) ? [] : [[i, elements[i], value]],
          )
          expect(wrong).toEqual([])
        }
        for (const { use } of everyBackend) {
          use()
          expectSame(loosely(x, { axis, ...way }))
          expectSame((await cumSum.async(x, { axis, ...way })) as Tensor)
          const room = identity(x.broadcastTo([2, ...x.shape] as never) as Tensor).transpose() as Tensor
          const out = (room.slice(...x.shape.map(() => null), 1) as Tensor).transpose() as Tensor
          expect(loosely(x, { axis, ...way, out })).toBe(out)
          expectSame(out)
          // Its own elements.
          const copy = identity(x)
          expect(loosely(copy, { axis, ...way, out: copy })).toBe(copy)
          expectSame(copy)
        }
        anyBackend()
      }),
      { numRuns: 7 },
    )
  })
})

/** One line after the other, one element after the other. */
function plainly(x: Float64Array | Float32Array, [outer, size, inner]: readonly [number, number, number]): typeof x {
  const sums = x.slice()
  for (let i = 0; i < outer; i++) {
    for (let j = 1; j < size; j++) {
      for (let l = 0; l < inner; l++) sums[(i * size + j) * inner + l]! += sums[(i * size + j - 1) * inner + l]!
    }
  }
  return sums
}

describe.each(everyBackend)('long sums on $name', ({ use }) => {
  it.each([
    ['a line', 'float32', [1, 600_001, 1]],
    ['lines', 'float32', [31, 5000, 1]],
    ['lines of float64', 'float64', [6, 5000, 1]],
    ['rows by kernels', 'float32', [1, 7, 20_000]],
    ['rows within, by kernels', 'float64', [3, 5, 6000]],
    ['very long rows within, by kernels', 'float32', [3, 5, 20_000]],
    ['rows too short for kernels', 'float32', [300, 40, 20]],
    ['short rows, many', 'float64', [1, 60_000, 6]],
  ] as const)('%s', async (_, dtype, shape) => {
    use(2)
    const x = randomTensor(dtype, shape, 5)
    const data = plainly(x.data as Float32Array, shape)
    const expectSame = (got: Tensor): void => expect(firstDifference(dtype, got.data as never, data)).toBe(-1)
    expectSame(loosely(x, { axis: 1 }))
    expectSame(loosely(identity(x), { axis: 1 }))
    expectSame((await cumSum.async(identity(x), { axis: 1 })) as Tensor)
    const made = sequence(({ input, call }) => {
      const given = input(dtype, shape) as Tensor
      return { given, sums: call(cumSum, given, { axis: 1 }) }
    })
    for (let round = 0; round < 2; round++) {
      identity(x, { out: made.tensors.given as never })
      if (round === 0) made.run()
      else await made.async()
      expectSame(made.tensors.sums)
    }
    made.dispose()
    anyBackend()
  })
})

it('lets other things have their turn', async () => {
  let turns = 0
  let next = setImmediate(function turn() {
    turns++
    next = setImmediate(turn)
  })
  await cumSum.async(randomTensor('float32', [5, 300_000], 6), { axis: 1 })
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(2)
})

describe('what cumSum refuses', () => {
  const x = make('float32', [1, 2, 3, 4], [2, 2])
  const said = (...args: readonly unknown[]): string =>
    (thrownBy(() => (cumSum as (...args: readonly unknown[]) => unknown)(...args)) as Error).message

  it('an axis that is not said, or none', () => {
    expect(loosely(make('float32', [1, 2])).toArray()).toEqual([1, 3])
    expect(said(x)).toBe(
      'cumSum: axis is missing, and x has shape (2,2); name one, such as { axis: 0 }; all in one row are x.reshape(-1).',
    )
    expect(said(tensor(1))).toContain('a scalar is a row of one as x.reshape(1)')
    expect(said(x, { axis: 2 })).toBe('cumSum: axis 2 does not exist in rank 2; axes are -2 to 1.')
    expect(said(x, { axis: [0] })).toBe('cumSum: axis is an array; it is a number.')
    expect(said(x, { axis: 0.5 })).toContain('axis 0.5 does not exist')
  })

  it('what is neither a tensor nor an option', () => {
    expect(said(x, 0)).toBe('cumSum takes a tensor, and options such as { axis: 0 } behind it.')
    expect(said()).toContain('takes a tensor')
    expect(said([1, 2])).toBe('cumSum: A is an array; wrap it with tensor(…).')
    expect(said(x, { axes: 0 })).toBe('cumSum has no option axes; it has axis, exclusive, reverse, out.')
    expect(said(x, { axis: 0, reverse: 1 })).toContain('cumSum: reverse is 1')
    expect(said(x, { axis: 0, out: make('float32', [1, 2]) })).toContain('out has shape (2) and the result has (2,2)')
    expect(said(tensor([true]))).toContain('cumSum does not take bool')
  })
})
