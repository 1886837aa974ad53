// Chunks of Zarr arrays as the specification words them, one element at a time and slowly: the judge of what the program
// reads and writes. An element is its bytes, the least significant first.
import zlib from 'node:zlib'
import { blosc, lz4, zstd } from '../../packages/cli/src/zarr/codecs/numcodecs.js'

export interface Codec {
  readonly name: string
  readonly configuration?: Readonly<Record<string, unknown>>
}

type Element = Uint8Array
/** The element at an index of a chunk. */
export type Elements = (index: readonly number[]) => Element

/** Every index of a shape, the last axis fastest. */
export function* indices(shape: readonly number[]): Generator<number[]> {
  const [size, ...inner] = shape
  if (size === undefined) yield []
  else for (let i = 0; i < size; i++) for (const rest of indices(inner)) yield [i, ...rest]
}

const position = (shape: readonly number[], index: readonly number[]): number =>
  index.reduce((sum, i, axis) => sum * shape[axis]! + i, 0)

/** Bit by bit. */
export function crc32c(bytes: Uint8Array): Buffer {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0)
  }
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE(~crc >>> 0)
  return checksum
}

const SHUFFLES = { noshuffle: 0, shuffle: 1, bitshuffle: 2 } as const

/** One codec from bytes to bytes. */
function byteCodec({ name, configuration = {} }: Codec): {
  encode: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>
  decode: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>
} {
  const level = (configuration['level'] as number | undefined) ?? 1
  switch (name) {
    case 'gzip':
      return { encode: (bytes) => zlib.gzipSync(bytes, { level }), decode: (bytes) => zlib.gunzipSync(bytes) }
    case 'zlib':
      return { encode: (bytes) => zlib.deflateSync(bytes, { level }), decode: (bytes) => zlib.inflateSync(bytes) }
    case 'zstd':
      return {
        encode: async (bytes) => (await zstd({ level })).encode(bytes),
        decode: async (bytes) => (await zstd({ level })).decode(bytes),
      }
    case 'lz4':
      return {
        encode: async (bytes) => (await lz4({ acceleration: 1 })).encode(bytes),
        decode: async (bytes) => (await lz4({ acceleration: 1 })).decode(bytes),
      }
    case 'blosc': {
      const shuffle = SHUFFLES[configuration['shuffle'] as keyof typeof SHUFFLES]
      const made = blosc({ cname: String(configuration['cname']), clevel: 5, blocksize: 0, shuffle })
      return {
        encode: async (bytes) => (await made).encode(bytes),
        decode: async (bytes) => (await made).decode(bytes),
      }
    }
    case 'crc32c':
      return {
        encode: (bytes) => Buffer.concat([bytes, crc32c(bytes)]),
        decode: (bytes) => {
          const [content, checksum] = [bytes.subarray(0, -4), bytes.subarray(-4)]
          if (!crc32c(content).equals(checksum)) throw new Error('wrong checksum')
          return content
        },
      }
    default:
      throw new Error(`no codec ${name}`)
  }
}

/** An index before a transpose, from one behind it. */
const unturned = (order: readonly number[], index: readonly number[]): number[] =>
  order.map((_, axis) => index[order.indexOf(axis)]!)

const NONE = Buffer.alloc(16, 0xff)

interface Shards {
  readonly chunk_shape: readonly number[]
  readonly codecs: readonly Codec[]
  readonly index_codecs: readonly Codec[]
  readonly index_location: 'start' | 'end'
}

const inOrder = ({ configuration }: Codec, element: Uint8Array): Uint8Array =>
  configuration?.['endian'] === 'big' ? element.toReversed() : element

/** `isThere` says which chunks of a shard are stored, by their number. */
export async function encode(
  [codec, ...others]: readonly Codec[],
  shape: readonly number[],
  elements: Elements,
  isThere: (chunk: number) => boolean = () => true,
): Promise<Uint8Array> {
  if (codec!.name === 'transpose') {
    const order = codec!.configuration!['order'] as readonly number[]
    const turned = order.map((axis) => shape[axis]!)
    return encode(others, turned, (index) => elements(unturned(order, index)), isThere)
  }
  let bytes: Uint8Array
  if (codec!.name === 'sharding_indexed') {
    bytes = await encodeShard(codec!.configuration as unknown as Shards, shape, elements, isThere)
  } else bytes = Buffer.concat([...indices(shape)].map((index) => inOrder(codec!, elements(index))))
  for (const each of others) bytes = await byteCodec(each).encode(bytes)
  return bytes
}

