// The codecs of version 3: elements are turned (transpose), become bytes (bytes, or shards of chunks), and bytes become
// fewer (gzip, zstd, blosc) or are checked (crc32c). Whatever else a chain names is refused by its name.
import type { StoredDType } from '../../files/element.ts'
import { bytesPerElement } from '../../files/element.ts'
import type { ByteCodec, ChunkCodecs, Sharding } from './array-metadata.ts'
import { type Fields, isFields, shownValue } from './json.ts'
import type { Described } from './metadata-error.ts'

interface NamedCodec {
  readonly name: string
  readonly configuration: Fields
}

const KNOWN = 'bytes, transpose, sharding_indexed, gzip, zstd, blosc, crc32c'

function named(file: Described, value: unknown): NamedCodec {
  if (typeof value === 'string') return { name: value, configuration: {} }
  if (isFields(value) && typeof value['name'] === 'string') {
    const { name, configuration = {} } = value
    if (isFields(configuration)) return { name: name as string, configuration }
  }
  throw file.error(`a codec is ${shownValue(value)}; it should be an object with a name and a configuration.`)
}

function listed(file: Described, name: string, value: unknown): NamedCodec[] {
  if (Array.isArray(value)) return value.map((each) => named(file, each))
  throw file.error(`${name} is ${shownValue(value)}; it should be a list of codecs.`)
}

function byteCodec(file: Described, { name, configuration }: NamedCodec): ByteCodec | undefined {
  switch (name) {
    case 'gzip':
      return { name, level: file.whole('level of gzip', configuration['level'], 5) }
    case 'zstd':
      return {
        name,
        level: file.whole('level of zstd', configuration['level'], 0),
        checksum: configuration['checksum'] === true,
      }
    case 'blosc':
      return {
        name,
        cname: file.word('cname of blosc', configuration['cname'], BLOSC_CODECS),
        clevel: file.whole('clevel of blosc', configuration['clevel'], 5),
        shuffle: file.word('shuffle of blosc', configuration['shuffle'] ?? 'noshuffle', [
          'noshuffle',
          'shuffle',
          'bitshuffle',
        ]),
        blocksize: file.whole('blocksize of blosc', configuration['blocksize'], 0),
      }
    case 'crc32c':
      return { name }
    default:
      return undefined
  }
}

export const BLOSC_CODECS = ['blosclz', 'lz4', 'lz4hc', 'snappy', 'zlib', 'zstd'] as const

function byteCodecs(file: Described, codecs: readonly NamedCodec[]): ByteCodec[] {
  return codecs.map((each) => {
    const codec = byteCodec(file, each)
    if (codec !== undefined) return codec
    const misplaced = KNOWN.split(', ').includes(each.name)
    throw file.error(
      misplaced
        ? `codec ${each.name} stands behind one that gives bytes.`
        : `codec ${shownValue(each.name)} is not supported; ${KNOWN} are.`,
    )
  })
}

/** `order` applied to axes that are turned already. */
function turned(file: Described, axes: readonly number[], order: unknown): number[] {
  const given = Array.isArray(order) ? order : []
  if (given.length === axes.length && axes.every((_, axis) => given.includes(axis))) return given.map((i) => axes[i]!)
  throw file.error(`order of transpose is ${shownValue(order)}; it should name each of ${axes.length} axes once.`)
}

/** The transposes in front of a chain, as one order, and the rest of it. */
function withoutTransposes(
  file: Described,
  codecs: readonly NamedCodec[],
  axes: readonly number[],
): readonly [order: readonly number[], rest: readonly NamedCodec[]] {
  let order = axes
  let first = 0
  for (; codecs[first]?.name === 'transpose'; first++) {
    order = turned(file, order, codecs[first]!.configuration['order'])
  }
  return [order, codecs.slice(first)]
}

function littleEndian(file: Described, { configuration }: NamedCodec, width: number): boolean {
  const { endian } = configuration
  if (endian === undefined && width === 1) return true
  return file.word('endian of bytes', endian, ['little', 'big']) === 'little'
}

function chunkCodecs(
  file: Described,
  codecs: readonly NamedCodec[],
  axes: readonly number[],
  dtype: StoredDType,
): ChunkCodecs {
  const [order, [first, ...others]] = withoutTransposes(file, codecs, axes)
  if (first === undefined) throw file.error('no codec makes bytes of the elements; "bytes" should be among them.')
  if (first.name === 'sharding_indexed') throw file.error('shards inside shards are not supported.')
  if (first.name !== 'bytes') byteCodecs(file, [first])
  if (first.name !== 'bytes')
    throw file.error(`codec ${first.name} stands before "bytes", where elements are no bytes.`)
  return {
    order,
    littleEndian: littleEndian(file, first, bytesPerElement(dtype)),
    compressors: byteCodecs(file, others),
  }
}

function shardIndex(file: Described, value: unknown): Pick<Sharding, 'indexLittleEndian' | 'indexCodecs'> {
  const [first, ...others] = listed(file, 'index_codecs of sharding_indexed', value)
  if (first?.name !== 'bytes') throw file.error('index_codecs of sharding_indexed should begin with "bytes".')
  const indexCodecs = byteCodecs(file, others)
  const other = indexCodecs.find(({ name }) => name !== 'crc32c')
  if (other !== undefined) {
    throw file.error(`index_codecs of sharding_indexed name ${other.name}, which has no fixed size.`)
  }
  return { indexLittleEndian: littleEndian(file, first, 8), indexCodecs }
}

/** The codecs of an array whose stored objects have the shape `chunks`. */
export function codecsOf(
  file: Described,
  value: unknown,
  dtype: StoredDType,
  chunks: readonly number[],
): { readonly codecs: ChunkCodecs; readonly sharding: Sharding | undefined } {
  const all = listed(file, 'codecs', value)
  const axes = chunks.map((_, axis) => axis)
  const [order, [first, ...others]] = withoutTransposes(file, all, axes)
  if (first?.name !== 'sharding_indexed') return { codecs: chunkCodecs(file, all, axes, dtype), sharding: undefined }
  if (others.length > 0) {
    throw file.error(
      `codec ${others[0]!.name} stands behind sharding_indexed, so that no part of a shard could be read alone; this is not supported.`,
    )
  }
  const { configuration } = first
  const stored = file.sizes('chunk_shape of sharding_indexed', configuration['chunk_shape'], 1)
  if (stored.length !== chunks.length || stored.some((size, axis) => chunks[order[axis]!]! % size !== 0)) {
    throw file.error(
      `chunk_shape of sharding_indexed is ${shownValue(stored)}; it should divide the shards of (${chunks.join(',')}).`,
    )
  }
  const inner = axes.map((axis) => stored[order.indexOf(axis)]!)
  return {
    codecs: chunkCodecs(file, listed(file, 'codecs of sharding_indexed', configuration['codecs']), order, dtype),
    sharding: {
      inner,
      order,
      atStart: file.word('index_location', configuration['index_location'] ?? 'end', ['start', 'end']) === 'start',
      ...shardIndex(file, configuration['index_codecs']),
    },
  }
}
