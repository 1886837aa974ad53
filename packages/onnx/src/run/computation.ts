// Work described once and done in either of two ways: now, on the calling thread, or later, on the workers. Operators
// are written as generators that hand out calls of the library and are given the tensors that these make.
import type { Tensor } from 'bcast'

/** A call of the library that takes time. */
export interface Pending {
  now(): Tensor
  later(): Promise<Tensor>
}

export type Computation<T> = Generator<Pending, T, Tensor>

/** A function of the library with its asynchronous form; it gives a tensor, and a promise of one. */
export interface Operation {
  (...args: never[]): unknown
  readonly async: (...args: never[]) => unknown
}

/** A call of an operation. */
export const pending = (operation: Operation, args: readonly unknown[]): Pending => ({
  now: () => operation(...(args as never[])) as Tensor,
  later: () => operation.async(...(args as never[])) as Promise<Tensor>,
})

export function computeNow<T>(computation: Computation<T>): T {
  let step = computation.next()
  while (!step.done) {
    let made: Tensor
    try {
      made = step.value.now()
    } catch (error) {
      step = computation.throw(error)
      continue
    }
    step = computation.next(made)
  }
  return step.value
}

export async function computeLater<T>(computation: Computation<T>): Promise<T> {
  let step = computation.next()
  while (!step.done) {
    let made: Tensor
    try {
      made = await step.value.later()
    } catch (error) {
      step = computation.throw(error)
      continue
    }
    step = computation.next(made)
  }
  return step.value
}
