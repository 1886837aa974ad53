// Everything that is done with a Zarr array, done to objects that may be anything. A FileError is an answer; any other
// error is a bug, and so are elements that differ from those that a checksum vouches for.
import { FileError } from '../../../packages/cli/src/errors/file-error.ts'
import { bytesOf, countOf, newElements } from '../../../packages/cli/src/files/element.ts'
import { arrayIn, type ZarrArray } from '../../../packages/cli/src/zarr/array.ts'
import { indices } from '../../../testing/zarr/literal.ts'
import { isStored } from '../../../testing/zarr/made.ts'
import { MemoryStore } from '../../../testing/zarr/memory-store.ts'
import type { Input } from './input.ts'

type Outcome = 'read' | 'refused'

/** Elements of a block on each axis: damage may have made the array as large as it likes. */
const LONGEST = 8
const MOST_AXES = 4

/** A block at the beginning and one at the end. */
function blocksOf({ shape }: ZarrArray): (readonly [begin: number[], end: number[]])[] {
  const long = (axis: number): number => (axis < MOST_AXES ? LONGEST : 1)
  return [
    [shape.map(() => 0), shape.map((size, axis) => Math.min(size, long(axis)))],
    [shape.map((size, axis) => Math.max(0, size - long(axis))), [...shape]],
  ]
}

async function read({ objects }: Input, hasFiles: boolean): Promise<Buffer | undefined> {
  try {
    const source = await arrayIn('x.zarr', new MemoryStore(objects, hasFiles), '', { memory: 2 ** 16 })
    const parts: Buffer[] = []
    for (const [begin, end] of blocksOf(source)) {
      const target = newElements(source.dtype, countOf(begin.map((from, axis) => end[axis]! - from)))
      await source.readBlock(begin, end, target)
      await source.isMissing(begin, end)
      parts.push(Buffer.from(bytesOf(target)))
    }
    return parts[0]!
  } catch (error) {
    if (error instanceof FileError) return undefined
    throw error
  }
}

/** The elements as they were before the damage: arrays are small enough to be in one block. */
function original({ array }: Input): Buffer {
  const width = array.elements.BYTES_PER_ELEMENT
  const bytes = bytesOf(array.elements)
  let position = 0
  const parts = [...indices(array.shape)].map((index) => {
    const at = width * position++
    return isStored(array, index) ? bytes.subarray(at, at + width) : new Uint8Array(width)
  })
  return Buffer.concat(parts)
}

export async function exercise(input: Input): Promise<Outcome> {
  const found = await read(input, false)
  const fromFiles = await read(input, true)
  if (found === undefined ? fromFiles !== undefined : fromFiles?.equals(found) !== true) {
    throw new Error(`as objects it is ${found === undefined ? 'refused' : 'read'}, as files otherwise`)
  }
  const isSound = input.mutations.length === 0
  if (isSound && found === undefined) throw new Error('a sound array is refused')
  if (found !== undefined && (isSound || input.isChecked) && !found.equals(original(input))) {
    throw new Error('other elements than a checksum vouches for')
  }
  return found === undefined ? 'refused' : 'read'
}
