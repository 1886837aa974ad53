// What both versions of Zarr say about an array, in one form: shape, type, grid, keys, fill and codecs as plain data.
import type { StoredDType, TypedArray } from '../../files/element.ts'

/** A codec from bytes to bytes. */
export type ByteCodec =
  | { readonly name: 'gzip' | 'zlib'; readonly level: number }
  | { readonly name: 'zstd'; readonly level: number; readonly checksum: boolean }
  | {
      readonly name: 'blosc'
      readonly cname: string
      readonly clevel: number
      readonly shuffle: 'noshuffle' | 'shuffle' | 'bitshuffle'
      readonly blocksize: number
    }
  | { readonly name: 'lz4'; readonly acceleration: number }
  | { readonly name: 'crc32c' }

/** How the elements of what is decoded at once become bytes. */
export interface ChunkCodecs {
  /** Axis i of the stored elements is axis `order[i]` of the array. */
  readonly order: readonly number[]
  readonly littleEndian: boolean
  /** In the order of encoding. */
  readonly compressors: readonly ByteCodec[]
}

/** An object that holds many chunks, with an index of where each lies. */
export interface Sharding {
  /** Shape of a chunk inside the shard. */
  readonly inner: readonly number[]
  /** Axis i of the grid of chunks in the shard is axis `order[i]` of the array. */
  readonly order: readonly number[]
  readonly atStart: boolean
  readonly indexLittleEndian: boolean
  readonly indexCodecs: readonly ByteCodec[]
}

/** Keys of chunks: `c/0/1` is version 3, `0.1` version 2. */
export interface KeyEncoding {
  readonly name: 'default' | 'v2'
  readonly separator: '/' | '.'
}

export interface ArrayMetadata {
  readonly version: 2 | 3
  readonly dtype: StoredDType
  readonly shape: readonly number[]
  /** Of a stored object: the shard where there are shards. */
  readonly chunks: readonly number[]
  readonly keys: KeyEncoding
  /** One element. */
  readonly fill: TypedArray
  readonly codecs: ChunkCodecs
  readonly sharding: Sharding | undefined
}

/** The key of an object of the grid, below its array. */
export function chunkKey({ name, separator }: KeyEncoding, index: readonly number[]): string {
  if (name === 'default') return ['c', ...index].join(separator)
  return index.length === 0 ? '0' : index.join(separator)
}
