// Operators that take tensors apart and put them together along an axis, by the library's functions of the same names.
import {
  type DType,
  IndexError,
  concat as joined,
  pad as padded,
  type Range,
  tile as repeated,
  type Tensor,
  take,
} from 'bcast'
import {
  isInput,
  padAxes,
  padSizes,
  sliceAxes,
  sliceEnds,
  sliceStarts,
  splitSizes,
} from '../../infer/attributes/arguments.ts'
import { axisOf, concatAxis } from '../../infer/attributes/axes.ts'
import { partCount } from '../../infer/attributes/forms.ts'
import { type Call, scalarOf } from '../call.ts'
import type { Computation } from '../computation.ts'
import type { KernelRow } from '../row.ts'
import { MOVED, moved, PADDED } from '../types.ts'

/** Room for elements of a type that are all written later. */
export const roomFor = (
  call: Call,
  dtype: DType,
  shape: readonly number[],
  from?: readonly Tensor[],
): Computation<Tensor> => call.room(scalarOf(dtype, dtype === 'string' ? '' : 0), shape, from, true)

/** The view of `count` positions of an axis from `start` on, `step` apart; a step of 0 repeats one. */
export function along(call: Call, x: Tensor, axis: number, start: number, count: number, step = 1): Tensor {
  const stop = start + count * step
  const range: Range =
    step === 0 || count === 0 ? [start, count === 0 ? start : start + 1] : [start, stop < 0 ? null : stop, step]
  const ranges = x.shape.map((_, at): Range => (at === axis ? range : null))
  const part = call.own(x.slice(...ranges) as Tensor)
  return step === 0 && count > 0 ? call.own(part.broadcastTo(x.shape.with(axis, count)) as Tensor) : part
}

/** Tensors of one type put together along an axis. */
export const concatenated = (call: Call, parts: readonly Tensor[], axis: number): Computation<Tensor> =>
  call.apply(joined, parts, { axis })

const concat: KernelRow = {
  kind: 'kernel',
  name: 'Concat',
  types: moved(4),
  typed: 'all',
  *compute(call) {
    const parts = call.inputs.map((_, i) => call.tensor(i))
    if (parts.length === 0) return call.fail('it has no inputs.')
    return [yield* concatenated(call, parts, call.axis(concatAxis(call), parts[0]!.rank))]
  },
}

/** The sizes of the parts: as given, or equal, of which the last may be smaller when a number of parts is asked for. */
function partSizes(call: Call, size: number): readonly number[] {
  const outputs = call.node.outputs.length
  const given = call.integersOf(splitSizes(call, call.has(1)))
  const { count: asked, lastMayDiffer } = partCount(call)
  const count = given?.length ?? asked
  if (count !== outputs) return call.fail(`there are ${count} parts for ${outputs} outputs.`)
  if (given !== undefined) {
    const total = given.reduce((sum, part) => sum + part, 0)
    if (total !== size || given.some((part) => part < 0)) {
      return call.fail(`parts of ${given.join(', ')} do not make an axis of size ${size}.`)
    }
    return given
  }
  const part = Math.ceil(size / count)
  if (!lastMayDiffer && part * count !== size) {
    return call.fail(`an axis of size ${size} cannot be split into ${count} equal parts.`)
  }
  const last = size - part * (count - 1)
  if (last < 0) return call.fail(`an axis of size ${size} has no ${count} parts of size ${part}.`)
  return Array.from({ length: count }, (_, i) => (i === count - 1 ? last : part))
}

const split: KernelRow = {
  kind: 'kernel',
  name: 'Split',
  types: moved(2),
  views: true,
  compute(call) {
    const x = call.tensor(0)
    const axis = call.axis(axisOf(call), x.rank)
    let start = 0
    return partSizes(call, x.shape[axis]!).map((size) => {
      const part = along(call, x, axis, start, size)
      start += size
      return part
    })
  },
}

/** One axis of a slice as ONNX counts: ends are clamped, backward ones to the last and the place before the first. */
function cut(call: Call, x: Tensor, axis: number, start: number, end: number, step: number): Tensor {
  const size = x.shape[axis]!
  if (step === 0) return call.fail('a step is 0.')
  const clamp = (value: number, least: number, most: number): number =>
    Math.min(Math.max(value < 0 ? value + size : value, least), most)
  const [from, to] =
    step > 0
      ? [clamp(start, 0, size), clamp(end, 0, size)]
      : [clamp(start, 0, size - 1), Math.max(-1, clamp(end, -1, size - 1))]
  return along(call, x, axis, from, Math.max(0, Math.ceil((to - from) / step)), step)
}

