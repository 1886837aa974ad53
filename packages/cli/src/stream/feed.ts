// Brings the part of an array that each tile needs into the engine's memory, where kernels compute with it in place:
// sources are read straight into it.
import { type DType, empty, type Shape, type Tensor } from 'bcast'
import { readBlock } from '../files/blocks/block.ts'
import type { TypedArray } from '../files/element.ts'
import type { ArraySource, Order } from '../files/source.ts'
import { product, type Tile } from './tiles.ts'

/** A tensor of one axis in the engine's memory. */
export interface Room {
  readonly tensor: Tensor
  readonly data: TypedArray
}

export function makeRoom(dtype: DType, count: number): Room {
  const made: Tensor = empty([count], { dtype })
  return { tensor: made, data: made.data as TypedArray }
}

/** The first elements of a room, in a shape. */
const shaped = ({ tensor: flat }: Room, shape: Shape): Tensor =>
  flat.slice([0, product(shape)]).reshape(shape) as Tensor

/** The first elements of a room, in a shape whose elements lie in the given order. */
export const inOrder = (room: Room, shape: Shape, order: Order): Tensor =>
  order === 'row-major' ? shaped(room, shape) : shaped(room, shape.toReversed()).transpose()

/** An array as it lies in the result. */
export interface FedArray {
  readonly source: ArraySource
  /** Its size on each axis of the result: the result's, or 1. */
  readonly sizes: Shape
  /** The result's axis for each axis of its own; negative for none. */
  readonly axes: readonly number[]
}

/** Brings what tiles need of an array, asked for tile after tile. */
export interface Feed {
  /** Begins to read what a tile needs; gives it, seen in the tile's shape, when it is there. */
  part(tile: Tile): Promise<Tensor>
}

/** The axes of the result that an array takes part in. */
export const rangesIn = (tile: Tile, sizes: Shape): { begin: number[]; shape: number[] } => ({
  begin: sizes.map((size, axis) => (size === 1 ? 0 : tile.origin[axis]!)),
  shape: sizes.map((size, axis) => (size === 1 ? 1 : tile.shape[axis]!)),
})

/** Reads what a tile needs of an array into a room; gives it, seen in the tile's shape. */
export async function readPart({ source, axes, sizes }: FedArray, tile: Tile, room: Room): Promise<Tensor> {
  const { begin, shape } = rangesIn(tile, sizes)
  const target = room.data.subarray(0, product(shape)) as TypedArray
  const first = axes.map((axis) => (axis < 0 ? 0 : begin[axis]!))
  const counts = axes.map((axis) => (axis < 0 ? 1 : shape[axis]!))
  const last = first.map((index, axis) => index + counts[axis]!)
  if (source.order === 'row-major') await readBlock(source, first, last, target)
  // Kept as it is stored: kernels compute with any order, and a read that need not turn elements needs no memory.
  else await readBlock(turned(source), first.toReversed(), last.toReversed(), target)
  return inOrder(room, counts, source.order).reshape(shape) as Tensor
}

/** A column-major array as the row-major one of its axes turned around, which lies alike. */
function turned(source: ArraySource): ArraySource {
  const { dtype, label, seekable, shape } = source
  return {
    ...{ dtype, label, seekable, shape: shape.toReversed(), order: 'row-major' },
    read: (start, part) => source.read(start, part),
    close: () => source.close(),
  }
}

/** An array that is there whole. */
export class HeldFeed implements Feed {
  readonly #whole: Tensor
  readonly #sizes: Shape
  readonly #room: Room

  /** `room` holds all elements as the source stores them. */
  constructor({ source, sizes }: FedArray, room: Room) {
    this.#whole = inOrder(room, source.shape, source.order).reshape(sizes) as Tensor
    this.#sizes = sizes
    this.#room = room
  }

  /** Gives its memory back; harmless where another feed of the same room did. */
  dispose(): void {
    this.#room.tensor.dispose()
  }

  async part(tile: Tile): Promise<Tensor> {
    const { begin, shape } = rangesIn(tile, this.#sizes)
    return this.#whole.slice(...shape.map((size, axis) => [begin[axis]!, begin[axis]! + size] as const))
  }
}

/** An array that passes through a few rooms in turn: some are read into while one is computed with. */
export class StreamedFeed implements Feed {
  readonly #array: FedArray
  readonly #count: number
  readonly #rooms: Room[] = []
  readonly #buffers: number
  readonly #isAtOnce: boolean
  #turn = -1
  #last: { readonly key: string; readonly part: Promise<Tensor> } | undefined

  /** `count`: elements of the largest part; `buffers`: tiles that are there at a time; `inRuns`: each part is one run. */
  constructor(array: FedArray, count: number, buffers: number, inRuns: boolean) {
    this.#array = array
    // A source that only goes forward is asked for one part at a time, and so is one that is read in pieces, which takes
    // memory of its own.
    this.#isAtOnce = inRuns && array.source.seekable
    this.#count = count
    this.#buffers = buffers
  }

  part(tile: Tile): Promise<Tensor> {
    const { source, sizes } = this.#array
    const { begin, shape } = rangesIn(tile, sizes)
    const key = `${begin.join()} ${shape.join()}`
    // A part that several tiles in a row need is read once, and needs one room.
    if (this.#last?.key === key) return this.#last.part
    this.#turn = (this.#turn + 1) % this.#buffers
    this.#rooms[this.#turn] ??= makeRoom(source.dtype, this.#count)
    const room = this.#rooms[this.#turn]!
    const read = (): Promise<Tensor> => readPart(this.#array, tile, room)
    const part = this.#isAtOnce || this.#last === undefined ? read() : this.#last.part.then(read)
    this.#last = { key, part }
    return part
  }
}

/** Whether at most one axis has more than one position, so that all orders are the same. */
export const isOneAxis = (shape: Shape): boolean => shape.filter((size) => size !== 1).length <= 1
