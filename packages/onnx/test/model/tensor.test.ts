import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { dtypes, fromData, type StorageOf, tensor } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dataTypeOf,
  type OnnxDType,
  readTensorProto,
  TensorDataError,
  tensorOf,
  tensorProtoOf,
  UnsupportedError,
  writeTensorProto,
} from '../../src/index.ts'
import { TensorProto_DataType as DataType, TensorProtoSchema } from '../../src/proto/onnx_pb.ts'
import { thrown } from '../support/thrown.ts'

type Init = MessageInitShape<typeof TensorProtoSchema>

const read = (init: Init) => tensorOf(create(TensorProtoSchema, { name: 'x', ...init }))
const elements = (init: Init): unknown => read({ dims: [BigInt(countOf(init))], ...init }).toArray()
const countOf = ({ dims: _, dataType: _type, ...data }: Init): number => (Object.values(data)[0] as unknown[]).length
const raw = (dataType: number, size: number, ...bytes: number[]): unknown =>
  read({ dims: [BigInt(bytes.length / size)], dataType, rawData: Uint8Array.from(bytes) }).toArray()

describe('a tensor message', () => {
  it('holds each type in raw_data, little-endian', () => {
    expect(raw(DataType.FLOAT, 4, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0)).toEqual([1.5, -2])
    expect(raw(DataType.DOUBLE, 8, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f)).toEqual([0.5])
    expect(raw(DataType.FLOAT16, 2, 0, 0x3c, 1, 0, 0, 0x7c, 0, 0xfc, 1, 0x7c, 0xff, 0xfb)).toEqual([
      1,
      2 ** -24,
      Infinity,
      -Infinity,
      NaN,
      -65504,
    ])
    expect(raw(DataType.BFLOAT16, 2, 0x80, 0x3f, 0, 0xc0, 0x80, 0xff)).toEqual([1, -2, -Infinity])
    expect(raw(DataType.INT8, 1, 1, 255)).toEqual([1, -1])
    expect(raw(DataType.INT16, 2, 0xfe, 0xff)).toEqual([-2])
    expect(raw(DataType.INT32, 4, 0xfe, 0xff, 0xff, 0xff)).toEqual([-2])
    expect(raw(DataType.INT64, 8, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)).toEqual([-2n])
    expect(raw(DataType.UINT8, 1, 1, 255)).toEqual([1, 255])
    expect(raw(DataType.UINT16, 2, 0xfe, 0xff)).toEqual([65534])
    expect(raw(DataType.UINT32, 4, 0xfe, 0xff, 0xff, 0xff)).toEqual([2 ** 32 - 2])
    expect(raw(DataType.UINT64, 8, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)).toEqual([2n ** 64n - 2n])
    expect(raw(DataType.BOOL, 1, 0, 1)).toEqual([false, true])
  })

  it('holds each type in the typed field of its family', () => {
    expect(elements({ dataType: DataType.FLOAT, floatData: [1.5, -2] })).toEqual([1.5, -2])
    expect(elements({ dataType: DataType.DOUBLE, doubleData: [0.1] })).toEqual([0.1])
    expect(elements({ dataType: DataType.FLOAT16, int32Data: [0x3c00, 0x8001] })).toEqual([1, -(2 ** -24)])
    expect(elements({ dataType: DataType.BFLOAT16, int32Data: [0x3f80] })).toEqual([1])
    expect(elements({ dataType: DataType.INT8, int32Data: [-128, 127] })).toEqual([-128, 127])
    expect(elements({ dataType: DataType.INT16, int32Data: [-32768, 32767] })).toEqual([-32768, 32767])
    expect(elements({ dataType: DataType.INT32, int32Data: [-(2 ** 31)] })).toEqual([-(2 ** 31)])
    expect(elements({ dataType: DataType.INT64, int64Data: [-(2n ** 63n)] })).toEqual([-(2n ** 63n)])
    expect(elements({ dataType: DataType.UINT8, int32Data: [0, 255] })).toEqual([0, 255])
    expect(elements({ dataType: DataType.UINT16, int32Data: [65535] })).toEqual([65535])
    expect(elements({ dataType: DataType.UINT32, uint64Data: [2n ** 32n - 1n] })).toEqual([2 ** 32 - 1])
    expect(elements({ dataType: DataType.UINT64, uint64Data: [2n ** 64n - 1n] })).toEqual([2n ** 64n - 1n])
    expect(elements({ dataType: DataType.BOOL, int32Data: [1, 0] })).toEqual([true, false])
    const stringData = ['größe', ''].map((text) => new TextEncoder().encode(text))
    expect(elements({ dataType: DataType.STRING, stringData })).toEqual(['größe', ''])
  })

  it('has rank 0, or no elements at all', () => {
    expect(read({ dataType: DataType.FLOAT, floatData: [3] })).toMatchObject({ shape: [] })
    expect(read({ dims: [2n, 0n], dataType: DataType.FLOAT })).toMatchObject({ shape: [2, 0], dtype: 'float32' })
    // The zero makes the product exact, however large its neighbours.
    expect(read({ dims: [2n ** 50n, 2n ** 50n, 0n], dataType: DataType.STRING }).size).toBe(0)
  })

  it('shares raw_data that is aligned, and copies what is not', () => {
    const bytes = new Uint8Array(16)
    const at = (offset: number) =>
      read({ dims: [2n], dataType: DataType.FLOAT, rawData: bytes.subarray(offset, offset + 8) }).data as Float32Array
    expect(at(4).buffer).toBe(bytes.buffer)
    expect(at(3).buffer).not.toBe(bytes.buffer)
    expect([...at(3)]).toEqual([0, 0])
  })
})

