// Work described once and done in one of several ways: now, on the calling thread, later, on the workers, or settled to
// be repeated. Operators are written as generators that hand out calls of the library and are given the tensors that
// these make.
import type { Tensor } from 'bcast'

/** A call of the library that takes time. */
export interface Pending {
  readonly operation: Operation
  readonly args: readonly unknown[]
  /** What is written into the result later; undefined where it stays as it is made. */
  readonly written?: Written | undefined
}

export interface Written {
  /** Tensors that the elements come from. */
  readonly from: readonly (Tensor | undefined)[]
  /** Whether every element is written, so that it does not matter what they are before. */
  readonly whole: boolean
}

export type Computation<T> = Generator<Pending, T, Tensor>

/** A function of the library with its asynchronous form; it gives a tensor, and a promise of one. */
export interface Operation {
  (...args: never[]): unknown
  readonly async: (...args: never[]) => unknown
}

/** A call of an operation. */
export const pending = (operation: Operation, args: readonly unknown[], written?: Written): Pending => ({
  operation,
  args,
  written,
})

export const callNow = ({ operation, args }: Pending): Tensor => operation(...(args as never[])) as Tensor

export const computeNow = <T>(computation: Computation<T>): T => computeWith(computation, callNow)

/** Computes with the tensors that `call` makes of calls. */
export function computeWith<T>(computation: Computation<T>, call: (pending: Pending) => Tensor): T {
  let step = computation.next()
  while (!step.done) {
    let made: Tensor
    try {
      made = call(step.value)
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
      const { operation, args } = step.value
      made = (await operation.async(...(args as never[]))) as Tensor
    } catch (error) {
      step = computation.throw(error)
      continue
    }
    step = computation.next(made)
  }
  return step.value
}
