// Submitters and workers over real servers, with tasks that only say that they were carried out.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import {
  hasPostgres,
  hasRedis,
  type QueueServer,
  startPostgres,
  startRedis,
} from '../../../../testing/queue-servers.ts'
import { UsageError } from '../../src/errors/usage-error.ts'
import { WantingError } from '../../src/errors/wanting-error.ts'
import type { TaskPlan } from '../../src/tasks/plan.ts'
import type { TaskDone } from '../../src/tasks/task.ts'
import type { TaskFailure } from '../../src/tasks/task-error.ts'
import { TaskError } from '../../src/tasks/threads.ts'
import { jobOf } from '../../src/workers/job.ts'
import { openQueue } from '../../src/workers/queue.ts'
import { parseQueueUrl } from '../../src/workers/queue-url.ts'
import { workersAt } from '../../src/workers/submit.ts'
import { type WorkOptions, work } from '../../src/workers/work.ts'
import { planOf } from './plan.ts'

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const failed = (failure: Partial<TaskFailure>): TaskError =>
  new TaskError(0, { kind: 'input', message: 'x.zarr: chunk c/1 is damaged.', isTemporary: false, ...failure })

interface Asked {
  readonly done: readonly number[]
  readonly tell: (done: TaskDone) => void
  readonly stop: AbortSignal
  readonly notice: (text: string) => void
}

const faults = [
  {
    what: 'a fault of arrays',
    failure: { kind: 'wanting', message: 'division by zero' } as const,
    type: WantingError,
  },
  { what: 'a fault of a store', failure: { kind: 'input', message: 'x.zarr is gone.' } as const, type: UsageError },
  { what: 'a defect', failure: { kind: 'defect', message: 'Error: boom\n    at place' } as const, type: Error },
]

const kinds = [
  { kind: 'Redis', start: () => startRedis(), options: needs('redis', hasRedis) },
  { kind: 'PostgreSQL', start: startPostgres, options: needs('postgres', hasPostgres) },
]

