// Arrays of every type, order, codec and grid, read in blocks of any place: equal to the bit to what a reader finds that
// goes by the words of the specification, one element at a time.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode, indices } from '../../../../testing/zarr/literal.ts'
import { elementsOf, isStored, madeArrays, objectsOf } from '../../../../testing/zarr/made.ts'
import { MemoryStore } from '../../../../testing/zarr/memory-store.ts'
import {
  bytesOf,
  bytesPerElement,
  countOf,
  newElements,
  storedDTypes,
  type TypedArray,
} from '../../src/files/element.ts'
import { arrayIn } from '../../src/zarr/array.ts'
import { partsOf } from '../../src/zarr/grid.ts'
import { metadataText } from '../../src/zarr/metadata/json.ts'
import { encodeObject, keyOf, metadataOf, objectShape, type ZarrOutput } from '../../src/zarr/output.ts'

/** A block of a shape from any numbers. */
function blockOf(shape: readonly number[], [from, to]: readonly [number, number]): readonly [number[], number[]] {
  const begin = shape.map((size, axis) => Math.floor(from * (axis + 1)) % (size + 1))
  return [begin, shape.map((size, axis) => begin[axis]! + (Math.floor(to * (axis + 3)) % (size - begin[axis]! + 1)))]
}

const anyBlock = fc.tuple(fc.nat(100), fc.nat(100))

/** The bytes of a block, element by element. */
function picked(
  elements: TypedArray,
  shape: readonly number[],
  begin: readonly number[],
  end: readonly number[],
  isThere: (index: readonly number[]) => boolean = () => true,
): Buffer {
  const width = elements.BYTES_PER_ELEMENT
  const content = bytesOf(elements)
  const parts = [...indices(begin.map((from, axis) => end[axis]! - from))].map((inside) => {
    const index = inside.map((i, axis) => begin[axis]! + i)
    const at = index.reduce((sum, i, axis) => sum * shape[axis]! + i, 0) * width
    return isThere(index) ? content.subarray(at, at + width) : new Uint8Array(width)
  })
  return Buffer.concat(parts)
}

describe('an array that is read', () => {
  it('has in every block the elements that the specification says', async () => {
    const options = fc.record({ hasFiles: fc.boolean(), memory: fc.constantFrom(0, 200, 2 ** 20) })
    const blocks = fc.array(anyBlock, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(madeArrays, options, blocks, async (array, { hasFiles, memory }, places) => {
        const { dtype, shape, elements } = array
        const source = await arrayIn('x.zarr', new MemoryStore(await objectsOf(array), hasFiles), '', { memory })
        expect({ dtype: source.dtype, shape: source.shape }).toEqual({ dtype, shape })
        for (const place of places) {
          const [begin, end] = blockOf(shape, place)
          const target = newElements(dtype, countOf(begin.map((from, axis) => end[axis]! - from)))
          await source.readBlock(begin, end, target)
          const isThere = (index: readonly number[]): boolean => isStored(array, index)
          expect(Buffer.from(bytesOf(target))).toEqual(picked(elements, shape, begin, end, isThere))
          const isMissing = [...indices(shape)]
            .filter((index) => index.every((i, axis) => i >= begin[axis]! && i < end[axis]!))
            .every((index) => !isThere(index))
          expect(await source.isMissing(begin, end)).toBe(isMissing)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('has in every run the elements that lie there in row-major order', async () => {
    await fc.assert(
      fc.asyncProperty(madeArrays, fc.nat(), fc.nat(), async (made, from, length) => {
        const array = { ...made, gaps: 0 }
        const count = countOf(array.shape)
        const start = from % (count + 1)
        const target = newElements(array.dtype, length % (count - start + 1))
        const source = await arrayIn('x.zarr', new MemoryStore(await objectsOf(array)), '')
        await source.read(start, target)
        expect(bytesOf(target)).toEqual(bytesOf(array.elements.subarray(start, start + target.length)))
      }),
      { numRuns: 50 },
    )
  })
})

describe('an array that is written', () => {
  const outputs = fc
    .record({ dtype: fc.constantFrom(...storedDTypes), rank: fc.integer({ min: 0, max: 3 }), isSharded: fc.boolean() })
    .chain(({ dtype, rank, isSharded }) => {
      const sizes = (min: number, max: number) =>
        fc.array(fc.integer({ min, max }), { minLength: rank, maxLength: rank })
      return fc
        .record({ shape: sizes(0, 6), chunks: sizes(1, 3), times: sizes(1, 3) })
        .chain(({ shape, chunks, times }) =>
          fc.record({
            dtype: fc.constant(dtype),
            shape: fc.constant(shape),
            chunks: fc.constant(chunks),
            ...(isSharded ? { shards: fc.constant(chunks.map((size, axis) => size * times[axis]!)) } : {}),
            codec: fc.constantFrom<ZarrOutput['codec']>(
              { name: 'none' },
              { name: 'gzip', level: 1 },
              { name: 'zstd' },
              { name: 'blosc', cname: 'lz4' },
            ),
            checksum: fc.boolean(),
            fill: fc.constant(dtype === 'bool' ? false : 0),
            // Zeros are the fill value, of which shards leave out whole chunks.
            elements: fc.oneof(elementsOf(dtype, countOf(shape)), fc.constant(newElements(dtype, countOf(shape)))),
          }),
        )
    })

  it('is read back to the bit, by this reader and by the words of the specification', async () => {
    await fc.assert(
      fc.asyncProperty(outputs, anyBlock, async ({ elements, ...output }, place) => {
        const { dtype, shape } = output
        const whole = shape.map(() => 0)
        const metadata = metadataOf(output)
        const store = new MemoryStore([['zarr.json', Buffer.from(metadataText(metadata))]])
        for (const { index, begin, end } of partsOf(whole, shape, objectShape(output))) {
          const bytes = picked(elements, shape, begin, end)
          const part = newElements(dtype, bytes.length / bytesPerElement(dtype))
          bytesOf(part).set(bytes)
          const object = await encodeObject(output, index, part)
          await store.set(keyOf(output, index), object)
          const { codecs } = metadata as { codecs: [] }
          const fill = new Uint8Array(bytesPerElement(dtype))
          const found = await decode(codecs, objectShape(output), object, fill)
          const inside = indices(begin.map((from, axis) => end[axis]! - from))
          expect(Buffer.concat([...inside].map(found))).toEqual(bytes)
        }
        const source = await arrayIn('x.zarr', store, '')
        const [begin, end] = blockOf(shape, place)
        const target = newElements(dtype, countOf(begin.map((from, axis) => end[axis]! - from)))
        await source.readBlock(begin, end, target)
        expect(Buffer.from(bytesOf(target))).toEqual(picked(elements, shape, begin, end))
      }),
      { numRuns: 100 },
    )
  })
})
