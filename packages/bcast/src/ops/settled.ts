// A computation as it is settled to be run again and again.
import type { Adding } from '../backend/repeat.ts'
import type { Storage } from '../dtype/dtype.ts'
import { type Computation, type Execution, NOT_DONE } from './computation.ts'

/** Whether what is executed could be added. */
export const isAddedTo = (to: Adding, repeated: NonNullable<Execution['repeated']>): boolean =>
  typeof repeated === 'function' ? repeated(to) : to.add(repeated)

/** Goes through a computation whose executions `take` takes, and says how each of them ended. */
function through<T>(computation: Computation<T>, take: (execution: Execution) => number): T {
  try {
    let step = computation.next()
    while (!step.done) step = computation.next(take(step.value))
    return step.value
  } catch (error) {
    computation.return(undefined as never)
    throw error
  }
}

/** Adds what a computation executes, as if it had been; `anew` gets what cannot be repeated. */
export function settledIn<T>(
  repetition: Adding,
  computation: Computation<T>,
  anew: (execution: Pick<Execution, 'now' | 'async'>) => void,
  using?: (arrays: readonly Storage[]) => void,
): T {
  return through(computation, ({ repeated, arrays, ...execution }) => {
    if (repeated === undefined) return NOT_DONE
    using?.(arrays)
    if (!isAddedTo(repetition, repeated)) anew(execution)
    return -1
  })
}

/** Says that a computation has something that cannot be added. */
class NotAdded extends Error {}

/** Whether everything that a computation executes could be added, none of it in a way of its own. */
export function isWhollyIn(recording: Adding, computation: Computation<unknown>): boolean {
  try {
    through(computation, ({ repeated }) => {
      if (repeated === undefined || !isAddedTo(recording, repeated)) throw new NotAdded()
      return -1
    })
    return true
  } catch (error) {
    if (error instanceof NotAdded) return false
    throw error
  }
}
