// Elements by index: Gather and its kin, and the operators that write by index.
import { type Bound, bounds, constant, constantOf, type Dim, product } from '../../dims/index.ts'
import { axisOf } from '../attributes/axes.ts'
import { batchDims } from '../attributes/forms.ts'
import type { Call } from '../call.ts'
import { stridesOf } from '../elements.ts'
import { dimOfScalar, type KnownTensor, type Scalar, sizesOf, smallCount, tensor } from '../known.ts'
import type { Row } from '../row.ts'

/** An index counted from the front; the node fails when it is outside the axis. */
function placeOf(call: Call, index: bigint, size: bigint): number {
  if (index < -size || index >= size) return call.fail(`index ${index} is outside an axis of size ${size}.`)
  return Number(index < 0n ? index + size : index)
}

/** Elements that Gather takes along an axis, where sizes and indices are numbers. */
function gatheredValues(
  call: Call,
  data: KnownTensor,
  indices: KnownTensor,
  axis: number,
  shape: readonly Dim[],
): Scalar[] | undefined {
  const own = sizesOf(data.shape)
  const { values } = data
  if (values === undefined || own === undefined || indices.values === undefined) return undefined
  if (smallCount(shape) === undefined) return undefined
  const places = indices.values.map((value) => {
    const dim = dimOfScalar(value)
    const index = dim === null ? undefined : constantOf(dim)
    return index === undefined ? undefined : placeOf(call, index, BigInt(own[axis]!))
  })
  const inner = stridesOf(own)[axis]!
  const outer = own.slice(0, axis).reduce((a, b) => a * b, 1)
  const gathered: Scalar[] = []
  for (let o = 0; o < outer; o++) {
    for (const place of places) {
      for (let i = 0; i < inner; i++) {
        gathered.push(place === undefined ? null : values[(o * own[axis]! + place) * inner + i]!)
      }
    }
  }
  return gathered
}

const gather: Row = {
  name: 'Gather',
  infer: (call) => {
    const [data, indices] = [call.tensor(0), call.tensor(1)]
    const shape = call.ranked(0, 1)
    if (shape === null || indices.shape === null) return [tensor(data.element, null)]
    const axis = call.axis(axisOf(call), shape.length)
    const gathered = [...shape.slice(0, axis), ...indices.shape, ...shape.slice(axis + 1)]
    return [tensor(data.element, gathered, gatheredValues(call, data, indices, axis, gathered))]
  },
}

const gatherElements: Row = {
  name: 'GatherElements',
  since: 11,
  infer: (call) => {
    const [data, indices] = [call.tensor(0), call.tensor(1)]
    if (data.shape !== null && indices.shape !== null && data.shape.length !== indices.shape.length) {
      return call.fail(`indices have rank ${indices.shape.length}, data has rank ${data.shape.length}.`)
    }
    return [tensor(data.element, indices.shape)]
  },
}

const gatherNd: Row = {
  name: 'GatherND',
  since: 11,
  infer: (call) => {
    const { element } = call.tensor(0)
    const [data, indices] = [call.ranked(0, 1), call.ranked(1, 1)]
    const batch = batchDims(call)
    const depth = indices === null ? undefined : constantOf(indices.at(-1)!)
    if (data === null || indices === null || depth === undefined) return [tensor(element, null)]
    const taken = batch + Number(depth)
    if (batch >= indices.length || taken > data.length) {
      return call.fail(`indices of ${taken} axes do not fit data of rank ${data.length}.`)
    }
    for (let axis = 0; axis < batch; axis++) {
      call.learn(data[axis]!, indices[axis]!, () => `batch axis ${axis} has different sizes.`)
    }
    return [tensor(element, [...indices.slice(0, -1), ...data.slice(taken)])]
  },
}

/** What is written into has the shape of the result. */
const scatterRows: readonly Row[] = ['Scatter', 'ScatterElements', 'ScatterND', 'TensorScatter'].map((name) => ({
  name,
  infer: (call) => {
    const { element, shape } = call.tensor(0)
    return [tensor(element, shape)]
  },
}))

/** How many of `size` elements a condition chooses: it may be shorter, and what it says beyond them does not count. */
function chosenOf(call: Call, size: Dim | null): Dim {
  const { min, max } = size === null ? { min: 0n, max: Number.POSITIVE_INFINITY } : bounds(size)
  const condition = call.numbers(1)
  if (condition === undefined) return call.fresh('count', { min: 0, max: smaller(max, call.count(1)) })
  const among = (most: Bound): bigint => BigInt(condition.slice(0, Number(most)).filter((value) => value !== 0).length)
  const [least, most] = [among(min), among(max)]
  return least === most ? constant(most) : call.fresh('count', { min: least, max: most })
}

/** The smaller of two limits; null where there is none. */
function smaller(a: Bound, b: number | undefined): bigint | null {
  const limits = [a, ...(b === undefined ? [] : [BigInt(b)])].filter((limit) => typeof limit === 'bigint')
  return limits.length === 0 ? null : limits.reduce((x, y) => (y < x ? y : x))
}

const compress: Row = {
  name: 'Compress',
  since: 9,
  infer: (call) => {
    const { element, shape } = call.tensor(0)
    if (!call.attributes.has('axis')) return [tensor(element, [chosenOf(call, shape && product(shape))])]
    if (shape === null) return [tensor(element, null)]
    const axis = call.axis(call.attributes.int('axis'), shape.length)
    return [tensor(element, shape.with(axis, chosenOf(call, shape[axis]!)))]
  },
}

const oneHot: Row = {
  name: 'OneHot',
  since: 9,
  infer: (call) => {
    const [indices, values] = [call.tensor(0), call.tensor(2)]
    const depth = call.size(call.dims(1)?.[0], 'depth')
    if (indices.shape === null) return [tensor(values.element, null)]
    const axis = call.axis(axisOf(call), indices.shape.length + 1)
    return [tensor(values.element, indices.shape.toSpliced(axis, 0, depth))]
  },
}

export const gatherRows: readonly Row[] = [gather, gatherElements, gatherNd, ...scatterRows, compress, oneHot]
