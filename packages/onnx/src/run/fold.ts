// Folds an axis by an operator of two operands, in one fixed tree over the logical order of the elements: eight parts of
// the axis at a time are combined as ((a b)(c d))((e f)(g h)), then what is left, until one is left. The tree depends on
// the size of the axis alone, so that no layout, thread count or backend changes a bit.
import { add, and, type DType, dtypeInfo, fuse, max, min, mul, or, type Tensor } from 'bcast'
import type { Call } from './call.ts'
import type { Computation, Operation } from './computation.ts'
import { along } from './operators/join.ts'

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
  readonly kernels: readonly Operation[]
  /** What an empty axis gives. */
  readonly nothing: (dtype: DType) => number | bigint | boolean
}

/** What no element is beyond: an infinity, or the last element of the type. */
function extreme(dtype: DType, end: 'min' | 'max'): number | bigint | boolean {
  const { isFloat, [end]: last } = dtypeInfo(dtype)
  if (isFloat) return end === 'max' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  return last!
}

export const sums: Fold = { kernels: kernelsOf(add), nothing: () => 0 }
export const products: Fold = { kernels: kernelsOf(mul), nothing: () => 1 }
export const maxima: Fold = { kernels: kernelsOf((a, b) => max(a, b)), nothing: (dtype) => extreme(dtype, 'min') }
export const minima: Fold = { kernels: kernelsOf((a, b) => min(a, b)), nothing: (dtype) => extreme(dtype, 'max') }
/** Of truth values. */
export const some: Fold = { kernels: kernelsOf(or), nothing: () => false }
export const every: Fold = { kernels: kernelsOf(and), nothing: () => true }

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

/** The axis folded to size 1. */
export function* folded(call: Call, fold: Fold, x: Tensor, axis: number): Computation<Tensor> {
  if (x.shape[axis] === 0) return yield* call.filled(x.dtype, x.shape.with(axis, 1), fold.nothing(x.dtype))
  // What is left over by each round, from the end of the axis on.
  const left: Tensor[] = []
  let whole = x
  for (let size = x.shape[axis]!; size > 1; ) {
    const count = Math.min(WIDTH, size)
    const length = Math.floor(size / count)
    const parts = Array.from({ length: count }, (_, i) => along(call, whole, axis, i * length, length))
    for (let i = count * length; i < size; i++) left.push(along(call, whole, axis, i, 1))
    whole = yield* call.apply(fold.kernels[count]!, ...parts)
    size = length
  }
  return yield* combined(call, fold, [whole, ...left])
}
