// What metadata say, in all spellings, and what is said about metadata that cannot be used.
import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../../testing/zarr/memory-store.ts'
import { FileError } from '../../src/errors/file-error.ts'
import { bytesOf, type StoredDType } from '../../src/files/element.ts'
import { arrayIn, type ZarrArray } from '../../src/zarr/array.ts'
import { fillOf } from '../../src/zarr/metadata/fill.ts'
import { metadataText, parseMetadata } from '../../src/zarr/metadata/json.ts'
import { zarrPlace } from '../../src/zarr/place.ts'

const bytes = { name: 'bytes', configuration: { endian: 'little' } }
const v3 = {
  zarr_format: 3,
  node_type: 'array',
  shape: [4, 6],
  data_type: 'float32',
  chunk_grid: { name: 'regular', configuration: { chunk_shape: [2, 3] } },
  chunk_key_encoding: { name: 'default' },
  fill_value: 0,
  codecs: [bytes],
}
const v2 = {
  ...{ zarr_format: 2, shape: [4, 6], chunks: [2, 3], dtype: '<f4', order: 'C', fill_value: null },
  ...{ filters: null, compressor: null },
}
const sharded = (configuration: object) => [
  {
    name: 'sharding_indexed',
    configuration: {
      chunk_shape: [2, 3],
      codecs: [bytes],
      index_codecs: [bytes, { name: 'crc32c' }],
      ...configuration,
    },
  },
]

const opened = (metadata: object | string): Promise<ZarrArray> => {
  const key = typeof metadata === 'object' && 'chunks' in metadata ? '.zarray' : 'zarr.json'
  const text = typeof metadata === 'string' ? metadata : JSON.stringify(metadata)
  return arrayIn('x.zarr', new MemoryStore([[key, Buffer.from(text)]]), '')
}

describe('metadata that cannot be used', () => {
  it.each<[problem: string, metadata: object | string]>([
    ['zarr.json is no JSON text', '{"zarr_format": 3'],
    ['zarr.json is []; it should be an object', '[]'],
    ['zarr_format is 4; it should be 3', { ...v3, zarr_format: 4 }],
    ['node_type is "thing"; it should be "array" or "group"', { ...v3, node_type: 'thing' }],
    ['it is a group of arrays. Name one', { zarr_format: 3, node_type: 'group' }],
    ['shape is [4,-1]; it should be a list of whole numbers', { ...v3, shape: [4, -1] }],
    ['shape is [4.5]', { ...v3, shape: [4.5] }],
    ['data type "complex64" is not supported; ', { ...v3, data_type: 'complex64' }],
    ['data type "numpy.datetime64" is not supported', { ...v3, data_type: { name: 'numpy.datetime64' } }],
    [
      'chunk_shape has 1 axes, and shape has 2',
      { ...v3, chunk_grid: { name: 'regular', configuration: { chunk_shape: [2] } } },
    ],
    ['chunk grid "rectilinear" is not supported', { ...v3, chunk_grid: { name: 'rectilinear' } }],
    ['each 1 or more', { ...v3, chunk_grid: { name: 'regular', configuration: { chunk_shape: [2, 0] } } }],
    ['chunk key encoding "fanout" is not supported', { ...v3, chunk_key_encoding: { name: 'fanout' } }],
    ['separator is "-"', { ...v3, chunk_key_encoding: { name: 'v2', configuration: { separator: '-' } } }],
    ['fill_value is null; it should be one element of float32', { ...v3, fill_value: null }],
    ['fill_value is "0x7fc0"', { ...v3, fill_value: '0x7fc0' }],
    [
      'storage transformers are not supported, and it has [{"name":"x"}]',
      { ...v3, storage_transformers: [{ name: 'x' }] },
    ],
    ['a field "extension" that must be understood', { ...v3, extension: { must_understand: true } }],
    [
      'codec "numcodecs.delta" is not supported; bytes, transpose',
      { ...v3, codecs: [bytes, { name: 'numcodecs.delta' }] },
    ],
    ['codec transpose stands behind one that gives bytes', { ...v3, codecs: [bytes, { name: 'transpose' }] }],
    ['codec gzip stands before "bytes"', { ...v3, codecs: [{ name: 'gzip' }, bytes] }],
    ['no codec makes bytes of the elements', { ...v3, codecs: [] }],
    ['endian of bytes is nothing', { ...v3, codecs: [{ name: 'bytes' }] }],
    [
      'order of transpose is [0,0]',
      { ...v3, codecs: [{ name: 'transpose', configuration: { order: [0, 0] } }, bytes] },
    ],
    ['cname of blosc is "best"', { ...v3, codecs: [bytes, { name: 'blosc', configuration: { cname: 'best' } }] }],
    ['it should divide the shards of (2,3)', { ...v3, codecs: sharded({ chunk_shape: [2, 2] }) }],
    ['shards inside shards', { ...v3, codecs: sharded({ codecs: sharded({}) }) }],
    ['codec gzip stands behind sharding_indexed', { ...v3, codecs: [...sharded({}), { name: 'gzip' }] }],
    [
      'index_codecs of sharding_indexed name gzip',
      { ...v3, codecs: sharded({ index_codecs: [bytes, { name: 'gzip' }] }) },
    ],
    ['index_location is "middle"', { ...v3, codecs: sharded({ index_location: 'middle' }) }],
    ['takes more bytes than can be counted', { ...v3, shape: [2 ** 40, 2 ** 40] }],
    ['filters are not supported, and it has "delta"', { ...v2, filters: [{ id: 'delta' }] }],
    ['compressor "lzma" is not supported; gzip, zlib, zstd, lz4 and blosc are', { ...v2, compressor: { id: 'lzma' } }],
    ['dtype "|S3" is not supported', { ...v2, dtype: '|S3' }],
    ['dtype [["a","<f4"]] is not supported', { ...v2, dtype: [['a', '<f4']] }],
    ['order is "K"', { ...v2, order: 'K' }],
    ['chunks are (2,0)', { ...v2, chunks: [2, 0] }],
    ['zarr_format is 3; it should be 2', { ...v2, zarr_format: 3 }],
  ])('%s', async (problem, metadata) => {
    const refused = opened(metadata)
    await expect(refused).rejects.toThrow(problem)
    await expect(refused).rejects.toBeInstanceOf(FileError)
    await expect(refused).rejects.toThrow(/^x\.zarr: /)
  })

  it('may hold what need not be understood', async () => {
    const extra = { attributes: { a: 1 }, dimension_names: ['y', null], hint: { must_understand: false } }
    expect((await opened({ ...v3, ...extra, codecs: ['bytes'], data_type: 'int8' })).dtype).toBe('int8')
    expect((await opened({ ...v2, shape: [0], chunks: [0] })).chunks).toEqual([1])
  })
})

