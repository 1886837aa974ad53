// Operators that only move elements, each as the index from which every element of its result comes. Names and meaning
// are ONNX's (Concat, Split, Squeeze, Unsqueeze, Gather, Tile, Pad), with NumPy's modes of padding and its flip and stack.
import { SpecError } from '../error.ts'
import { define, type Index, type Shape, type SpecTensor } from '../tensor.ts'

const axisIn = (axis: number, rank: number): number => {
  if (!Number.isInteger(axis) || axis < -rank || axis >= rank)
    throw new SpecError('shape', `no axis ${axis} in rank ${rank}`)
  return axis < 0 ? axis + rank : axis
}

const axesIn = (axes: readonly number[], rank: number): number[] => {
  const normal = axes.map((axis) => axisIn(axis, rank))
  if (new Set(normal).size < normal.length) throw new SpecError('shape', 'an axis is named twice')
  return normal
}

/** Concat: an index on the axis belongs to the first tensor that has not ended before it. */
export function concat<T>(tensors: readonly SpecTensor<T>[], axis: number): SpecTensor<T> {
  const [first] = tensors
  if (first === undefined) throw new SpecError('shape', 'there is nothing to concatenate')
  const { shape } = first
  const along = axisIn(axis, shape.length)
  for (const { shape: other } of tensors) {
    if (other.length !== shape.length || other.some((size, i) => i !== along && size !== shape[i])) {
      throw new SpecError('shape', 'sizes differ beside the axis')
    }
  }
  const total = tensors.reduce((sum, { shape: each }) => sum + each[along]!, 0)
  return define(shape.with(along, total), (index) => {
    let i = index[along]!
    const part = tensors.find(({ shape: each }) => {
      if (i < each[along]!) return true
      i -= each[along]!
      return false
    })!
    return part.at(index.with(along, i))
  })
}

/** Stack: Concat along an axis that is new to each. */
export const stack = <T>(tensors: readonly SpecTensor<T>[], axis: number): SpecTensor<T> =>
  concat(
    tensors.map((tensor) => unsqueeze(tensor, [axis])),
    axis,
  )

/** Split: parts of these sizes, which make the axis. */
export function split<T>(x: SpecTensor<T>, sizes: readonly number[], axis: number): SpecTensor<T>[] {
  const along = axisIn(axis, x.shape.length)
  if (sizes.reduce((sum, size) => sum + size, 0) !== x.shape[along])
    throw new SpecError('shape', 'parts do not make the axis')
  return sizes.map((size, part) => {
    const start = sizes.slice(0, part).reduce((sum, each) => sum + each, 0)
    return define(x.shape.with(along, size), (index) => x.at(index.with(along, index[along]! + start)))
  })
}

/** Squeeze: named axes of size 1 go, or all of them. */
export function squeeze<T>(x: SpecTensor<T>, axes?: readonly number[]): SpecTensor<T> {
  const { shape } = x
  const gone = axes === undefined ? shape.flatMap((size, i) => (size === 1 ? [i] : [])) : axesIn(axes, shape.length)
  if (gone.some((axis) => shape[axis] !== 1)) throw new SpecError('shape', 'an axis has another size than 1')
  const kept = shape.flatMap((_, i) => (gone.includes(i) ? [] : [i]))
  return define(
    kept.map((axis) => shape[axis]!),
    (index) => x.at(shape.map((_, axis) => (gone.includes(axis) ? 0 : index[kept.indexOf(axis)]!))),
  )
}

/** Unsqueeze: axes of the result that are new have size 1. */
export function unsqueeze<T>(x: SpecTensor<T>, axes: readonly number[]): SpecTensor<T> {
  const rank = x.shape.length + axes.length
  const fresh = axesIn(axes, rank)
  const old = Array.from({ length: rank }, (_, axis) => axis).filter((axis) => !fresh.includes(axis))
  const shape = Array.from({ length: rank }, (_, axis) => (fresh.includes(axis) ? 1 : x.shape[old.indexOf(axis)]!))
  return define(shape, (index) => x.at(old.map((axis) => index[axis]!)))
}

