// A computation as it is settled to be run again and again.
import type { Repetition } from '../backend/repeat.ts'
import type { Storage } from '../dtype/dtype.ts'
import type { Computation, Execution } from './computation.ts'

/** Adds what a computation executes, as if it had been; `anew` gets what cannot be repeated. */
export function settledIn<T>(
  repetition: Repetition,
  computation: Computation<T>,
  anew: (execution: Pick<Execution, 'now' | 'async'>) => void,
  using?: (arrays: readonly Storage[]) => void,
): T {
  try {
    let step = computation.next()
    while (!step.done) {
      const { repeated, arrays, ...execution } = step.value
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
