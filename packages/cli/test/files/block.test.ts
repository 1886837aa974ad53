// Any block of an array is read to the element, in few reads where its runs lie close together and without what lies
// between where they do not.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import { readBlock } from '../../src/files/blocks/block.ts'
import { countOf, newElements, type StoredDType, type TypedArray } from '../../src/files/element.ts'
import type { ArraySource } from '../../src/files/source.ts'

interface CountedSource extends ArraySource {
  reads: number
  taken: number
}

/** An array of any size whose elements are their positions in the file. */
function positions(dtype: StoredDType, shape: readonly number[], order: ArraySource['order']): CountedSource {
  return {
    ...{ label: 'x', dtype, shape, order, seekable: true, reads: 0, taken: 0 },
    async read(start, target) {
      this.reads++
      this.taken += target.length
      await new Promise((resolve) => setImmediate(resolve))
      if (start + target.length > countOf(shape)) throw new RangeError(`reads ${start} to ${start + target.length}`)
      const wide = target instanceof BigUint64Array
      for (let i = 0; i < target.length; i++) target[i] = wide ? BigInt(start + i) : start + i
    },
    async close() {},
  }
}

async function block(source: ArraySource, begin: readonly number[], sizes: readonly number[]): Promise<TypedArray> {
  const target = newElements(source.dtype, countOf(sizes))
  await readBlock(
    source,
    begin,
    begin.map((from, axis) => from + sizes[axis]!),
    target,
  )
  return target
}

/** Where the elements of a block lie in the file. */
function expected({ shape, order }: ArraySource, begin: readonly number[], sizes: readonly number[]): number[] {
  const strides = shape.map((_, axis) => countOf(order === 'row-major' ? shape.slice(axis + 1) : shape.slice(0, axis)))
  let found = [0]
  for (const [axis, size] of sizes.entries()) {
    const along = Array.from({ length: size }, (_, i) => (begin[axis]! + i) * strides[axis]!)
    found = found.flatMap((at) => along.map((step) => at + step))
  }
  return found
}

describe('a block', () => {
  const axis = fc.constantFrom(1, 2, 5, 100, 9000, 40_000)
  const scenario = fc
    .array(axis, { maxLength: 4 })
    .filter((shape) => countOf(shape) < 2 ** 32)
    .chain((shape) =>
      fc.record({
        shape: fc.constant(shape),
        dtype: fc.constantFrom('uint32' as const, 'uint64' as const),
        order: fc.constantFrom('row-major' as const, 'column-major' as const),
        place: fc.tuple(...shape.map((size) => fc.tuple(fc.nat(size - 1), fc.constantFrom(1, 2, 7, 40, size)))),
      }),
    )

  it('is read to the element, however its runs lie', async () => {
    const seen = { stretches: 0, apart: 0 }
    await fc.assert(
      fc.asyncProperty(scenario, async ({ shape, dtype, order, place }) => {
        const source = positions(dtype, shape, order)
        const begin = place.map(([from]) => from)
        const sizes = place.map(([from, size], at) => Math.min(size, shape[at]! - from))
        if (countOf(sizes) > 50_000) return
        const read = await block(source, begin, sizes)
        expect([...read].map(Number)).toEqual(expected(source, begin, sizes))
        if (source.taken > countOf(sizes)) seen.stretches++
        else if (source.reads > 1) seen.apart++
      }),
      { numRuns: 200 },
    )
    onDefaultSeed(() => {
      expect(seen.stretches).toBeGreaterThan(10)
      expect(seen.apart).toBeGreaterThan(10)
    })
  })

  it('whose runs lie close together takes few reads', async () => {
    const source = positions('uint32', [20_000, 10, 5], 'row-major')
    const begin = [0, 2, 3]
    const sizes = [20_000, 4, 1]
    expect([...(await block(source, begin, sizes))]).toEqual(expected(source, begin, sizes))
    expect(source.reads).toBeLessThan(40)
  })

  it('whose runs lie far apart takes no more than they are', async () => {
    const source = positions('uint32', [300, 40_000], 'row-major')
    await block(source, [0, 7], [300, 3])
    expect([source.reads, source.taken]).toEqual([300, 900])
  })

  it('that cannot be read ends when every read has', async () => {
    let open = 0
    const source: ArraySource = {
      ...positions('uint32', [1000, 40_000], 'row-major'),
      async read(start) {
        open++
        await new Promise((resolve) => setTimeout(resolve, start === 0 ? 1 : 5))
        open--
        if (start === 0) throw new Error('the disk is gone')
      },
    }
    await expect(block(source, [0, 0], [1000, 1])).rejects.toThrow('the disk is gone')
    expect(open).toBe(0)
  })
})
