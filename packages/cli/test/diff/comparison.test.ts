// Counts, places and distances of a comparison, against a plain one made element by element with exact integers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { npyBytes } from '../../../../testing/files/npy.ts'
import { MemoryStore } from '../../../../testing/zarr/memory-store.ts'
import { chunkTiles, piecesOf, tileSizes } from '../../src/diff/blocks.ts'
import { Comparison } from '../../src/diff/comparison.ts'
import { distanceOf } from '../../src/diff/distance.ts'
import {
  countOf,
  elementsOver,
  newElements,
  type StoredDType,
  storedDTypes,
  type TypedArray,
} from '../../src/files/element.ts'
import { openSource } from '../../src/files/open.ts'
import { arrayIn } from '../../src/zarr/array.ts'
import type { ZarrOutput } from '../../src/zarr/output.ts'
import { put, temporaryFolder } from '../files/made.ts'
import { objectsOf, positions } from '../zarr/support.ts'

const at = temporaryFolder()
const exactly = { ulp: 0, rtol: 0, atol: 0, nanDiffers: false }

/** The number of representable values from one to the other, by counting in exact integers. */
function steps(dtype: StoredDType, a: TypedArray, b: TypedArray): bigint {
  const bits = BigInt(8 * a.BYTES_PER_ELEMENT)
  const read = (array: TypedArray): bigint => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.BYTES_PER_ELEMENT)
    const raw = bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
    const sign = 1n << (bits - 1n)
    if (dtype.includes('float')) return raw >= sign ? sign - raw : raw
    return dtype.startsWith('int') && raw >= sign ? raw - 2n * sign : raw
  }
  const apart = read(a) - read(b)
  return apart < 0n ? -apart : apart
}

describe('the distance of two elements', () => {
  it.each(storedDTypes)('is the number of values from one to the other: %s', (dtype) => {
    const width = newElements(dtype, 1).BYTES_PER_ELEMENT
    const bytes = fc.uint8Array({ minLength: width, maxLength: width })
    const near = bytes.chain((one) =>
      fc.tuple(
        fc.constant(one),
        fc.integer({ min: 0, max: 255 }).map((low) => Uint8Array.from(one, (byte, i) => (i === 0 ? low : byte))),
      ),
    )
    fc.assert(
      fc.property(fc.oneof(fc.tuple(bytes, bytes), near), (pair) => {
        const [a, b] = pair.map((each) => elementsOver(dtype, each.slice().buffer, 0, 1)) as [TypedArray, TypedArray]
        const exact = steps(dtype, a, b)
        const found = distanceOf(dtype, a, b)(0)
        expect(found).toBe(exact < 2n ** 53n ? Number(exact) : exact)
      }),
    )
  })
})

function compared(dtype: StoredDType, a: TypedArray, b: TypedArray, tolerance = {}): Comparison {
  const comparison = new Comparison(dtype, { ...exactly, ...tolerance }, 3)
  comparison.take(a, b, (i) => i)
  return comparison
}

