// Running sums along an axis, by the library's function.
import { cumSum as sums } from 'bcast'
import { isSet } from '../../infer/attributes/said.ts'
import type { KernelRow, TypesByOpset } from '../row.ts'
import { F4, I4 } from '../types.ts'

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
    const x = call.tensor(0)
    const axis = call.axis(call.integers(1)![0]!, x.rank)
    const [exclusive, reverse] = [isSet(call, 'exclusive'), isSet(call, 'reverse')]
    return [yield* call.apply(sums, x, { axis, exclusive, reverse })]
  },
}

export const cumulativeRows: readonly KernelRow[] = [cumSum]
