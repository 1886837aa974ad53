// What readers of chunks and of shards share: where decoded elements go, what is kept of them, how much is under way.
// Every size that is claimed is checked before memory is taken for it.
import type { Bytes } from '../files/bytes/bytes.ts'
import { discard } from '../files/bytes/discard.ts'
import { bytesPerElement, countOf, type TypedArray } from '../files/element.ts'
import { ChunkCache } from './chunk-cache.ts'
import { ChunkError } from './chunk-error.ts'
import { DecodeError, isCompiled, largestEncoded } from './codecs/byte-codecs.ts'
import { decodeElements } from './codecs/elements.ts'
import { Gate } from './gate.ts'
import type { Part } from './grid.ts'
import { type CodecMemory, insideOf } from './memory.ts'
import { type ArrayMetadata, chunkKey } from './metadata/array-metadata.ts'
import { keyAt } from './metadata/node.ts'
import type { Store } from './store/store.ts'
import { orderInFile, readStraight } from './straight.ts'
import { fillBlock, moveBlock, offsetOf, type Place, stridesOf } from './strided.ts'

/** Where a block goes: `target` has the elements from `begin` on, `strides` apart. */
export interface Destination {
  readonly begin: readonly number[]
  readonly strides: readonly number[]
  readonly target: TypedArray
}

/** Reads objects of the grid. */
export interface ObjectReader {
  /** Reads the part of a block that lies in one object. */
  read(part: Part, into: Destination): Promise<void>
  /** Whether nothing is stored of it. */
  isMissing(part: Part): Promise<boolean>
}

/** Codecs in WebAssembly have 2 GiB for both sides. */
const MOST_DECODED = 2 ** 30
/** What is fetched and decoded at a time, where memory allows. */
const AT_ONCE = 8
/** What is fetched at once of a shard, where chunks are small. */
export const PIECE = 2 ** 22
/** What is kept beside the elements. */
const ENTRY = 64
/** What goes from files to targets as it is needs little memory. */
const STRAIGHT = 2 ** 20

export class ChunkMeans {
  readonly label: string
  readonly store: Store
  readonly metadata: ArrayMetadata
  /** The shape of what is decoded at once. */
  readonly inner: readonly number[]
  /** Bytes of its elements, and the most that they are stored in. */
  readonly bytes: number
  readonly mostStored: number
  /** Whether elements can go from files to targets as they are. */
  readonly isStraight: boolean
  /** What reading takes beside the targets. */
  readonly memory: CodecMemory
  readonly cache: ChunkCache
  readonly gate: Gate
  readonly #path: string
  readonly #strides: readonly number[]

  constructor(label: string, store: Store, path: string, metadata: ArrayMetadata, memory: number) {
    this.label = label
    this.store = store
    this.metadata = metadata
    this.inner = metadata.sharding?.inner ?? metadata.chunks
    this.bytes = countOf(this.inner) * bytesPerElement(metadata.dtype)
    const { order, compressors } = metadata.codecs
    this.mostStored = compressors.length === 0 ? this.bytes : largestEncoded(this.bytes)
    this.isStraight = store.open !== undefined && compressors.length === 0 && orderInFile(order) !== undefined
    const each = this.bytes + (metadata.sharding === undefined ? this.mostStored : Math.max(PIECE, this.mostStored))
    const atOnce = Math.max(1, Math.min(AT_ONCE, Math.floor(memory / 2 / each)))
    const compiled = compressors.filter(isCompiled).map(({ name }) => name)
    this.memory = this.isStraight
      ? { stays: STRAIGHT, passes: 0, inside: new Map() }
      : { stays: memory / 2, passes: atOnce * each, inside: insideOf(compiled, this.bytes + this.mostStored) }
    this.cache = new ChunkCache(memory / 2)
    this.gate = new Gate(atOnce)
    this.#path = path
    this.#strides = stridesOf(this.inner, order)
  }

  /** The key of an object of the grid. */
  key(index: readonly number[]): string {
    return keyAt(this.#path, chunkKey(this.metadata.keys, index))
  }

  /** Delivers a decoded chunk, from what is kept or as `load` brings it. */
  async deliverKept(
    name: string,
    part: Part,
    into: Destination,
    load: () => Promise<TypedArray | undefined>,
  ): Promise<void> {
    // A chunk of which a block takes everything is not needed again.
    const isPartial = part.begin.some((from, axis) => {
      const [begin, size] = [part.index[axis]! * this.inner[axis]!, this.inner[axis]!]
      return from > begin || part.end[axis]! < Math.min(begin + size, this.metadata.shape[axis]!)
    })
    const { value, isKept } = await this.cache.get(name, this.bytes + ENTRY, isPartial, load)
    this.deliver(value, part, into)
    if (value !== undefined && !isKept) discard(value)
  }

  /** `what` of the object the bytes are. */
  async decode(key: string, encoded: Uint8Array, what = ''): Promise<TypedArray> {
    const { dtype, codecs } = this.metadata
    if (this.bytes > MOST_DECODED) {
      const chunk = `a chunk of (${this.inner.join(',')})`
      throw new ChunkError(this.label, key, `${chunk} takes ${this.bytes} bytes, more than can be decoded at once.`)
    }
    return this.sound(key, what, () => decodeElements(codecs, dtype, encoded, countOf(this.inner)))
  }

  /** Runs `use`; why something does not decode is said about the object. */
  async sound<T>(key: string, what: string, use: () => Promise<T>): Promise<T> {
    try {
      return await use()
    } catch (error) {
      if (error instanceof DecodeError) throw new ChunkError(this.label, key, `${what}${error.message}.`)
      throw error
    }
  }

  /** Puts the elements of a chunk, or the fill value where it is not there, to their places. */
  deliver(elements: TypedArray | undefined, { index, begin, end }: Part, into: Destination): void {
    const sizes = begin.map((from, axis) => end[axis]! - from)
    const to = this.#destination(begin, into)
    if (elements === undefined) fillBlock(sizes, this.metadata.fill, into.target, to)
    else {
      const inside = begin.map((from, axis) => from - index[axis]! * this.inner[axis]!)
      const from = { start: offsetOf(this.#strides, inside), strides: this.#strides }
      moveBlock(sizes, elements, from, into.target, to)
    }
  }

  #destination(begin: readonly number[], { begin: first, strides }: Destination): Place {
    const inside = begin.map((from, axis) => from - first[axis]!)
    return { start: offsetOf(strides, inside), strides }
  }

  /** Runs `use` on the file of an object; where there is none, the fill value goes to the places of the part. */
  async withFile(key: string, part: Part, into: Destination, use: (file: Bytes) => Promise<void>): Promise<void> {
    const file = await this.store.open!(key)
    if (file === undefined) {
      this.deliver(undefined, part, into)
      return
    }
    try {
      await use(file)
    } finally {
      await file.close()
    }
  }

  /** Brings a part of a chunk whose elements lie as they are from `offset` of a file on. */
  readFile(file: Bytes, offset: number, { index, begin, end }: Part, into: Destination): Promise<void> {
    const { dtype, codecs } = this.metadata
    const { label, inner: shape } = this
    const stored = { label, dtype, shape, littleEndian: codecs.littleEndian, order: orderInFile(codecs.order)! }
    const origin = index.map((i, axis) => i * shape[axis]!)
    const inside = {
      begin: begin.map((from, axis) => from - origin[axis]!),
      end: end.map((to, axis) => to - origin[axis]!),
    }
    return readStraight(stored, file, offset, inside, into.target, this.#destination(begin, into))
  }
}
