// What is written: an array of version 3 as plain data, its zarr.json, and the bytes of each of its objects. A grid of
// chunks, or of shards that hold a grid of chunks each.
import { discard } from '../files/bytes/discard.ts'
import { bytesOf, bytesPerElement, countOf, newElements, type StoredDType, type TypedArray } from '../files/element.ts'
import { encodeBytes, isCompiled, largestEncoded } from './codecs/byte-codecs.ts'
import { type Extent, encodeIndex } from './codecs/shard-index.ts'
import { partsOf } from './grid.ts'
import { type CodecMemory, insideOf } from './memory.ts'
import { type ByteCodec, chunkKey } from './metadata/array-metadata.ts'
import { fillOf } from './metadata/fill.ts'
import { bitsOf, fillBlock, moveBlock, offsetOf, stridesOf } from './strided.ts'

export type OutputCodec =
  | { readonly name: 'none' }
  | { readonly name: 'gzip' | 'zstd'; readonly level?: number }
  | {
      readonly name: 'blosc'
      readonly level?: number
      readonly cname?: string
      readonly shuffle?: 'noshuffle' | 'shuffle' | 'bitshuffle'
    }

export interface ZarrOutput {
  readonly dtype: StoredDType
  readonly shape: readonly number[]
  readonly chunks: readonly number[]
  /** Each is a whole number of chunks on every axis. */
  readonly shards?: readonly number[]
  readonly codec: OutputCodec
  /** Whether each chunk ends with a checksum (crc32c). */
  readonly checksum?: boolean
  /** As metadata spell it: a number, a boolean, "NaN", "Infinity", bits in hexadecimal, or digits. */
  readonly fill: number | boolean | string
}

/** numcodecs always takes blosc's elements for four bytes wide. */
const BLOSC_TYPESIZE = 4

function compressors({ codec, checksum }: ZarrOutput): ByteCodec[] {
  const codecs: ByteCodec[] = []
  if (codec.name === 'gzip') codecs.push({ name: 'gzip', level: codec.level ?? 5 })
  if (codec.name === 'zstd') codecs.push({ name: 'zstd', level: codec.level ?? 3, checksum: false })
  if (codec.name === 'blosc') {
    const { level: clevel = 5, cname = 'zstd', shuffle = 'shuffle' } = codec
    codecs.push({ name: 'blosc', cname, clevel, shuffle, blocksize: 0 })
  }
  if (checksum === true) codecs.push({ name: 'crc32c' })
  return codecs
}

/** What making an object takes beside its elements. */
export function encodingMemory(output: ZarrOutput): CodecMemory {
  const { dtype, shape, chunks, shards } = output
  const codecs = compressors(output)
  const names = codecs.filter(isCompiled).map(({ name }) => name)
  const bytesIn = (sizes: readonly number[]): number => countOf(sizes) * bytesPerElement(dtype)
  const [chunk, object] = [bytesIn(chunks), bytesIn(objectShape(output))]
  const inside = insideOf(names, chunk + largestEncoded(chunk))
  // Each chunk of a shard, before and after, and then all of them, twice.
  if (shards !== undefined) return { stays: 0, passes: 2 * chunk + 2 * largestEncoded(object), inside }
  const isPadded = shape.some((size, axis) => size % chunks[axis]! !== 0)
  // Node puts pieces of gzip together; a checksum stands behind a copy.
  const copies = codecs.length + (codecs.some(({ name }) => name === 'gzip') ? 1 : 0)
  return { stays: 0, passes: (isPadded ? chunk : 0) + copies * largestEncoded(chunk), inside }
}

const INDEX = { indexLittleEndian: true, indexCodecs: [{ name: 'crc32c' }] } as const

function codecJson({ name, ...configuration }: ByteCodec): object {
  if (name === 'crc32c') return { name }
  return { name, configuration: name === 'blosc' ? { ...configuration, typesize: BLOSC_TYPESIZE } : configuration }
}

const LITTLE = { name: 'bytes', configuration: { endian: 'little' } }

function codecsJson(output: ZarrOutput): object[] {
  const bytes = bytesPerElement(output.dtype) === 1 ? { name: 'bytes' } : LITTLE
  const codecs = [bytes, ...compressors(output).map(codecJson)]
  if (output.shards === undefined) return codecs
  const configuration = {
    chunk_shape: output.chunks,
    codecs,
    index_codecs: [LITTLE, ...INDEX.indexCodecs],
    index_location: 'end',
  }
  return [{ name: 'sharding_indexed', configuration }]
}

