// Convolutions: Conv and its quantized and deformable forms, ConvTranspose, and Col2Im.
import { constant, constantOf, type Dim, type DimShape, floorDiv, mul, product, sub } from '../../dims/index.ts'
import type { ElementType } from '../../model/element-type.ts'
import { askedShape, groupCount, kernelShape, perAxis } from '../attributes/windows.ts'
import type { Call } from '../call.ts'
import { type Known, tensor } from '../known.ts'
import type { Row } from '../row.ts'
import { convolvedSize, spreadSize, type Windows, windowsOf } from '../windows.ts'

/** Which inputs a convolution reads. */
export interface Operands {
  readonly data: number
  readonly weights: number
  readonly bias?: number
}

interface Convolution {
  readonly data: DimShape
  readonly weights: DimShape
  readonly group: number
  /** Undefined where the sizes of the kernel, or even their number, are not known. */
  readonly windows: Windows | undefined
  readonly rank: number | undefined
}

/** What is the same for all convolutions; data and weights have one rank. */
function convolution(call: Call, { data, weights }: Operands): Convolution {
  const [images, kernels] = [call.ranked(data, 3), call.ranked(weights, 3)]
  if (images !== null && kernels !== null && images.length !== kernels.length) {
    return call.fail(`data of rank ${images.length} meets weights of rank ${kernels.length}.`)
  }
  const group = groupCount(call)
  if (group <= 0) return call.fail(`there are ${group} groups.`)
  const said = kernelShape(call)?.map((size) => constant(size))
  const rank = images?.length ?? kernels?.length ?? (said && said.length + 2)
  if (said !== undefined && said.length + 2 !== rank) {
    return call.fail(`kernel_shape has ${said.length} sizes for rank ${rank}.`)
  }
  const held = kernels?.slice(2)
  for (const [axis, size] of said?.entries() ?? []) {
    if (held !== undefined) call.learn(held[axis]!, size, () => `kernel_shape and the weights differ on axis ${axis}.`)
  }
  const kernel = said ?? held
  return { data: images, weights: kernels, group, windows: kernel && windowsOf(call, kernel), rank }
}

/** How many channels come out: what the weights say, or the bias. */
function channels(call: Call, weights: Dim | undefined, bias: number | undefined): Dim {
  const [known] = bias !== undefined && call.has(bias) ? (call.ranked(bias, 1, 1) ?? []) : []
  if (weights !== undefined && known !== undefined) {
    call.learn(known, weights, () => 'the bias has another size than the channels of the result.')
  }
  return weights ?? known ?? call.fresh('channels')
}

/** The sizes behind batch and channels; fresh where they are not known. */
function spatialSizes(
  call: Call,
  data: DimShape,
  rank: number,
  windows: Windows | undefined,
  size: (input: Dim, axis: number) => Dim,
): readonly Dim[] {
  return Array.from({ length: rank - 2 }, (_, axis) =>
    data === null || windows === undefined ? call.fresh(axis + 2) : size(data[axis + 2]!, axis),
  )
}

/** A convolution's result; with `channelsLast` data and result have their channels last, weights as ever. */
export function convolved(
  call: Call,
  operands: Operands,
  element: ElementType | undefined,
  channelsLast = false,
): readonly Known[] {
  const { data: given, weights, group, windows, rank } = convolution(call, operands)
  const data = given !== null && channelsLast ? [given[0]!, given.at(-1)!, ...given.slice(1, -1)] : given
  if (data !== null && weights !== null) {
    call.learn(data[1]!, mul(weights[1]!, group), () => 'the data has another number of channels than the weights.')
  }
  const out = channels(call, weights?.[0], operands.bias)
  if (rank === undefined) return [tensor(element, null)]
  const sizes = spatialSizes(call, data, rank, windows, (input, axis) =>
    convolvedSize(call, input, windows!.axes[axis]!, windows!.padding, axis + 2),
  )
  const batch = data?.[0] ?? call.fresh('batch')
  return [tensor(element, channelsLast ? [batch, ...sizes, out] : [batch, out, ...sizes])]
}

/** Data, weights, bias. */
export const plain: Operands = { data: 0, weights: 1, bias: 2 }

const conv: Row = { name: 'Conv', infer: (call) => convolved(call, plain, call.element(0) ?? call.element(1)) }

