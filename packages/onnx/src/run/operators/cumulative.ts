// Running sums along an axis, one element after the other.
import { add, identity, type Tensor } from 'bcast'
import type { KernelRow, TypesByOpset } from '../row.ts'
import { F4, I4 } from '../types.ts'
import { along, roomFor } from './join.ts'
import { narrowed, widened } from './reduce.ts'

const SUMMED: TypesByOpset = [
  [11, ['float32', 'float64', ...I4]],
  [14, [...F4, ...I4]],
]

const cumSum: KernelRow = {
  kind: 'kernel',
  name: 'CumSum',
  since: 11,
  types: SUMMED,
  *compute(call) {
    const { dtype } = call.tensor(0)
    const x = yield* widened(call, call.tensor(0))
    const axis = call.axis(call.integers(1)![0]!, x.rank)
    const [size, exclusive] = [x.shape[axis]!, call.attributes.int('exclusive', 0) !== 0]
    const backward = call.attributes.int('reverse', 0) !== 0
    const result = yield* roomFor(call, x.dtype, x.shape)
    // Without the element itself the first sum is of nothing.
    let sum: Tensor | undefined = exclusive ? yield* call.filled(x.dtype, x.shape.with(axis, 1), 0) : undefined
    for (let i = 0; i < size; i++) {
      const at = backward ? size - 1 - i : i
      const [own, out] = [along(call, x, axis, at, 1), along(call, result, axis, at, 1)]
      const next: Tensor = sum === undefined ? own : yield* call.apply(add, sum, own)
      yield* call.apply(identity, exclusive ? sum : next, { out })
      if (sum !== undefined) call.drop(sum)
      sum = next
    }
    return [yield* narrowed(call, result, dtype)]
  },
}

export const cumulativeRows: readonly KernelRow[] = [cumSum]
