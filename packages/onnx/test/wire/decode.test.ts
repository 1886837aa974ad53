import { create, createRegistry, equals, fromBinary, toBinary } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DamagedModelError, LimitError } from '../../src/errors/index.ts'
import {
  AttributeProtoSchema,
  GraphProtoSchema,
  ModelProtoSchema,
  TensorProtoSchema,
  TypeProtoSchema,
} from '../../src/proto/onnx_pb.ts'
import { decode } from '../../src/wire/decode.ts'
import { bytesField, floatField, join, packedVarints, textField, varintBytes, varintField } from '../support/bytes.ts'
import { thrown } from '../support/thrown.ts'

const damage = (bytes: Uint8Array, schema = ModelProtoSchema as Parameters<typeof decode>[0]): DamagedModelError => {
  const error = thrown(() => decode(schema, bytes))
  expect(error).toBeInstanceOf(DamagedModelError)
  return error as DamagedModelError
}

const node = (...parts: Uint8Array[]): Uint8Array =>
  bytesField(7, join(bytesField(1, textField(3, 'a')), bytesField(1, join(...parts))))

describe('decode', () => {
  it('reads every kind of field', () => {
    const read = decode(
      AttributeProtoSchema,
      join(
        textField(1, 'größe'),
        floatField(2, -1.5),
        varintField(3, -7),
        bytesField(4, Uint8Array.of(1, 2)),
        bytesField(5, packedVarints(1, [2, 3])),
        bytesField(7, new Uint8Array(Float32Array.of(1, 2).buffer)),
        floatField(7, 3),
        packedVarints(8, [1, -1]),
        varintField(8, 2n ** 62n),
        varintField(20, 7),
      ),
    )
    expect(read).toMatchObject({
      name: 'größe',
      f: -1.5,
      i: -7n,
      type: 7,
      floats: [1, 2, 3],
      ints: [1n, -1n, 2n ** 62n],
    })
    expect(read.s).toEqual(Uint8Array.of(1, 2))
    expect(read.t?.dims).toEqual([2n, 3n])
  })

  it('agrees with the protobuf runtime on any tensor', () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    const tensor = fc.record(
      {
        name: fc.string({ unit: 'grapheme' }),
        dims: fc.array(int64),
        dataType: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
        floatData: fc.array(fc.float({ noNaN: true })),
        int32Data: fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
        int64Data: fc.array(int64),
        uint64Data: fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
        doubleData: fc.array(fc.double({ noNaN: true })),
        stringData: fc.array(fc.uint8Array()),
        rawData: fc.uint8Array(),
        segment: fc.record({ begin: int64 }),
        externalData: fc.array(fc.record({ key: fc.string() })),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(tensor, (init) => {
        const bytes = toBinary(TensorProtoSchema, create(TensorProtoSchema, init))
        expect(equals(TensorProtoSchema, decode(TensorProtoSchema, bytes), fromBinary(TensorProtoSchema, bytes))).toBe(
          true,
        )
      }),
      { numRuns: 300 },
    )
  })

  it('keeps what the schema does not know, in meaning and on the wire', () => {
    const group = join(varintBytes(BigInt(99 * 8 + 3)), varintField(1, 5), varintBytes(BigInt(99 * 8 + 4)))
    const unknown = join(varintField(50, 300), floatField(51, 1), bytesField(52, Uint8Array.of(9)), group)
    // 99 is no type of attribute.
    const bytes = join(textField(1, 'a'), unknown, varintField(20, 99))
    const read = decode(AttributeProtoSchema, bytes)
    expect(read.$unknown?.map(({ no }) => no)).toEqual([50, 51, 52, 99, 20])
    expect(toBinary(AttributeProtoSchema, read)).toEqual(bytes)
    const registry = createRegistry()
    const again = decode(AttributeProtoSchema, toBinary(AttributeProtoSchema, read))
    expect(equals(AttributeProtoSchema, read, again, { registry, unknown: true })).toBe(true)
  })

  it('tells an absent field from a default one, and keeps a byte order mark', () => {
    expect(toBinary(AttributeProtoSchema, decode(AttributeProtoSchema, varintField(3, 0)))).toEqual(varintField(3, 0))
    const marked = textField(1, '\ufeffx')
    expect(decode(AttributeProtoSchema, marked).name).toBe('\ufeffx')
  })

  it('merges a message that comes in two parts, and takes the last of a scalar', () => {
    const parts = ['Add', 'Sub'].map((op) => bytesField(7, join(textField(2, op), bytesField(1, textField(4, op)))))
    const { graph } = decode(ModelProtoSchema, join(...parts))
    expect(graph?.name).toBe('Sub')
    expect(graph?.node.map(({ opType }) => opType)).toEqual(['Add', 'Sub'])
    const type = (field: number, size: number) => bytesField(field, varintField(1, size))
    // The members of a oneof exclude each other; the same one again is merged.
    const read = (...types: Uint8Array[]) => decode(TypeProtoSchema, join(...types)).value
    expect(read(type(1, 1), type(8, 2))).toMatchObject({ case: 'sparseTensorType', value: { elemType: 2 } })
    expect(read(type(1, 1), bytesField(1, bytesField(2, new Uint8Array())))).toMatchObject({
      case: 'tensorType',
      value: { elemType: 1, shape: { dim: [] } },
    })
  })

  it('copies no payload, whatever kind of array it is given', () => {
    const bytes = join(varintField(2, 1), bytesField(9, Uint8Array.of(1, 2, 3, 4)))
    const read = decode(TensorProtoSchema, Buffer.from(bytes.buffer))
    expect(read.rawData.buffer).toBe(bytes.buffer)
    expect(read.rawData.constructor).toBe(Uint8Array)
    expect(read.rawData.byteOffset).toBe(4)
  })
})

