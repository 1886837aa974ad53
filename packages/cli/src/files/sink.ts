// Where a result goes. Nothing is visible under the name of the file before `finish`.
import type { StoredDType, TypedArray } from './element.ts'
import type { Order } from './source.ts'

/** What will be written, known before the first element. */
export interface ArrayDescription {
  readonly dtype: StoredDType
  readonly shape: readonly number[]
  /** How the elements come and lie in the file, row-major unless said; `ordersOf` says what a place can take. */
  readonly order?: Order
}

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
