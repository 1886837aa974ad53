// Arrays whose objects are chunks. Elements that are stored as they are go from the file straight to where they belong;
// others are decoded first, and kept for the next block that needs them.
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
      return encoded === undefined ? undefined : means.decode(key, encoded)
    }
    means.deliver(await means.kept(key, part, () => means.gate.run(load)), part, into)
  }

  async isMissing({ index }: Part): Promise<boolean> {
    return !(await this.#means.store.has(this.#means.key(index)))
  }
}
