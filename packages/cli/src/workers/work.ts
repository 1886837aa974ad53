// What a worker does: takes chunks of whichever evaluation comes next, has them computed, and says how it went. It ends
// when it is told to: what it computes is finished, what only waits here goes back to the queue.
import { type Job, WaitingError } from 'bullmq'
import { formatBytes } from '../arguments/memory-size.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { TaskPlan } from '../tasks/plan.ts'
import { tasksPerThread } from '../tasks/share.ts'
import type { TaskDone } from '../tasks/task.ts'
import type { TaskThreads } from '../tasks/threads.ts'
import { Gate } from './gate.ts'
import { type ChunkJob, lockOptions } from './job.ts'
import { jobErrorOf } from './job-failure.ts'
import type { JobQueue } from './queue.ts'
import { atQueue, isAway, QueueError } from './queue-error.ts'

export interface WorkOptions {
  /** Of this program. */
  readonly version: string
  readonly threads: number
  /** Bytes for the arrays of a thread. */
  readonly memory: number
  /** Sentences for people. */
  readonly notice: (text: string) => void
  /** Called for every chunk that is begun here. */
  readonly began: (plan: TaskPlan, index: number) => void
  /** Called for every chunk that was computed here, before anybody else knows. */
  readonly done: (plan: TaskPlan, done: TaskDone) => void
}

/** Chunks that a thread may have at a time, at most. */
const MOST_PER_THREAD = 2
/** Evaluations that are remembered, so that each is spoken of once. */
const MOST_KNOWN = 1000

/** Throws where this worker cannot do what a plan asks for. */
function check(plan: TaskPlan, own: WorkOptions): void {
  if (plan.version !== own.version) {
    throw new UsageError(
      `the evaluation is of bcast ${plan.version}, and a worker that took the chunk is bcast ${own.version}. Run the same on both sides.`,
    )
  }
  const needed = plan.memory + plan.held
  if (needed > own.memory) {
    throw new UsageError(
      `it takes ${formatBytes(needed)}, and a thread of a worker that took it has ${formatBytes(own.memory)}. Give workers more by --memory, or fewer --threads.`,
    )
  }
}

/** Resolves when `stop` is aborted and all that was begun is over. */
export async function work(
  queue: JobQueue,
  runner: Pick<TaskThreads, 'run'>,
  options: WorkOptions,
  stop: AbortSignal,
): Promise<void> {
  const { threads, memory, notice, began, done } = options
  const most = threads * MOST_PER_THREAD
  const gate = new Gate(most)
  const known = new Set<string>()
  const greet = ({ hash, expression, output, count }: TaskPlan): void => {
    if (known.has(hash)) return
    if (known.size === MOST_KNOWN) known.clear()
    known.add(hash)
    notice(`${expression} -> ${output.place.label}, ${count} ${count === 1 ? 'chunk' : 'chunks'}`)
  }
  async function process(job: Job<ChunkJob, TaskDone>, token?: string): Promise<TaskDone> {
    const { plan, index } = job.data
    const size = MOST_PER_THREAD / tasksPerThread(plan, memory)
    if (!(await gate.enter(size))) {
      await job.moveToWait(token)
      throw new WaitingError()
    }
    try {
      check(plan, options)
      greet(plan)
      began(plan, index)
      const result = await runner.run(plan, index)
      done(plan, result)
      return result
    } catch (error) {
      throw jobErrorOf(error)
    } finally {
      gate.leave(size)
    }
  }
  const worker = queue.worker(process, { ...lockOptions, concurrency: most, autorun: false })
  let wasAway = false
  worker.on('error', (error) => {
    if (wasAway || !isAway(error)) return
    wasAway = true
    notice(`${new QueueError(queue.url, error).message} Waiting for it to come back.`)
  })
  worker.on('active', () => {
    wasAway = false
  })
  await atQueue(queue.url, () => worker.waitUntilReady())
  // Not before: BullMQ asks for jobs again and again where the first connection failed, and nothing else gets its turn.
  worker.run().catch((error) => worker.emit('error', error))
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }))
  gate.close()
  await worker.close()
}
