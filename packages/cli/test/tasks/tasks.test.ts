// Results in chunks have the bits of results in one piece, however they are cut, whatever their arrays are stored in,
// and in whatever order, or how often, tasks are carried out.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type Shape, type Tensor, tensor } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FileError } from '../../src/errors/file-error.ts'
import { WantingError } from '../../src/errors/wanting-error.ts'
import { countOf, type StoredDType } from '../../src/files/element.ts'
import { evaluateInChunks } from '../../src/tasks/evaluate-in-chunks.ts'
import { TaskTooLarge } from '../../src/tasks/plan.ts'
import { planText } from '../../src/tasks/plan-text.ts'
import type { OutputCodec } from '../../src/zarr/output.ts'
import { file, folder, forward, inChunks, inOnePiece, inOrder, load, planOf, save, silent } from '../support/chunked.ts'

const elements = (dtype: StoredDType, shape: Shape, seed: number): Tensor => {
  const values = Array.from({ length: countOf(shape) }, (_, i) => ((i * 7919 + seed * 104729) % 23) + 1)
  return tensor(values, { dtype, shape }) as Tensor
}

const expressions = ['a + b', '(a - b) / (b + 1)', 'where(a < b, a, b * 2)', 'a * a - b', 'max(a, b) > 7']
const types: readonly StoredDType[] = ['float32', 'float64', 'float16', 'bfloat16', 'int8', 'int64', 'uint16', 'uint64']
const codecs: readonly OutputCodec[] = [{ name: 'none' }, { name: 'gzip', level: 1 }, { name: 'zstd' }]

const cases = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 0, maxLength: 3 }).chain((shape) => {
  const cut = fc.tuple(...shape.map((size) => fc.integer({ min: 1, max: size + 1 })))
  return fc.record({
    shape: fc.constant(shape),
    other: fc.tuple(...shape.map((size) => fc.constantFrom(size, 1))),
    dtype: fc.constantFrom(...types),
    expression: fc.constantFrom(...expressions),
    isStored: fc.boolean(),
    stored: cut,
    chunks: cut,
    times: fc.option(fc.tuple(...shape.map(() => fc.integer({ min: 1, max: 3 }))), { nil: undefined }),
    codec: fc.constantFrom(...codecs),
  })
})

