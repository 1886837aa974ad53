// Operators that give the same elements another shape.
import {
  bounds,
  constant,
  constantOf,
  type Dim,
  type DimShape,
  floorDiv,
  isDivisible,
  isEqual,
  mul,
  product,
} from '../../dims/index.ts'
import { distinctAxes, type Integers, integers, numbers } from '../arguments.ts'
import { reshapeShape, squeezeAxes } from '../attributes/arguments.ts'
import { axisOf } from '../attributes/axes.ts'
import { blockSize, keepsZero } from '../attributes/forms.ts'
import type { Call } from '../call.ts'
import { type KnownTensor, tensor } from '../known.ts'
import type { Row } from '../row.ts'

/** The tensor in another shape; its elements stay as they are. */
const reshaped = ({ element, values }: KnownTensor, shape: DimShape): KnownTensor => tensor(element, shape, values)

/** The sizes that Reshape is asked for: a size, `rest` for -1, or not known. */
type Wanted = Dim | 'rest' | undefined

/** What one element of the target means, where the data has `own` on that axis (undefined: no such axis). */
function wantedSize(call: Call, target: Dim | null, own: Dim | undefined | null, keepZero: boolean): Wanted {
  if (target === null) return undefined
  const value = constantOf(target)
  if (value === -1n) return 'rest'
  if (value === 0n && !keepZero) {
    if (own === undefined) return call.fail('a 0 in the shape stands where the data has no axis.')
    return own ?? undefined
  }
  if (value !== undefined) return value < 0n ? call.fail(`the shape holds ${value}.`) : target
  const { min } = bounds(target)
  if (min >= 1 || (min >= 0 && keepZero)) return target
  // It may be 0, and then means the data's size on that axis.
  return min >= 0 && own && isEqual(target, own) === true ? target : undefined
}

/** One size is what the others leave of the elements. */
function restOf(call: Call, total: Dim, others: Dim): Dim {
  if (isEqual(others, 0) === true) return call.fresh('rest')
  if (isDivisible(total, others) === false) call.fail('the elements do not fill the shape.')
  return floorDiv(total, others)
}

function reshapedTo(call: Call, data: DimShape, wanted: readonly Wanted[]): readonly Dim[] {
  const known = wanted.filter((size): size is Dim => typeof size === 'object')
  const open = wanted.length - known.length
  if (wanted.filter((size) => size === 'rest').length > 1) return call.fail('the shape holds -1 twice.')
  if (data === null || open > 1) return wanted.map((size, axis) => (typeof size === 'object' ? size : call.fresh(axis)))
  const total = product(data)
  if (open === 0) {
    call.learn(total, product(known), () => 'the shape has another number of elements than the data.')
    return known
  }
  const rest = restOf(call, total, product(known))
  return wanted.map((size) => (typeof size === 'object' ? size : rest))
}

const reshape: Row = {
  name: 'Reshape',
  infer: (call) => {
    const data = call.tensor(0)
    const target: Integers = integers(call, reshapeShape)
    if (target === undefined) return call.fail('it has no shape.')
    if (target === null) {
      const rank = call.count(1)
      return [reshaped(data, rank === undefined ? null : call.freshShape(rank))]
    }
    const keepZero = keepsZero(call)
    const own = (axis: number): Dim | undefined | null => (data.shape === null ? null : data.shape[axis])
    const wanted = target.map((size, axis) => wantedSize(call, size, own(axis), keepZero))
    return [reshaped(data, reshapedTo(call, data.shape, wanted))]
  },
}

const flatten: Row = {
  name: 'Flatten',
  infer: (call) => {
    const data = call.tensor(0)
    const { shape } = data
    if (shape === null) return [tensor(data.element, call.freshShape(2))]
    const given = axisOf(call)
    const axis = given === shape.length ? given : call.axis(given, Math.max(shape.length, 1))
    return [reshaped(data, [product(shape.slice(0, axis)), product(shape.slice(axis))])]
  },
}

const squeeze: Row = {
  name: 'Squeeze',
  infer: (call) => {
    const data = call.tensor(0)
    const { shape } = data
    const axes = numbers(call, squeezeAxes)
    if (shape === null) return [reshaped(data, null)]
    if (axes === null) {
      const count = call.count(1)
      return [reshaped(data, count === undefined ? null : call.freshShape(shape.length - count))]
    }
    if (axes === undefined) {
      const ones = shape.map((dim) => isEqual(dim, 1))
      return [reshaped(data, ones.includes(undefined) ? null : shape.filter((_, axis) => !ones[axis]))]
    }
    const gone = new Set(distinctAxes(call, axes, shape.length))
    for (const axis of gone) call.learn(shape[axis]!, 1, () => `axis ${axis} is not of size 1.`)
    return [
      reshaped(
        data,
        shape.filter((_, axis) => !gone.has(axis)),
      ),
    ]
  },
}

const unsqueeze: Row = {
  name: 'Unsqueeze',
  infer: (call) => {
    const data = call.tensor(0)
    const { shape } = data
    const axes = numbers(call, squeezeAxes)
    if (axes === undefined) return call.fail('it has no axes.')
    if (shape === null) return [reshaped(data, null)]
    const count = axes?.length ?? call.count(1)
    if (count === undefined) return [reshaped(data, null)]
    const rank = shape.length + count
    if (axes === null) return [reshaped(data, call.freshShape(rank))]
    const added = new Set(distinctAxes(call, axes, rank))
    let next = 0
    return [
      reshaped(
        data,
        Array.from({ length: rank }, (_, axis) => (added.has(axis) ? constant(1) : shape[next++]!)),
      ),
    ]
  },
}

/** A factor of the size of an axis. */
const divided = (call: Call, dim: Dim, by: number, axis: number): Dim => {
  if (isDivisible(dim, by) === false) call.fail(`the size of axis ${axis} is no multiple of ${by}.`)
  return floorDiv(dim, by)
}

const depthToSpace: Row = {
  name: 'DepthToSpace',
  infer: (call) => {
    const { element } = call.tensor(0)
    const shape = call.ranked(0, 4, 4)
    const block = blockSize(call)
    if (shape === null) return [tensor(element, call.freshShape(4))]
    const [n, c, h, w] = shape as [Dim, Dim, Dim, Dim]
    return [tensor(element, [n, divided(call, c, block * block, 1), mul(h, block), mul(w, block)])]
  },
}

const spaceToDepth: Row = {
  name: 'SpaceToDepth',
  infer: (call) => {
    const { element } = call.tensor(0)
    const shape = call.ranked(0, 4, 4)
    const block = blockSize(call)
    if (shape === null) return [tensor(element, call.freshShape(4))]
    const [n, c, h, w] = shape as [Dim, Dim, Dim, Dim]
    return [tensor(element, [n, mul(c, block * block), divided(call, h, block, 2), divided(call, w, block, 3)])]
  },
}

export const reshapeRows: readonly Row[] = [reshape, flatten, squeeze, unsqueeze, depthToSpace, spaceToDepth]
