// Where the elements of a tensor lie in its storage: element (i, j, …) is at offset + i * strides[0] + j * strides[1] …
// Views (transpose, slice, broadcast, most reshapes) are new layouts over the same storage.
import { IndexError } from '../errors/index.ts'
import { elementCount, formatShape, type Shape } from '../shape/dim.ts'
import { show } from '../shape/show.ts'

export interface Layout {
  readonly shape: Shape
  /** Distance in elements between neighbours on each axis; 0 repeats, negative runs backwards. */
  readonly strides: readonly number[]
  /** Position of the first element. */
  readonly offset: number
}

/** Row-major strides. */
export function rowMajorStrides(shape: Shape): number[] {
  const strides = new Array<number>(shape.length)
  let stride = 1
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride
    stride *= shape[axis]!
  }
  return strides
}

export const rowMajor = (shape: Shape): Layout => ({ shape, strides: rowMajorStrides(shape), offset: 0 })

/** Whether the elements lie one after another in row-major order. */
export function isRowMajor({ shape, strides }: Layout): boolean {
  let stride = 1
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = shape[axis]!
    if (size === 0) return true
    if (size !== 1 && strides[axis] !== stride) return false
    stride *= size
  }
  return true
}

/** Lowest and highest position that the layout touches; undefined when it holds no element. */
export function extent({ shape, strides, offset }: Layout): { low: number; high: number } | undefined {
  let low = offset
  let high = offset
  for (let axis = 0; axis < shape.length; axis++) {
    const size = shape[axis]!
    if (size === 0) return undefined
    const reach = (size - 1) * strides[axis]!
    if (reach < 0) low += reach
    else high += reach
  }
  return { low, high }
}

/** Reorders axes: the new axis i is the old axis `order[i]`. */
export function transposed({ shape, strides, offset }: Layout, order: readonly number[]): Layout {
  const rank = shape.length
  const axes = order.map((axis) => normalAxis(axis, rank, 'transpose'))
  if (axes.length !== rank || new Set(axes).size !== rank) {
    throw new IndexError(
      `transpose(${order.join(', ')}) of shape ${formatShape(shape)}: name each of the ${rank} axes once.`,
      { value: order, size: rank },
    )
  }
  return { shape: axes.map((axis) => shape[axis]!), strides: axes.map((axis) => strides[axis]!), offset }
}

/** What an index or axis is instead of an integer: a text that looks like one is not outside of anything. */
function oddity(value: unknown): string {
  if (typeof value !== 'number') return `its type is ${typeof value}, not number; `
  return Number.isInteger(value) ? '' : 'it is not an integer; '
}

/** An axis counted from either end as one counted from the left. */
export function normalAxis(axis: number, rank: number, what: string): number {
  const normal = axis < 0 ? axis + rank : axis
  if (!Number.isInteger(axis) || normal < 0 || normal >= rank) {
    const range = rank === 0 ? 'a scalar has no axes' : `axes are -${rank} to ${rank - 1}`
    throw new IndexError(`${what}: axis ${show(axis)} does not exist in rank ${rank}; ${oddity(axis)}${range}.`, {
      value: axis,
      size: rank,
    })
  }
  return normal
}

/** `[start, stop, step]` as in NumPy; null or absent takes the whole; a number picks one index and drops the axis. */
export type Range = number | null | undefined | readonly [start?: number | null, stop?: number | null, step?: number]