describe('a comparison', () => {
  const a = Float32Array.of(1, 0, NaN, 5, Infinity, 1e-45, NaN, 100)
  const b = Float32Array.of(1, -0, NaN, 5.000001, Infinity, 0, 2, 100.00001)

  it('counts differences, zeros of two signs, and NaN against a number', () => {
    const { elements, differing, beyond, zeroSigns, nans } = compared('float32', a, b)
    expect({ elements, differing, beyond, zeroSigns, nans }).toEqual({
      elements: 8,
      differing: 4,
      beyond: 4,
      zeroSigns: 1,
      nans: 1,
    })
  })

  it('keeps the first differences and the largest', () => {
    const { first, largestUlp, largestRelative } = compared('float32', a, b)
    expect(first.map(({ position, a: one, b: other, ulp }) => [position, one, other, ulp])).toEqual([
      [3, '5', '5.000001', 2],
      [5, '1.4013e-45', '0', 1],
      [6, 'NaN', '2', NaN],
    ])
    expect(largestUlp).toMatchObject({ position: 3, ulp: 2 })
    expect(largestRelative).toMatchObject({ position: 5, relative: Infinity })
  })

  it.each([
    [{ ulp: 2 }, 1],
    [{ ulp: 1 }, 2],
    [{ rtol: 1e-6 }, 2],
    [{ atol: 1e-5 }, 1],
    [{ nanDiffers: true }, 5],
  ])('lets pass what the tolerance allows: %j', (tolerance, beyond) => {
    expect(compared('float32', a, b, tolerance).beyond).toBe(beyond)
  })

  it('lets no infinity pass by a relative or absolute tolerance, on either side', () => {
    const numbers = Float64Array.of(1, Infinity, Infinity, 1e308, Infinity)
    const others = Float64Array.of(Infinity, 1, -Infinity, Infinity, Infinity)
    const { beyond, largestRelative } = compared('float64', numbers, others, { rtol: 1e-6, atol: 1e308 })
    expect(beyond).toBe(4)
    expect(largestRelative).toMatchObject({ position: 0, relative: Infinity })
    expect(compared('float64', others, numbers, { rtol: 100 }).beyond).toBe(4)
    // The next float after the largest is infinity, so by ulp it passes.
    const largest = Float64Array.of(Number.MAX_VALUE)
    expect(compared('float64', largest, Float64Array.of(Infinity), { ulp: 1 }).beyond).toBe(0)
  })

  it('finds the largest relative difference behind an infinity', () => {
    const found = compared('float32', Float32Array.of(1, Infinity, 1), Float32Array.of(2, -Infinity, 100))
    expect(found.largestRelative).toMatchObject({ position: 1, relative: Infinity })
    expect(found.first.map(({ relative }) => relative)).toEqual([0.5, Infinity, 0.99])
  })

  it('sees 64-bit integers that round to one number, and 16-bit floats as numbers', () => {
    const [one, other] = [BigInt64Array.of(2n ** 62n, 5n), BigInt64Array.of(2n ** 62n + 1n, 5n)]
    const wide = compared('int64', one, other)
    expect(wide.largestUlp).toMatchObject({ ulp: 1, a: '4611686018427387904', b: '4611686018427387905' })
    expect([wide.differing, wide.beyond]).toEqual([1, 1])
    expect(compared('int64', one, other, { atol: 1 }).beyond).toBe(0)
    expect(compared('uint64', BigUint64Array.of(2n ** 64n - 1n), BigUint64Array.of(2n ** 64n - 2n)).beyond).toBe(1)
    const far = [BigInt64Array.of(-(2n ** 63n)), BigInt64Array.of(2n ** 63n - 1n)] as const
    expect(compared('int64', ...far, { ulp: 2n ** 64n - 1n }).beyond).toBe(0)
    expect(compared('int64', ...far, { ulp: 2n ** 64n - 2n }).beyond).toBe(1)
    const above = [BigInt64Array.of(0n), BigInt64Array.of(2n ** 53n + 1n)] as const
    expect(compared('int64', ...above, { atol: 2 ** 53 }).beyond).toBe(1)
    expect(compared('float16', Uint16Array.of(0x3c00), Uint16Array.of(0x3c01)).largestUlp).toMatchObject({
      a: '1',
      b: '1.0009765625',
      ulp: 1,
    })
    expect(compared('bfloat16', Uint16Array.of(0x8000), Uint16Array.of(0)).zeroSigns).toBe(1)
  })
})

