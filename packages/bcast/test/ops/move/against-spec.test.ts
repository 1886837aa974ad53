// Everything that views, joins and moves elements, in every type and memory layout, against its definition: to the bit.
import * as spec from '@bcast/spec'
import {
  concat,
  type DType,
  dtypes,
  empty,
  flip,
  meshgrid,
  pad,
  split,
  squeeze,
  stack,
  type Tensor,
  take,
  tensor,
  tile,
  unsqueeze,
} from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onEveryBackend } from '../../../../../testing/backends.ts'
import { element, elementsOf, make, sameElement, type Value } from '../../../../../testing/elements.ts'
import { type Sample, sample } from '../../support/layouts.ts'

type Loose = (...args: unknown[]) => Tensor

const anyType = fc.constantFrom<DType>(...dtypes)
const size = fc.constantFrom(0, 1, 1, 2, 3, 4)
const shape = fc.array(size, { minLength: 1, maxLength: 4 })
const RUNS = { numRuns: 30 }

/** An axis counted from either end. */
const axisOf = (rank: number): fc.Arbitrary<number> => fc.integer({ min: -rank, max: rank - 1 })

function same(made: Tensor, wanted: spec.SpecTensor<Value>): void {
  expect(made.shape).toEqual(wanted.shape)
  const [got, expected] = [elementsOf(made), spec.toFlat(wanted)]
  const wrong = expected.findIndex((value, i) => !sameElement(value, got[i]))
  expect(wrong < 0 ? undefined : { wrong, got: got[wrong], expected: expected[wrong] }).toBeUndefined()
}

/** A tensor to write into whose elements lie backwards. */
const backwards = (dtype: DType, sizes: readonly number[]): Tensor => flip(empty(sizes, { dtype })) as Tensor

/** The call as it is, asynchronously, and into a tensor that lies otherwise. */
async function everyWay(
  call: Loose & { async: Loose },
  args: readonly unknown[],
  options: object,
  wanted: spec.SpecTensor<Value>,
) {
  const made = call(...args, options)
  same(made, wanted)
  same(await call.async(...args, options), wanted)
  const out = backwards(made.dtype, made.shape)
  expect(call(...args, { ...options, out })).toBe(out)
  same(out, wanted)
}

const loosely = (call: unknown): Loose & { async: Loose } => call as never

