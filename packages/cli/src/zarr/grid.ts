// A regular grid over an array: which of its cells a block touches, and the block of elements in each.

/** The part of a block that lies in one cell of a grid. */
export interface Part {
  /** Of the cell. */
  readonly index: readonly number[]
  /** Indices in the array, `end` exclusive. */
  readonly begin: readonly number[]
  readonly end: readonly number[]
}

/** Every cell that a block touches, in row-major order; none where the block is empty. */
export function* partsOf(begin: readonly number[], end: readonly number[], cell: readonly number[]): Generator<Part> {
  if (begin.some((from, axis) => from >= end[axis]!)) return
  const first = begin.map((from, axis) => Math.floor(from / cell[axis]!))
  const last = end.map((to, axis) => Math.ceil(to / cell[axis]!) - 1)
  const index = [...first]
  for (;;) {
    yield {
      index: [...index],
      begin: index.map((i, axis) => Math.max(begin[axis]!, i * cell[axis]!)),
      end: index.map((i, axis) => Math.min(end[axis]!, (i + 1) * cell[axis]!)),
    }
    let axis = index.length - 1
    for (; axis >= 0 && index[axis] === last[axis]; axis--) index[axis] = first[axis]!
    if (axis < 0) return
    index[axis]!++
  }
}

/** A block, and where its elements lie in a run of elements. */
export interface RunPart {
  readonly begin: readonly number[]
  readonly end: readonly number[]
  readonly offset: number
}

/** The blocks that make up `length` elements from `start` on in row-major order of `shape`. */
export function* blocksOfRun(shape: readonly number[], start: number, length: number): Generator<RunPart> {
  const strides = shape.map(() => 1)
  for (let axis = shape.length - 2; axis >= 0; axis--) strides[axis] = strides[axis + 1]! * shape[axis + 1]!
  for (let done = 0; done < length; ) {
    const position = start + done
    const index = shape.map((size, axis) => Math.floor(position / strides[axis]!) % size)
    // The outermost axis along which whole planes follow from here.
    let axis = shape.findIndex((_, i) => position % strides[i]! === 0 && strides[i]! <= length - done)
    if (axis < 0) axis = shape.length
    const room = axis < shape.length ? shape[axis]! - index[axis]! : 1
    const count = axis < shape.length ? Math.min(room, Math.floor((length - done) / strides[axis]!)) : 1
    const end = index.map((i, at) => (at < axis ? i + 1 : at === axis ? i + count : shape[at]!))
    yield { begin: index, end, offset: done }
    done += axis < shape.length ? count * strides[axis]! : 1
  }
}