const damaged: readonly (readonly [string, Init, RegExp])[] = [
  [
    'too few bytes',
    { dims: [2n], dataType: 1, rawData: new Uint8Array(4) },
    /raw_data has 4 bytes where 2 float32 elements of shape \(2\) take 8/,
  ],
  [
    'too many elements',
    { dims: [1n], dataType: 1, floatData: [1, 2] },
    /float_data has 2 elements where shape \(1\) takes 1/,
  ],
  ['no data', { dims: [2n], dataType: 1 }, /float_data has 0 elements/],
  [
    'data in two places',
    { dims: [1n], dataType: 1, floatData: [1], rawData: new Uint8Array(4) },
    /float_data, but it has raw_data too/,
  ],
  [
    'data in the wrong field',
    { dims: [1n], dataType: 1, int32Data: [1] },
    /int32_data, but float32 elements belong in float_data/,
  ],
  ['a negative size', { dims: [-1n], dataType: 1 }, /size -1 of axis 0 is negative/],
  ['more elements than can be counted', { dims: [2n ** 40n, 2n ** 40n], dataType: 1 }, /more than 2\^53 - 1 elements/],
  ['a size beyond 2^53 beside a zero', { dims: [2n ** 60n, 0n], dataType: 1 }, /more than 2\^53 - 1 elements/],
  ['a claim of terabytes', { dims: [2n ** 40n], dataType: 1, rawData: new Uint8Array(4) }, /take 4398046511104/],
  [
    'an int8 of 128',
    { dims: [1n], dataType: DataType.INT8, int32Data: [128] },
    /element 0 is 128, which int8 cannot hold/,
  ],
  ['float16 bits beyond 16', { dims: [1n], dataType: DataType.FLOAT16, int32Data: [65536] }, /65536, which float16/],
  ['a negative uint8', { dims: [1n], dataType: DataType.UINT8, int32Data: [-1] }, /-1, which uint8/],
  [
    'a uint32 of 33 bits',
    { dims: [1n], dataType: DataType.UINT32, uint64Data: [2n ** 32n] },
    /4294967296, which uint32/,
  ],
  ['a bool of 2', { dims: [1n], dataType: DataType.BOOL, int32Data: [2] }, /2, which bool/],
  [
    'a bool byte of 2',
    { dims: [2n], dataType: DataType.BOOL, rawData: Uint8Array.of(1, 2) },
    /element 1 is 2, which is not a bool/,
  ],
  ['strings in raw_data', { dims: [1n], dataType: DataType.STRING, rawData: Uint8Array.of(65) }, /cannot hold strings/],
  [
    'a string that is not UTF-8',
    { dims: [1n], dataType: DataType.STRING, stringData: [Uint8Array.of(0xff)] },
    /element 0 is not UTF-8/,
  ],
]

