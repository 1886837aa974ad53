// Images resized axis by axis, by taking the nearest element or by going straight from one to the next. Positions are
// computed in float32, as engines do, so that those in the middle between two elements fall to the same side.
import { add, type DType, fromData, mul, sub, type Tensor } from 'bcast'
import { aspectPolicy, resizedAxes, transformation, upsampleScales } from '../../infer/attributes/resize.ts'
import { isSet } from '../../infer/attributes/said.ts'
import { elementsOf } from '../../model/tensor-data.ts'
import type { Call } from '../call.ts'
import type { Computation, Operation } from '../computation.ts'
import { kernelOf } from '../fold.ts'
import type { KernelRow, TypesByOpset } from '../row.ts'
import { F4, MOVED } from '../types.ts'
import type { NodeUse } from '../use.ts'
import { gathered } from './join.ts'
import { narrowed, widened } from './reduce.ts'

const f = Math.fround

/** An axis as it is, and as it is to become. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly scale: number
}

/** Where element i of the result lies among those of the data. */
const places: Readonly<Record<string, (i: number, stretch: Stretch) => number>> = {
  asymmetric: (i, { scale }) => f(i / scale),
  half_pixel: (i, { scale }) => f(f(f(i + 0.5) / scale) - 0.5),
  pytorch_half_pixel: (i, { to, scale }) => (to > 1 ? f(f(f(i + 0.5) / scale) - 0.5) : 0),
  // Of opset 11 only, but exporters write it on.
  tf_half_pixel_for_nn: (i, { scale }) => f(f(i + 0.5) / scale),
  align_corners: (i, { from, to }) => (to === 1 ? 0 : f(f(i * (from - 1)) / (to - 1))),
}

const nearest: Readonly<Record<string, (place: number) => number>> = {
  round_prefer_floor: (place) => Math.ceil(place - 0.5),
  round_prefer_ceil: (place) => Math.floor(place + 0.5),
  floor: Math.floor,
  ceil: Math.ceil,
}

/** Which element each one of the result is. */
function positionsOf(stretch: Stretch, place: string, round: string): readonly number[] {
  const { from, to } = stretch
  return Array.from({ length: to }, (_, i) => {
    // Without a change of size nothing moves, whatever rounding says.
    const at = from === to ? i : nearest[round]!(places[place]!(i, stretch))
    return Math.min(Math.max(at, 0), from - 1)
  })
}

/** One axis of a tensor made longer or shorter. */
type Resized = (call: Call, x: Tensor, axis: number, stretch: Stretch) => Computation<Tensor>

const byNearest =
  (place: string, round: string): Resized =>
  (call, x, axis, stretch) =>
    gathered(call, x, axis, positionsOf(stretch, place, round))

const between: Operation = kernelOf(3, ([low, high, way]) => add(mul(low!, sub(1, way!)), mul(high!, way!)))

/** Between two neighbours, by how near each is; beyond the ends there is the last one. */
const byLine = (place: string): Resized =>
  function* (call, x, axis, stretch) {
    const { from, to } = stretch
    const at = Array.from({ length: to }, (_, i) => Math.min(Math.max(places[place]!(i, stretch), 0), from - 1))
    const low = yield* gathered(call, x, axis, at.map(Math.floor))
    const high = yield* gathered(call, x, axis, at.map(Math.ceil))
    const way = fromData(
      'float32',
      Float32Array.from(at, (position) => position - Math.floor(position)),
      x.shape.map((_, other) => (other === axis ? to : 1)),
    ) as unknown as Tensor
    return yield* call.apply(between, low, high, yield* narrowed(call, call.own(way), x.dtype))
  }

function* stretched(call: Call, x: Tensor, stretches: readonly Stretch[], resized: Resized): Computation<Tensor> {
  let result = x
  for (const [axis, stretch] of stretches.entries()) {
    if (stretch.from === stretch.to) continue
    if (stretch.from === 0) call.fail(`axis ${axis} has no element to repeat.`)
    result = yield* resized(call, result, axis, stretch)
  }
  return result
}

/** The elements between those of floats; halves are rounded once. */
function* interpolated(call: Call, given: Tensor, stretches: readonly Stretch[], place: string): Computation<Tensor> {
  if (!F4.includes(given.dtype)) call.fail(`it goes straight between floats only, not ${given.dtype}.`)
  const x = yield* widened(call, given)
  return yield* narrowed(call, yield* stretched(call, x, stretches, byLine(place)), given.dtype)
}