/** Starts and ends are attributes at first, then inputs, which may have steps. */
const slice: KernelRow = {
  kind: 'kernel',
  name: 'Slice',
  types: MOVED,
  views: true,
  compute(call) {
    const starts = call.integersOf(sliceStarts) ?? call.fail('it has no starts.')
    const ends = call.integersOf(sliceEnds) ?? call.fail('it has no ends.')
    const steps = (isInput(call, sliceStarts) ? call.integers(4) : undefined) ?? starts.map(() => 1)
    const x = call.tensor(0)
    const axes = call.axes(call.integersOf(sliceAxes) ?? starts.map((_, axis) => axis), x.rank)
    if ([ends, axes, steps].some(({ length }) => length !== starts.length)) {
      return call.fail('starts, ends, axes and steps differ in number.')
    }
    return [axes.reduce((part, axis, i) => cut(call, part, axis, starts[i]!, ends[i]!, steps[i]!), x)]
  },
}

/** How far apart positions are that are evenly spaced; undefined where they are not. */
function spacing(positions: readonly number[]): number | undefined {
  const [start = 0, next = start + 1] = positions
  return positions.every((position, i) => position === start + i * (next - start)) ? next - start : undefined
}

/** The given positions of an axis, in their order: a view where they are evenly spaced. */
export function* gathered(call: Call, x: Tensor, axis: number, positions: readonly number[]): Computation<Tensor> {
  const step = positions.length === 0 ? undefined : spacing(positions)
  return step === undefined
    ? yield* call.apply(take, x, positions, { axis })
    : along(call, x, axis, positions[0]!, positions.length, step)
}

const gather: KernelRow = {
  kind: 'kernel',
  name: 'Gather',
  types: MOVED,
  views: true,
  *compute(call) {
    const [x, indices] = [call.tensor(0), call.tensor(1)]
    if (indices.dtype !== 'int32' && indices.dtype !== 'int64')
      call.fail(`indices are ${indices.dtype}; they are int32 or int64.`)
    const axis = call.axis(axisOf(call), x.rank)
    const size = x.shape[axis]!
    const positions = call.integers(1)!.map((index) => {
      if (index < -size || index >= size) {
        throw new IndexError(`Gather: index ${index} does not exist on axis ${axis} of size ${size}.`)
      }
      return index < 0 ? index + size : index
    })
    const taken = yield* gathered(call, x, axis, positions)
    return [yield* call.reshaped(taken, x.shape.toSpliced(axis, 1, ...indices.shape))]
  },
}

const tile: KernelRow = {
  kind: 'kernel',
  name: 'Tile',
  since: 6,
  types: MOVED,
  *compute(call) {
    const x = call.tensor(0)
    const repeats = call.integers(1) ?? call.fail('it has no repeats.')
    if (repeats.length !== x.rank) return call.fail(`there are ${repeats.length} repeats for rank ${x.rank}.`)
    return [yield* call.apply(repeated, x, repeats)]
  },
}

/** Pads by axis: those that are not named have none. */
function padsOf(call: Call, rank: number): readonly (readonly [before: number, behind: number])[] {
  const pads = call.integersOf(padSizes(call)) ?? call.fail('it has no pads.')
  const named = isInput(call, padAxes) ? call.integers(padAxes.input) : undefined
  const axes = named === undefined ? Array.from({ length: rank }, (_, axis) => axis) : call.axes(named, rank)
  if (pads.length !== 2 * axes.length) return call.fail(`there are ${pads.length} pads for ${axes.length} axes.`)
  return Array.from({ length: rank }, (_, axis) => {
    const i = axes.indexOf(axis)
    return i < 0 ? [0, 0] : [pads[i]!, pads[i + axes.length]!]
  })
}

/** What is put beside the data: an attribute at first, then an input. */
function fillOf(call: Call): unknown {
  if (call.opset < 11) return call.attributes.float('value', 0)
  return call.has(2) ? call.tensor(2).get(...call.tensor(2).shape.map(() => 0)) : undefined
}

const MODES = ['constant', 'edge', 'reflect', 'wrap']

const pad: KernelRow = {
  kind: 'kernel',
  name: 'Pad',
  types: PADDED,
  *compute(call) {
    const x = call.tensor(0)
    const pads = padsOf(call, x.rank)
    const mode = call.attributes.string('mode', 'constant')
    if (!MODES.includes(mode)) return call.fail(`mode is ${JSON.stringify(mode)}.`)
    if (mode === 'constant') return [yield* call.apply(padded, x, pads, { value: fillOf(call) })]
    for (const [axis, [before, behind]] of pads.entries()) call.places(x.shape[axis]! + before + behind)
    return [yield* call.apply(padded, x, pads, { mode })]
  },
}

export const joinRows: readonly KernelRow[] = [concat, split, slice, gather, tile, pad]
