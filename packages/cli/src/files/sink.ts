// Where a result goes. Nothing is visible under the name of the file before `finish`.
import type { TypedArray } from './element.ts'

/** What will be written, known before the first element; `ordersOf` says which orders a place can take. */
export type { NpyDescription as ArrayDescription } from 'bcast/npy'

/** Takes the elements in their order, one run after the other, each write awaited before the next begins. */
export interface ArraySink {
  /** The elements may lie in shared memory; they must be left alone until the promise settles. */
  write(elements: TypedArray): Promise<void>
  /**
   * Puts the whole file in its place, replacing what was there. Fewer or more elements than the shape has are an error.
   */
  finish(): Promise<void>
  /** Leaves the previous file, or none. Harmless after `finish` and when called twice. */
  abort(): Promise<void>
}
