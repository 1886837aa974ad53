// Convolutions. One channel by itself is a sum over the elements of the kernel, each times what it meets; several
// channels are a product, the weights by what the window meets.
import { add, gemm, mul, type Range, slidingWindowView, type Tensor, tensordot } from 'bcast'
import { askedShape, groupCount, padName, perAxis } from '../../infer/attributes/windows.ts'
import { type Call, scalarOf } from '../call.ts'
import type { Computation, Operation } from '../computation.ts'
import { kernelOf } from '../fold.ts'
import { indicesOf } from '../indices.ts'
import type { KernelRow } from '../row.ts'
import { floats } from '../types.ts'
import type { NodeUse } from '../use.ts'
import { met, surrounded, type Window, windowsOf } from '../windows.ts'
import { roomFor } from './join.ts'
import { narrowed, widened } from './reduce.ts'

/** Elements of the kernel that one pass over the result takes: most kernels are 3 by 3. */
const TAPS = 9
/** Elements of what the window meets, gathered for one product. */
const COLUMNS = 1 << 20

/** The sum so far, and images times weights, from left to right. */
const weighted: readonly Operation[] = Array.from({ length: TAPS + 1 }, (_, taps) =>
  kernelOf(2 * taps + 1, ([sum, ...pairs]) => {
    let result = sum!
    for (let i = 0; i < pairs.length; i += 2) result = add(result, mul(pairs[i]!, pairs[i + 1]!))
    return result
  }),
)

interface Sizes {
  readonly group: number
  /** Channels of the image and of the result in one group. */
  readonly channels: number
  readonly filters: number
}

function sizesOf(call: Call, x: Tensor, weights: Tensor): Sizes {
  const group = groupCount(call)
  const [filters, channels] = [weights.shape[0]!, weights.shape[1]!]
  if (group < 1 || filters % group !== 0) call.fail(`${filters} filters do not make ${group} groups.`)
  if (x.shape[1] !== channels * group) {
    call.fail(
      `the image has ${x.shape[1]} channels; ${group} groups of weights with ${channels} need ${channels * group}.`,
    )
  }
  return { group, channels, filters: filters / group }
}

/** One value for each filter. */
function biasOf(call: Call, filters: number): Tensor | undefined {
  const bias = call.inputs[2]
  if (bias !== undefined && (bias.rank !== 1 || bias.size !== filters)) {
    call.fail(`the bias has shape (${bias.shape.join(',')}); it has one element for each of ${filters} filters.`)
  }
  return bias
}

/** Each filter over a channel of its own. */
function* byChannel(
  call: Call,
  image: Tensor,
  weights: Tensor,
  bias: Tensor | undefined,
  windows: readonly Window[],
): Computation<Tensor> {
  const ones = windows.map(() => 1)
  const spread = [weights.shape[0]!, ...ones]
  const parts = met(call, image, windows)
  const flat = yield* call.reshaped(weights, [weights.shape[0]!, parts.length])
  let sum = bias === undefined ? yield* call.filled(image.dtype, [], 0) : call.own(bias.reshape(spread) as Tensor)
  for (let first = 0; first < parts.length; first += TAPS) {
    const some = parts.slice(first, first + TAPS)
    const pairs = some.flatMap((part, i) => [part, call.own(flat.slice(null, first + i).reshape(spread) as Tensor)])
    const next = yield* call.apply(weighted[some.length]!, sum, ...pairs)
    call.drop(sum)
    sum = next
  }
  return sum
}

/** What the window meets in each place, as a view: (channels, kernel…, places…) of one image. */
function windowsIn(call: Call, image: Tensor, windows: readonly Window[]): Tensor {
  const reach = windows.map(({ kernel, dilation }) => (kernel - 1) * dilation + 1)
  const all = call.own(slidingWindowView(image, reach) as Tensor)
  const steps = windows.map(({ stride, places }): Range => [0, (places - 1) * stride + 1, stride])
  const taps = windows.map(({ dilation }): Range => [0, null, dilation])
  const met = call.own(all.slice(null, ...steps, ...taps) as Tensor)
  const axes = windows.map((_, axis) => axis + 1)
  return call.own(met.transpose([0, ...axes.map((axis) => axis + axes.length), ...axes]) as Tensor)
}