export function sliced({ shape, strides, offset }: Layout, ranges: readonly Range[]): Layout {
  if (ranges.length > shape.length) {
    throw new IndexError(`slice: ${ranges.length} ranges for shape ${formatShape(shape)} of rank ${shape.length}.`, {
      value: ranges,
      size: shape.length,
    })
  }
  const sizes: number[] = []
  const steps: number[] = []
  let first = offset
  shape.forEach((size, axis) => {
    const range = ranges[axis]
    const stride = strides[axis]!
    if (typeof range === 'number') {
      first += normalIndex(range, size, axis) * stride
      return
    }
    if (range !== null && range !== undefined && !Array.isArray(range)) {
      throw new IndexError(
        `slice: ${show(range)} on axis ${axis} is no range; ranges are numbers and [start, stop, step].`,
        { value: range, axis, size },
      )
    }
    const { start, count, step } = normalRange(range ?? [], size, axis)
    if (count > 0) first += start * stride
    sizes.push(count)
    steps.push(stride * step)
  })
  return { shape: sizes, strides: steps, offset: first }
}

/** An index counted from either end as one counted from the left. */
export function normalIndex(index: number, size: number, axis: number): number {
  const normal = index < 0 ? index + size : index
  if (!Number.isInteger(index) || normal < 0 || normal >= size) {
    const range = size === 0 ? 'it holds nothing' : `indices are -${size} to ${size - 1}`
    throw new IndexError(`index ${show(index)} on axis ${axis} of size ${size}: ${oddity(index)}${range}.`, {
      value: index,
      axis,
      size,
    })
  }
  return normal
}

function normalRange(range: Exclude<Range, number | null | undefined>, size: number, axis: number) {
  const [start, stop, step = 1] = range
  for (const value of [start ?? 0, stop ?? 0, step]) {
    if (!Number.isInteger(value)) {
      throw new IndexError(`slice: ${show(value)} on axis ${axis} is not an integer.`, { value, axis, size })
    }
  }
  if (step === 0)
    throw new IndexError(`slice: step 0 on axis ${axis}; a step is at least 1, or at most -1 to run backwards.`, {
      value: step,
      axis,
      size,
    })
  const clamp = (value: number, low: number, high: number) =>
    Math.min(Math.max(value < 0 ? value + size : value, low), high)
  const [low, high] = step > 0 ? [0, size] : [-1, size - 1]
  const from = start === null || start === undefined ? (step > 0 ? low : high) : clamp(start, low, high)
  const to = stop === null || stop === undefined ? (step > 0 ? high : low) : clamp(stop, low, high)
  return { start: from, count: Math.max(0, Math.ceil((to - from) / step)), step }
}

/** The layout of an operand seen in the shape of a result: stretched and padded axes get stride 0. */
export function spread(layout: Layout, shape: Shape, axes: readonly number[]): Layout {
  const strides = new Array<number>(shape.length).fill(0)
  axes.forEach((place, axis) => {
    if (place >= 0 && layout.shape[axis] !== 1) strides[place] = layout.strides[axis]!
  })
  return { shape, strides, offset: layout.offset }
}

/** The same elements in another shape without moving them; undefined when that needs a copy. */
export function respelled({ shape, strides, offset }: Layout, target: Shape): Layout | undefined {
  if (elementCount(target) === 0) return { shape: target, strides: rowMajorStrides(target), offset }
  const old = shape.flatMap((size, axis) => (size === 1 ? [] : [{ size, stride: strides[axis]! }]))
  const result = new Array<number>(target.length)
  let at = 0
  let axis = 0
  while (axis < target.length) {
    if (target[axis] === 1) {
      result[axis++] = 0
      continue
    }
    // Gather old and new axes until both hold the same number of elements.
    let oldCount = old[at]!.size
    let newCount = target[axis]!
    let oldEnd = at + 1
    let newEnd = axis + 1
    while (oldCount !== newCount) {
      if (oldCount < newCount) oldCount *= old[oldEnd++]!.size
      else newCount *= target[newEnd++]!
    }
    for (let i = at; i < oldEnd - 1; i++) if (old[i]!.stride !== old[i + 1]!.stride * old[i + 1]!.size) return undefined
    let stride = old[oldEnd - 1]!.stride
    for (let i = newEnd - 1; i >= axis; i--) {
      result[i] = stride
      stride *= target[i]!
    }
    at = oldEnd
    axis = newEnd
  }
  return { shape: target, strides: result, offset }
}