describe('pieces of two arrays', () => {
  it('hold each element once, at its place, whatever the orders', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        async (shape, fortranA, fortranB, limit) => {
          const count = countOf(shape)
          const elements = Uint16Array.from({ length: count }, (_, i) => i)
          // In column-major order the element at each place is the position there.
          const stored = elements.slice()
          for (let i = 0; i < count; i++) {
            let [left, position, stride] = [i, 0, 1]
            const index = shape
              .toReversed()
              .map((size) => [left % size, (left = Math.floor(left / size))][0]!)
              .reverse()
            for (const [axis, size] of shape.entries()) {
              position += index[axis]! * stride
              stride *= size
            }
            stored[position] = i
          }
          const open = (name: string, fortran: boolean) =>
            openSource(
              put(at(name), npyBytes({ dtype: 'uint16', shape, elements: fortran ? stored : elements }, { fortran })),
            )
          const [a, b] = [await open('a.npy', fortranA), await open('b.npy', fortranB)]
          const seen: number[] = []
          for await (const piece of piecesOf(a, b, limit)) {
            expect(piece.a.length).toBeLessThanOrEqual(Math.max(1, limit))
            for (let i = 0; i < piece.a.length; i++) {
              expect([piece.a[i], piece.b[i]]).toEqual([piece.positionOf(i), piece.positionOf(i)])
              seen.push(piece.positionOf(i))
            }
          }
          await Promise.all([a.close(), b.close()])
          expect(seen.sort((x, y) => x - y)).toEqual([...elements])
        },
      ),
      { numRuns: 150 },
    )
  })

  it('are tiles that are long in both orders', () => {
    expect(tileSizes([1000, 1000], 4096)).toEqual([64, 64])
    expect(tileSizes([2, 1_000_000], 4096)).toEqual([2, 2048])
    expect(tileSizes([5, 1, 7], 1000)).toEqual([5, 1, 7])
  })

  it('are tiles of whole chunks where an array has them, each of which is read once', async () => {
    expect(chunkTiles([1000, 1000], [30, 30], 4096)).toEqual([30, 120])
    expect(chunkTiles([1000, 100], [30, 30], 4096)).toEqual([30, 100])
    expect(chunkTiles([1000, 100], [30, 30], 6000)).toEqual([60, 100])
    expect(chunkTiles([10, 10], [30, 30], 4096)).toEqual([10, 10])
    expect(chunkTiles([1000, 1000], [100, 100], 4096)).toEqual([64, 64])
    const output: ZarrOutput = { dtype: 'int32', shape: [9, 9], chunks: [2, 3], codec: { name: 'zstd' }, fill: 0 }
    const stores = [
      new MemoryStore(await objectsOf(output)),
      new MemoryStore(await objectsOf({ ...output, chunks: [9, 9] })),
    ]
    const [a, b] = await Promise.all(stores.map((store) => arrayIn('x.zarr', store, '', { memory: 0 })))
    const seen: number[] = []
    for await (const piece of piecesOf(a!, b!, 20)) {
      for (const [i, element] of piece.a.entries()) {
        expect([element, piece.b[i]]).toEqual([piece.positionOf(i), piece.positionOf(i)])
        seen.push(piece.positionOf(i))
      }
    }
    expect(seen.sort((x, y) => x - y)).toEqual(positions(81))
    expect(stores[0]!.read.filter((key) => key.startsWith('c/')).length).toBe(15)
  })

  it('are parts of a large chunk one after the other, so that it is decoded once where it is kept', async () => {
    const output: ZarrOutput = { dtype: 'int32', shape: [50, 41], chunks: [20, 20], codec: { name: 'zstd' }, fill: 0 }
    const stores = [new MemoryStore(await objectsOf(output)), new MemoryStore(await objectsOf(output))]
    const memory = 2 * (20 * 20 * 4 + 1024)
    const [a, b] = await Promise.all(stores.map((store) => arrayIn('x.zarr', store, '', { memory })))
    const seen: number[] = []
    for await (const piece of piecesOf(a!, b!, 100)) {
      expect(piece.a.length).toBeLessThanOrEqual(100)
      for (const [i, element] of piece.a.entries()) {
        expect([element, piece.b[i]]).toEqual([piece.positionOf(i), piece.positionOf(i)])
        seen.push(piece.positionOf(i))
      }
    }
    expect(seen.sort((x, y) => x - y)).toEqual(positions(50 * 41))
    for (const { read } of stores) expect(read.filter((key) => key.startsWith('c/')).length).toBe(9)
  })
})
