// Elements that are stored as they are, from a file to where they belong. Long runs go there directly, short ones by way
// of a little memory.
import { readBlock } from '../files/blocks/block.ts'
import { type StoredArray, storedSource } from '../files/blocks/stored-array.ts'
import type { Bytes } from '../files/bytes/bytes.ts'
import { bytesPerElement, countOf, elementsOver, type TypedArray } from '../files/element.ts'
import type { ArraySource, Order } from '../files/source.ts'
import { moveBlock, offsetOf, type Place, stridesOf } from './strided.ts'

/** Reads of fewer bytes cost more than moving what they bring. */
const LONG_RUN = 2 ** 16
const SCRATCH = 2 ** 20

/** Memory on the way, kept for the next block: as garbage it would pile up long before it is collected. */
const spare: ArrayBuffer[] = []

/** The order in a file of elements whose axes are stored in `order`; undefined where it has no name. */
export function orderInFile(order: readonly number[]): Order | undefined {
  if (order.every((axis, i) => axis === i)) return 'row-major'
  return order.every((axis, i) => axis === order.length - 1 - i) ? 'column-major' : undefined
}

interface Block {
  readonly begin: readonly number[]
  readonly end: readonly number[]
}

const sizesOf = ({ begin, end }: Block): number[] => begin.map((from, axis) => end[axis]! - from)

/** Whether elements of `sizes` lie one behind the other. */
function isRun(sizes: readonly number[], strides: readonly number[]): boolean {
  const packed = stridesOf(sizes)
  return sizes.every((size, axis) => size === 1 || strides[axis] === packed[axis])
}

async function readInto(source: ArraySource, block: Block, target: TypedArray, to: Place): Promise<void> {
  const sizes = sizesOf(block)
  const count = countOf(sizes)
  const bytes = count * bytesPerElement(source.dtype)
  const isPacked = isRun(sizes, to.strides)
  if (isPacked && (source.order === 'row-major' || bytes <= SCRATCH)) {
    return readBlock(source, block.begin, block.end, target.subarray(to.start, to.start + count))
  }
  const axis = sizes.findIndex((size) => size > 1)
  const row = bytes / sizes[axis]!
  if (!isPacked && bytes <= SCRATCH && row < LONG_RUN) {
    const room = spare.pop() ?? new ArrayBuffer(SCRATCH)
    try {
      const scratch = elementsOver(source.dtype, room, 0, count)
      await readBlock(source, block.begin, block.end, scratch)
      moveBlock(sizes, scratch, { start: 0, strides: stridesOf(sizes) }, target, to)
    } finally {
      spare.push(room)
    }
    return
  }
  // As many rows at a time as fit, or one of them, which is long.
  const step = Math.max(1, row < LONG_RUN ? Math.floor(SCRATCH / row) : isPacked ? Math.floor(SCRATCH / row) : 1)
  for (let from = block.begin[axis]!; from < block.end[axis]!; from += step) {
    const begin = block.begin.with(axis, from)
    const end = block.end.with(axis, Math.min(block.end[axis]!, from + step))
    const moved = begin.map((first, i) => first - block.begin[i]!)
    await readInto(source, { begin, end }, target, { ...to, start: to.start + offsetOf(to.strides, moved) })
  }
}

/** Reads a block of an array that lies from `offset` of a file on; the file was found long enough before. */
export const readStraight = (
  array: StoredArray,
  file: Bytes,
  offset: number,
  block: Block,
  target: TypedArray,
  to: Place,
): Promise<void> => readInto(storedSource(array, file, offset), block, target, to)