describe('a result in chunks', () => {
  it('has the bits of one in one piece', async () => {
    let count = 0
    const property = fc.asyncProperty(
      cases,
      async ({ shape, other, dtype, expression, isStored, stored, chunks, times, codec }) => {
        const n = count++
        const [a, b] = [`a${n}.${isStored ? 'zarr' : 'npy'}`, `b${n}.npy`]
        await save(`a${n}.npy`, elements(dtype, shape, 1))
        await save(b, elements(dtype, other, 2))
        if (isStored) await inChunks({ expression: 'a', names: [`a${n}.npy`], to: a, chunks: stored, codec })
        const shards = times === undefined ? undefined : chunks.map((size, axis) => size * times[axis]!)
        const given = { expression, names: [a, b], to: `y${n}.zarr`, chunks, shards, codec }
        expect(await inChunks(given)).toEqual(await inOnePiece(expression, [`a${n}.npy`, b]))
      },
    )
    await fc.assert(property, { numRuns: 30 })
  })

  it('is the same in any order, and where tasks are carried out again', async () => {
    await save('a.npy', elements('float32', [7, 9], 1))
    await save('b.npy', elements('float32', [9], 2))
    const given = { expression: '(a - b) / (a + b)', names: ['a.npy', 'b.npy'], chunks: [2, 4], to: 'again.zarr' }
    const wanted = await inOnePiece(given.expression, given.names)
    const backwardTwice = inOrder((count) => [...Array(2 * count).keys()].map((i) => (2 * count - 1 - i) % count))
    expect(await inChunks(given, backwardTwice)).toEqual(wanted)
  })

  it('is not computed where nothing is stored of its arrays', async () => {
    await save('a.npy', elements('float32', [4, 6], 1))
    await inChunks({ expression: 'a', names: ['a.npy'], chunks: [2, 3], to: 'a.zarr' })
    // The second row of chunks is gone: its elements are the fill value, which is 0.
    for (const key of ['c/1/0', 'c/1/1']) rmSync(file(`a.zarr/${key}`))
    const computed: boolean[] = []
    const plan = await planOf({ expression: '2 / a', names: ['a.zarr'], to: 'y.zarr' })
    await evaluateInChunks(plan, forward, false, { begin: () => {}, done: (task) => computed.push(task.computed) })
    expect(computed).toEqual([true, true, false, false])
    expect(readdirSync(file('y.zarr/c'))).toEqual(['0'])
    expect(JSON.parse(readFileSync(file('y.zarr/zarr.json'), 'utf8')).fill_value).toBe('Infinity')
    expect(await load('y.zarr')).toEqual(await inOnePiece('2 / a', ['a.zarr']))
  })

  it('that an element without a value ends leaves what was there', async () => {
    await save('a.npy', elements('int32', [4, 6], 1))
    await save('b.npy', tensor([1, 2, 3, 0, 5, 6], { dtype: 'int32' }) as Tensor)
    const given = { expression: 'a / b', names: ['a.npy', 'b.npy'], chunks: [2, 3], to: 'fault.zarr' }
    await expect(inChunks(given)).rejects.toThrow(WantingError)
    await expect(inChunks(given)).rejects.toThrow(/index \[0, 3\] of the result/)
    expect(readdirSync(folder()).filter((name) => name.includes('fault'))).toEqual([])
    await inChunks({ ...given, expression: 'a + b' })
    const before = await load('fault.zarr')
    await expect(inChunks(given)).rejects.toThrow(WantingError)
    expect(await load('fault.zarr')).toEqual(before)
  })

  it('replaces the array that it is computed from', async () => {
    await save('a.npy', elements('float32', [5, 5], 1))
    await inChunks({ expression: 'a', names: ['a.npy'], chunks: [2, 2], to: 'a.zarr' })
    const wanted = await inOnePiece('a * 3', ['a.npy'])
    expect(await inChunks({ expression: 'a * 3', names: ['a.zarr'], chunks: [4, 1], to: 'a.zarr' })).toEqual(wanted)
    expect(readdirSync(file('a.zarr/c'))).toEqual(['0', '1'])
  })

  it('has the fill value of its arrays to the last digit', async () => {
    await save('a.npy', tensor([9007199254740993n, 2n], { dtype: 'int64' }) as Tensor)
    await inChunks({ expression: 'a', names: ['a.npy'], chunks: [1], to: 'big.zarr' })
    const metadata = readFileSync(file('big.zarr/zarr.json'), 'utf8')
    writeFileSync(file('big.zarr/zarr.json'), metadata.replace(/"fill_value": *0/, '"fill_value": 9007199254740993'))
    rmSync(file('big.zarr/c/0'))
    await inChunks({ expression: 'b * 2', names: ['big.zarr'], to: 'bigger.zarr' })
    expect(readFileSync(file('bigger.zarr/zarr.json'), 'utf8')).toMatch(/"fill_value": *18014398509481986\b/)
    expect((await load('bigger.zarr')).bits).toEqual((await inOnePiece('a * 2', ['a.npy'])).bits)
  })

  it('lies in a group, which is made where there is none', async () => {
    await save('a.npy', elements('float32', [3], 1))
    const wanted = await inOnePiece('a', ['a.npy'])
    expect(await inChunks({ expression: 'a', names: ['a.npy'], to: 'g.zarr:some/where' })).toEqual(wanted)
    expect(JSON.parse(readFileSync(file('g.zarr/some/zarr.json'), 'utf8')).node_type).toBe('group')
    expect(await inChunks({ expression: 'a', names: ['a.npy'], to: 'g.zarr:some/other' })).toEqual(wanted)
    expect(await load('g.zarr:some/where')).toEqual(wanted)
  })
})

