// Images resized and sampled: Resize and Upsample, GridSample, AffineGrid, ImageDecoder.
import { bounds, constant, constantOf, type Dim, type DimShape, floorScale, isEqual, mul } from '../../dims/index.ts'
import { distinctAxes } from '../arguments.ts'
import { aspectPolicy, resizedAxes, transformation, upsampleScales } from '../attributes/resize.ts'
import type { Call } from '../call.ts'
import { type Known, numberOfScalar, type Scalar, tensor } from '../known.ts'
import type { Row } from '../row.ts'

/** Fractions whose numerator is at most this times a size are exact in 32 bits, whatever the size of an image. */
const MAX_NUMERATOR = 256n

/** Whether a scale is a fraction of a small numerator and a power of two. */
function isExact(scale: number): boolean {
  let numerator = scale
  while (!Number.isInteger(numerator)) numerator *= 2
  return BigInt(numerator) <= MAX_NUMERATOR
}

/**
 * floor(size * scale). ONNX's text means the product itself; engines round it to 32 bits before. The two differ for
 * scales like 0.7, where 10 * 0.7 is a little less than 7; such a size is not known.
 */
function scaled(call: Call, size: Dim, scale: Scalar | undefined, axis: number): Dim {
  if (scale === undefined || scale === null) return call.fresh(axis)
  const number = numberOfScalar(scale)
  if (number === undefined) return typeof scale === 'number' ? call.fresh(axis) : call.size(mul(size, scale), axis)
  if (!(number > 0) || !Number.isFinite(number)) return call.fail(`axis ${axis} is scaled by ${number}.`)
  if (isExact(number)) return floorScale(size, number)
  const fixed = constantOf(size)
  if (fixed === undefined) return call.fresh(axis)
  const exact = constantOf(floorScale(size, number))!
  return exact === BigInt(Math.floor(Math.fround(Number(fixed) * number))) ? constant(exact) : call.fresh(axis)
}

/** The scales of input i; undefined when not known. An empty tensor counts as left out, see `isGiven`. */
const scalarsOf = (call: Call, i: number): readonly Scalar[] | undefined => call.optional(i)?.values

/** Whether an input is there and has elements; undefined when that is not known. */
function isGiven(call: Call, i: number): boolean | undefined {
  if (!call.has(i)) return false
  const { shape } = call.tensor(i)
  const empty = shape?.length === 1 ? isEqual(shape[0]!, 0) : shape === null ? undefined : false
  return empty === undefined ? (shape !== null && bounds(shape[0]!).min > 0 ? true : undefined) : !empty
}

/** A shape whose axes are scaled; those that are not named stay. */
function scaledShape(
  call: Call,
  shape: readonly Dim[],
  axes: readonly number[],
  scales: readonly Scalar[] | undefined,
): readonly Dim[] {
  if (scales !== undefined && scales.length !== axes.length) {
    return call.fail(`there are ${scales.length} scales for ${axes.length} axes.`)
  }
  const result = [...shape]
  for (const [i, axis] of axes.entries()) result[axis] = scaled(call, shape[axis]!, scales?.[i], axis)
  return result
}

/** Sizes that are limits: all axes are scaled by the same number, the least or the most that the sizes ask for. */
function limited(
  call: Call,
  shape: readonly Dim[],
  axes: readonly number[],
  sizes: readonly (Dim | null)[],
  policy: string,
): readonly Dim[] {
  if (policy !== 'not_larger' && policy !== 'not_smaller') {
    return call.fail(`keep_aspect_ratio_policy is ${JSON.stringify(policy)}.`)
  }
  // By the text an axis counted from the end is one like others; engines leave it out, so that nothing is certain.
  const fromEnd = resizedAxes(call)?.some((axis) => axis < 0) === true
  if (axes.length === 1 && !fromEnd) return shape.with(axes[0]!, call.size(sizes[0], axes[0]!))
  const [own, asked] = [axes.map((axis) => constantOf(shape[axis]!)), sizes.map((size) => size && constantOf(size))]
  const known = !fromEnd && [...own, ...asked].every((size) => size !== undefined && size !== null && size > 0n)
  const result = [...shape]
  for (const [i, axis] of axes.entries()) {
    const rounded = known ? roundings(own as bigint[], asked as bigint[], i, policy) : []
    result[axis] = rounded.length === 1 ? constant(rounded[0]!) : call.fresh(axis)
  }
  return result
}

/** What axis i becomes, computed in 64 bits as ONNX does it and in 32 as engines do; one number where they agree. */
function roundings(own: readonly bigint[], asked: readonly bigint[], i: number, policy: string): readonly number[] {
  const pick = policy === 'not_larger' ? Math.min : Math.max
  const [double, single] = [(x: number) => x, Math.fround].map((round) => {
    const scale = pick(...own.map((size, at) => round(round(Number(asked[at])) / round(Number(size)))))
    return Math.round(round(scale * Number(own[i])))
  })
  return double === single ? [double!] : [double!, single!]
}

/** Which axes `scales` and `sizes` speak of. */
function axesOf(call: Call, rank: number): readonly number[] {
  const given = resizedAxes(call)
  return given === undefined ? Array.from({ length: rank }, (_, axis) => axis) : distinctAxes(call, given, rank)
}

/** Whether the region that is cut out first is the whole image. */
function isWhole(call: Call, count: number): boolean {
  if (transformation(call) !== 'tf_crop_and_resize') return true
  const region = call.numbers(1)
  return region?.length === 2 * count && region.every((edge, i) => edge === (i < count ? 0 : 1))
}

