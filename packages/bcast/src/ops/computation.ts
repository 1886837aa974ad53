// A call that has been checked, described once and computed in either of two ways: now, on the calling thread, or
// later, by the workers, while the calling thread goes on.

import { inTurn } from '../backend/async.ts'
import type { Storage } from '../dtype/dtype.ts'
import type { Tensor } from '../tensor/tensor.ts'

/** A part of a call that takes time; gives the lowest row-major position without a value, or -1. */
export interface Work {
  now(): number
  later(): Promise<number>
  /** The arrays it reads and writes. */
  readonly arrays: readonly Storage[]
}

/** Checks its arguments, hands out work, is told how each ended, and gives the result. */
export type Computation = Generator<Work, Tensor, number>

export function computeNow(computation: Computation): Tensor {
  try {
    let step = computation.next()
    while (!step.done) step = computation.next(step.value.now())
    return step.value
  } catch (error) {
    end(computation)
    throw error
  }
}

/** Lets a computation whose work failed give back what it took. */
const end = (computation: Computation): unknown => computation.return(undefined as never)

/** Arguments are checked before this returns. */
export async function computeLater(computation: Computation): Promise<Tensor> {
  let step = computation.next()
  if (step.done) return step.value
  return inTurn(step.value.arrays, async () => {
    try {
      while (!step.done) step = computation.next(await step.value.later())
      return step.value
    } catch (error) {
      end(computation)
      throw error
    }
  })
}