describe('an evaluation in chunks', () => {
  const given = { expression: 'a + 1', names: ['a.npy'], chunks: [1], to: 'resumed.zarr' }

  it('that was stopped goes on with what is not done', async () => {
    await save('a.npy', elements('float32', [9], 1))
    const plan = await planOf(given)
    const stopped = evaluateInChunks(
      plan,
      (...all) => inOrder(() => [3, 0, 5])(...all).then(() => Promise.reject(new Error('killed'))),
      false,
      silent,
    )
    await expect(stopped).rejects.toThrow('killed')
    expect(existsSync(file('resumed.zarr'))).toBe(false)
    const done: number[] = []
    await evaluateInChunks(plan, forward, true, {
      begin: (count) => done.push(-count),
      done: ({ index }) => done.push(index),
    })
    expect(done).toEqual([-3, 1, 2, 4, 6, 7, 8])
    expect(await load('resumed.zarr')).toEqual(await inOnePiece('a + 1', ['a.npy']))
    expect(readdirSync(folder()).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('begins anew where it is another, or nobody asks it to go on', async () => {
    await save('a.npy', elements('float32', [9], 1))
    const stop = (plan: Awaited<ReturnType<typeof planOf>>): Promise<unknown> =>
      evaluateInChunks(
        plan,
        (...all) => inOrder(() => [1, 2])(...all).then(() => Promise.reject(new Error('killed'))),
        false,
        silent,
      ).catch(() => {})
    for (const [expression, resume] of [
      ['a + 2', true],
      ['a + 1', false],
    ] as const) {
      await stop(await planOf(given))
      const done: number[] = []
      await evaluateInChunks(await planOf({ ...given, expression }), forward, resume, {
        begin: (count) => done.push(count),
        done: () => {},
      })
      expect(done).toEqual([0])
      expect(await load('resumed.zarr')).toEqual(await inOnePiece(expression, ['a.npy']))
    }
  })

  it('begins anew where an array has changed', async () => {
    await save('a.npy', elements('float32', [9], 1))
    const { hash } = await planOf(given)
    expect((await planOf(given)).hash).toBe(hash)
    await save('a.npy', elements('float32', [9], 2))
    expect((await planOf(given)).hash).not.toBe(hash)
  })

  it('refuses to replace what is no array', async () => {
    await save('a.npy', elements('float32', [9], 1))
    mkdirSync(file('mine.zarr'))
    writeFileSync(file('mine.zarr/letter.txt'), 'dear')
    await expect(inChunks({ ...given, to: 'mine.zarr' })).rejects.toThrow(/holds no Zarr array/)
    await inChunks({ ...given, to: 'group.zarr:y' })
    await expect(inChunks({ ...given, to: 'group.zarr' })).rejects.toThrow(
      /a group is there, whose arrays would be lost/,
    )
    await expect(inChunks({ ...given, to: 'group.zarr:y/z' })).rejects.toThrow(/it would lie in an array/)
    await expect(inChunks({ ...given, to: 'nowhere/y.zarr' })).rejects.toThrow(FileError)
    writeFileSync(file('file.zarr'), '')
    await expect(inChunks({ ...given, to: 'file.zarr' })).rejects.toThrow(/a file of this name is there/)
  })

  it('is refused before it begins where a chunk would take too much', async () => {
    await save('a.npy', elements('float32', [1000, 1000], 1))
    const large = { ...given, chunks: [1000, 1000], memory: 2 ** 20 }
    await expect(planOf(large)).rejects.toThrow(TaskTooLarge)
    await expect(planOf(large)).rejects.toThrow(
      /a chunk of \(1000,1000\) of .*resumed.zarr takes 3.8 MiB to compute, and 1.0 MiB of memory are left for it/,
    )
    await expect(planOf({ ...large, chunks: [100, 1000] })).resolves.toMatchObject({ count: 10, memory: 400_000 })
  })

  it('says what it will do', async () => {
    await save('a.npy', elements('float32', [1000, 1000], 1))
    await save('m.npy', elements('float32', [1000], 1))
    const plan = await planOf({
      ...given,
      expression: 'a - m',
      names: ['a.npy', 'm.npy'],
      chunks: [100, 200],
      shards: [500, 1000],
    })
    expect(planText(plan).replaceAll(folder(), '.').replace(plan.hash, 'HASH')).toMatchInlineSnapshot(`
      "a - m
        a  (1000,1000) float32, read by each task: ./a.npy
        m  (1000) float32, read once by each thread and held: ./m.npy
        result  (1000,1000) float32, chunks of (100,200), in shards of (500,1000), not compressed: ./resumed.zarr
      tasks       2, a grid of (2,1)
      read        3.8 MiB
      written     3.8 MiB before it is compressed
      memory      5.9 MiB for the largest task, 3.9 KiB held by each thread
      plan        HASH"
    `)
  })
})
