// An array that can be read once only, such as stdin, kept in a temporary file for many readers: every thread of the
// process reads it by its descriptor, for it has no name, and so is gone with the process however that ends.
import { createHash } from 'node:crypto'
import { about } from '../../errors/file-error.ts'
import { descriptorBytes } from '../bytes/bytes.ts'
import { bytesPerElement, countOf } from '../element.ts'
import type { ArraySource, Order } from '../source.ts'
import { writeAll } from '../writing/write-all.ts'
import { elementBlocks, LABEL, temporaryFile } from './spool.ts'
import { type StoredArray, storedSource } from './stored-array.ts'

/** Plain data, for threads of this process. */
export interface KeptArray {
  readonly descriptor: number
  readonly order: Order
}

export interface Kept extends KeptArray {
  /** Of the elements as they came. */
  readonly digest: string
  /** Nobody may read it any more. */
  close(): Promise<void>
}

/** Reads a source to its end. */
export const keepArray = (source: ArraySource): Promise<Kept> =>
  about(LABEL, async () => {
    const file = await temporaryFile()
    const hash = createHash('sha256').update(source.order)
    try {
      for await (const block of elementBlocks(source)) {
        hash.update(block)
        await writeAll(file, block)
      }
    } catch (error) {
      await file.close()
      throw error
    }
    return { descriptor: file.fd, order: source.order, digest: hash.digest('hex'), close: () => file.close() }
  })

export function keptSource(array: Omit<StoredArray, 'littleEndian' | 'order'>, kept: KeptArray): ArraySource {
  const bytes = descriptorBytes(LABEL, kept.descriptor, countOf(array.shape) * bytesPerElement(array.dtype))
  return storedSource({ ...array, order: kept.order, littleEndian: true }, bytes, 0)
}