/** Inputs are data, region, scales and sizes, of which one of the last two is left out or empty. */
const resize11: Row = {
  name: 'Resize',
  since: 11,
  infer: (call) => {
    const { element, shape } = call.tensor(0)
    if (shape === null) return [tensor(element, rankOnly(call))]
    const axes = axesOf(call, shape.length)
    const [byScales, bySizes] = [isGiven(call, 2), isGiven(call, 3)]
    if (byScales === false && bySizes === false) return call.fail('neither scales nor sizes are given.')
    if (byScales === true && bySizes === true) return call.fail('both scales and sizes are given.')
    if (bySizes === true || byScales === false) return [tensor(element, sizedShape(call, shape, axes))]
    if (byScales === true || bySizes === false) {
      // Engines do not agree whether the size of a region that is cut out counts.
      const scales = isWhole(call, axes.length) ? scalarsOf(call, 2) : undefined
      return [tensor(element, scaledShape(call, shape, axes, scales))]
    }
    const open = new Set(axes)
    return [
      tensor(
        element,
        call.freshShape(shape.length, (axis) => (open.has(axis) ? null : shape[axis])),
      ),
    ]
  },
}

/** Sizes for all axes tell the rank too. */
function rankOnly(call: Call): DimShape {
  if (resizedAxes(call) !== undefined) return null
  const count = [3, 2].map((i) => call.count(i)).find((each) => each !== undefined && each > 0)
  return count === undefined ? null : call.freshShape(count)
}

function sizedShape(call: Call, shape: readonly Dim[], axes: readonly number[]): readonly Dim[] {
  const sizes = call.dims(3) ?? axes.map(() => null)
  if (sizes.length !== axes.length) return call.fail(`there are ${sizes.length} sizes for ${axes.length} axes.`)
  const policy = aspectPolicy(call)
  if (policy !== 'stretch') return limited(call, shape, axes, sizes, policy)
  const result = [...shape]
  for (const [i, axis] of axes.entries()) result[axis] = call.size(sizes[i], axis)
  return result
}

/** Every axis scaled by a number of a list. */
function scaledWhole(call: Call, scales: readonly Scalar[] | undefined): readonly Known[] {
  const { element, shape } = call.tensor(0)
  if (shape === null) return [tensor(element, scales === undefined ? null : call.freshShape(scales.length))]
  const axes = shape.map((_, axis) => axis)
  return [tensor(element, scaledShape(call, shape, axes, scales))]
}

const resize10: Row = { name: 'Resize', since: 10, infer: (call) => scaledWhole(call, scalarsOf(call, 1)) }

const upsample9: Row = { name: 'Upsample', since: 9, infer: (call) => scaledWhole(call, scalarsOf(call, 1)) }

const upsample7: Row = {
  name: 'Upsample',
  since: 7,
  infer: (call) => scaledWhole(call, upsampleScales(call)),
}

/** At first of images alone. */
const upsample1: Row = {
  name: 'Upsample',
  infer: (call) => {
    const { attributes } = call
    call.ranked(0, 4, 4)
    return scaledWhole(call, [1, 1, attributes.float('height_scale'), attributes.float('width_scale')])
  },
}

/** Channels of the data, places of the grid. */
export const inferGridSample: Row['infer'] = (call) => {
  const { element } = call.tensor(0)
  const [data, grid] = [call.ranked(0, 3), call.ranked(1, 3)]
  if (data !== null && grid !== null) {
    if (data.length !== grid.length)
      return call.fail(`data of rank ${data.length} meets a grid of rank ${grid.length}.`)
    call.learn(data[0]!, grid[0]!, () => 'data and grid have different batches.')
    call.learn(grid.at(-1)!, grid.length - 2, () => 'the grid does not name one place for each axis.')
  }
  const rank = data?.length ?? grid?.length
  if (rank === undefined) return [tensor(element, null)]
  const first = [data?.[0] ?? grid?.[0], data?.[1]]
  return [
    tensor(
      element,
      call.freshShape(rank, (axis) => (axis < 2 ? first[axis] : grid?.[axis - 1])),
    ),
  ]
}

const gridSample: Row = { name: 'GridSample', since: 16, infer: inferGridSample }

/** From (N, 2, 3) and the size (N, C, H, W) to (N, H, W, 2); one axis more in space. */
const affineGrid: Row = {
  name: 'AffineGrid',
  since: 20,
  infer: (call) => {
    const theta = call.ranked(0, 3, 3)
    const size = call.dims(1)
    const count = call.count(1)
    const known = theta === null ? undefined : constantOf(theta[1]!)
    const axes = known === undefined ? count && count - 2 : Number(known)
    if (axes === undefined) return [tensor(call.element(0), null)]
    if (axes !== 2 && axes !== 3) return call.fail(`a grid has 2 or 3 axes, not ${axes}.`)
    if (count !== undefined && count !== axes + 2) return call.fail(`there are ${count} sizes for ${axes} axes.`)
    const batch = theta?.[0] ?? call.size(size?.[0], 'batch')
    const sizes = Array.from({ length: axes }, (_, axis) => call.size(size?.[axis + 2], axis + 1))
    return [tensor(call.element(0), [batch, ...sizes, constant(axes)])]
  },
}

/** Height, width and channels; all of them 0 where nothing can be decoded. */
const imageDecoder: Row = {
  name: 'ImageDecoder',
  since: 20,
  infer: (call) => [tensor('uint8', call.freshShape(3))],
}

export const imageRows: readonly Row[] = [
  ...[resize11, resize10, upsample9, upsample7, upsample1, gridSample, affineGrid, imageDecoder],
]