/** Elements in the opposite order along axes. */
export function flip<T>(x: SpecTensor<T>, axes: readonly number[] = x.shape.map((_, axis) => axis)): SpecTensor<T> {
  const turned = axesIn(axes, x.shape.length)
  return define(x.shape, (index) => x.at(index.map((i, axis) => (turned.includes(axis) ? x.shape[axis]! - 1 - i : i))))
}

/** Gather: the axis becomes the axes of the indices, which count from the end when negative. */
export function gather<T>(x: SpecTensor<T>, indices: SpecTensor<number>, axis: number): SpecTensor<T> {
  const along = axisIn(axis, x.shape.length)
  const size = x.shape[along]!
  const rank = indices.shape.length
  return define(x.shape.toSpliced(along, 1, ...indices.shape), (index) => {
    const i = indices.at(index.slice(along, along + rank))
    if (i < -size || i >= size) throw new SpecError('value', `no index ${i}`)
    return x.at(index.toSpliced(along, rank, i < 0 ? i + size : i))
  })
}

/** Tile: element i of an axis is element i modulo its size. */
export function tile<T>(x: SpecTensor<T>, repeats: Shape): SpecTensor<T> {
  if (repeats.length !== x.shape.length) throw new SpecError('shape', 'repeats differ in number from axes')
  return define(
    x.shape.map((size, axis) => size * repeats[axis]!),
    (index) => x.at(index.map((i, axis) => i % x.shape[axis]!)),
  )
}

/** What Pad puts around a tensor. */
export type PadMode = 'constant' | 'edge' | 'reflect' | 'symmetric' | 'wrap'

/** A walk from inside the axis to a position beside it, one step at a time, as the mode goes on at an end. */
function walked(mode: PadMode, position: number, size: number): number {
  if (mode === 'edge') return position < 0 ? 0 : position >= size ? size - 1 : position
  if (mode === 'wrap') return walkedRound(position, size)
  let at = 0
  let direction = 1
  for (let step = 0; step < Math.abs(position); step++) {
    // Below 0 the axis is walked as its mirror image.
    const next = at + direction
    if (next >= 0 && next < size) at = next
    else if (mode === 'symmetric') direction = -direction
    else {
      direction = -direction
      at = size === 1 ? 0 : at + direction
    }
  }
  if (position >= 0) return at
  // To the left of 0 lies 1 (reflect) or 0 itself (symmetric), and from there it goes on as to the right.
  return mode === 'reflect' ? at : walked(mode, -position - 1, size)
}

const walkedRound = (position: number, size: number): number => {
  let at = position
  while (at < 0) at += size
  while (at >= size) at -= size
  return at
}

/** Pad: elements before and behind each axis, where negative numbers take away; what is left is what modes repeat. */
export function pad<T>(
  x: SpecTensor<T>,
  pads: readonly (readonly [before: number, behind: number])[],
  mode: PadMode,
  value: T,
): SpecTensor<T> {
  const first = pads.map(([before]) => Math.max(0, -before))
  const left = x.shape.map((size, axis) => size - first[axis]! - Math.max(0, -pads[axis]![1]))
  const shape = x.shape.map((size, axis) => size + pads[axis]![0] + pads[axis]![1])
  if ((mode === 'constant' ? shape : left).some((size) => size < 0)) {
    throw new SpecError('shape', 'more is taken away than there is')
  }
  if (mode !== 'constant' && left.some((size, axis) => size === 0 && shape[axis]! > 0)) {
    throw new SpecError('shape', 'there is nothing to repeat')
  }
  const from = (index: Index): Index => index.map((i, axis) => i - Math.max(0, pads[axis]![0]))
  return define(shape, (index) => {
    const position = from(index)
    if (mode !== 'constant') return x.at(position.map((i, axis) => first[axis]! + walked(mode, i, left[axis]!)))
    const inside = position.every((i, axis) => i >= 0 && i < left[axis]!)
    return inside ? x.at(position.map((i, axis) => first[axis]! + i)) : value
  })
}