describe('a fill value', () => {
  it.each<[StoredDType, unknown, hex: string]>([
    ['float32', 1.5, '0000c03f'],
    ['float32', 'NaN', '0000c07f'],
    ['float32', '-Infinity', '000080ff'],
    ['float32', '0x7fc12345', '4523c17f'],
    ['float64', -0, '0000000000000080'],
    ['float16', 'Infinity', '007c'],
    ['float16', 0.1, '662e'],
    ['float16', '0xfe01', '01fe'],
    ['bfloat16', 'NaN', 'c07f'],
    ['bfloat16', 1.5, 'c03f'],
    ['bool', true, '01'],
    ['bool', 0, '00'],
    ['int8', -128, '80'],
    ['uint64', '18446744073709551615', 'ffffffffffffffff'],
    ['int64', '-9007199254740993', 'ffffffffffffdfff'],
  ])('of %s is read from %s', (dtype, value, hex) => {
    expect(Buffer.from(bytesOf(fillOf(dtype, value)!)).toString('hex')).toBe(hex)
  })

  it.each<[StoredDType, unknown]>([
    ['int8', 128],
    ['uint8', -1],
    ['int32', 1.5],
    ['uint64', '18446744073709551616'],
    ['int64', 'NaN'],
    ['float32', 'nan'],
    ['float32', true],
    ['bool', 2],
    ['bool', 'true'],
  ])('of %s is not %s', (dtype, value) => {
    expect(fillOf(dtype, value)).toBeUndefined()
  })

  it('keeps all digits on the way through JSON', () => {
    const text = '{"fill_value": -9007199254740993, "attributes": {"text": "\\"fill_value\\": 12345678901234567890"}}'
    const parsed = parseMetadata(text)
    expect(parsed).toEqual({
      fill_value: '-9007199254740993',
      attributes: { text: '"fill_value": 12345678901234567890' },
    })
    expect(metadataText({ fill_value: '18446744073709551615' })).toContain('"fill_value": 18446744073709551615')
    expect(metadataText({ fill_value: '0x7fc00000' })).toContain('"fill_value": "0x7fc00000"')
  })
})

describe('a place', () => {
  it.each<[spec: string, store: string, path: string]>([
    ['x.zarr', 'x.zarr', ''],
    ['x.zarr/', 'x.zarr', ''],
    ['x.zarr:a/b', 'x.zarr', 'a/b'],
    ['x.zarr/:/a/', 'x.zarr', 'a'],
    ['x.ZARR:a:b', 'x.ZARR', 'a:b'],
    ['dir/run-12:30.zarr', 'dir/run-12:30.zarr', ''],
    ['x.zarr.zip:a', 'x.zarr.zip', 'a'],
    ['x.zip:zarr', 'x.zip', ''],
    ['data:zarr:a', 'data', 'a'],
    ['s3://bucket/x.zarr:a', 's3://bucket/x.zarr', 'a'],
    ['s3://bucket/data/', 's3://bucket/data', ''],
    ['https://host:8080/x.zarr:a', 'https://host:8080/x.zarr', 'a'],
    ['https://host/data/array?token=1', 'https://host/data/array?token=1', ''],
    ['http://host/data:zarr:a', 'http://host/data', 'a'],
  ])('%s', (spec, store, path) => {
    expect(zarrPlace(spec)).toEqual({ label: spec, store, path })
  })

  it.each(['x.npy', 'zarr', 'x.zarr.npy', 'x.npz:zarr.json', '-', '', 'x.bin:float32:2,3', ':zarr'])(
    'of another format: %s',
    (spec) => {
      expect(zarrPlace(spec)).toBeUndefined()
    },
  )
})
