// A call that has been checked, described once and computed in either of two ways: now, on the calling thread, or
// asynchronously, by the workers, while the calling thread goes on.

import type { Job } from '../backend/backend.ts'
import { run, runAsync } from '../backend/backends.ts'
import type { Repeating } from '../backend/repeat.ts'
import { inTurn } from '../backend/turns.ts'
import type { Storage } from '../dtype/dtype.ts'
import type { Tensor } from '../tensor/tensor.ts'

/** What of a call takes time; gives the lowest row-major position without a value, or -1. */
export interface Execution {
  now(): number
  async(): Promise<number>
  /** The arrays it reads and writes. */
  readonly arrays: readonly Storage[]
  /** How a sequence settles it to be run again and again; undefined where what follows does it, told that it was not done. */
  readonly repeated: Job | Repeating | undefined
}

/** What is told where something was not done in a way that need not be there: the general way does it. */
export const NOT_DONE = 0

/** Names the property of an operation that gives the computation of a call, for those who settle calls to repeat them. */
export const COMPUTATION: unique symbol = Symbol('computation')

/** An operation with the computation of its calls. */
export interface Computing {
  readonly [COMPUTATION]: (args: readonly unknown[]) => Computation
}

/** Checks its arguments, hands out what takes time, is told how it ended, and gives the result. */
export type Computation<T = Tensor> = Generator<Execution, T, number>

export function computeNow<T>(computation: Computation<T>): T {
  try {
    let step = computation.next()
    while (!step.done) step = computation.next(step.value.now())
    return step.value
  } catch (error) {
    end(computation)
    throw error
  }
}

/** Lets a computation that failed give back what it took. */
const end = (computation: Computation<unknown>): unknown => computation.return(undefined as never)

/** A program over placed operands, and the arrays that have to stay meanwhile. */
export const executionOf = (job: Job, arrays: readonly Storage[]): Execution => ({
  now: () => run(job),
  async: () => runAsync(job),
  arrays,
  repeated: job,
})

/** Arguments are checked before this returns. */
export async function computeAsync<T>(computation: Computation<T>): Promise<T> {
  let step = computation.next()
  if (step.done) return step.value
  return inTurn(step.value.arrays, async () => {
    try {
      while (!step.done) step = computation.next(await step.value.async())
      return step.value
    } catch (error) {
      end(computation)
      throw error
    }
  })
}
