import { create, toBinary } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MessageError } from '../../src/errors/index.ts'
import {
  type AttributeProto,
  AttributeProtoSchema,
  type GraphProto,
  GraphProtoSchema,
  ModelProtoSchema,
  TensorProtoSchema,
} from '../../src/proto/onnx_pb.ts'
import { encode } from '../../src/wire/encode.ts'
import { thrown } from '../support/thrown.ts'

const int32 = fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.integer({ min: -200, max: 200 }))
const int64 = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -200n, max: 200n }))
const text = fc.string({ unit: 'binary', maxLength: 40 })

describe('encode', () => {
  it('writes any tensor as the protobuf runtime does', () => {
    const tensor = fc.record(
      {
        name: text,
        dims: fc.array(int64),
        dataType: int32,
        floatData: fc.array(fc.float()),
        int32Data: fc.array(int32),
        int64Data: fc.array(int64),
        uint64Data: fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
        doubleData: fc.array(fc.double()),
        stringData: fc.array(fc.uint8Array()),
        rawData: fc.uint8Array({ maxLength: 300 }),
        segment: fc.record({ begin: int64 }),
        dataLocation: fc.constantFrom(0 as const, 1 as const),
        externalData: fc.array(fc.record({ key: text, value: text })),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(tensor, (init) => {
        const message = create(TensorProtoSchema, init)
        expect(encode(TensorProtoSchema, message)).toEqual(toBinary(TensorProtoSchema, message))
      }),
      { numRuns: 500 },
    )
  })

  it('writes nested messages and oneofs as the protobuf runtime does', () => {
    const dim = (value: bigint | string) => ({
      value:
        typeof value === 'bigint' ? ({ case: 'dimValue', value } as const) : ({ case: 'dimParam', value } as const),
    })
    const message = create(ModelProtoSchema, {
      irVersion: 8n,
      graph: {
        node: [{ input: ['', 'ä'.repeat(100)], attribute: [{ g: { name: 'inner' }, ints: [1n, -1n] }] }],
        input: [{ type: { value: { case: 'tensorType', value: { shape: { dim: [dim(0n), dim('N'), {}] } } } } }],
      },
    })
    expect(encode(ModelProtoSchema, message)).toEqual(toBinary(ModelProtoSchema, message))
  })

  it.each<[string, Partial<Record<keyof AttributeProto, unknown>>, RegExp]>([
    ['a number for a bigint', { i: 3 }, /^i holds 3, which is not a bigint of 64 bits/],
    ['an int64 of 65 bits', { ints: [1n, 2n ** 63n] }, /^ints\[1\] holds 9223372036854775808, /],
    ['a float beyond 32 bits', { f: 1e300 }, /^f holds 1e\+300, which is not a number of 32 bits/],
    ['text for bytes', { s: 'text' }, /^s holds text, which is not a Uint8Array/],
    ['a number for text', { name: 5 }, /^name holds 5, which is not text/],
    ['a fraction', { type: 1.5 }, /^type holds 1.5, which is not an integer of 32 bits/],
    ['text for a message', { t: 'text' }, /^t holds text, which is not a message/],
    ['an object for text', { name: {} }, /^name holds an object, which is not text/],
    ['undefined in a list', { tensors: [undefined] }, /^tensors\[0\] holds undefined, which is not a message/],
  ])('refuses %s', (_, fields, message) => {
    const attribute = Object.assign(create(AttributeProtoSchema), fields)
    const error = thrown(() => encode(AttributeProtoSchema, attribute))
    expect(error).toBeInstanceOf(MessageError)
    expect((error as MessageError).message).toMatch(message)
  })

  it('takes a float that rounds to the largest, and infinity', () => {
    const almost = create(AttributeProtoSchema, { f: 3.4028235e38, floats: [-Infinity, NaN] })
    expect(encode(AttributeProtoSchema, almost)).toHaveLength(15)
  })

  it('names the path, and refuses a graph within itself', () => {
    const message = create(ModelProtoSchema, { graph: { node: [{}, { attribute: [{ i: 2n ** 64n }] }] } })
    expect(thrown(() => encode(ModelProtoSchema, message))).toMatchObject({ path: 'graph.node[1].attribute[0].i' })
    const graph: GraphProto = create(GraphProtoSchema, { node: [{ attribute: [{}] }] })
    graph.node[0]!.attribute[0]!.g = graph
    expect(() => encode(GraphProtoSchema, graph)).toThrow(/lies in more than 100 messages/)
  })

  it('refuses what no reader would take, before memory is taken', () => {
    const weights = new Uint8Array(2 ** 29)
    const message = create(GraphProtoSchema, { initializer: Array.from({ length: 4 }, () => ({ rawData: weights })) })
    expect(thrown(() => encode(GraphProtoSchema, message))).toBeInstanceOf(MessageError)
  })
})
