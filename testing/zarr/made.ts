// Arrays of Zarr, made at random: metadata of either version, elements of any bits, and the objects that hold them.
import fc from 'fast-check'
import {
  bytesOf,
  bytesPerElement,
  countOf,
  elementsOver,
  type StoredDType,
  storedDTypes,
  type TypedArray,
} from '../../packages/cli/src/files/element.ts'
import { type Codec, encode, indices } from './literal.ts'

export interface MadeArray {
  readonly version: 2 | 3
  readonly dtype: StoredDType
  readonly shape: readonly number[]
  readonly chunks: readonly number[]
  readonly codecs: readonly Codec[]
  readonly separator: '/' | '.'
  readonly elements: TypedArray
  /** Every how manieth object, and chunk of a shard, is left out; 0 for none. */
  readonly gaps: number
}

const bytes = (dtype: StoredDType): boolean => bytesPerElement(dtype) === 1

/** Bits of any kind; booleans have two values. */
export const elementsOf = (dtype: StoredDType, count: number): fc.Arbitrary<TypedArray> =>
  fc
    .uint8Array({ minLength: count * bytesPerElement(dtype), maxLength: count * bytesPerElement(dtype) })
    .map((content) => {
      const own = Uint8Array.from(content, (byte) => (dtype === 'bool' ? byte & 1 : byte))
      return elementsOver(dtype, own.buffer, 0, count)
    })

const compressors: readonly (readonly Codec[])[] = [
  [],
  [{ name: 'crc32c' }],
  [{ name: 'gzip', configuration: { level: 1 } }],
  [{ name: 'zstd', configuration: { level: 1, checksum: false } }],
  [{ name: 'zstd', configuration: { level: 3, checksum: false } }, { name: 'crc32c' }],
  [{ name: 'blosc', configuration: { cname: 'lz4', clevel: 5, shuffle: 'shuffle', typesize: 4, blocksize: 0 } }],
]
const compressorsV2: readonly (readonly Codec[])[] = [
  ...compressors.filter((codecs) => !codecs.some(({ name }) => name === 'crc32c')),
  [{ name: 'zlib', configuration: { level: 1 } }],
  [{ name: 'lz4', configuration: { acceleration: 1 } }],
]

const endian = (dtype: StoredDType): fc.Arbitrary<Codec> =>
  bytes(dtype)
    ? fc.constant({ name: 'bytes' })
    : fc.constantFrom('little', 'big').map((order) => ({ name: 'bytes', configuration: { endian: order } }))

const permutation = (rank: number): fc.Arbitrary<number[]> => {
  const axes = Array.from({ length: rank }, (_, axis) => axis)
  return fc.shuffledSubarray(axes, { minLength: rank, maxLength: rank })
}

const transpose = (rank: number): fc.Arbitrary<Codec[]> =>
  fc
    .option(permutation(rank), { nil: undefined })
    .map((order) => (order === undefined ? [] : [{ name: 'transpose', configuration: { order } }]))

const chain = (dtype: StoredDType, rank: number): fc.Arbitrary<Codec[]> =>
  fc
    .tuple(transpose(rank), endian(dtype), fc.constantFrom(...compressors))
    .map(([turned, order, compress]) => [...turned, order, ...compress])

function shards(dtype: StoredDType, inner: readonly number[]): fc.Arbitrary<Codec[]> {
  return fc
    .tuple(
      transpose(inner.length),
      chain(dtype, inner.length),
      fc.constantFrom('start', 'end'),
      fc.constantFrom('little', 'big'),
    )
    .map(([turned, codecs, location, order]) => {
      const axes = (turned[0]?.configuration?.['order'] as number[] | undefined) ?? inner.map((_, axis) => axis)
      const configuration = {
        chunk_shape: axes.map((axis) => inner[axis]!),
        codecs,
        index_codecs: [{ name: 'bytes', configuration: { endian: order } }, { name: 'crc32c' }],
        index_location: location,
      }
      return [...turned, { name: 'sharding_indexed', configuration }]
    })
}

const codecsV2 = (dtype: StoredDType, rank: number): fc.Arbitrary<Codec[]> =>
  fc.tuple(fc.boolean(), endian(dtype), fc.constantFrom(...compressorsV2)).map(([isTurned, order, compress]) => {
    const axes = Array.from({ length: rank }, (_, axis) => rank - 1 - axis)
    return [...(isTurned ? [{ name: 'transpose', configuration: { order: axes } }] : []), order, ...compress]
  })

const sizes = (rank: number, min: number, max: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min, max }), { minLength: rank, maxLength: rank })

