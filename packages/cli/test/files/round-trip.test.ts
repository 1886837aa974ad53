// Every type in every format: what is written is read back, to the bit, in runs of any length.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { npyBytes } from '../../../../testing/files/npy.ts'
import { readBlock } from '../../src/files/blocks/block.ts'
import { rewindable } from '../../src/files/blocks/spool.ts'
import { bytesOf, countOf, elementsOver, newElements, type TypedArray } from '../../src/files/element.ts'
import { openSource } from '../../src/files/open.ts'
import { arrays, put, readFile, readStored, temporaryFolder, writeFile } from './made.ts'

const at = temporaryFolder()

/** Shared memory such as the engine has; the compiler here knows no page's globals. */
const shared = (): { readonly buffer: SharedArrayBuffer } => {
  const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: { Memory: new (limits: object) => never } }
  return new wasm.Memory({ initial: 64, maximum: 64, shared: true })
}

describe('a result that is written and read back', () => {
  it.each(['x.npy', 'x.npz', 'named.npz:mean', 'x.pb'])('is the same to the bit: %s', async (name) => {
    await fc.assert(
      fc.asyncProperty(arrays(), fc.integer({ min: 1, max: 9 }), async (array, run) => {
        await writeFile(at(name), array, run)
        const source = await openSource(at(name))
        expect({ dtype: source.dtype, shape: source.shape }).toEqual({ dtype: array.dtype, shape: array.shape })
        expect(bytesOf(await readStored(source, run))).toEqual(bytesOf(array.elements))
      }),
      { numRuns: 75 },
    )
  })

  it('is the same to the bit as raw elements', async () => {
    await fc.assert(
      fc.asyncProperty(arrays(), async (array) => {
        await writeFile(at('x.bin'), array)
        const elements = await readFile(`${at('x.bin')}:${array.dtype}:(${array.shape.join()})`)
        expect(bytesOf(elements)).toEqual(bytesOf(array.elements))
      }),
      { numRuns: 50 },
    )
  })

  it('is the same number as JSON, NaN, infinities and the sign of zero included', async () => {
    await fc.assert(
      fc.asyncProperty(arrays({ numbers: true }), async (array) => {
        await writeFile(at('x.json'), array)
        const source = await openSource(at('x.json'))
        expect({ dtype: source.dtype, shape: source.shape }).toEqual({ dtype: array.dtype, shape: array.shape })
        expect(await readStored(source)).toEqual(array.elements)
        // Text that any reader of JSON takes.
        expect(JSON.parse(readFileSync(at('x.json'), 'utf8')).dtype).toBe(array.dtype)
      }),
      { numRuns: 60 },
    )
  })
})

/** Elements of a column-major array in row-major order, one by one. */
function turned(elements: TypedArray, shape: readonly number[]): TypedArray {
  const out = elements.slice()
  for (let i = 0; i < out.length; i++) {
    let [left, position, stride] = [i, 0, out.length]
    for (const size of shape.toReversed()) {
      stride /= size
      position += (left % size) * stride
      left = Math.floor(left / size)
    }
    out[i] = elements[position]!
  }
  return out
}

describe('.npy of both byte orders, both element orders, all versions', () => {
  const files = fc.record({
    order: fc.constantFrom('<' as const, '>' as const),
    fortran: fc.boolean(),
    version: fc.constantFrom(1 as const, 2 as const, 3 as const),
  })

  it('gives the elements as they lie, in the order of this machine', async () => {
    await fc.assert(
      fc.asyncProperty(arrays(), files, async (array, options) => {
        fc.pre(!(array.dtype === 'bfloat16' && options.order === '>'))
        put(at('y.npy'), npyBytes(array, options))
        const source = await openSource(at('y.npy'))
        expect(source.order).toBe(options.fortran && array.shape.length > 1 ? 'column-major' : 'row-major')
        expect(bytesOf(await readStored(source))).toEqual(bytesOf(array.elements))
      }),
      { numRuns: 75 },
    )
  })

  it('gives any block in row-major order', async () => {
    await fc.assert(
      fc.asyncProperty(
        arrays({ numbers: true }),
        files,
        fc.infiniteStream(fc.nat()),
        async (array, options, random) => {
          fc.pre(!(array.dtype === 'bfloat16' && options.order === '>'))
          const { shape } = array
          put(at('z.npy'), npyBytes(array, options))
          const source = await openSource(at('z.npy'))
          const pick = (limit: number): number => random.next().value! % (limit + 1)
          const begin = shape.map((size) => pick(size))
          const end = shape.map((size, axis) => begin[axis]! + pick(size - begin[axis]!))
          const sizes = begin.map((from, axis) => end[axis]! - from)
          const target = newElements(array.dtype, countOf(sizes))
          await readBlock(source, begin, end, target)
          await source.close()
          const whole = options.fortran && shape.length > 1 ? turned(array.elements, shape) : array.elements
          const expected = [...Array(countOf(sizes)).keys()].map((i) => {
            const index = sizes
              .toReversed()
              .map((size) => [i % size, (i = Math.floor(i / size))][0]!)
              .reverse()
            return whole[index.reduce((sum, inside, axis) => sum * shape[axis]! + begin[axis]! + inside, 0)]
          })
          expect([...target]).toEqual(expected)
        },
      ),
      { numRuns: 75 },
    )
  })
})

