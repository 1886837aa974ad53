// Operators that write elements, or blocks of them, into places that another tensor names one by one, in the order of
// the updates.
import type { DType, Tensor } from 'bcast'
import { axisOf } from '../../infer/attributes/axes.ts'
import { countOf, stepsOf } from '../../model/row-major.ts'
import type { Call } from '../call.ts'
import type { KernelRow } from '../row.ts'
import { fromStored, type Stored, storedOf } from '../stored.ts'
import { MOVED } from '../types.ts'
import type { NodeUse } from '../use.ts'
import { placed } from './index-by-element.ts'

interface Merge {
  readonly numbers: (before: number, update: number) => number
  readonly bigints: (before: bigint, update: bigint) => bigint
}

/** What an update does to what is there; results are rounded, or wrap, as they are stored. */
const merges: Readonly<Record<string, Merge | undefined>> = {
  none: undefined,
  add: { numbers: (a, b) => a + b, bigints: (a, b) => a + b },
  max: { numbers: Math.max, bigints: (a, b) => (b > a ? b : a) },
  min: { numbers: Math.min, bigints: (a, b) => (b < a ? b : a) },
}

/** Types whose elements are stored as numbers of their own value, or as bigints. */
const isMerged = (dtype: DType): boolean => !['float16', 'bfloat16', 'bool', 'string'].includes(dtype)

const refusesMerge = ({ attributes }: NodeUse): string | undefined => {
  const reduction = attributes.string('reduction', 'none')
  return reduction in merges ? undefined : `it is not run with reduction ${reduction}`
}

/** Writes the update at each place over the element there, or together with it. */
function written(call: Call, x: Tensor, updates: Tensor, places: readonly number[]): Tensor {
  if (updates.dtype !== x.dtype) call.fail(`the data is ${x.dtype} and the updates are ${updates.dtype}.`)
  const merge = merges[call.attributes.string('reduction', 'none')]
  if (merge !== undefined && !isMerged(x.dtype)) call.fail(`it does not reduce ${x.dtype}.`)
  const [result, given] = [storedOf(x).slice(), storedOf(updates)]
  const merged = (before: Stored[number], update: Stored[number]): Stored[number] => {
    if (merge === undefined) return update
    return typeof update === 'bigint'
      ? merge.bigints(before as bigint, update)
      : merge.numbers(before as number, update as number)
  }
  for (const [i, place] of places.entries()) result[place] = merged(result[place]!, given[i]!)
  return fromStored(call, x.dtype, result, x.shape)
}

/** Indices, and updates of their shape, name places along one axis. */
const scatterElements = (name: string, since: number): KernelRow => ({
  kind: 'kernel',
  name,
  since,
  types: MOVED,
  refuse: refusesMerge,
  compute(call) {
    const [x, indices, updates] = [call.tensor(0), call.tensor(1), call.tensor(2)]
    const axis = call.axis(axisOf(call), x.rank)
    const { shape } = indices
    if (shape.join() !== updates.shape.join()) {
      call.fail(`indices of shape (${shape.join(',')}) do not go with updates of shape (${updates.shape.join(',')}).`)
    }
    if (indices.rank !== x.rank || shape.some((size, at) => at !== axis && size > x.shape[at]!)) {
      call.fail(`indices of shape (${shape.join(',')}) do not lie within data of shape (${x.shape.join(',')}).`)
    }
    const [own, steps] = [stepsOf(shape), stepsOf(x.shape)]
    const places = call.integers(1)!.map((index, i) =>
      steps.reduce((sum, step, at) => {
        const place = at === axis ? placed(call, index, axis, x.shape[axis]!) : Math.floor(i / own[at]!) % shape[at]!
        return sum + place * step
      }, 0),
    )
    return [written(call, x, updates, places)]
  },
})

/** The last axis of the indices names a block of the data, which an update fills. */
const scatterND: KernelRow = {
  kind: 'kernel',
  name: 'ScatterND',
  since: 11,
  types: MOVED,
  refuse: refusesMerge,
  compute(call) {
    const [x, indices, updates] = [call.tensor(0), call.tensor(1), call.tensor(2)]
    const [width = 0, lead] = [indices.shape.at(-1), indices.shape.slice(0, -1)]
    const block = x.shape.slice(width)
    if (indices.rank < 1 || width > x.rank || updates.shape.join() !== [...lead, ...block].join()) {
      call.fail(
        `indices of shape (${indices.shape.join(',')}) and updates of shape (${updates.shape.join(',')}) do not go with data of shape (${x.shape.join(',')}).`,
      )
    }
    const [steps, size] = [stepsOf(x.shape).slice(0, width), countOf(block)]
    const elements = call.integers(1)!
    const places = Array.from({ length: countOf(lead) }, (_, i) =>
      steps.reduce((sum, step, at) => sum + placed(call, elements[i * width + at]!, at, x.shape[at]!) * step, 0),
    ).flatMap((start) => Array.from({ length: size }, (_, i) => start + i))
    return [written(call, x, updates, places)]
  },
}

export const scatterRows: readonly KernelRow[] = [
  ...[scatterElements('ScatterElements', 11), scatterElements('Scatter', 9), scatterND],
]
