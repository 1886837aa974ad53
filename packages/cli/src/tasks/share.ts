// How the memory of a process is shared out among threads that carry out tasks.
import { formatBytes } from '../arguments/memory-size.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { TaskPlan } from './plan.ts'

/** What Node and the engine take while they work, beside what the process has when it starts. */
const OVERHEAD = 32 << 20
/** What a thread takes before it has an array. */
const THREAD = 16 << 20
/** Less than this for the arrays of a thread is not worth starting with. */
const LEAST = 8 << 20

/** As many threads as are wanted and have room, and the bytes for their arrays. */
export function share(limit: number, wanted: number): { threads: number; memory: number } {
  const own = process.memoryUsage.rss() + OVERHEAD
  const threads = Math.min(wanted, Math.floor((limit - own) / (THREAD + LEAST)))
  if (threads >= 1) return { threads, memory: limit - own - threads * THREAD }
  throw new UsageError(
    `--memory is ${formatBytes(limit)}; the program itself takes ${formatBytes(own + THREAD)}, so give it at least ${formatBytes(own + THREAD + LEAST)}.`,
  )
}

/** Two tasks at a time, so that one reads or writes while another computes; one where a thread has few bytes. */
export const tasksPerThread = ({ memory, held }: TaskPlan, bytes: number): 1 | 2 => (held + 2 * memory <= bytes ? 2 : 1)