describe('reading', () => {
  const count = 300_000
  const elements = Float32Array.from({ length: count }, (_, i) => i)
  const array = { dtype: 'float32', shape: [500, 600], elements } as const

  it('fills shared memory, straight from the file', async () => {
    put(at('shared.npy'), npyBytes(array))
    const { buffer } = shared()
    const target = elementsOver('float32', buffer, 64, 1000)
    const source = await openSource(at('shared.npy'))
    await source.read(299_000, target)
    expect(target).toEqual(elements.subarray(299_000))
    await source.close()
    const big = await openSource(put(at('big.npy'), npyBytes(array, { order: '>' })))
    await big.read(5, target)
    expect(target).toEqual(elements.subarray(5, 1005))
    await big.close()
  })

  it('writes from shared memory', async () => {
    const { buffer } = shared()
    const target = elementsOver('float32', buffer, 64, 1000)
    ;(target as Float32Array).set(elements.subarray(0, 1000))
    for (const name of ['from-shared.npy', 'from-shared.npz', 'from-shared.json']) {
      await writeFile(at(name), { dtype: 'float32', shape: [1000], elements: target }, 333)
      expect(await readFile(at(name))).toEqual(elements.slice(0, 1000))
    }
  })

  it.each([
    ['runs within one stretch', [500, 600], [11, 301], [48, 512]],
    ['runs in several stretches', [500, 600], [11, 10], [48, 600]],
    ['runs far apart', [20_000, 15], [7, 1], [30, 15]],
    ['long runs far apart', [20_000, 15], [100, 1], [19_000, 12]],
  ])('takes a tile of a column-major array: %s', async (_, shape, begin, end) => {
    const source = await openSource(put(at('tiles.npy'), npyBytes({ ...array, shape }, { fortran: true })))
    const [rows, columns] = [end[0]! - begin[0]!, end[1]! - begin[1]!]
    const target = new Float32Array(rows * columns)
    await readBlock(source, begin, end, target)
    await source.close()
    const expected = target.map(
      (_value, i) => (begin[1]! + (i % columns)) * shape[0]! + begin[0]! + Math.floor(i / columns),
    )
    expect(Buffer.compare(bytesOf(target), bytesOf(expected))).toBe(0)
  })

  it('takes every byte but 0 of a bool for true', async () => {
    const odd = Uint8Array.from({ length: 23 }, (_, i) => [0, 1, 2, 255][i % 4]!)
    put(at('odd.npy'), npyBytes({ dtype: 'bool', shape: [23], elements: odd }, { order: '|' }))
    expect(await readFile(at('odd.npy'))).toEqual(odd.map((byte) => Math.min(byte, 1)))
  })

  it('goes back over what only went forward, in memory and through a file', async () => {
    for (const memory of [2 ** 24, 2 ** 12]) {
      put(at('pipe.bin'), bytesOf(elements))
      const source = await rewindable({ ...(await openSource(`${at('pipe.bin')}:float32`)), seekable: false }, memory)
      const target = newElements('float32', 10)
      for (const start of [299_990, 0, 150_000]) {
        await source.read(start, target)
        expect(target).toEqual(elements.slice(start, start + 10))
      }
      await source.close()
    }
  })
})
