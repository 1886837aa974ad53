// The same elements in every kind of memory: row-major, transposed, sliced forwards and backwards, away from the start
// of the storage, repeated by broadcasting. Where each element goes is worked out here and not by the library.
import { define, fromFlat, type SpecTensor } from '@bcast/spec'
import { type DType, fromData, type Range, type Tensor } from 'bcast'
import fc from 'fast-check'
import { element, storageOf, type Value } from '../../../../testing/elements.ts'

export interface Sample {
  readonly tensor: Tensor
  /** The same elements as mathematics. */
  readonly spec: SpecTensor<Value>
}

const MAX_RANK = 8

interface Choices {
  readonly contiguous: boolean
  /** Sorts the axes: a small key comes first in memory. */
  readonly keys: readonly number[]
  /** Two axes (by key) may have a step and a margin; all would make the storage huge. */
  readonly steps: readonly number[]
  readonly before: readonly number[]
  readonly after: readonly number[]
  readonly repeated: readonly boolean[]
}

const perAxis = <T>(arbitrary: fc.Arbitrary<T>, length = MAX_RANK): fc.Arbitrary<T[]> =>
  fc.array(arbitrary, { minLength: length, maxLength: length })

const choices: fc.Arbitrary<Choices> = fc.record({
  contiguous: fc.boolean(),
  keys: perAxis(fc.nat(99)),
  steps: perAxis(fc.constantFrom(1, -1, 2, -2, 3, -3), 2),
  before: perAxis(fc.nat(2), 2),
  after: perAxis(fc.nat(2), 2),
  repeated: perAxis(fc.constantFrom(false, false, false, false, true)),
})

interface AxisPlan {
  readonly size: number
  readonly step: number
  readonly before: number
  /** Size of this axis in storage. */
  readonly room: number
}

function planAxis(size: number, step: number, before: number, after: number): AxisPlan {
  const reach = size === 0 ? 0 : (size - 1) * Math.abs(step) + 1
  return { size, step, before, room: before + reach + after }
}

const lowest = ({ size, step, before }: AxisPlan): number =>
  step > 0 || size === 0 ? before : before - (size - 1) * step

function rangeOf(plan: AxisPlan): Range {
  const start = lowest(plan)
  const stop = start + plan.size * plan.step
  return plan.size === 0 ? [start, start, plan.step] : [start, stop < 0 ? null : stop, plan.step]
}

/** A tensor of `shape` with the given elements, laid out as chosen. */
function laidOut(
  dtype: DType,
  shape: readonly number[],
  values: readonly Value[],
  filler: Value,
  chosen: Choices,
): Tensor {
  const make = (elements: readonly Value[], sizes: readonly number[]): Tensor =>
    fromData(dtype, storageOf(dtype, elements) as never, sizes) as Tensor
  if (chosen.contiguous) return make(values, shape)
  const byKey = shape.map((_, axis) => axis).sort((a, b) => chosen.keys[a]! - chosen.keys[b]!)
  const plans = shape.map((size, axis) => {
    const place = byKey.indexOf(axis)
    return place < 2
      ? planAxis(size, chosen.steps[place]!, chosen.before[place]!, chosen.after[place]!)
      : planAxis(size, 1, 0, 0)
  })
  const room = byKey.map((axis) => plans[axis]!.room)
  const elements = new Array<Value>(room.reduce((n, size) => n * size, 1)).fill(filler)
  values.forEach((value, position) => {
    let rest = position
    const index = new Array<number>(shape.length)
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index[axis] = rest % shape[axis]!
      rest = Math.floor(rest / shape[axis]!)
    }
    const at = byKey.reduce(
      (sum, axis) => sum * plans[axis]!.room + lowest(plans[axis]!) + index[axis]! * plans[axis]!.step,
      0,
    )
    elements[at] = value
  })
  const order = shape.map((_, axis) => byKey.indexOf(axis))
  return (make(elements, room).transpose(order) as Tensor).slice(...plans.map(rangeOf)) as Tensor
}

/** A tensor of any memory layout with any elements of its type. */
export function sample(
  dtype: DType,
  shape: readonly number[],
  elements: fc.Arbitrary<Value> = element(dtype),
): fc.Arbitrary<Sample> {
  return choices.chain((chosen) => {
    // A repeated axis holds one element per line; the view that repeats it is made last.
    const kept = shape.map((size, axis) => (chosen.repeated[axis] === true && size > 1 ? 1 : size))
    const count = kept.reduce((n, size) => n * size, 1)
    return fc.tuple(fc.array(elements, { minLength: count, maxLength: count }), elements).map(([values, filler]) => {
      const once = laidOut(dtype, kept, values, filler, chosen)
      const repeats = kept.some((size, axis) => size !== shape[axis])
      const base = fromFlat(kept, values)
      return {
        tensor: repeats ? (once.broadcastTo(shape as never) as Tensor) : once,
        spec: repeats ? define(shape, (index) => base.at(index.map((i, axis) => (kept[axis] === 1 ? 0 : i)))) : base,
      }
    })
  })
}
