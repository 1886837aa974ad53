// What a worker does: takes chunks of whichever evaluation comes next, has them computed, and says how it went. It ends
// when it is told to, once all that it took is computed.
import type { Job } from 'bullmq'
import { formatBytes } from '../arguments/memory-size.ts'
import { UsageError } from '../errors/usage-error.ts'
import { type ChunkJob, lockOptions } from './job.ts'
import { jobErrorOf } from './job-failure.ts'
import type { JobQueue } from './queue.ts'
import { isAway, QueueError } from './queue-error.ts'
import type { TaskDone, TaskPlan, TaskRunner } from './tasks.ts'

export interface WorkOptions {
  /** Of this program. */
  readonly version: string
  /** Chunks that are taken at a time. */
  readonly atOnce: number
  /** Bytes that a chunk may take. */
  readonly memory: number
  /** Sentences for people. */
  readonly notice: (text: string) => void
  /** Called for every chunk that was computed here. */
  readonly done: (plan: TaskPlan, done: TaskDone) => void
}

/** Evaluations that are remembered, so that each is spoken of once. */
const MOST_KNOWN = 1000

/** Throws where this worker cannot do what a plan asks for. */
function check({ version, memory, held }: TaskPlan, own: WorkOptions): void {
  if (version !== own.version) {
    throw new UsageError(
      `the evaluation is of bcast ${version}, and a worker that took the chunk is bcast ${own.version}. Run the same on both sides.`,
    )
  }
  if (memory + held > own.memory) {
    throw new UsageError(
      `it takes ${formatBytes(memory + held)}, and a worker that took it has ${formatBytes(own.memory)} for each. Give workers more by --memory or fewer --threads.`,
    )
  }
}

/** Resolves when `stop` is aborted and all that was begun is over. */
export async function work(
  queue: JobQueue,
  runner: TaskRunner,
  options: WorkOptions,
  stop: AbortSignal,
): Promise<void> {
  const { atOnce, notice, done } = options
  const known = new Set<string>()
  const greet = ({ hash, expression, output, count }: TaskPlan): void => {
    if (known.has(hash)) return
    if (known.size === MOST_KNOWN) known.clear()
    known.add(hash)
    notice(`${expression} -> ${output.label}, ${count} ${count === 1 ? 'chunk' : 'chunks'}`)
  }
  async function process({ data: { plan, index } }: Job<ChunkJob, TaskDone>): Promise<TaskDone> {
    try {
      check(plan, options)
      greet(plan)
      const result = await runner.run(plan, index)
      done(plan, result)
      return result
    } catch (error) {
      throw jobErrorOf(error)
    }
  }
  const worker = queue.worker(process, { ...lockOptions, concurrency: atOnce })
  let wasAway = false
  worker.on('error', (error) => {
    if (wasAway || !isAway(error)) return
    wasAway = true
    notice(`${new QueueError(queue.url, error).message} Waiting for it to come back.`)
  })
  worker.on('active', () => {
    wasAway = false
  })
  await worker.waitUntilReady()
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }))
  await worker.close()
}
