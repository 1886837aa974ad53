// Threads that carry out tasks of many plans, and what becomes of them when one of them dies.
import { arange, type Tensor, tensor } from 'bcast'
import { afterAll, expect, it } from 'vitest'
import { evaluateInChunks } from '../../src/tasks/evaluate-in-chunks.ts'
import { inThisProcess } from '../../src/tasks/run-tasks.ts'
import { TaskThreads } from '../../src/tasks/threads.ts'
import { inOnePiece, load, planOf, save, silent } from '../support/chunked.ts'

const threads = new TaskThreads({ threads: 1, memory: 64 << 20 })
afterAll(() => threads.close())

it('fail what a thread was at when it dies, and go on with another', async () => {
  await save('a.npy', tensor([1, 2, 3, 4]))
  const plan = await planOf({ expression: 'a * 2', names: ['a.npy'], chunks: [2], to: 'y.zarr' })
  // A hash that is another object each time it is sent: the thread looks for a plan that it does not have.
  const fatal = { ...plan, hash: {} as string }
  await expect(threads.run(fatal, 1)).rejects.toMatchObject({
    index: 1,
    failure: { kind: 'defect', isTemporary: false },
  })
  await evaluateInChunks(plan, inThisProcess(threads, 2), false, silent)
  expect(await load('y.zarr')).toEqual(await inOnePiece('a * 2', ['a.npy']))
})

it('carry out tasks of more plans than they keep, in turns', async () => {
  // Columns of a file by rows are read in pieces far apart, so that a task is long under way.
  await save('long.npy', arange(0, 400_000, { dtype: 'float32' }).reshape([40, 10_000]) as Tensor)
  const numbers = [1, 2, 3, 4, 5, 6, 7]
  await Promise.all(
    numbers.map(async (n) => {
      const plan = await planOf({ expression: `l * ${n}`, names: ['long.npy'], chunks: [40, 2500], to: `t${n}.zarr` })
      await evaluateInChunks(plan, inThisProcess(threads, 2), false, silent)
    }),
  )
  for (const n of numbers) {
    const [chunked, whole] = [await load(`t${n}.zarr`), await inOnePiece(`l * ${n}`, ['long.npy'])]
    // Many elements; what is said of a difference would take longer than the test.
    expect(chunked.bits.every((bits, i) => bits === whole.bits[i])).toBe(true)
  }
})
