// A store in memory that counts what is asked of it; it may have files, as folders do.
import { type Bytes, memoryBytes } from '../../packages/cli/src/files/bytes/bytes.ts'
import type { Range, StoredObject, WritableStore } from '../../packages/cli/src/zarr/store/store.ts'
import { tooLarge } from '../../packages/cli/src/zarr/store/too-large.ts'

export class MemoryStore implements WritableStore {
  readonly label = 'x.zarr'
  readonly lists = true
  readonly objects: Map<string, Uint8Array>
  readonly open?: (key: string) => Promise<Bytes | undefined>
  /** Keys in the order in which they were read. */
  readonly read: string[] = []

  constructor(objects: Iterable<readonly [string, Uint8Array]> = [], hasFiles = false) {
    this.objects = new Map(objects)
    if (!hasFiles) return
    this.open = async (key) => {
      const bytes = this.#get(key)
      return bytes === undefined ? undefined : memoryBytes(bytes)
    }
  }

  #get(key: string): Uint8Array | undefined {
    this.read.push(key)
    return this.objects.get(key)
  }

  async get(key: string, most = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
    const bytes = this.#get(key)
    if (bytes !== undefined && bytes.length > most) throw tooLarge(this.label, key, bytes.length, most)
    return bytes === undefined ? undefined : new Uint8Array(bytes)
  }

  async getRange(key: string, range: Range): Promise<Uint8Array | undefined> {
    const bytes = this.#get(key)
    if (bytes === undefined) return undefined
    const begin = 'suffix' in range ? Math.max(0, bytes.length - range.suffix) : range.offset
    return new Uint8Array(bytes.subarray(begin, 'suffix' in range ? bytes.length : begin + range.length))
  }

  async has(key: string): Promise<boolean> {
    return this.objects.has(key)
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    for (const [key, { length: bytes }] of this.objects) if (key.startsWith(prefix)) yield { key, bytes }
  }

  async set(key: string, bytes: Uint8Array): Promise<void> {
    this.objects.set(key, new Uint8Array(bytes))
  }

  async delete(key: string): Promise<void> {
    this.objects.delete(key)
  }

  async close(): Promise<void> {}
}