describe('a tensor message that does not hold together', () => {
  it.each(damaged)('%s is a typed error', (_, init, message) => {
    const error = thrown(() => read(init))
    expect(error).toBeInstanceOf(TensorDataError)
    expect(error).toMatchObject({ code: 'ONNX_TENSOR', tensor: 'x', message: expect.stringMatching(message) })
  })

  it('names the type that bcast does not have', () => {
    const left = [14, 15, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28]
    const names = left.map((dataType) => (thrown(() => read({ dims: [0n], dataType })) as UnsupportedError).feature)
    expect(names).toEqual([
      'complex64',
      'complex128',
      'float8e4m3fn',
      'float8e4m3fnuz',
      'float8e5m2',
      'float8e5m2fnuz',
      'uint4',
      'int4',
      'float4e2m1',
      'float8e8m0',
      'uint2',
      'int2',
      'float6e2m3',
      'float6e3m2',
    ])
    expect(thrown(() => read({ dataType: 0 }))).toMatchObject({ code: 'ONNX_UNSUPPORTED', feature: 'number 0' })
    expect(thrown(() => read({ dataType: 99 }))).toBeInstanceOf(UnsupportedError)
  })

  it('refuses a segment, and a real', () => {
    const segment = { begin: 0n, end: 1n }
    expect(thrown(() => read({ dims: [1n], dataType: 1, segment, floatData: [1] }))).toMatchObject({
      feature: 'segment',
    })
    expect(thrown(() => tensorProtoOf(fromData('real', [], [0])))).toMatchObject({ feature: 'real' })
  })
})

const onnxTypes = dtypes.filter((dtype): dtype is OnnxDType => dtype !== 'real')
const bitsOf = {
  float16: 16,
  bfloat16: 16,
  float32: 32,
  float64: 64,
  int8: 8,
  int16: 16,
  int32: 32,
  int64: 64,
  uint8: 8,
  uint16: 16,
  uint32: 32,
  uint64: 64,
} as const

/** Data of a type with any bits at all. */
function anyData(dtype: OnnxDType): fc.Arbitrary<StorageOf<OnnxDType>> {
  if (dtype === 'string') return fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 12 })
  if (dtype === 'bool') return fc.array(fc.boolean(), { maxLength: 12 }).map((all) => Uint8Array.from(all, Number))
  const Array_ = tensor([], { dtype }).data.constructor as new (buffer: ArrayBuffer) => StorageOf<OnnxDType>
  const width = bitsOf[dtype] / 8
  return fc.array(fc.uint8Array({ minLength: width, maxLength: width }), { maxLength: 12 }).map((all) => {
    return new Array_(Uint8Array.from(all.flatMap((bytes) => [...bytes])).buffer)
  })
}

/** The same elements in the typed field, written out by hand: one rule for each family. */
function typedInit(dtype: OnnxDType, data: StorageOf<OnnxDType>): Init {
  const values = [...(data as Iterable<never>)]
  if (dtype === 'float32') return { floatData: values }
  if (dtype === 'float64') return { doubleData: values }
  if (dtype === 'int64') return { int64Data: values }
  if (dtype === 'uint64' || dtype === 'uint32') return { uint64Data: values.map(BigInt) }
  if (dtype === 'string') return { stringData: values.map((text) => new TextEncoder().encode(text)) }
  return { int32Data: values }
}

const bytesOf = (data: StorageOf<OnnxDType>): unknown =>
  Array.isArray(data) ? data : [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)]

describe.each(onnxTypes)('%s', (dtype) => {
  it('goes to a message and back through bytes, bit for bit', () => {
    fc.assert(
      fc.property(anyData(dtype), (data) => {
        const given = fromData(dtype, data as never, [data.length, 1])
        const proto = tensorProtoOf(given, 'x')
        expect(proto).toMatchObject({ name: 'x', dataType: dataTypeOf(dtype), dims: [BigInt(data.length), 1n] })
        const got = tensorOf(readTensorProto(writeTensorProto(proto)))
        expect([got.dtype, got.shape]).toEqual([dtype, [data.length, 1]])
        expect(bytesOf(got.data as StorageOf<OnnxDType>)).toEqual(bytesOf(data))
      }),
      { numRuns: 60 },
    )
  })

  it('reads the typed field as it reads raw_data', () => {
    fc.assert(
      fc.property(anyData(dtype), (data) => {
        const init = { dims: [BigInt(data.length)], dataType: dataTypeOf(dtype), ...typedInit(dtype, data) }
        const got = tensorOf(readTensorProto(writeTensorProto(create(TensorProtoSchema, init))))
        expect(got.toArray()).toEqual(fromData(dtype, data as never, [data.length]).toArray())
      }),
      { numRuns: 60 },
    )
  })

  it('of a view holds the elements of the view', () => {
    const values = dtype === 'string' ? ['a', 'b', 'c', 'd'] : [0, 1, 1, 0].map((x) => convert(dtype, x))
    const given = tensor(values as never[], { dtype, shape: [2, 2] }).transpose(1, 0)
    expect(tensorOf(tensorProtoOf(given)).toArray()).toEqual(given.toArray())
  })
})

function convert(dtype: OnnxDType, x: number): unknown {
  if (dtype === 'bool') return x === 1
  return dtype === 'int64' || dtype === 'uint64' ? BigInt(x) : x
}