/** Zero points follow, and there is no bias. */
const convInteger: Row = {
  name: 'ConvInteger',
  since: 10,
  infer: (call) => convolved(call, { data: 0, weights: 1 }, 'int32'),
}

/** The result has the type of its zero point. */
const qLinearConv: Row = {
  name: 'QLinearConv',
  since: 10,
  infer: (call) => convolved(call, { data: 0, weights: 3, bias: 8 }, call.element(7)),
}

/** Offsets tell for every place of the result where its samples lie. */
const deformConv: Row = {
  name: 'DeformConv',
  since: 19,
  infer: (call) => {
    const [result] = convolved(call, { data: 0, weights: 1, bias: 3 }, call.element(0))
    const { shape } = result as { shape: DimShape }
    const offset = call.shape(2)
    if (shape === null || offset?.length !== shape.length) return [result!]
    for (const axis of shape.keys()) {
      if (axis !== 1) call.learn(offset[axis]!, shape[axis]!, () => `the offsets have another size on axis ${axis}.`)
    }
    return [result!]
  },
}

/** Weights are (C, M/group, …). Sizes can be asked for, which decides the pads. */
const convTranspose: Row = {
  name: 'ConvTranspose',
  infer: (call) => {
    const element = call.element(0) ?? call.element(1)
    const { data, weights, group, windows, rank } = convolution(call, plain)
    if (data !== null && weights !== null) {
      call.learn(data[1]!, weights[0]!, () => 'the data has another number of channels than the weights.')
    }
    const out = channels(call, weights === null ? undefined : mul(weights[1]!, group), 2)
    if (rank === undefined) return [tensor(element, null)]
    const batch = data?.[0] ?? call.fresh('batch')
    // Some files ask for batch and channels too, which are not theirs to choose.
    const asked = askedShape(call)?.map((size) => constant(size))
    if (asked !== undefined) {
      if (asked.length !== rank && asked.length !== rank - 2) {
        return call.fail(`output_shape has ${asked.length} sizes for ${rank - 2} axes.`)
      }
      return [tensor(element, [batch, out, ...asked.slice(2 - rank).map((size, axis) => call.size(size, axis + 2))])]
    }
    const extra = perAxis(call, 'output_padding', rank - 2)
    const sizes = spatialSizes(call, data, rank, windows, (input, axis) =>
      spreadSize(call, input, windows!.axes[axis]!, windows!.padding, extra[axis]!, axis + 2),
    )
    return [tensor(element, [batch, out, ...sizes])]
  },
}

/** Columns of blocks put together to images whose size is an input: (N, C * block, L) to (N, C, …image). */
const col2Im: Row = {
  name: 'Col2Im',
  since: 18,
  infer: (call) => {
    const { element } = call.tensor(0)
    const columns = call.ranked(0, 3, 3)
    const [image, block] = [call.dims(1), call.dims(2)]
    const axes = image?.length ?? block?.length ?? call.count(1) ?? call.count(2)
    if (axes === undefined) return [tensor(element, null)]
    const batch = columns?.[0] ?? call.fresh('batch')
    const sizes = Array.from({ length: axes }, (_, axis) => call.size(image?.[axis], axis + 2))
    return [tensor(element, [batch, imageChannels(call, columns, block), ...sizes])]
  },
}

function imageChannels(call: Call, columns: DimShape, block: readonly (Dim | null)[] | undefined): Dim {
  const known = block?.every((size) => size !== null) === true
  const size = known ? product(block as readonly Dim[]) : undefined
  if (columns === null || size === undefined || constantOf(size) === 0n) return call.fresh('channels')
  return floorDiv(columns[1]!, size)
}

/** Remembers what the window saw last: the state has one element less than the kernel. */
const causalConvWithState: Row = {
  name: 'CausalConvWithState',
  since: 27,
  infer: (call) => {
    const { element } = call.tensor(0)
    const [data, weights] = [call.ranked(0, 3, 3), call.ranked(1, 3, 3)]
    const past = call.optional(3)?.shape
    const length = weights === null ? past?.[2] : sub(weights[2]!, 1)
    const state = [data?.[0] ?? past?.[0] ?? call.fresh('batch'), data?.[1] ?? weights?.[0] ?? call.fresh('channels')]
    return [tensor(element, data), tensor(element, [...state, length ?? call.fresh('length')])]
  },
}

export const convolutionRows: readonly Row[] = [
  ...[conv, convInteger, qLinearConv, deformConv, convTranspose, col2Im, causalConvWithState],
]
