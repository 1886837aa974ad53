// .zarray of version 2, said in the words of version 3: column-major order is a transpose, the byte order is the type's,
// and its one compressor is a codec.
import { type NumpyType, numpyType } from 'bcast/npy'
import { newElements, storedDTypes } from '../../files/element.ts'
import type { ArrayMetadata, ByteCodec } from './array-metadata.ts'
import { BLOSC_CODECS } from './codecs.ts'
import { fillOf } from './fill.ts'
import { isFields, shownValue } from './json.ts'
import type { Described } from './metadata-error.ts'

const SHUFFLES = ['noshuffle', 'shuffle', 'bitshuffle'] as const

function compressors(file: Described, width: number): ByteCodec[] {
  const { compressor } = file.fields
  if (compressor === null || compressor === undefined) return []
  if (!isFields(compressor)) throw file.wrong('compressor', 'null or an object with an id')
  switch (compressor['id']) {
    case 'gzip':
    case 'zlib':
      return [{ name: compressor['id'], level: file.whole('level of the compressor', compressor['level'], 1) }]
    case 'zstd':
      return [
        {
          name: 'zstd',
          level: file.whole('level of zstd', compressor['level'], 1),
          checksum: compressor['checksum'] === true,
        },
      ]
    case 'lz4':
      return [{ name: 'lz4', acceleration: file.whole('acceleration of lz4', compressor['acceleration'], 1) }]
    case 'blosc': {
      const shuffle = file.whole('shuffle of blosc', compressor['shuffle'], 1)
      return [
        {
          name: 'blosc',
          cname: file.word('cname of blosc', compressor['cname'] ?? 'lz4', BLOSC_CODECS),
          clevel: file.whole('clevel of blosc', compressor['clevel'], 5),
          // The one that is left to the library depends on the type.
          shuffle: SHUFFLES[shuffle] ?? (width === 1 ? 'bitshuffle' : 'shuffle'),
          blocksize: file.whole('blocksize of blosc', compressor['blocksize'], 0),
        },
      ]
    }
    default:
      throw file.error(
        `compressor ${shownValue(compressor['id'])} is not supported; gzip, zlib, zstd, lz4 and blosc are.`,
      )
  }
}

function typeOf(file: Described): NumpyType {
  const { dtype } = file.fields
  if (dtype === 'bfloat16') return { dtype, littleEndian: true }
  const type = typeof dtype === 'string' ? numpyType(dtype) : undefined
  if (type !== undefined) return type
  throw file.error(`dtype ${shownValue(dtype)} is not supported; ${storedDTypes.join(', ')} are.`)
}

export function arrayV2(file: Described): ArrayMetadata {
  const { fields } = file
  const { dtype, littleEndian } = typeOf(file)
  const shape = file.sizes('shape', fields['shape'], 0)
  // Of no elements some writers make chunks of none.
  const chunks = file
    .sizes('chunks', fields['chunks'], 0)
    .map((size, axis) => (shape[axis] === 0 && size === 0 ? 1 : size))
  if (chunks.length !== shape.length || chunks.includes(0)) {
    throw file.error(`chunks are (${chunks.join(',')}), and the shape is (${shape.join(',')}).`)
  }
  const filters = fields['filters'] ?? []
  if (!Array.isArray(filters)) throw file.wrong('filters', 'null or a list')
  if (filters.length > 0) {
    const names = filters.map((filter) => shownValue(isFields(filter) ? filter['id'] : filter)).join(', ')
    throw file.error(`filters are not supported, and it has ${names}.`, 'Write it again without filters.')
  }
  const fill = fields['fill_value'] === null ? newElements(dtype, 1) : fillOf(dtype, fields['fill_value'])
  if (fill === undefined) throw file.wrong('fill_value', `one element of ${dtype}`)
  const axes = shape.map((_, axis) => axis)
  const order = file.word('order', fields['order'] ?? 'C', ['C', 'F'])
  const separator = file.word('dimension_separator', fields['dimension_separator'] ?? '.', ['.', '/'])
  return {
    version: 2,
    dtype,
    shape,
    chunks,
    keys: { name: 'v2', separator },
    fill,
    codecs: {
      order: order === 'C' ? axes : axes.toReversed(),
      littleEndian,
      compressors: compressors(file, newElements(dtype, 1).byteLength),
    },
    sharding: undefined,
  }
}
