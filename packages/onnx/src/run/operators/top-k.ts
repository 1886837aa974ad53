// The largest or smallest elements along an axis, and where they are.
import { fromData, type Tensor } from 'bcast'
import { isInput, topKCount } from '../../infer/attributes/arguments.ts'
import { axisOf } from '../../infer/attributes/axes.ts'
import { isSet } from '../../infer/attributes/said.ts'
import { countOf, stepsOf } from '../../model/row-major.ts'
import { elementsOf } from '../../model/tensor-data.ts'
import type { KernelRow, TypesByOpset } from '../row.ts'
import { fromStored, storedOf } from '../stored.ts'
import { F3, ORDERED } from '../types.ts'

/** Ascending, NaN behind all others. */
function compare(a: number | bigint, b: number | bigint): number {
  if (a === b) return 0
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : -1
  return a < b ? -1 : 1
}

const TOP: TypesByOpset = [
  [1, F3],
  [11, ORDERED[0]![1]],
  [24, ORDERED[1]![1]],
]

/** Sorted, whether that is asked for or not; of equal ones the first comes first. */
const topK: KernelRow = {
  kind: 'kernel',
  name: 'TopK',
  types: TOP,
  compute(call) {
    const x = call.tensor(0)
    const axis = call.axis(axisOf(call), x.rank)
    const size = x.shape[axis]!
    const k = isInput(call, topKCount) ? call.integers(topKCount.input)![0]! : call.attributes.int(topKCount.attribute)
    if (k < 0 || k > size) call.fail(`k is ${k} on an axis of size ${size}.`)
    const largest = isSet(call, 'largest', true)
    const keys = elementsOf(x) as readonly (number | bigint)[]
    const step = stepsOf(x.shape)[axis]!
    const shape = x.shape.with(axis, k)
    const stored = storedOf(x)
    const values = stored.slice(0, countOf(shape))
    const places = new BigInt64Array(values.length)
    for (let line = 0; line < countOf(x.shape.toSpliced(axis, 1)); line++) {
      const [outer, inner] = [Math.floor(line / step), line % step]
      const at = (i: number): number => (outer * size + i) * step + inner
      const order = Array.from({ length: size }, (_, i) => i).sort((i, j) => {
        const ascending = compare(keys[at(i)]!, keys[at(j)]!)
        return (largest ? -ascending : ascending) || i - j
      })
      for (const [place, i] of order.slice(0, k).entries()) {
        const target = (outer * k + place) * step + inner
        values[target] = stored[at(i)]!
        places[target] = BigInt(i)
      }
    }
    return [
      fromStored(call, x.dtype, values, shape),
      call.own(fromData('int64', places, [...shape]) as unknown as Tensor),
    ]
  },
}

export const topKRows: readonly KernelRow[] = [topK]
