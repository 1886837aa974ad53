// Windows that slide over the spatial axes of images, as views: for each element of the kernel the part of the padded
// image that it meets, one element for every place of the window. Convolutions and pools are element-wise over these.
import { identity, type Range, type Tensor } from 'bcast'
import { autoPad, perAxis } from '../infer/attributes/windows.ts'
import { type Call, scalarOf } from './call.ts'
import type { Computation } from './computation.ts'
import { indicesOf } from './indices.ts'

/** What slides along one spatial axis. */
export interface Window {
  readonly kernel: number
  readonly stride: number
  readonly dilation: number
  /** Pads as the node has them, or as it asks for them by name. */
  readonly before: number
  readonly behind: number
  /** How many places it has. */
  readonly places: number
}

/** How many places a window has; with `ceil` the last may reach beyond the pads, but not start there. */
function placesOf(size: number, extent: number, stride: number, [before, behind]: readonly number[], ceil: boolean) {
  const room = size + before! + behind! - extent
  if (!ceil) return Math.floor(room / stride) + 1
  return Math.min(Math.ceil(room / stride), Math.floor((size + before! - 1) / stride)) + 1
}

/** Pads with which an axis has one place for every step of the stride. */
function samePads(size: number, extent: number, stride: number, upper: boolean): readonly [number, number] {
  const total = Math.max(0, (Math.ceil(size / stride) - 1) * stride + extent - size)
  const [less, more] = [Math.floor(total / 2), Math.ceil(total / 2)]
  return upper ? [less, more] : [more, less]
}

/** The windows of a node over an image, given the sizes of its kernel. */
export function windowsOf(call: Call, x: Tensor, kernel: readonly number[], ceil = false): readonly Window[] {
  const rank = kernel.length
  if (x.rank !== rank + 2) call.fail(`the image has rank ${x.rank}; with a kernel of rank ${rank} it is ${rank + 2}.`)
  const [strides, dilations] = [perAxis(call, 'strides', rank), perAxis(call, 'dilations', rank)]
  const pads = perAxis(call, 'pads', rank)
  const auto = autoPad(call)
  if (auto !== 'NOTSET' && pads.some((pad) => pad !== 0))
    call.fail(`it has pads and auto_pad ${auto}, which say two things.`)
  return kernel.map((size, axis) => {
    const [stride, dilation, image] = [strides[axis]!, dilations[axis]!, x.shape[axis + 2]!]
    const extent = (size - 1) * dilation + 1
    const [before, behind] = auto.startsWith('SAME')
      ? samePads(image, extent, stride, auto === 'SAME_UPPER')
      : [pads[axis]!, pads[axis + rank]!]
    if (stride < 1 || dilation < 1 || size < 1 || before! < 0 || behind! < 0) {
      call.fail(
        `axis ${axis + 2} has kernel ${size}, stride ${stride}, dilation ${dilation}, pads ${before} and ${behind}.`,
      )
    }
    const places = placesOf(image, extent, stride, [before!, behind!], ceil)
    if (places < 1)
      call.fail(`its kernel reaches over ${extent} of ${image + before! + behind!} elements of axis ${axis + 2}.`)
    return { kernel: size, stride, dilation, before: before!, behind: behind!, places }
  })
}

/** The image with `value` around it, as far as any window reaches; itself where none reaches beyond it. */
export function* surrounded(
  call: Call,
  x: Tensor,
  windows: readonly Window[],
  value: number | bigint | boolean,
): Computation<Tensor> {
  const reach = windows.map(
    ({ kernel, stride, dilation, places }) => (places - 1) * stride + (kernel - 1) * dilation + 1,
  )
  const isWhole = windows.every(({ before }, axis) => before === 0 && reach[axis]! <= x.shape[axis + 2]!)
  if (isWhole) return x
  const sizes = windows.map(({ before }, axis) => Math.max(reach[axis]!, before + x.shape[axis + 2]!))
  const result = yield* call.room(scalarOf(x.dtype, value), [...x.shape.slice(0, 2), ...sizes], [x])
  if (x.size === 0) return result
  const inside = windows.map(({ before }, axis): Range => [before, before + x.shape[axis + 2]!])
  const out = call.own(result.slice(null, null, ...inside) as Tensor)
  yield* call.apply(identity, x, { out })
  return result
}

/** What each element of the kernel meets in a surrounded image, over some places of the first axis. */
export function met(call: Call, image: Tensor, windows: readonly Window[], first = 0, count?: number): Tensor[] {
  return [...indicesOf(windows.map(({ kernel }) => kernel))].map((index) => {
    const ranges = windows.map(({ stride, dilation, places }, axis): Range => {
      const [from, many] = axis === 0 ? [first, count ?? places] : [0, places]
      const start = index[axis]! * dilation + from * stride
      return [start, start + (many - 1) * stride + 1, stride]
    })
    return call.own(image.slice(null, null, ...ranges) as Tensor)
  })
}
