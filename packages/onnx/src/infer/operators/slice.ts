// Parts of a tensor by position: Slice and Split.
import {
  add,
  bounds,
  ceilDiv,
  clamp,
  constant,
  constantOf,
  type Dim,
  floorDiv,
  isDivisible,
  isLess,
  max,
  min,
  mul,
  sub,
  sum,
} from '../../dims/index.ts'
import { type Integers, integers, numbers } from '../arguments.ts'
import { isInput, sliceAxes, sliceEnds, sliceStarts, splitSizes } from '../attributes/arguments.ts'
import { axisOf } from '../attributes/axes.ts'
import { partCount } from '../attributes/forms.ts'
import type { Call } from '../call.ts'
import { placesOf, stridesOf } from '../elements.ts'
import { type Known, type KnownTensor, type Scalar, sizesOf, tensor } from '../known.ts'
import type { Row } from '../row.ts'

/** Ends this far away mean "to the end": exporters write the largest integer of 32 or 64 bits, or a thousand million. */
const FAR = 10n ** 9n
const INT_MAX = 2n ** 31n - 1n

/** One axis of a slice: where it starts, and how many elements follow at this distance. */
interface Cut {
  readonly start: Dim
  readonly step: bigint
  readonly size: Dim
}

/** A position counted from the front, -1 for what lies before it; undefined where its sign is not known. */
function fromFront(position: Dim, size: Dim): Dim | undefined {
  const value = constantOf(size) === undefined ? constantOf(position) : undefined
  if (value !== undefined && value >= FAR) return size
  if (value !== undefined && value <= -FAR) return constant(-1)
  const negative = isLess(position, 0)
  if (negative === undefined) return undefined
  return negative ? add(position, size) : position
}

function cutOf(dim: Dim, start: Dim, end: Dim, step: bigint): Cut | undefined {
  const [from, to] = [fromFront(start, dim), fromFront(end, dim)]
  if (from === undefined || to === undefined) return undefined
  if (step > 0n) {
    const [first, last] = [clamp(from, 0, dim), clamp(to, 0, dim)]
    return { start: first, step, size: max(ceilDiv(sub(last, first), step), 0) }
  }
  // Backward, ONNX clamps a far end to the last element and engines take it for the first: nothing is certain.
  if ((constantOf(end) ?? 0n) >= INT_MAX) return undefined
  const highest = sub(dim, 1)
  const first = min(max(from, 0), highest)
  const last = min(max(to, -1), highest)
  return { start: first, step, size: max(ceilDiv(sub(first, last), -step), 0) }
}

/** The elements of cuts along all axes. */
function cutValues({ values, shape }: KnownTensor, cuts: readonly (Cut | undefined)[]): Scalar[] | undefined {
  const own = sizesOf(shape)
  if (values === undefined || own === undefined) return undefined
  const strides = stridesOf(own)
  const sizes: number[] = []
  const steps: number[] = []
  let offset = 0
  for (const [axis, cut] of cuts.entries()) {
    const [start, size] = cut === undefined ? [0n, BigInt(own[axis]!)] : [constantOf(cut.start), constantOf(cut.size)]
    if (start === undefined || size === undefined) return undefined
    offset += Number(start) * strides[axis]!
    sizes.push(Number(size))
    steps.push(Number(cut?.step ?? 1n) * strides[axis]!)
  }
  return placesOf(sizes, steps, offset).map((place) => values[place]!)
}