describe('damaged bytes', () => {
  it('are refused with place and path', () => {
    const name = join(textField(3, 'xy'))
    const bytes = node(name.subarray(0, name.length - 1))
    // graph tag and length, first node (5 bytes), second node's tag and length, then the field's tag.
    expect(damage(bytes)).toMatchObject({ code: 'ONNX_DAMAGED', offset: 10, path: 'graph.node[1].name' })
    expect(damage(bytes).message).toBe(
      'a length of 2 bytes is claimed and 1 are left at byte 10, in graph.node[1].name.',
    )
  })

  it.each([
    [
      'a claimed length beyond the file',
      bytesField(7, Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f)),
      'graph.node[0]',
    ],
    ['a claimed length of 2^63', join(Uint8Array.of(0x3a), varintBytes(2n ** 63n)), 'graph'],
    [
      'a nested length beyond its message',
      join(bytesField(7, Uint8Array.of(0x0a, 0x03, 0x1a)), textField(6, 'long')),
      'graph.node[0]',
    ],
    ['a number where text is due', bytesField(7, varintField(2, 5)), 'graph.name'],
    ['a number where text is due, which read as a length would fit', bytesField(7, varintField(2, 0)), 'graph.name'],
    ['text where a number is due', textField(1, 'x'), 'ir_version'],
    ['a float in a list of numbers', node(bytesField(5, floatField(8, 1))), 'graph.node[1].attribute[0].ints[0]'],
    ['text that is not UTF-8', bytesField(7, bytesField(2, Uint8Array.of(0xff))), 'graph.name'],
    [
      'a packed run that ends inside a number',
      bytesField(7, bytesField(5, bytesField(1, Uint8Array.of(0x80)))),
      'graph.initializer[0].dims[0]',
    ],
    [
      'packed floats of six bytes',
      bytesField(7, bytesField(5, bytesField(4, new Uint8Array(6)))),
      'graph.initializer[0].float_data[0]',
    ],
    ['field number 0', Uint8Array.of(0x00, 0x01), ''],
    ['wire type 6', Uint8Array.of(0x0e), ''],
    [
      'a number of eleven bytes',
      join(Uint8Array.of(0x08), new Uint8Array(10).fill(0xff), Uint8Array.of(1)),
      'ir_version',
    ],
    ['a number of 65 bits', join(Uint8Array.of(0x08), new Uint8Array(9).fill(0xff), Uint8Array.of(2)), 'ir_version'],
    ['a group without an end', varintBytes(BigInt(99 * 8 + 3)), 'field 99'],
    [
      'a group that ends as another',
      join(varintBytes(BigInt(99 * 8 + 3)), varintBytes(BigInt(98 * 8 + 4))),
      'field 99',
    ],
    ['the end of no group', varintBytes(BigInt(99 * 8 + 4)), 'field 99'],
  ])('%s', (_, bytes, path) => {
    const error = damage(bytes)
    expect(error.path).toBe(path)
    expect(error.offset).toBeLessThanOrEqual(bytes.length)
  })

  it('are refused at every cut of a model', () => {
    const whole = node(
      textField(1, 'x'),
      textField(4, 'Gemm'),
      bytesField(5, join(textField(1, 'alpha'), floatField(2, 0.5))),
    )
    for (let length = 1; length < whole.length; length++) {
      expect(damage(whole.subarray(0, length)).offset).toBeLessThanOrEqual(length)
    }
  })

  it('never give anything but a message or a typed error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        for (const schema of [ModelProtoSchema, GraphProtoSchema, TensorProtoSchema]) {
          try {
            decode(schema, bytes)
          } catch (error) {
            expect(error).toBeInstanceOf(DamagedModelError)
          }
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('limits', () => {
  const nested = (levels: number): Uint8Array => {
    let graph: Uint8Array = new Uint8Array()
    for (let i = 0; i < levels; i++) graph = bytesField(1, bytesField(5, bytesField(6, graph)))
    return bytesField(7, graph)
  }

  it('allow a hundred messages in one another, and no more', () => {
    expect(decode(ModelProtoSchema, nested(32)).graph?.node).toHaveLength(1)
    const error = thrown(() => decode(ModelProtoSchema, nested(33)))
    expect(error).toMatchObject({ code: 'ONNX_LIMIT', limit: 100 })
    expect((error as LimitError).path).toMatch(/^graph\.node\[0\]\.attribute\[0\]\.g\.node/)
    // A reader that recursed without a bound would end the process here.
    expect(thrown(() => decode(ModelProtoSchema, nested(3000)))).toBeInstanceOf(LimitError)
  })

  it('bound groups in one another', () => {
    const groups = (levels: number): Uint8Array =>
      join(
        ...Array.from({ length: levels }, () => varintBytes(BigInt(99 * 8 + 3))),
        ...Array.from({ length: levels }, () => varintBytes(BigInt(99 * 8 + 4))),
      )
    expect(decode(ModelProtoSchema, groups(50)).$unknown).toHaveLength(1)
    expect(damage(groups(3000)).message).toContain('nested too deeply')
  })

  it('refuse millions of tiny messages before memory is taken', () => {
    const empty = new Uint8Array(1_000_000)
    for (let i = 0; i < empty.length; i += 2) empty[i] = 0x0a
    const bytes = bytesField(7, empty)
    const before = process.memoryUsage().heapUsed
    const error = thrown(() => decode(ModelProtoSchema, bytes)) as LimitError
    expect(error).toMatchObject({ code: 'ONNX_LIMIT', limit: 2 ** 26 + 8 * bytes.length })
    expect(error.message).toContain('give a larger `memory`')
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2 ** 28)
    expect(decode(ModelProtoSchema, bytes, { memory: 2 ** 30 }).graph?.node).toHaveLength(500_000)
  })

  it('leave weights free', () => {
    const bytes = bytesField(7, bytesField(5, bytesField(9, new Uint8Array(1_000_000))))
    expect(decode(ModelProtoSchema, bytes, { memory: 5000 }).graph?.initializer[0]?.rawData).toHaveLength(1_000_000)
  })
})
