// Operators that take elements, or blocks of them, from places that another tensor names one by one.
import { fromData, IndexError, type Tensor } from 'bcast'
import { axisOf } from '../../infer/attributes/axes.ts'
import { batchDims } from '../../infer/attributes/forms.ts'
import { countOf, stepsOf } from '../../model/row-major.ts'
import { elementsOf } from '../../model/tensor-data.ts'
import type { Call } from '../call.ts'
import type { KernelRow } from '../row.ts'
import { MOVED } from '../types.ts'
import { gathered } from './join.ts'

/** The index into an axis, counted from the front. */
export function placed(call: Call, index: number, axis: number, size: number): number {
  if (index >= -size && index < size) return index < 0 ? index + size : index
  throw new IndexError(`${call.node.opType}: index ${index} does not exist on axis ${axis} of size ${size}.`)
}

/** The result has the shape of the indices; on every other axis it stays within the data. */
const gatherElements: KernelRow = {
  kind: 'kernel',
  name: 'GatherElements',
  since: 11,
  types: MOVED,
  views: true,
  *compute(call) {
    const [x, indices] = [call.tensor(0), call.tensor(1)]
    const axis = call.axis(axisOf(call), x.rank)
    const { shape } = indices
    if (indices.rank !== x.rank || shape.some((size, at) => at !== axis && size > x.shape[at]!)) {
      call.fail(`indices of shape (${shape.join(',')}) do not lie within data of shape (${x.shape.join(',')}).`)
    }
    const [own, steps] = [stepsOf(shape), stepsOf(x.shape)]
    const positions = call.integers(1)!.map((index, i) =>
      steps.reduce((sum, step, at) => {
        const place = at === axis ? placed(call, index, axis, x.shape[axis]!) : Math.floor(i / own[at]!) % shape[at]!
        return sum + place * step
      }, 0),
    )
    const taken = yield* gathered(call, yield* call.reshaped(x, [x.size]), 0, positions)
    return [yield* call.reshaped(taken, shape)]
  },
}

/** The last axis of the indices names a block of the data; the first `batch_dims` axes are walked together. */
const gatherND: KernelRow = {
  kind: 'kernel',
  name: 'GatherND',
  since: 11,
  types: MOVED,
  views: true,
  *compute(call) {
    const [x, indices] = [call.tensor(0), call.tensor(1)]
    const batch = batchDims(call)
    const [width = 0, lead] = [indices.shape.at(-1), indices.shape.slice(0, -1)]
    const together = lead.slice(0, batch)
    if (
      indices.rank <= batch ||
      width < 1 ||
      batch + width > x.rank ||
      together.some((size, at) => size !== x.shape[at])
    ) {
      call.fail(
        `indices of shape (${indices.shape.join(',')}) name no blocks of data of shape (${x.shape.join(',')}) with batch_dims ${batch}.`,
      )
    }
    const [named, block] = [x.shape.slice(batch, batch + width), x.shape.slice(batch + width)]
    const steps = stepsOf(named)
    const elements = call.integers(1)!
    const perBatch = countOf(lead.slice(batch))
    const positions = Array.from({ length: countOf(lead) }, (_, i) =>
      steps.reduce(
        (sum, step, at) => sum + placed(call, elements[i * width + at]!, batch + at, named[at]!) * step,
        Math.floor(i / perBatch) * countOf(named),
      ),
    )
    const rows = yield* call.reshaped(x, [countOf(together) * countOf(named), ...block])
    return [yield* call.reshaped(yield* gathered(call, rows, 0, positions), [...lead, ...block])]
  },
}

/** Where elements are not zero, in row-major order: a row for each axis, a column for each element. */
const nonZero: KernelRow = {
  kind: 'kernel',
  name: 'NonZero',
  since: 9,
  types: MOVED,
  compute(call) {
    const x = call.tensor(0)
    // NaN is not zero.
    const found = elementsOf(x).flatMap((element, i) => (element === '' || Number(element) === 0 ? [] : [i]))
    const places = stepsOf(x.shape).flatMap((step, axis) =>
      found.map((i) => BigInt(Math.floor(i / step) % x.shape[axis]!)),
    )
    return [call.own(fromData('int64', BigInt64Array.from(places), [x.rank, found.length]) as Tensor)]
  },
}

export const elementIndexRows: readonly KernelRow[] = [gatherElements, gatherND, nonZero]