onEveryBackend(() => {
  describe('against the definition', () => {
    it('concat', async () => {
      const parts = fc.tuple(anyType, shape).chain(([dtype, sizes]) =>
        fc.tuple(axisOf(sizes.length), fc.array(size, { minLength: 1, maxLength: 4 })).chain(([axis, lengths]) => {
          const along = axis < 0 ? axis + sizes.length : axis
          const samples = lengths.map((length) => sample(dtype, sizes.with(along, length)))
          return fc.record({ axis: fc.constant(axis), samples: fc.tuple(...samples) })
        }),
      )
      await fc.assert(
        fc.asyncProperty(parts, async ({ axis, samples }) => {
          const wanted = spec.concat(
            samples.map((each) => each.spec),
            axis,
          )
          await everyWay(loosely(concat), [samples.map((each) => each.tensor)], { axis }, wanted)
        }),
        RUNS,
      )
    })

    it('stack', async () => {
      const parts = fc
        .tuple(anyType, fc.array(size, { maxLength: 3 }), fc.integer({ min: 1, max: 3 }))
        .chain(([dtype, sizes, count]) =>
          fc.record({
            axis: axisOf(sizes.length + 1),
            samples: fc.array(sample(dtype, sizes), { minLength: count, maxLength: count }),
          }),
        )
      await fc.assert(
        fc.asyncProperty(parts, async ({ axis, samples }) => {
          const wanted = spec.stack(
            samples.map((each) => each.spec),
            axis,
          )
          await everyWay(loosely(stack), [samples.map((each) => each.tensor)], { axis }, wanted)
        }),
        RUNS,
      )
    })

    const single = <T>(more: (sizes: readonly number[]) => fc.Arbitrary<T>): fc.Arbitrary<readonly [Sample, T]> =>
      fc.tuple(anyType, shape).chain(([dtype, sizes]) => fc.tuple(sample(dtype, sizes), more(sizes)))

    it('take, by runs, by scattered indices, by indices of any rank', async () => {
      const asked = single((sizes) =>
        axisOf(sizes.length).chain((axis) => {
          const length = sizes.at(axis)!
          const rank = fc.constantFrom([], [3], [2, 2], [40], [0])
          return rank.chain((indexShape) => {
            const count = length === 0 ? 0 : indexShape.reduce((n, each) => n * each, 1)
            const index = fc.integer({ min: -length, max: Math.max(-length, length - 1) })
            return fc.record({
              axis: fc.constant(axis),
              shape: fc.constant(length === 0 ? [0] : indexShape),
              indices: fc.array(index, { minLength: count, maxLength: count }),
            })
          })
        }),
      )
      await fc.assert(
        fc.asyncProperty(asked, async ([x, { axis, shape: indexShape, indices }]) => {
          const wanted = spec.gather(x.spec, spec.fromFlat(indexShape, indices), axis)
          const given = tensor(indices, { dtype: 'int32', shape: indexShape })
          await everyWay(loosely(take), [x.tensor, given], { axis }, wanted)
          if (indexShape.length === 1) same(loosely(take)(x.tensor, indices, { axis }), wanted)
        }),
        { numRuns: 60 },
      )
    })

    it('tile', async () => {
      const asked = single((sizes) =>
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: sizes.length, maxLength: sizes.length }),
      )
      await fc.assert(
        fc.asyncProperty(asked, async ([x, repeats]) => {
          await everyWay(loosely(tile), [x.tensor, repeats], {}, spec.tile(x.spec, repeats))
        }),
        RUNS,
      )
      expect(tile(tensor([1, 2]), [2, 1]).toArray()).toEqual([
        [1, 2],
        [1, 2],
      ])
      expect(tile(tensor([[1], [2]]), [2]).toArray()).toEqual([
        [1, 1],
        [2, 2],
      ])
    })

    it('pad, in every mode', async () => {
      const mode = fc.constantFrom<spec.PadMode>('constant', 'edge', 'reflect', 'symmetric', 'wrap')
      const pads = fc.tuple(fc.integer({ min: -1, max: 5 }), fc.integer({ min: -1, max: 5 }))
      const asked = fc.tuple(anyType, fc.array(size, { minLength: 1, maxLength: 3 })).chain(([dtype, sizes]) =>
        fc.record({
          x: sample(dtype, sizes),
          value: element(dtype),
          mode,
          pads: fc.array(pads, { minLength: sizes.length, maxLength: sizes.length }),
        }),
      )
      let refused = 0
      await fc.assert(
        fc.asyncProperty(asked, async ({ x, value, mode: how, pads: amounts }) => {
          let wanted: spec.SpecTensor<Value>
          try {
            wanted = spec.pad(x.spec, amounts, how, value)
          } catch {
            refused++
            expect(() => loosely(pad)(x.tensor, amounts, { mode: how })).toThrow('pad: axis')
            return
          }
          const filler = make(x.tensor.dtype, [value], []).get()
          await everyWay(
            loosely(pad),
            [x.tensor, amounts],
            how === 'constant' ? { value: filler } : { mode: how },
            wanted,
          )
        }),
        { numRuns: 60 },
      )
      expect(refused).toBeGreaterThan(0)
    })
  })
})

