// Pools: windows that take one element each, whole images taken together, and regions of images.
import { add, constant, type Dim, type DimShape, mul, sub } from '../../dims/index.ts'
import { kernelShape, perAxis, regionSize, roundsUp } from '../attributes/windows.ts'
import type { Call } from '../call.ts'
import { type Known, tensor } from '../known.ts'
import type { Row } from '../row.ts'
import { pooledSize, windowsOf } from '../windows.ts'

/** The shape of a pool's result; channels come second, or last. */
export function pooledShape(call: Call, dilate: boolean, channelsLast = false): DimShape {
  const shape = call.ranked(0, 3)
  const kernel = kernelShape(call)?.map((size) => constant(size))
  const rank = shape?.length ?? (kernel && kernel.length + 2)
  if (rank === undefined) return null
  if (kernel !== undefined && kernel.length + 2 !== rank) {
    return call.fail(`kernel_shape has ${kernel.length} sizes for rank ${rank}.`)
  }
  const windows = kernel && windowsOf(call, kernel, dilate)
  const ceil = roundsUp(call)
  const first = channelsLast ? 1 : 2
  const isWindowed = (axis: number): boolean => axis >= first && axis < first + rank - 2
  return Array.from({ length: rank }, (_, axis) => {
    if (shape === null) return call.fresh(axis)
    if (!isWindowed(axis)) return shape[axis]!
    if (windows === undefined) return call.fresh(axis)
    return pooledSize(call, shape[axis]!, windows.axes[axis - first]!, windows.padding, ceil, axis)
  })
}

/** Where each element was found comes second, as indices into the flat data. */
const maxPool: Row = {
  name: 'MaxPool',
  infer: (call) => {
    const shape = pooledShape(call, true)
    return [tensor(call.element(0), shape), tensor('int64', shape)]
  },
}

const averageRows: readonly Row[] = ['AveragePool', 'LpPool'].map((name) => ({
  name,
  infer: (call) => [tensor(call.element(0), pooledShape(call, true))],
}))

export const inferGlobal: Row['infer'] = (call) => {
  const { element } = call.tensor(0)
  const shape = call.ranked(0, 2)
  return [tensor(element, shape?.map((dim, axis) => (axis < 2 ? dim : constant(1))) ?? null)]
}

const globalRows: readonly Row[] = ['GlobalAveragePool', 'GlobalMaxPool', 'GlobalLpPool'].map((name) => ({
  name,
  infer: inferGlobal,
}))

/** Puts elements back to where MaxPool found them; the size is asked for, or the smallest that the windows cover. */
const maxUnpool: Row = {
  name: 'MaxUnpool',
  since: 9,
  infer: (call) => {
    const { element } = call.tensor(0)
    const shape = call.ranked(0, 3)
    if (call.has(2)) return [tensor(element, askedShape(call, shape?.length))]
    const kernel = kernelShape(call)?.map((size) => constant(size))
    if (shape === null || kernel === undefined) return [tensor(element, shape && call.freshShape(shape.length))]
    const rank = shape.length - 2
    if (kernel.length !== rank) return call.fail(`kernel_shape has ${kernel.length} sizes for rank ${rank + 2}.`)
    const [strides, pads] = [perAxis(call, 'strides', rank), perAxis(call, 'pads', rank)]
    const sizes = shape.slice(2).map((dim, axis) => {
      const covered = add(mul(sub(dim, 1), strides[axis]!), kernel[axis]!)
      return call.size(sub(covered, pads[axis]! + pads[axis + rank]!), axis + 2)
    })
    return [tensor(element, [...shape.slice(0, 2), ...sizes])]
  },
}

/** The shape that an input asks for. */
function askedShape(call: Call, rank: number | undefined): DimShape {
  const asked = call.dims(2)
  const axes = asked?.length ?? rank
  return axes === undefined ? null : Array.from({ length: axes }, (_, axis) => call.size(asked?.[axis], axis))
}

/** One result for each region: (regions, channels, height, width). */
function regions(call: Call, height: Dim, width: Dim): readonly Known[] {
  const { element } = call.tensor(0)
  const [data, boxes] = [call.ranked(0, 4, 4), call.ranked(1, 2, 2)]
  const first = [boxes?.[0] ?? call.fresh('regions'), data?.[1] ?? call.fresh('channels')]
  return [tensor(element, [...first, height, width])]
}

const maxRoiPool: Row = {
  name: 'MaxRoiPool',
  infer: (call) => {
    const [height, width, ...others] = call.attributes.ints('pooled_shape')
    if (height === undefined || width === undefined || others.length > 0) {
      return call.fail('pooled_shape is not a height and a width.')
    }
    return regions(call, constant(height), constant(width))
  },
}

const roiAlign: Row = {
  name: 'RoiAlign',
  since: 10,
  infer: (call) => {
    const [height, width] = regionSize(call)
    const batches = call.shape(2)
    const boxes = call.ranked(1, 2, 2)
    if (batches?.length === 1 && boxes !== null) {
      call.learn(batches[0]!, boxes[0]!, () => 'there are not as many batch indices as regions.')
    }
    return regions(call, constant(height), constant(width))
  },
}

export const poolingRows: readonly Row[] = [maxPool, ...averageRows, ...globalRows, maxUnpool, maxRoiPool, roiAlign]
