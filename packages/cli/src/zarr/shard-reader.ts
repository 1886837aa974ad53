// Arrays whose objects are shards: the index says where each chunk lies, and only those that a block needs are read.
import type { Bytes } from '../files/bytes/bytes.ts'
import { discard } from '../files/bytes/discard.ts'
import { countOf, type TypedArray } from '../files/element.ts'
import { ChunkError } from './chunk-error.ts'
import { type ChunkMeans, type Destination, type ObjectReader, PIECE } from './chunk-means.ts'
import { decodeIndex, type Extent, indexSize } from './codecs/shard-index.ts'
import { allSettled } from './gate.ts'
import { type Part, partsOf } from './grid.ts'
import type { Sharding } from './metadata/array-metadata.ts'

const MOST_INDEX = 2 ** 28
/** Chunks that lie no further apart are fetched as one piece. */
const GAP = 2 ** 16

/** A chunk of a shard that a block needs. */
interface Wanted {
  readonly part: Part
  /** Its place in the index. */
  readonly number: number
  readonly extent: Extent
}

const endOf = ({ extent }: Wanted): number => extent.offset + extent.length

/** Chunks that lie close together, in the order of the shard. */
function piecesOf(wanted: readonly Wanted[]): Wanted[][] {
  const pieces: Wanted[][] = []
  for (const each of wanted.toSorted((a, b) => a.extent.offset - b.extent.offset)) {
    const piece = pieces.at(-1) ?? []
    const [first, last] = [piece[0], piece.at(-1)]
    const isNear =
      first !== undefined && each.extent.offset - endOf(last!) <= GAP && endOf(each) - first.extent.offset <= PIECE
    if (isNear) piece.push(each)
    else pieces.push([each])
  }
  return pieces
}

export class ShardReader implements ObjectReader {
  readonly #means: ChunkMeans
  readonly #sharding: Sharding
  /** Chunks of a shard on each axis. */
  readonly #grid: readonly number[]

  constructor(means: ChunkMeans, sharding: Sharding) {
    this.#means = means
    this.#sharding = sharding
    this.#grid = means.metadata.chunks.map((size, axis) => size / means.inner[axis]!)
  }

  /** The place of a chunk in the index of its shard. */
  #number({ index }: Part): number {
    return this.#sharding.order.reduce((sum, axis) => {
      const chunks = this.#grid[axis]!
      return sum * chunks + (index[axis]! % chunks)
    }, 0)
  }

  async #index(key: string): Promise<readonly (Extent | undefined)[] | undefined> {
    const { label, cache, gate, store } = this.#means
    const count = countOf(this.#grid)
    const size = indexSize(this.#sharding.indexCodecs, count)
    if (size > MOST_INDEX) {
      throw new ChunkError(label, key, `a shard of ${count} chunks has an index of ${size} bytes, which is too much.`)
    }
    const load = async () => {
      const bytes = await store.getRange(key, this.#sharding.atStart ? { offset: 0, length: size } : { suffix: size })
      if (bytes === undefined) return undefined
      if (bytes.length === size) {
        return this.#means.sound(key, 'the index of the shard: ', () => decodeIndex(this.#sharding, bytes, count))
      }
      throw new ChunkError(label, key, `it has ${bytes.length} bytes, and the index of a shard takes ${size}.`)
    }
    // In memory an entry takes several times what it does in the shard.
    const { value } = await cache.get(`${key} index`, 4 * size, true, () => gate.run(load))
    return value
  }

  async isMissing(part: Part): Promise<boolean> {
    const index = await this.#index(this.#means.key(part.index))
    if (index === undefined) return true
    for (const each of partsOf(part.begin, part.end, this.#means.inner)) {
      if (index[this.#number(each)] !== undefined) return false
    }
    return true
  }

  async read(part: Part, into: Destination): Promise<void> {
    const means = this.#means
    const key = means.key(part.index)
    const index = await this.#index(key)
    if (index === undefined) {
      means.deliver(undefined, part, into)
      return
    }
    const wanted: Wanted[] = []
    for (const each of partsOf(part.begin, part.end, means.inner)) {
      const number = this.#number(each)
      const extent = index[number]
      if (extent === undefined) means.deliver(undefined, each, into)
      else wanted.push({ part: each, number, extent: this.#checked(key, number, extent) })
    }
    if (means.isStraight) await means.withFile(key, part, into, (file) => this.#copy(key, file, wanted, into))
    else await allSettled(piecesOf(wanted).map((piece) => means.gate.run(() => this.#decode(key, piece, into))))
  }

  #checked(key: string, number: number, extent: Extent): Extent {
    const { label, bytes, mostStored, metadata } = this.#means
    const isRaw = metadata.codecs.compressors.length === 0
    if (isRaw ? extent.length === bytes : extent.length <= mostStored) return extent
    const expected = isRaw ? `${bytes} belong` : `at most ${mostStored} can be right`
    const found = `its index says that chunk ${number} of the shard has ${extent.length} bytes`
    throw new ChunkError(label, key, `${found}, where ${expected}.`)
  }

  #cutOff(key: string, wanted: Wanted): ChunkError {
    const claim = `where its index says that chunk ${wanted.number} of the shard ends`
    return new ChunkError(this.#means.label, key, `it ends before byte ${endOf(wanted)}, ${claim}.`)
  }

  async #copy(key: string, file: Bytes, wanted: readonly Wanted[], into: Destination): Promise<void> {
    for (const each of wanted) {
      if (endOf(each) > file.size) throw this.#cutOff(key, each)
      await this.#means.readFile(file, each.extent.offset, each.part, into)
    }
  }

  async #decode(key: string, piece: readonly Wanted[], into: Destination): Promise<void> {
    const means = this.#means
    const offset = piece[0]!.extent.offset
    const length = Math.max(...piece.map(endOf)) - offset
    // Asked for with the first chunk that is not kept already.
    let fetched: Promise<Uint8Array | undefined> | undefined
    let isUsed = false
    for (const each of piece) {
      const load = async (): Promise<TypedArray> => {
        fetched ??= means.store.getRange(key, { offset, length })
        const start = each.extent.offset - offset
        const encoded = (await fetched)?.subarray(start, start + each.extent.length)
        if (encoded?.length !== each.extent.length) throw this.#cutOff(key, each)
        const elements = await means.decode(key, encoded, `chunk ${each.number} of the shard: `)
        isUsed ||= elements.buffer === encoded.buffer
        return elements
      }
      await means.deliverKept(`${key} ${each.number}`, each.part, into, load)
    }
    const bytes = await fetched
    if (bytes !== undefined && !isUsed) discard(bytes)
  }
}