describe('views against the definition', () => {
  const single = <T>(more: (sizes: readonly number[]) => fc.Arbitrary<T>): fc.Arbitrary<readonly [Sample, T]> =>
    fc.tuple(anyType, shape).chain(([dtype, sizes]) => fc.tuple(sample(dtype, sizes), more(sizes)))
  /** That a view shares the elements and not only equals them. */
  const shares = (view: Tensor, x: Tensor): void => expect(view.storage).toBe(x.storage)

  it('squeeze', () => {
    const asked = single((sizes) =>
      fc.subarray(sizes.flatMap((n, axis) => (n === 1 ? [axis, axis - sizes.length] : []))),
    )
    fc.assert(
      fc.property(asked, ([x, axes]) => {
        const once = axes.filter((axis) => axis < 0 || !axes.includes(axis - x.tensor.rank))
        same(squeeze(x.tensor, once) as Tensor, spec.squeeze(x.spec, once))
        same(squeeze(x.tensor) as Tensor, spec.squeeze(x.spec))
        shares(squeeze(x.tensor) as Tensor, x.tensor)
      }),
    )
  })

  it('unsqueeze', () => {
    const asked = single((sizes) =>
      fc.integer({ min: 0, max: 3 }).chain((count) => {
        const rank = sizes.length + count
        return fc
          .uniqueArray(fc.nat(rank - 1), { minLength: count, maxLength: count })
          .chain((axes) => fc.tuple(...axes.map((axis) => fc.constantFrom(axis, axis - rank))))
      }),
    )
    fc.assert(
      fc.property(asked, ([x, axes]) => {
        const made = unsqueeze(x.tensor, axes as number[]) as Tensor
        same(made, spec.unsqueeze(x.spec, axes as number[]))
        shares(made, x.tensor)
      }),
    )
  })

  it('flip', () => {
    const asked = single((sizes) => fc.subarray(sizes.map((_, axis) => axis)))
    fc.assert(
      fc.property(asked, ([x, axes]) => {
        same(flip(x.tensor, axes), spec.flip(x.spec, axes))
        same(flip(x.tensor), spec.flip(x.spec))
        shares(flip(x.tensor), x.tensor)
      }),
    )
  })

  it('split', () => {
    const asked = single((sizes) =>
      axisOf(sizes.length).chain((axis) =>
        fc.tuple(
          fc.constant(axis),
          fc.array(fc.nat(sizes.at(axis)!), { maxLength: 3 }).map((cuts) => cuts.sort()),
        ),
      ),
    )
    fc.assert(
      fc.property(asked, ([x, [axis, cuts]]) => {
        const ends = [...cuts, x.tensor.shape.at(axis)!]
        const sizes = ends.map((end, i) => end - (ends[i - 1] ?? 0))
        const wanted = spec.split(x.spec, sizes, axis)
        const parts = split(x.tensor, sizes, { axis }) as unknown as Tensor[]
        expect(parts.length).toBe(wanted.length)
        for (const [i, part] of parts.entries()) {
          same(part, wanted[i]!)
          shares(part, x.tensor)
        }
      }),
    )
    expect(split(tensor([1, 2, 3, 4]), 2).map((part) => part.toArray())).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  it('meshgrid', () => {
    const vectors = fc.array(fc.tuple(anyType, size), { minLength: 1, maxLength: 4 })
    const asked = vectors.chain((each) => fc.tuple(...each.map(([dtype, length]) => sample(dtype, [length]))))
    fc.assert(
      fc.property(asked, fc.constantFrom('xy' as const, 'ij' as const), (given, indexing) => {
        const axes = given.map((_, i) => (indexing === 'xy' && given.length > 1 && i < 2 ? 1 - i : i))
        const sizes = axes.map((i) => given[i]!.tensor.shape[0]!)
        const grids = meshgrid(...given.map((each) => each.tensor), { indexing }) as unknown as Tensor[]
        for (const [i, grid] of grids.entries()) {
          same(
            grid,
            spec.define(sizes, (index) => given[i]!.spec.at([index[axes[i]!]!])),
          )
          expect(grid.readOnly).toBe(true)
          shares(grid, given[i]!.tensor)
        }
      }),
    )
  })
})
