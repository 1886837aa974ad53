// Windows that slide over the spatial axes of images: kernels, strides, dilations and pads of convolutions and pools,
// and how many places each axis has for them.
import { add, bounds, ceilDiv, constantOf, type Dim, floorDiv, isEqual, min, mul, sub } from '../dims/index.ts'
import { autoPad, hasPads, perAxis } from './attributes/windows.ts'
import type { Call } from './call.ts'

/** What slides along one axis. */
export interface Window {
  readonly kernel: Dim
  /** From its first element to its last, with the gaps that dilation makes. */
  readonly extent: Dim
  readonly stride: number
  readonly dilation: number
  readonly before: number
  readonly behind: number
}

/** Where pads come from: `open` where a node says two things at once, which engines read differently. */
export type Padding = 'explicit' | 'valid' | 'same' | 'open'

export interface Windows {
  readonly axes: readonly Window[]
  readonly padding: Padding
}

function paddingOf(call: Call, pads: readonly number[]): Padding {
  const auto = autoPad(call)
  if (auto === 'NOTSET') return 'explicit'
  if (auto === 'VALID') return pads.some((pad) => pad !== 0) ? 'open' : 'valid'
  return hasPads(call) ? 'open' : 'same'
}

/** The windows of a node, given the sizes of its kernel. */
export function windowsOf(call: Call, kernel: readonly Dim[], dilate = true): Windows {
  const rank = kernel.length
  const strides = perAxis(call, 'strides', rank)
  const dilations = dilate ? perAxis(call, 'dilations', rank) : new Array<number>(rank).fill(1)
  const pads = perAxis(call, 'pads', rank)
  const axes = kernel.map((size, axis): Window => {
    const [stride, dilation] = [strides[axis]!, dilations[axis]!]
    if (stride <= 0 || dilation <= 0) return call.fail(`axis ${axis} has stride ${stride} and dilation ${dilation}.`)
    if (bounds(size).max <= 0) return call.fail(`the kernel is empty along axis ${axis}.`)
    const extent = add(mul(sub(size, 1), dilation), 1)
    return { kernel: size, extent, stride, dilation, before: pads[axis]!, behind: pads[axis + rank]! }
  })
  return { axes, padding: paddingOf(call, pads) }
}

const padsOf = ({ before, behind }: Window, padding: Padding): number => (padding === 'explicit' ? before + behind : 0)

/** How many steps of a convolution's window an axis has room for. */
export function convolvedSize(call: Call, input: Dim, window: Window, padding: Padding, axis: number): Dim {
  if (padding === 'open') return call.fresh(axis)
  if (padding === 'same') return ceilDiv(input, window.stride)
  const room = sub(add(input, padsOf(window, padding)), window.extent)
  const tooLarge = (): string => `the kernel is larger than the padded axis ${axis}.`
  if (bounds(room).max < 0) return call.fail(tooLarge())
  // So there is at least one place.
  call.learnAtLeast(room, 0n, tooLarge)
  return add(floorDiv(room, window.stride), 1)
}

/** The size of an axis that a transposed convolution spreads. */
export function spreadSize(call: Call, input: Dim, window: Window, padding: Padding, extra: number, axis: number): Dim {
  const { stride, extent } = window
  const whole = add(add(mul(sub(input, 1), stride), extent), extra)
  if (padding === 'explicit' || padding === 'valid') return call.size(sub(whole, padsOf(window, padding)), axis)
  // Pads make it the input times the stride; where they would have to be negative, engines differ.
  const fits = padding === 'same' && extra === 0 && bounds(sub(extent, stride)).min >= 0
  return fits ? mul(input, stride) : call.fresh(axis)
}

/** How many places a pool's window has on an axis. */
export function pooledSize(call: Call, input: Dim, window: Window, padding: Padding, ceil: boolean, axis: number): Dim {
  const { stride, dilation, extent, before, behind } = window
  if (padding === 'open') return call.fresh(axis)
  // Engines differ about pads that a dilated window needs to keep the size.
  if (padding === 'same') {
    return dilation === 1 || isEqual(extent, 1) === true ? ceilDiv(input, stride) : call.fresh(axis)
  }
  const room = sub(add(input, padsOf(window, padding)), extent)
  // A window that does not fit is an error in some engines and one place in others.
  if (bounds(room).max < 0) return call.fresh(axis)
  const whole = add(floorDiv(room, stride), 1)
  if (!ceil || stride === 1) return call.size(whole, axis)
  const rounded = add(ceilDiv(room, stride), 1)
  if (padding === 'valid') return ceiledValid(call, room, rounded, stride, axis)
  // A window that starts in the pads behind is left out. Pads as long as the window would be more than one of these.
  if (bounds(sub(extent, behind)).min <= 0) return call.fresh(axis)
  return call.size(min(rounded, add(floorDiv(add(input, before - 1), stride), 1)), axis)
}

/** With `VALID` ONNX's text rounds another quotient up than engines do: only where both agree is the size known. */
function ceiledValid(call: Call, room: Dim, rounded: Dim, stride: number, axis: number): Dim {
  const written = ceilDiv(add(room, 1), stride)
  const agree = constantOf(rounded) !== undefined && isEqual(rounded, written) === true
  return agree ? rounded : call.fresh(axis)
}
