// A store as the Zarr specification sees one: objects by key. Arrays know nothing else of folders, archives and servers.
import type { Bytes } from '../../files/bytes/bytes.ts'

/** Part of an object: from an offset on, or its last bytes. Where the object ends earlier there are fewer. */
export type Range = { readonly offset: number; readonly length: number } | { readonly suffix: number }

export interface StoredObject {
  readonly key: string
  readonly bytes: number
}

export interface Store {
  /** As the user wrote it, for messages. */
  readonly label: string
  /**
   * An object, or undefined where there is none; one of more than `most` bytes is refused before memory is taken. Bytes
   * belong to who asked, with all of the memory that they lie in.
   */
  get(key: string, most?: number): Promise<Uint8Array | undefined>
  getRange(key: string, range: Range): Promise<Uint8Array | undefined>
  has(key: string): Promise<boolean>
  /** Whether it can say what it holds; web servers cannot. */
  readonly lists: boolean
  /** Every object whose key begins with a prefix, which is empty or ends with a slash. */
  list(prefix: string): AsyncIterable<StoredObject>
  /** An object that can be read at any place at little cost, straight into the caller's memory; only files can. */
  open?(key: string): Promise<Bytes | undefined>
  close(): Promise<void>
}

export interface WritableStore extends Store {
  /**
   * Puts an object into its place, whole or not at all. The bytes may be a view into shared memory, of which only the
   * view is written, and must be left alone until the promise settles.
   */
  set(key: string, bytes: Uint8Array): Promise<void>
  /** No error where there is none. */
  delete(key: string): Promise<void>
}