const isLinear = (call: Call): boolean => call.attributes.string('mode', 'nearest') === 'linear'

/** Numbers of an input, or undefined where it is left out or empty, which means the same here. */
function numbersOf(call: Call, i: number): readonly number[] | undefined {
  const given = call.inputs[i]
  return given === undefined || given.size === 0 ? undefined : elementsOf(given).map(Number)
}

const byScales = (call: Call, x: Tensor, scales: readonly number[], axes: readonly number[]): readonly Stretch[] => {
  if (scales.length !== axes.length) call.fail(`there are ${scales.length} scales for ${axes.length} axes.`)
  return x.shape.map((from, axis) => {
    const i = axes.indexOf(axis)
    const scale = i < 0 ? 1 : f(scales[i]!)
    if (!(scale > 0) || !Number.isFinite(scale)) call.fail(`the scale of axis ${axis} is ${scale}.`)
    return { from, to: Math.floor(f(from * scale)), scale }
  })
}

const bySizes = (call: Call, x: Tensor, sizes: readonly number[], axes: readonly number[]): readonly Stretch[] => {
  if (sizes.length !== axes.length) call.fail(`there are ${sizes.length} sizes for ${axes.length} axes.`)
  return x.shape.map((from, axis) => {
    const i = axes.indexOf(axis)
    const to = i < 0 ? from : sizes[i]!
    if (to < 0) call.fail(`the size of axis ${axis} is ${to}.`)
    return { from, to, scale: f(to / from) }
  })
}

function refusesModes(use: NodeUse): string | undefined {
  const { opset, attributes } = use
  const mode = attributes.string('mode', 'nearest')
  if (mode !== 'nearest' && mode !== 'linear') return `it is run with modes nearest and linear only, not ${mode}`
  if (isSet(use, 'antialias')) return 'it is run without antialias only'
  const place = transformation(use)
  if (opset >= 11 && !(place in places)) return `it is not run with coordinate_transformation_mode ${place}`
  const round = attributes.string('nearest_mode', 'round_prefer_floor')
  if (opset >= 11 && !(round in nearest)) return `it is not run with nearest_mode ${round}`
  const policy = aspectPolicy(use)
  return policy === 'stretch' ? undefined : `it is not run with keep_aspect_ratio_policy ${policy}`
}

const IMAGES: readonly DType[] = MOVED[0]![1]
const RESIZED: TypesByOpset = [[1, IMAGES], ...MOVED.slice(1)]

const resize: KernelRow = {
  kind: 'kernel',
  name: 'Resize',
  since: 11,
  types: RESIZED,
  views: true,
  refuse: refusesModes,
  *compute(call) {
    const x = call.tensor(0)
    const given = resizedAxes(call)
    const axes = given === undefined ? x.shape.map((_, axis) => axis) : call.axes(given, x.rank)
    const [scales, sizes] = [numbersOf(call, 2), numbersOf(call, 3)]
    if ((scales === undefined) === (sizes === undefined)) call.fail('it has either scales or sizes.')
    const stretches = scales === undefined ? bySizes(call, x, sizes!, axes) : byScales(call, x, scales, axes)
    const place = transformation(call)
    if (isLinear(call)) return [yield* interpolated(call, x, stretches, place)]
    const round = call.attributes.string('nearest_mode', 'round_prefer_floor')
    return [yield* stretched(call, x, stretches, byNearest(place, round))]
  },
}

/** The operators before it: an input or an attribute of scales, and elements taken from the left. */
const scaled = (name: string, since: number, scalesOf: (call: Call) => readonly number[] | undefined): KernelRow => ({
  kind: 'kernel',
  name,
  since,
  types: RESIZED,
  views: true,
  refuse: refusesModes,
  *compute(call) {
    const x = call.tensor(0)
    const scales = scalesOf(call) ?? call.fail('it has no scales.')
    const axes = x.shape.map((_, axis) => axis)
    const stretches = byScales(call, x, scales, axes)
    if (isLinear(call)) return [yield* interpolated(call, x, stretches, 'asymmetric')]
    return [yield* stretched(call, x, stretches, byNearest('asymmetric', 'floor'))]
  },
})

export const resizeRows: readonly KernelRow[] = [
  resize,
  scaled('Resize', 10, (call) => numbersOf(call, 1)),
  scaled('Upsample', 9, (call) => numbersOf(call, 1)),
  scaled('Upsample', 7, upsampleScales),
]