/** An array of some tens of elements, of either version, with or without shards. */
export const madeArrays: fc.Arbitrary<MadeArray> = fc
  .record({
    version: fc.constantFrom(2, 3, 3) as fc.Arbitrary<2 | 3>,
    dtype: fc.constantFrom(...storedDTypes),
    rank: fc.integer({ min: 0, max: 3 }),
    isSharded: fc.boolean(),
  })
  .chain(({ version, dtype, rank, isSharded }) =>
    fc
      .record({ shape: sizes(rank, 0, 6), inner: sizes(rank, 1, 3), times: sizes(rank, 1, 3) })
      // bfloat16 of version 2 has no byte order, since NumPy does not know it.
      .chain(({ shape, inner, times }) => {
        const isV3 = version === 3
        const codecs = !isV3 ? codecsV2(dtype, rank) : isSharded ? shards(dtype, inner) : chain(dtype, rank)
        return fc.record({
          version: fc.constant(dtype === 'bfloat16' ? 3 : version) as fc.Arbitrary<2 | 3>,
          dtype: fc.constant(dtype),
          shape: fc.constant(shape),
          chunks: fc.constant(isV3 && isSharded ? inner.map((size, axis) => size * times[axis]!) : inner),
          codecs: dtype === 'bfloat16' && !isV3 ? chain(dtype, rank) : codecs,
          separator: fc.constantFrom('/', '.') as fc.Arbitrary<'/' | '.'>,
          elements: elementsOf(dtype, countOf(shape)),
          gaps: fc.constantFrom(0, 0, 2, 3),
        })
      }),
  )

const NUMPY: Readonly<Record<StoredDType, string>> = {
  bool: 'b1',
  int8: 'i1',
  uint8: 'u1',
  int16: 'i2',
  uint16: 'u2',
  int32: 'i4',
  uint32: 'u4',
  int64: 'i8',
  uint64: 'u8',
  float16: 'f2',
  float32: 'f4',
  float64: 'f8',
  bfloat16: 'V2',
}

const SHUFFLES = ['noshuffle', 'shuffle', 'bitshuffle']

function metadataV2({ dtype, shape, chunks, codecs, separator }: MadeArray): object {
  const compressor = codecs.at(-1)!.name === 'bytes' ? undefined : codecs.at(-1)!
  const { configuration = {} } = codecs.find(({ name }) => name === 'bytes')!
  const shuffle = compressor?.configuration?.['shuffle'] as string | undefined
  return {
    zarr_format: 2,
    shape,
    chunks,
    dtype: `${bytes(dtype) ? '|' : configuration['endian'] === 'big' ? '>' : '<'}${NUMPY[dtype]}`,
    order: codecs[0]!.name === 'transpose' ? 'F' : 'C',
    fill_value: null,
    filters: null,
    compressor:
      compressor === undefined
        ? null
        : {
            id: compressor.name,
            ...compressor.configuration,
            ...(shuffle === undefined ? {} : { shuffle: SHUFFLES.indexOf(shuffle) }),
          },
    dimension_separator: separator,
  }
}

const metadataV3 = ({ dtype, shape, chunks, codecs, separator }: MadeArray): object => ({
  zarr_format: 3,
  node_type: 'array',
  shape,
  data_type: dtype,
  chunk_grid: { name: 'regular', configuration: { chunk_shape: chunks } },
  chunk_key_encoding: { name: 'default', configuration: { separator } },
  fill_value: dtype === 'bool' ? false : 0,
  codecs,
})

export const metadataOf = (array: MadeArray): readonly [key: string, metadata: object] =>
  array.version === 2 ? ['.zarray', metadataV2(array)] : ['zarr.json', metadataV3(array)]

const isGap = (gaps: number, number: number): boolean => gaps > 0 && number % gaps === 1

/** Whether an element is stored, by the literal grid; the others are zero. */
export function isStored({ shape, chunks, codecs, gaps }: MadeArray, index: readonly number[]): boolean {
  const grid = shape.map((size, axis) => Math.ceil(size / chunks[axis]!))
  const number = index.reduce((sum, i, axis) => sum * grid[axis]! + Math.floor(i / chunks[axis]!), 0)
  if (isGap(gaps, number)) return false
  const shard = codecs.find(({ name }) => name === 'sharding_indexed')
  if (shard === undefined) return true
  const order = (
    codecs[0]!.name === 'transpose' ? codecs[0]!.configuration!['order'] : shape.map((_, axis) => axis)
  ) as number[]
  const inner = shard.configuration!['chunk_shape'] as number[]
  const chunk = order.reduce((sum, axis, i) => {
    const [size, within] = [inner[i]!, index[axis]! % chunks[axis]!]
    return sum * (chunks[axis]! / size) + Math.floor(within / size)
  }, 0)
  return !isGap(gaps, chunk)
}

/** All objects of an array, its metadata included. */
export async function objectsOf(array: MadeArray): Promise<[string, Uint8Array][]> {
  const { version, dtype, shape, chunks, codecs, separator, elements, gaps } = array
  const width = bytesPerElement(dtype)
  const content = bytesOf(elements)
  const [key, metadata] = metadataOf(array)
  const objects: [string, Uint8Array][] = [[key, Buffer.from(JSON.stringify(metadata))]]
  const grid = shape.map((size, axis) => Math.ceil(size / chunks[axis]!))
  let number = -1
  for (const cell of indices(grid)) {
    number++
    if (isGap(gaps, number)) continue
    const name = version === 3 ? ['c', ...cell].join(separator) : cell.join(separator) || '0'
    const element = (index: readonly number[]): Uint8Array => {
      const at = index.map((i, axis) => cell[axis]! * chunks[axis]! + i)
      if (at.some((i, axis) => i >= shape[axis]!)) return new Uint8Array(width)
      const position = at.reduce((sum, i, axis) => sum * shape[axis]! + i, 0) * width
      return content.subarray(position, position + width)
    }
    objects.push([name, await encode(codecs, chunks, element, (chunk) => !isGap(gaps, chunk))])
  }
  return objects
}