function sliced(
  call: Call,
  starts: Integers,
  ends: Integers,
  axes: readonly number[] | null | undefined,
  steps: Integers,
): Known {
  const data = call.tensor(0)
  const { element, shape } = data
  if (shape === null) return tensor(element, null)
  const shorter = (axis: number): Dim => call.fresh(axis, { min: 0, max: limitOf(shape[axis]!) })
  if (!starts || !ends || axes === null || steps === null) {
    const listed = axes && new Set(axes.map((axis) => call.axis(axis, shape.length)))
    return tensor(
      element,
      shape.map((dim, axis) => (listed && !listed.has(axis) ? dim : shorter(axis))),
    )
  }
  const all = axes ?? starts.map((_, axis) => axis)
  if (
    ends.length !== starts.length ||
    all.length !== starts.length ||
    (steps?.length ?? starts.length) !== starts.length
  ) {
    return call.fail('starts, ends, axes and steps differ in number.')
  }
  const cuts = new Array<Cut | undefined>(shape.length)
  const cut = [...shape]
  let complete = true
  for (const [i, given] of all.entries()) {
    const axis = call.axis(given, shape.length)
    const [start, end, by] = [starts[i], ends[i], steps === undefined ? 1n : constantOf(steps[i] ?? constant(0))]
    if (by === 0n && steps?.[i]) return call.fail('a step is 0.')
    const made = start && end && by ? cutOf(shape[axis]!, start, end, by) : undefined
    cuts[axis] = made
    complete &&= made !== undefined
    cut[axis] = made?.size ?? shorter(axis)
  }
  return tensor(element, cut, complete ? cutValues(data, Array.from(cuts)) : undefined)
}

const limitOf = (dim: Dim): bigint | null => {
  const { max: most } = bounds(dim)
  return typeof most === 'bigint' ? most : null
}

/** Since starts and ends are inputs there may be steps. */
const slice: Row = {
  name: 'Slice',
  infer: (call) => {
    const [starts, ends] = [integers(call, sliceStarts), integers(call, sliceEnds)]
    const steps = isInput(call, sliceStarts) ? integers(call, { ...sliceStarts, input: 4 }) : undefined
    if (starts === undefined || ends === undefined) return call.fail('it has no starts or ends.')
    return [sliced(call, starts, ends, numbers(call, sliceAxes), steps)]
  },
}

/** Sizes of equal parts, those that have a name; when asked for a number of parts, the last may be smaller. */
function equalParts(call: Call, dim: Dim, count: number, lastMayDiffer: boolean): readonly Dim[] {
  if (!lastMayDiffer && isDivisible(dim, count) === false) {
    call.fail(`the axis cannot be split into ${count} equal parts.`)
  }
  const part = lastMayDiffer ? ceilDiv(dim, count) : floorDiv(dim, count)
  const parts = new Array<Dim>(Math.min(count, call.outputCount)).fill(part)
  return lastMayDiffer && parts.length === count
    ? parts.with(-1, call.size(sub(dim, mul(part, count - 1)), 'part'))
    : parts
}

/** One slice of an axis after the other. */
export function splitAlong(data: KnownTensor, axis: number, parts: readonly Dim[]): readonly KnownTensor[] {
  const { element, shape } = data
  let start = constant(0)
  return parts.map((size) => {
    const cuts = new Array<Cut | undefined>(shape!.length)
    cuts[axis] = { start, step: 1n, size }
    start = add(start, size)
    return tensor(element, shape!.with(axis, size), cutValues(data, Array.from(cuts)))
  })
}

const split: Row = {
  name: 'Split',
  infer: (call) => {
    const data = call.tensor(0)
    const { element, shape } = data
    const given = integers(call, splitSizes(call, call.has(1)))
    const { count: asked, lastMayDiffer } = partCount(call)
    const count = given?.length ?? asked
    if (shape === null) return new Array<Known>(call.outputCount).fill(tensor(element, null))
    const axis = call.axis(axisOf(call), shape.length)
    if (given === null) {
      const part = () => call.fresh('part', { min: 0, max: limitOf(shape[axis]!) })
      return Array.from({ length: call.outputCount }, () => tensor(element, shape.with(axis, part())))
    }
    if (count < 1) return call.fail(`it makes ${count} parts.`)
    const parts = given?.map((size) => call.size(size, 'part')) ?? equalParts(call, shape[axis]!, count, lastMayDiffer)
    if (given) call.learn(sum(parts), shape[axis]!, () => `the parts do not add up to the size of axis ${axis}.`)
    return splitAlong(data, axis, parts)
  },
}

export const sliceRows: readonly Row[] = [slice, split]
