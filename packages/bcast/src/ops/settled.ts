// A computation as it is settled to be run again and again.
import type { Adding } from '../backend/repeat.ts'
import type { Storage } from '../dtype/dtype.ts'
import { type Computation, type Execution, NOT_DONE } from './computation.ts'

/** Adds what a computation executes, as if it had been; `anew` gets what cannot be repeated. */
export function settledIn<T>(
  repetition: Adding,
  computation: Computation<T>,
  anew: (execution: Pick<Execution, 'now' | 'async'>) => void,
  using?: (arrays: readonly Storage[]) => void,
): T {
  try {
    let step = computation.next()
    while (!step.done) {
      const { repeated, arrays, ...execution } = step.value
      if (repeated === undefined) {
        step = computation.next(NOT_DONE)
        continue
      }
      using?.(arrays)
      const isAdded = typeof repeated === 'function' ? repeated(repetition) : repetition.add(repeated)
      if (!isAdded) anew(execution)
      step = computation.next(-1)
    }
    return step.value
  } catch (error) {
    computation.return(undefined as never)
    throw error
  }
}
