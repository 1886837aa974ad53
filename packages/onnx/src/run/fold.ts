// What combines elements: over axes by the library's reductions, and several tensors of one shape by kernels of eight,
// ((a b)(c d))((e f)(g h)), so that no layout, thread count or backend changes a bit.
import { add, all, and, any, fuse, max, min, mul, or, prod, sum, type Tensor } from 'bcast'
import type { Call } from './call.ts'
import type { Computation, Operation } from './computation.ts'

/** Parts that one kernel combines. */
const WIDTH = 8

type Combine = (a: Tensor, b: Tensor) => Tensor

/** Neighbours together, then neighbours of those. */
function balanced(combine: Combine, operands: readonly Tensor[]): Tensor {
  if (operands.length === 1) return operands[0]!
  const middle = Math.ceil(operands.length / 2)
  return combine(balanced(combine, operands.slice(0, middle)), balanced(combine, operands.slice(middle)))
}

/** A function over `count` operands that makes one pass. */
export function kernelOf(count: number, compute: (operands: readonly Tensor[]) => Tensor): Operation {
  return fuse((...operands: readonly Tensor[]) => compute(operands), { operands: count })
}

/** One kernel for each number of parts. */
const kernelsOf = (combine: Combine): readonly Operation[] =>
  Array.from({ length: WIDTH + 1 }, (_, count) => kernelOf(count, (operands) => balanced(combine, operands)))

export interface Fold {
  /** Combines elements over axes. */
  readonly reduce: Operation
  /** Combines so many tensors. */
  readonly kernels: readonly Operation[]
}

export const sums: Fold = { reduce: sum as Operation, kernels: kernelsOf(add) }
export const products: Fold = { reduce: prod as Operation, kernels: kernelsOf(mul) }
export const maxima: Fold = { reduce: max as Operation, kernels: kernelsOf((a, b) => max(a, b)) }
export const minima: Fold = { reduce: min as Operation, kernels: kernelsOf((a, b) => min(a, b)) }
/** Of truth values. */
export const some: Fold = { reduce: any as Operation, kernels: kernelsOf(or) }
export const every: Fold = { reduce: all as Operation, kernels: kernelsOf(and) }

/** Several tensors of one shape as one. */
export function* combined(call: Call, { kernels }: Fold, parts: readonly Tensor[]): Computation<Tensor> {
  let rest = [...parts]
  while (rest.length > 1) {
    const next: Tensor[] = []
    for (let i = 0; i < rest.length; i += WIDTH) {
      const group = rest.slice(i, i + WIDTH)
      next.push(group.length === 1 ? group[0]! : yield* call.apply(kernels[group.length]!, ...group))
    }
    rest = next
  }
  return rest[0]!
}

/** Axes combined to size 1. */
export function* folded(
  call: Call,
  { reduce }: Fold,
  x: Tensor,
  axes: number | readonly number[],
): Computation<Tensor> {
  return yield* call.apply(reduce, x, { axes, keepdims: true })
}
