// Calls that nobody waits for, on the worker threads.
import type { Job, Outcome } from '../../backend.ts'
import type { WebAssemblyBackend } from '../backend.ts'
import type { QueueStep } from './queue.ts'

/** What of the backend it takes. */
type Home = Pick<WebAssemblyBackend, 'plan' | 'planOf' | 'roomsFor' | 'runChunk' | 'runSteps'>

export async function runQueued(backend: Home, job: Job, check: () => void): Promise<Outcome> {
  const plan = backend.planOf(job, false)
  const rooms = backend.roomsFor(plan)
  if (rooms === undefined) return 'unable'
  const steps = plan.chunks.map(
    (chunk): QueueStep =>
      (runner, now) => {
        if (!now) return backend.runChunk(job, chunk, rooms.placed(chunk.shape), runner)
        // There was no room for its copies; planned anew it takes turns with them.
        const operands = job.operands.map((operand, i) => ({ ...operand, offset: operand.offset + chunk.shifts[i]! }))
        return backend.plan({ ...job, shape: chunk.shape, operands }).run(operands) === 'done'
      },
  )
  try {
    return (await backend.runSteps(steps, check)) ? 'done' : 'fault'
  } finally {
    rooms.release()
  }
}
