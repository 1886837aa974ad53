// A result in a bucket, where nothing can be renamed: what a reader may find at every moment, and what is refused.
import { type Tensor, tensor } from 'bcast'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { evaluateInChunks } from '../../src/tasks/evaluate-in-chunks.ts'
import type { CarryOut } from '../../src/tasks/run-tasks.ts'
import { inChunks, inOnePiece, inOrder, load, planOf, save, silent } from '../support/chunked.ts'
import { bucketServer } from '../zarr/bucket.ts'

describe('a result in a bucket', async () => {
  const { address, objects } = await bucketServer()
  const before = { ...process.env }
  beforeEach(async () => {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_ENDPOINT_URL: address })
    objects.clear()
    await save('a.npy', tensor([1, 2, 3, 4, 5, 6, 7]) as Tensor)
  })
  afterEach(() => {
    process.env = { ...before }
  })

  const keys = (): string[] => [...objects.keys()].map((key) => key.replace('/bucket/', '')).toSorted()
  const given = { expression: 'a * 2', names: ['a.npy'], chunks: [2], to: 's3://bucket/y.zarr' }
  const whole = ['c/0', 'c/1', 'c/2', 'c/3', 'zarr.json'].map((key) => `y.zarr/${key}`)
  /** Stops when tasks are done. */
  const stoppedAfter =
    (...numbers: readonly number[]): CarryOut =>
    (...all) =>
      inOrder(() => numbers)(...all).then(() => Promise.reject(new Error('killed')))

  it('has its metadata last', async () => {
    expect(await inChunks(given)).toEqual(await inOnePiece('a * 2', ['a.npy']))
    expect(keys()).toEqual(whole)
    expect([...objects.keys()].at(-1)).toBe('/bucket/y.zarr/zarr.json')
  })

  it('replaces another, of which nothing is left', async () => {
    await inChunks({ ...given, chunks: [1] })
    expect(keys().length).toBe(8)
    const seen: string[][] = []
    const watched: CarryOut = (plan, isDone, tell) =>
      inOrder((count) => [...Array(count).keys()])(plan, isDone, (done) => {
        seen.push(keys())
        tell(done)
      })
    expect(await inChunks(given, watched)).toEqual(await inOnePiece('a * 2', ['a.npy']))
    // There is no array while it is computed.
    expect(seen.flat().filter((key) => key.endsWith('zarr.json'))).toEqual([])
    expect(keys()).toEqual(whole)
  })

  it('goes on where it was stopped, and begins anew where it is another', async () => {
    const plan = await planOf(given)
    await expect(evaluateInChunks(plan, stoppedAfter(2, 0), false, silent)).rejects.toThrow('killed')
    expect(keys()).toEqual(['y.zarr/.bcast-tasks', 'y.zarr/c/0', 'y.zarr/c/2'])
    const done: number[] = []
    const forward = inOrder((count) => [...Array(count).keys()])
    await evaluateInChunks(plan, forward, true, { begin: () => {}, done: ({ index }) => done.push(index) })
    expect([done, keys()]).toEqual([[1, 3], whole])
    await expect(evaluateInChunks(plan, stoppedAfter(1), false, silent)).rejects.toThrow('killed')
    const other = await planOf({ ...given, expression: 'a * 3' })
    await evaluateInChunks(other, forward, true, { begin: (count) => done.push(count), done: () => {} })
    expect(done.at(-1)).toBe(0)
    expect(await load(given.to)).toEqual(await inOnePiece('a * 3', ['a.npy']))
  })

  it('leaves nothing where an element has no value', async () => {
    await save('a.npy', tensor([1, 2, 0], { dtype: 'int32' }) as Tensor)
    await expect(inChunks({ ...given, expression: '1 / a' })).rejects.toThrow('division by zero')
    expect(keys()).toEqual([])
  })

  it('is refused where something else would be lost, and where it is read itself', async () => {
    objects.set('/bucket/y.zarr/letter.txt', Buffer.from('dear'))
    await expect(inChunks(given)).rejects.toThrow(/holds no Zarr array/)
    expect(keys()).toEqual(['y.zarr/letter.txt'])
    objects.clear()
    await inChunks({ ...given, to: 's3://bucket/g.zarr:y' })
    await expect(inChunks({ ...given, to: 's3://bucket/g.zarr' })).rejects.toThrow(/arrays would be lost/)
    const itself = { ...given, names: ['s3://bucket/g.zarr:y'], expression: 's', to: 's3://bucket/g.zarr:y' }
    await expect(inChunks(itself)).rejects.toThrow(/it is read as s, and would be gone/)
    expect(await load('s3://bucket/g.zarr:y')).toEqual(await inOnePiece('a * 2', ['a.npy']))
  })
})