/** Filters over all channels of their group: sums over channels and kernel, some places of the first axis at a time. */
function* byProduct(
  call: Call,
  image: Tensor,
  weights: Tensor,
  bias: Tensor | undefined,
  windows: readonly Window[],
  { group, channels, filters }: Sizes,
): Computation<Tensor> {
  const [batch, places] = [image.shape[0]!, windows.map((window) => window.places)]
  const depth = windows.reduce((product, { kernel }) => product * kernel, channels)
  const inner = places.slice(1).reduce((product, size) => product * size, 1)
  // An image that kernels cannot gather from is copied, window by window.
  const rows = Math.max(1, Math.min(places[0]!, Math.floor(COLUMNS / (depth * inner))))
  const axes = windows.length + 1
  const addend = bias && call.own(bias.reshape([bias.size, ...windows.map(() => 1)]) as Tensor)
  const shape = [batch, filters * group, ...places]
  // One product that is the whole result is no part of anything.
  if (batch * group === 1 && rows === places[0]) {
    const met = windowsIn(call, call.own(image.slice(0) as Tensor), windows)
    return yield* call.reshaped(yield* call.apply(tensordot, weights, met, addend, { axes }), shape)
  }
  const result = yield* roomFor(call, image.dtype, shape)
  for (const [n, g] of indicesOf([batch, group])) {
    const own = [g! * filters, (g! + 1) * filters] as const
    const part = call.own(image.slice(n!, [g! * channels, (g! + 1) * channels]) as Tensor)
    const met = windowsIn(call, part, windows)
    const [left, right] = [weights.slice(own), addend?.slice(own)].map((view) => view && call.own(view as Tensor))
    for (let first = 0; first < places[0]!; first += rows) {
      const some: Range = [first, Math.min(first + rows, places[0]!)]
      const columns = call.own(met.slice(...Array.from({ length: axes }, () => null), some) as Tensor)
      const out = call.own(result.slice(n!, own, some) as Tensor)
      yield* call.apply(tensordot, left, columns, right, { axes, out })
      for (const view of [columns, out]) call.drop(view)
    }
  }
  return result
}

const conv: KernelRow = {
  kind: 'kernel',
  name: 'Conv',
  types: floats(22),
  typed: [0, 1, 2],
  *compute(call) {
    const { dtype } = call.tensor(0)
    const x = yield* widened(call, call.tensor(0))
    const weights = yield* widened(call, call.tensor(1))
    if (weights.rank < 3) call.fail(`the weights have rank ${weights.rank}; it is at least 3.`)
    const sizes = sizesOf(call, x, weights)
    const given = biasOf(call, weights.shape[0]!)
    const bias = given && (yield* widened(call, given))
    const windows = windowsOf(call, x, weights.shape.slice(2))
    const image = yield* surrounded(call, x, windows, 0)
    const own = sizes.channels === 1 && sizes.filters === 1
    const result = own
      ? yield* byChannel(call, image, weights, bias, windows)
      : yield* byProduct(call, image, weights, bias, windows, sizes)
    return [yield* narrowed(call, result, dtype)]
  },
}

function refusesAsked(use: NodeUse): string | undefined {
  if (askedShape(use) !== undefined) return 'it is run without output_shape only'
  const name = padName(use)
  return name.startsWith('SAME') ? `it is not run with auto_pad ${name}` : undefined
}

/** How an image is spread along one spatial axis: elements come `stride` apart, `crop` is cut off at both ends. */
interface Spread {
  readonly kernel: number
  readonly image: number
  readonly stride: number
  readonly dilation: number
  readonly crop: readonly [number, number]
  /** Before anything is cut off. */
  readonly size: number
}