/** The shape of a stored object. */
export const objectShape = ({ chunks, shards }: ZarrOutput): readonly number[] => shards ?? chunks

/** What zarr.json says; `metadataText` makes a text of it. */
export const metadataOf = (output: ZarrOutput): object => ({
  zarr_format: 3,
  node_type: 'array',
  shape: output.shape,
  data_type: output.dtype,
  chunk_grid: { name: 'regular', configuration: { chunk_shape: objectShape(output) } },
  chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
  fill_value: output.fill,
  codecs: codecsJson(output),
  attributes: {},
  storage_transformers: [],
})

/** The key of the object at a place of the grid, below its array. */
export const keyOf = (_output: ZarrOutput, index: readonly number[]): string =>
  chunkKey({ name: 'default', separator: '/' }, index)

function fillElement({ dtype, fill }: ZarrOutput): TypedArray {
  const element = fillOf(dtype, fill)
  if (element !== undefined) return element
  throw new RangeError(`${JSON.stringify(fill)} is no element of ${dtype}`)
}

/** The elements of the array that lie in a cell of a grid, which the last ones on each axis may not fill. */
const sizesIn = (shape: readonly number[], cell: readonly number[], index: readonly number[]): number[] =>
  shape.map((size, axis) => Math.min(cell[axis]!, size - index[axis]! * cell[axis]!))

const isSame = (a: readonly number[], b: readonly number[]): boolean => a.every((size, axis) => size === b[axis])

/** A whole chunk, row-major: the elements themselves where they fill it, else with the fill value around them. */
function padded(
  elements: TypedArray,
  sizes: readonly number[],
  chunk: readonly number[],
  fill: TypedArray,
  dtype: StoredDType,
): TypedArray {
  if (isSame(sizes, chunk)) return elements
  const whole = newElements(dtype, countOf(chunk))
  const to = { start: 0, strides: stridesOf(chunk) }
  fillBlock(chunk, fill, whole, to)
  moveBlock(sizes, elements, { start: 0, strides: stridesOf(sizes) }, whole, to)
  return whole
}

/** Whether every element has the bits of the fill value. */
function isAll(elements: TypedArray, fill: TypedArray): boolean {
  const [value] = bitsOf(fill)
  return (bitsOf(elements) as Uint8Array).every((bits) => bits === value)
}

/** Chunks one behind the other, then the index. A chunk that is all fill value is left out. */
async function encodeShard(output: ZarrOutput, index: readonly number[], elements: TypedArray): Promise<Uint8Array> {
  const { dtype, shape, chunks, shards } = output
  const sizes = sizesIn(shape, shards!, index)
  const strides = stridesOf(sizes)
  const fill = fillElement(output)
  const codecs = compressors(output)
  // Each chunk in its turn, where one is never needed with another.
  const chunk = newElements(dtype, countOf(chunks))
  const to = { start: 0, strides: stridesOf(chunks) }
  const extents: (Extent | undefined)[] = []
  const pieces: Uint8Array[] = []
  let offset = 0
  const origin = shape.map(() => 0)
  for (const { begin, end } of partsOf(origin, shards!, chunks)) {
    // What lies behind the end of the array has no elements.
    const inside = begin.map((from, axis) => Math.max(0, Math.min(end[axis]!, sizes[axis]!) - from))
    if (!isSame(inside, chunks)) fillBlock(chunks, fill, chunk, to)
    moveBlock(inside, elements, { start: offsetOf(strides, begin), strides }, chunk, to)
    if (isAll(chunk, fill)) extents.push(undefined)
    else {
      const encoded = await encodeBytes(codecs, bytesOf(chunk))
      const piece = codecs.length === 0 ? new Uint8Array(encoded) : encoded
      extents.push({ offset, length: piece.length })
      pieces.push(piece)
      offset += piece.length
    }
  }
  const shard = Buffer.concat([...pieces, await encodeIndex(INDEX, extents)])
  for (const piece of pieces) discard(piece)
  return shard
}

/**
 * The bytes of the object at a place of the grid. `elements` are those inside the array's bounds, row-major; the bytes
 * may be a view of them.
 */
export async function encodeObject(
  output: ZarrOutput,
  index: readonly number[],
  elements: TypedArray,
): Promise<Uint8Array> {
  const { dtype, shape, chunks } = output
  if (output.shards !== undefined) return encodeShard(output, index, elements)
  const sizes = sizesIn(shape, chunks, index)
  return encodeBytes(compressors(output), bytesOf(padded(elements, sizes, chunks, fillElement(output), dtype)))
}
