// Pools: the greatest element, or the mean, of what each place of a window covers.
import { type DType, div, dtypeInfo, type Tensor } from 'bcast'
import { isSet } from '../../infer/attributes/said.ts'
import { kernelShape, roundsUp } from '../../infer/attributes/windows.ts'
import type { Call } from '../call.ts'
import { combined, maxima, sums } from '../fold.ts'
import type { KernelRow, TypesByOpset } from '../row.ts'
import { F3, F4, floats } from '../types.ts'
import type { NodeUse } from '../use.ts'
import { met, surrounded, type Window, windowsOf } from '../windows.ts'
import { narrowed, widened } from './reduce.ts'

const BYTES: readonly DType[] = ['int8', 'uint8']
const CHOSEN: TypesByOpset = [
  [1, F3],
  [12, [...F3, ...BYTES]],
  [22, [...F4, ...BYTES]],
]

const poolOf = (call: Call, x: Tensor): readonly Window[] =>
  windowsOf(call, x, kernelShape(call) ?? call.fail('it has no kernel_shape.'), roundsUp(call))

const refusesIndices = ({ node }: NodeUse): string | undefined =>
  (node.outputs[1] ?? '') === '' ? undefined : 'it is run without its second output, Indices, only'

/** What no element is below. */
function leastOf(dtype: DType): number | bigint | boolean {
  const { isFloat, min } = dtypeInfo(dtype)
  return isFloat ? Number.NEGATIVE_INFINITY : min!
}

const maxPool: KernelRow = {
  kind: 'kernel',
  name: 'MaxPool',
  types: CHOSEN,
  views: true,
  refuse: refusesIndices,
  *compute(call) {
    const x = call.tensor(0)
    const windows = poolOf(call, x)
    const image = yield* surrounded(call, x, windows, leastOf(x.dtype))
    return [yield* combined(call, maxima, met(call, image, windows))]
  },
}

const averagePool: KernelRow = {
  kind: 'kernel',
  name: 'AveragePool',
  types: floats(22),
  *compute(call) {
    const x = yield* widened(call, call.tensor(0))
    const windows = poolOf(call, x)
    const sum = yield* combined(call, sums, met(call, yield* surrounded(call, x, windows, 0), windows))
    // Pads count where the node says so; what lies beyond them never does.
    const counts = isSet(call, 'count_include_pad')
    const sizes = windows.map(({ before, behind }, axis) => x.shape[axis + 2]! + (counts ? before + behind : 0))
    const ones = yield* call.filled(x.dtype, [1, 1, ...sizes], 1)
    const around = counts ? windows.map((window) => ({ ...window, before: 0, behind: 0 })) : windows
    const count = yield* combined(call, sums, met(call, yield* surrounded(call, ones, around, 0), around))
    return [yield* narrowed(call, yield* call.apply(div, sum, count), call.tensor(0).dtype)]
  },
}

export const poolingRows: readonly KernelRow[] = [maxPool, averagePool]