for (const { kind, start, options: needed } of kinds) {
  describe(`workers at ${kind}`, needed, () => {
    // What both do in BullMQ, and takes long, is tested with one of them.
    const only = kind === 'Redis' ? it : () => {}
    let server: QueueServer
    const stops: (() => Promise<void>)[] = []
    beforeAll(async () => {
      server = await start()
    })
    afterAll(() => server.remove())
    afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())))

    /** A worker until the end of the test; gives how to stop it before. */
    async function worker(
      task: (index: number, plan: TaskPlan) => void | Promise<void>,
      options: Partial<WorkOptions> = {},
    ): Promise<() => Promise<void>> {
      const run = async (plan: TaskPlan, index: number): Promise<TaskDone> => {
        await task(index, plan)
        return { index, computed: true, bytesRead: 20, bytesWritten: 10, milliseconds: 1 }
      }
      const stop = new AbortController()
      const queue = await openQueue(parseQueueUrl(server.url))
      const own = {
        version: '1.2.3',
        threads: 2,
        memory: 1000,
        notice: () => {},
        began: () => {},
        done: () => {},
        ...options,
      }
      const ended = work(queue, { run }, own, stop.signal)
      const end = (): Promise<void> => {
        stop.abort()
        return ended
      }
      stops.push(end)
      return end
    }

    const submitted = async (
      plan: TaskPlan,
      { done = [], tell = () => {}, stop = new AbortController().signal, notice = () => {} }: Partial<Asked> = {},
    ): Promise<void> => {
      const workers = await workersAt(parseQueueUrl(server.url))
      const carryOut = await workers({ plan, resume: done.length > 0, stop, notice })
      await carryOut(plan, (index) => done.includes(index), tell)
    }

    /** Jobs that wait or are carried out. */
    async function left(): Promise<number> {
      const jobs = (await openQueue(parseQueueUrl(server.url))).jobs()
      const counts = await jobs.getJobCounts()
      await jobs.close()
      return Object.values(counts).reduce((sum, count) => sum + count, 0)
    }

    it('carry out every task that is not done, once, and say so', async () => {
      const greeted: string[] = []
      const [ran, told]: [number[], TaskDone[]] = [[], []]
      for (let i = 0; i < 2; i++)
        await worker((index) => void ran.push(index), { notice: (text) => greeted.push(text) })
      await submitted(planOf({ count: 300 }), { done: [0, 7], tell: (done) => told.push(done) })
      const expected = Array.from({ length: 300 }, (_, i) => i).filter((i) => i !== 0 && i !== 7)
      expect(ran.sort((a, b) => a - b)).toEqual(expected)
      expect(told.map(({ index }) => index).sort((a, b) => a - b)).toEqual(expected)
      expect(told[0]).toEqual({
        index: told[0]!.index,
        computed: true,
        bytesRead: 20,
        bytesWritten: 10,
        milliseconds: 1,
      })
      expect(greeted).toEqual(Array(greeted.length).fill('x + 1 -> y.zarr, 300 chunks'))
      expect(greeted.length).toBeLessThanOrEqual(2)
      expect(await left()).toBe(0)
    })

    only('are asked for no more than the queue may hold', async () => {
      let most = 0
      await worker(async (index) => {
        if (index % 400 === 0) most = Math.max(most, await left())
      })
      await submitted(planOf({ count: 1201 }))
      expect(most).toBeGreaterThan(400)
      expect(most).toBeLessThanOrEqual(1024)
    })

    only('help several evaluations at once, and one that is submitted twice', async () => {
      const ran: string[] = []
      await worker(async (index, { hash }) => {
        ran.push(`${hash} ${index}`)
        await pause(1)
      })
      const [one, other] = [planOf({ count: 60 }), planOf({ count: 60 })]
      await Promise.all([submitted(one), submitted(one), submitted(other)])
      expect(new Set(ran).size).toBe(120)
    })

    it.each(faults.slice(0, kind === 'Redis' ? faults.length : 1))(
      'fail an evaluation for $what of a chunk, the others undisturbed',
      async ({ failure, type }) => {
        let ended = 0
        await worker(async (index) => {
          if (index === 3) throw failed(failure)
          await pause(30)
          ended++
        })
        const error = await submitted(planOf({ count: 400 })).catch((thrown) => thrown)
        expect(error).toBeInstanceOf(TaskError)
        expect(error).toMatchObject({
          index: 3,
          failure: { ...failure, message: `chunk 3 of 400: ${failure.message}` },
        })
        // It ends as it would without workers.
        expect(error.cause).toBeInstanceOf(type)
        // What was begun is over, and what waited is gone.
        expect(ended).toBeGreaterThanOrEqual(3)
        expect(ended).toBeLessThan(100)
        expect(await left()).toBe(0)
      },
    )

    only('try again what another try may mend', async () => {
      let tries = 0
      await worker((index) => {
        if (index === 2 && tries++ === 0) throw failed({ isTemporary: true })
      })
      await submitted(planOf({ count: 5 }))
      expect(tries).toBe(2)
    })

    only('refuse another version, and what takes more memory than they have', async () => {
      await worker(() => {})
      await expect(submitted(planOf({ version: '1.2.4' }))).rejects.toThrow(
        'chunk 0 of 1: the evaluation is of bcast 1.2.4, and a worker that took the chunk is bcast 1.2.3.',
      )
      await expect(submitted(planOf({ memory: 800, held: 300 }))).rejects.toThrow(
        'chunk 0 of 1: it takes 1.1 KiB, and a thread of a worker that took it has 1000 B. Give workers more by --memory',
      )
    })

    only('are left no jobs of a killed submitter whose tasks are done', async () => {
      const plan = planOf({ count: 8 })
      const jobs = (await openQueue(parseQueueUrl(server.url))).jobs()
      await jobs.addBulk([0, 1, 2, 3].map((index) => jobOf(plan, index)))
      await jobs.close()
      const [ran, told]: [number[], number[]] = [[], []]
      const evaluation = submitted(plan, { done: [0, 1, 2], tell: ({ index }) => told.push(index) })
      while ((await left()) !== 5) await pause(5)
      await worker((index) => void ran.push(index))
      await evaluation
      expect([ran.toSorted(), told.toSorted()]).toEqual([
        [3, 4, 5, 6, 7],
        [3, 4, 5, 6, 7],
      ])
      expect(await left()).toBe(0)
    })

    only('compute nothing again while an evaluation goes on with what they do', async () => {
      const plan = planOf({ count: 400 })
      const jobs = (await openQueue(parseQueueUrl(server.url))).jobs()
      await jobs.addBulk(Array.from({ length: 200 }, (_, index) => jobOf(plan, index)))
      const ran: number[] = []
      await worker((index) => void ran.push(index))
      const workers = await workersAt(parseQueueUrl(server.url))
      const carryOut = await workers({ plan, resume: true, stop: new AbortController().signal, notice: () => {} })
      const done = new Set(ran)
      // Meanwhile more is done than was found.
      await pause(30)
      const told: number[] = []
      await carryOut(
        plan,
        (index) => done.has(index),
        ({ index }) => told.push(index),
      )
      await jobs.close()
      const all = Array.from({ length: 400 }, (_, i) => i)
      expect(ran.toSorted((a, b) => a - b)).toEqual(all)
      expect(told.toSorted((a, b) => a - b)).toEqual(all.filter((index) => !done.has(index)))
    })

    only('end what is left of an evaluation before it is begun anew', async () => {
      const plan = planOf({ count: 6 })
      const jobs = (await openQueue(parseQueueUrl(server.url))).jobs()
      await jobs.addBulk([0, 1, 2, 3].map((index) => jobOf(plan, index)))
      await jobs.close()
      const [began, ended]: [number[], number[]] = [[], []]
      await worker(
        async (index) => {
          began.push(index)
          await pause(300)
          ended.push(index)
        },
        { threads: 1 },
      )
      while (began.length < 2) await pause(1)
      const workers = await workersAt(parseQueueUrl(server.url))
      const carryOut = await workers({ plan, resume: false, stop: new AbortController().signal, notice: () => {} })
      // Of four jobs two were begun; they are over, and the others are gone.
      expect(ended.toSorted()).toEqual([0, 1])
      expect(await left()).toBe(0)
      await carryOut(
        plan,
        () => false,
        () => {},
      )
      expect(ended.toSorted()).toEqual([0, 0, 1, 1, 2, 3, 4, 5])
    })

    only('finish what they began when they are told to stop, and leave the rest', async () => {
      const [ran, over]: [number[], number[]] = [[], []]
      const stop = await worker(async (index) => {
        ran.push(index)
        await pause(40)
        over.push(index)
      })
      const evaluation = submitted(planOf({ count: 20 }))
      while (ran.length === 0) await pause(1)
      await stop()
      expect(over.toSorted()).toEqual(ran.toSorted())
      expect(ran.length).toBeLessThan(20)
      await worker((index) => void ran.push(index))
      await evaluation
      expect(ran.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i))
    })

    it('go on when the queue was away, also where it has forgotten everything', async () => {
      const [ran, said]: [number[], string[]] = [[], []]
      const notice = (text: string): void => void said.push(text)
      const options = { notice, threads: 1 }
      await worker(async (index) => {
        ran.push(index)
        await pause(20)
      }, options)
      const evaluation = submitted(planOf({ count: 30 }), { notice })
      while (ran.length < 5) await pause(1)
      await server.kill()
      await pause(200)
      await server.start()
      await evaluation
      expect(new Set(ran).size).toBe(30)
      const address = new URL(server.url)
      const away = new RegExp(`^${address.protocol}//.*${address.host}.*: .*Waiting for it to come back\\.$`)
      expect(said.filter((text) => away.test(text)).length).toBeGreaterThanOrEqual(1)
    })

    it('are taken back what waits when a submitter is told to stop', async () => {
      const stop = new AbortController()
      const said: string[] = []
      const evaluation = submitted(planOf({ count: 2000 }), { stop: stop.signal, notice: (text) => said.push(text) })
      // Nobody works, which is said once.
      while (said.length === 0) await pause(10)
      expect(said).toEqual([`No worker takes chunks from ${server.url}. Start some: bcast worker ${server.url}`])
      expect(await left()).toBeGreaterThan(500)
      stop.abort(new UsageError('enough'))
      await expect(evaluation).rejects.toThrow('enough')
      expect(await left()).toBe(0)
    })
  })
}
