// Calls that nobody waits for, on the worker threads.
import type { Chunk, Plan } from '../../../plan/plan.ts'
import type { Placed } from '../../../tensor/placed.ts'
import type { Job, Outcome, Planned } from '../../backend.ts'
import type { Rooms } from '../execute.ts'
import type { Runner } from '../task.ts'
import type { QueueStep } from './queue.ts'

/** What of the backend it takes. */
interface Home {
  plan(job: Job): Planned
  planOf(job: Job, now: boolean): Plan
  roomsFor(plan: Plan): Rooms | undefined
  runChunk(job: Job, chunk: Chunk, rooms: readonly Placed[], runner: Runner): boolean
  runSteps(steps: readonly QueueStep[], check: () => void): Promise<boolean>
}

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
