// Arrays whose objects are chunks. Elements that are stored as they are go from the file straight to where they belong;
// others are decoded first, and kept for the next block that needs them.
import { discard } from '../files/bytes/discard.ts'
import type { TypedArray } from '../files/element.ts'
import { ChunkError } from './chunk-error.ts'
import type { ChunkMeans, Destination, ObjectReader } from './chunk-means.ts'
import type { Part } from './grid.ts'

export class ChunkReader implements ObjectReader {
  readonly #means: ChunkMeans

  constructor(means: ChunkMeans) {
    this.#means = means
  }

  async read(part: Part, into: Destination): Promise<void> {
    const means = this.#means
    const key = means.key(part.index)
    if (means.isStraight) {
      return means.withFile(key, part, into, (file) => {
        if (file.size === means.bytes) return means.readFile(file, 0, part, into)
        throw new ChunkError(means.label, key, `it holds ${file.size} bytes, where ${means.bytes} belong.`)
      })
    }
    const load = async (): Promise<TypedArray | undefined> => {
      const encoded = await means.store.get(key, means.mostStored)
      if (encoded === undefined) return undefined
      const elements = await means.decode(key, encoded)
      if (elements.buffer !== encoded.buffer) discard(encoded)
      return elements
    }
    await means.deliverKept(key, part, into, () => means.gate.run(load))
  }

  async isMissing({ index }: Part): Promise<boolean> {
    return !(await this.#means.store.has(this.#means.key(index)))
  }
}
