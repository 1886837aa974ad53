// A Zarr array as the commands read it: blocks of any place and size, put together from the chunks that they touch.
import { FileError } from '../errors/file-error.ts'
import { Slots } from '../files/blocks/slots.ts'
import { bytesPerElement, countOf, type StoredDType, type TypedArray } from '../files/element.ts'
import type { ArraySource } from '../files/source.ts'
import { ChunkMeans, type ObjectReader } from './chunk-means.ts'
import { ChunkReader } from './chunk-reader.ts'
import { blocksOfRun, partsOf } from './grid.ts'
import type { CodecMemory } from './memory.ts'
import type { ArrayMetadata } from './metadata/array-metadata.ts'
import { readNode } from './metadata/node.ts'
import type { ZarrPlace } from './place.ts'
import { ShardReader } from './shard-reader.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'
import { stridesOf } from './strided.ts'

export interface ZarrArray extends ArraySource {
  readonly version: 2 | 3
  readonly metadata: ArrayMetadata
  /** Of a stored object: the shard where there are shards. */
  readonly chunks: readonly number[]
  /** What is decoded at once. */
  readonly inner: readonly number[]
  /** One element, in this machine's byte order. */
  readonly fill: TypedArray
  /** What reading takes beside the targets, at most. */
  readonly memory: CodecMemory
  readBlock(begin: readonly number[], end: readonly number[], target: TypedArray): Promise<void>
  /** Whether nothing is stored of a block, so that every element of it is `fill`. */
  isMissing(begin: readonly number[], end: readonly number[]): Promise<boolean>
}

/** Whether a source is a Zarr array. */
export const isZarr = (source: ArraySource): source is ZarrArray => 'inner' in source

export interface ZarrOptions {
  /** Bytes for what is fetched, decoded and kept; one chunk at a time goes through even where it takes more. */
  readonly memory?: number
}

const MEMORY = 2 ** 26
/** Objects that are read at a time. */
const AT_ONCE = 8

class ChunkedArray implements ZarrArray {
  readonly label: string
  readonly metadata: ArrayMetadata
  readonly version: 2 | 3
  readonly dtype: StoredDType
  readonly shape: readonly number[]
  readonly chunks: readonly number[]
  readonly inner: readonly number[]
  readonly fill: TypedArray
  readonly order = 'row-major'
  readonly seekable = true
  readonly memory: CodecMemory
  readonly #store: Store
  readonly #reader: ObjectReader

  constructor(label: string, store: Store, path: string, metadata: ArrayMetadata, memory: number) {
    this.label = label
    this.metadata = metadata
    const { version, dtype, shape, chunks, fill, sharding } = metadata
    this.version = version
    this.dtype = dtype
    this.shape = shape
    this.chunks = chunks
    this.inner = sharding?.inner ?? chunks
    this.fill = fill
    this.#store = store
    const means = new ChunkMeans(label, store, path, metadata, memory)
    this.#reader = sharding === undefined ? new ChunkReader(means) : new ShardReader(means, sharding)
    this.memory = means.memory
  }

  #check(begin: readonly number[], end: readonly number[], length?: number): void {
    const isInside = this.shape.every((size, axis) => begin[axis]! >= 0 && end[axis]! <= size)
    const count = countOf(begin.map((from, axis) => end[axis]! - from))
    if (isInside && begin.length === this.shape.length && (length ?? count) === count) return
    throw new RangeError(`block (${begin.join()}) to (${end.join()}) of ${this.label}, of shape (${this.shape.join()})`)
  }

  async readBlock(begin: readonly number[], end: readonly number[], target: TypedArray): Promise<void> {
    this.#check(begin, end, target.length)
    const strides = stridesOf(begin.map((from, axis) => end[axis]! - from))
    const slots = new Slots(AT_ONCE)
    try {
      for (const part of partsOf(begin, end, this.chunks)) {
        await slots.run(() => this.#reader.read(part, { begin, strides, target }))
      }
    } finally {
      await slots.end()
    }
  }

  async read(start: number, target: TypedArray): Promise<void> {
    for (const { begin, end, offset } of blocksOfRun(this.shape, start, target.length)) {
      const length = countOf(begin.map((from, axis) => end[axis]! - from))
      await this.readBlock(begin, end, target.subarray(offset, offset + length))
    }
  }

  async isMissing(begin: readonly number[], end: readonly number[]): Promise<boolean> {
    this.#check(begin, end)
    for (const part of partsOf(begin, end, this.chunks)) if (!(await this.#reader.isMissing(part))) return false
    return true
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}

function checkSize(label: string, { dtype, shape, chunks }: ArrayMetadata): void {
  const width = bytesPerElement(dtype)
  for (const [what, sizes] of [
    ['shape', shape],
    ['chunk shape', chunks],
  ] as const) {
    if (Number.isSafeInteger(countOf(sizes) * width)) continue
    throw new FileError(label, `its ${what} (${sizes.join(',')}) of ${dtype} takes more bytes than can be counted.`)
  }
}

/** Names of what a group has, for the error of who reads it as an array. */
const NAME_ONE = 'Name one of its arrays behind a colon; bcast zarr info lists them.'

/** The array at a path of an open store, which is closed with it. */
export async function arrayIn(
  label: string,
  store: Store,
  path: string,
  { memory = MEMORY }: ZarrOptions = {},
): Promise<ZarrArray> {
  const node = await readNode(store, path)
  if (node === undefined) {
    const what = path === '' ? 'it is no Zarr store' : `there is no array at ${path}`
    throw new FileError(label, `${what}: neither zarr.json nor .zarray is there.`)
  }
  if (node.kind === 'group') throw new FileError(label, 'it is a group of arrays.', NAME_ONE)
  checkSize(label, node.metadata)
  return new ChunkedArray(label, store, path, node.metadata, memory)
}

/** Opens an array; its metadata are read and checked when the promise resolves. */
export async function openZarr(place: ZarrPlace, options: ZarrOptions = {}): Promise<ZarrArray> {
  const store = await openStore(place)
  try {
    return await arrayIn(place.label, store, place.path, options)
  } catch (error) {
    await store.close()
    throw error
  }
}