async function encodeShard(
  shards: Shards,
  shape: readonly number[],
  elements: Elements,
  isThere: (chunk: number) => boolean,
) {
  const { chunk_shape: inner, codecs, index_codecs: indexCodecs, index_location: location } = shards
  const grid = shape.map((size, axis) => size / inner[axis]!)
  const chunks: (Uint8Array | undefined)[] = []
  for (const cell of indices(grid)) {
    const inside: Elements = (index) => elements(index.map((i, axis) => cell[axis]! * inner[axis]! + i))
    chunks.push(isThere(chunks.length) ? await encode(codecs, inner, inside) : undefined)
  }
  const sizeOfIndex = 16 * chunks.length + 4 * indexCodecs.filter(({ name }) => name === 'crc32c').length
  let offset = location === 'start' ? sizeOfIndex : 0
  const entries = chunks.map((chunk) => {
    if (chunk === undefined) return NONE
    const entry = Buffer.alloc(16)
    const isBig = indexCodecs[0]!.configuration?.['endian'] === 'big'
    for (const [at, value] of [offset, chunk.length].entries()) {
      if (isBig) entry.writeBigUInt64BE(BigInt(value), 8 * at)
      else entry.writeBigUInt64LE(BigInt(value), 8 * at)
    }
    offset += chunk.length
    return entry
  })
  let index: Uint8Array = Buffer.concat(entries)
  for (const each of indexCodecs.slice(1)) index = await byteCodec(each).encode(index)
  const content = chunks.filter((chunk) => chunk !== undefined)
  return Buffer.concat(location === 'start' ? [index, ...content] : [...content, index])
}

/** The elements of a chunk; those that are not there are `fill`. */
export async function decode(
  [codec, ...others]: readonly Codec[],
  shape: readonly number[],
  stored: Uint8Array,
  fill: Element,
): Promise<Elements> {
  if (codec!.name === 'transpose') {
    const order = codec!.configuration!['order'] as readonly number[]
    const turned = await decode(
      others,
      order.map((axis) => shape[axis]!),
      stored,
      fill,
    )
    return (index) => turned(order.map((axis) => index[axis]!))
  }
  let bytes = stored
  for (const each of others.toReversed()) bytes = await byteCodec(each).decode(bytes)
  if (codec!.name === 'sharding_indexed') {
    return decodeShard(codec!.configuration as unknown as Shards, shape, bytes, fill)
  }
  const width = fill.length
  return (index) => {
    const at = position(shape, index) * width
    return inOrder(codec!, bytes.subarray(at, at + width))
  }
}

async function decodeShard(
  shards: Shards,
  shape: readonly number[],
  bytes: Uint8Array,
  fill: Element,
): Promise<Elements> {
  const { chunk_shape: inner, codecs, index_location: location } = shards
  const grid = shape.map((size, axis) => size / inner[axis]!)
  const count = grid.reduce((product, size) => product * size, 1)
  const size = 16 * count + 4
  const checked = location === 'start' ? bytes.subarray(0, size) : bytes.subarray(bytes.length - size)
  const index = Buffer.from(await byteCodec({ name: 'crc32c' }).decode(checked))
  const chunks = await Promise.all(
    Array.from({ length: count }, (_, chunk) => {
      if (index.subarray(16 * chunk, 16 * chunk + 16).equals(NONE)) return () => fill
      const [offset, length] = [0, 8].map((at) => Number(index.readBigUInt64LE(16 * chunk + at))) as [number, number]
      return decode(codecs, inner, bytes.subarray(offset, offset + length), fill)
    }),
  )
  return (at) => {
    const cell = at.map((i, axis) => Math.floor(i / inner[axis]!))
    return chunks[position(grid, cell)]!(at.map((i, axis) => i % inner[axis]!))
  }
}