function spreadsOf(call: Call, x: Tensor, weights: Tensor): readonly Spread[] {
  const kernels = weights.shape.slice(2)
  const rank = kernels.length
  if (rank < 1 || x.rank !== rank + 2) call.fail(`the image has rank ${x.rank} and the weights ${weights.rank}.`)
  const [strides, dilations] = [perAxis(call, 'strides', rank), perAxis(call, 'dilations', rank)]
  const [pads, extra] = [perAxis(call, 'pads', rank), perAxis(call, 'output_padding', rank)]
  return kernels.map((kernel, i) => {
    const [image, stride, dilation] = [x.shape[i + 2]!, strides[i]!, dilations[i]!]
    const crop = [pads[i]!, pads[i + rank]!] as const
    const size = (image - 1) * stride + (kernel - 1) * dilation + 1 + extra[i]!
    if (
      [stride, dilation, image, kernel].some((each) => each < 1) ||
      Math.min(...crop, extra[i]!, size - crop[0] - crop[1]) < 0
    ) {
      call.fail(
        `axis ${i + 2} of ${image} elements has kernel ${kernel}, stride ${stride}, dilation ${dilation}, pads ${crop.join(' and ')}, output_padding ${extra[i]}.`,
      )
    }
    return { kernel, image, stride, dilation, crop, size }
  })
}

/** Adds one image times its weights, element of the kernel by element, to its places in the result. */
function* addSpread(
  call: Call,
  image: Tensor,
  weights: Tensor,
  result: Tensor,
  spreads: readonly Spread[],
): Computation<void> {
  const [channels, filters] = [weights.shape[0]!, weights.shape[1]!]
  const kernel = spreads.map((spread) => spread.kernel)
  const taps = kernel.reduce((product, size) => product * size, 1)
  const left = yield* call.reshaped(weights, [channels, filters * taps])
  const right = yield* call.reshaped(image, [channels, image.size / channels])
  const product = yield* call.apply(gemm, left, right, undefined, { transA: true })
  const parts = yield* call.reshaped(product, [filters, ...kernel, ...image.shape.slice(1)])
  for (const index of indicesOf(kernel)) {
    const ranges = spreads.map(({ image: size, stride, dilation }, i): Range => {
      const first = index[i]! * dilation
      return [first, first + (size - 1) * stride + 1, stride]
    })
    const out = call.own(result.slice(null, ...ranges) as Tensor)
    const part = call.own(parts.slice(null, ...index) as Tensor)
    yield* call.apply(add, out, part, { out })
    for (const view of [out, part]) call.drop(view)
  }
  for (const made of [parts, product, left, right]) call.drop(made)
}

/** Each element of the image adds the kernel times itself around its place; weights are (channels, filters, …). */
const convTranspose: KernelRow = {
  kind: 'kernel',
  name: 'ConvTranspose',
  types: floats(22),
  typed: [0, 1, 2],
  refuse: refusesAsked,
  *compute(call) {
    const { dtype } = call.tensor(0)
    const x = yield* widened(call, call.tensor(0))
    const weights = yield* widened(call, call.tensor(1))
    const spreads = spreadsOf(call, x, weights)
    const group = groupCount(call)
    const [channels, filters] = [weights.shape[0]! / group, weights.shape[1]!]
    if (group < 1 || !Number.isInteger(channels) || x.shape[1] !== weights.shape[0]) {
      call.fail(`the image has ${x.shape[1]} channels, the weights ${weights.shape[0]}, in ${group} groups.`)
    }
    const shape = [x.shape[0]!, filters * group, ...spreads.map(({ size }) => size)]
    const bias = biasOf(call, filters * group)
    const column = bias && (yield* call.reshaped(yield* widened(call, bias), [bias.size, ...spreads.map(() => 1)]))
    const whole = yield* call.room(column ?? scalarOf(x.dtype, 0), shape)
    for (const [n, g] of indicesOf([x.shape[0]!, group])) {
      const own = [g! * channels, (g! + 1) * channels] as const
      const views = [x.slice(n!, own), weights.slice(own), whole.slice(n!, [g! * filters, (g! + 1) * filters])]
      const [image, matrices, result] = views.map((view) => call.own(view as Tensor))
      yield* addSpread(call, image!, matrices!, result!, spreads)
    }
    const inside = spreads.map(({ crop: [before, behind], size }): Range => [before, size - behind])
    const cropped = yield* call.packed(call.own(whole.slice(null, null, ...inside) as Tensor))
    return [yield* narrowed(call, cropped, dtype)]
  },
}

export const convolutionRows: readonly KernelRow[] = [conv, convTranspose]
