// What the commands see of an array in a file: its type, its shape, and its elements in runs of any length.
// Formats implement it (npy, npz, json, raw, pb, stdin); nothing here holds more than the caller asks for.
import type { Order } from 'bcast/npy'
import type { StoredDType, TypedArray } from './element.ts'

export type { Order } from 'bcast/npy'

/** An array in a file, read in runs of stored elements. */
export interface ArraySource {
  /** As the user wrote it, for messages. */
  readonly label: string
  readonly dtype: StoredDType
  readonly shape: readonly number[]
  /** How the elements lie in the file: 'column-major' for NumPy's Fortran order, where the first axis runs fastest. */
  readonly order: Order
  /**
   * Whether `read` may go back. Compressed members and stdin only go forward: there each read starts at or behind the
   * end of the one before (what lies between is skipped), and one read is awaited before the next begins. `rewindable`
   * turns any source into one that may go back.
   */
  readonly seekable: boolean
  /**
   * Fills `target` with the stored elements from `start` on, in the machine's byte order. `target` has the array type
   * of `dtype`; it may lie in shared memory, and must be left alone until the promise settles. Reads of a seekable
   * source may overlap.
   */
  read(start: number, target: TypedArray): Promise<void>
  /**
   * Fills `target` with the elements whose indices run from `begin` to `end` (exclusive) on every axis, in row-major
   * order of the block. Arrays that are stored in chunks do it themselves; `readBlock` does it for every other.
   */
  readBlock?(begin: readonly number[], end: readonly number[], target: TypedArray): Promise<void>
  /** The shape of what is read at once, where that is no run of elements. */
  readonly chunks?: readonly number[]
  close(): Promise<void>
}

/** Whether what is read at once holds whole rows, so that runs of elements need nothing twice. */
export const isInRows = ({ shape, chunks }: ArraySource): boolean => {
  const first = shape.findIndex((size) => size > 1)
  return chunks === undefined || shape.every((size, axis) => axis <= first || chunks[axis]! >= size)
}
