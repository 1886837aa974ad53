// Nodes by themselves: what an operator means depends on the version of its set and on its attributes.
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { BroadcastError, type DType, DTypeError, type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { NodeError, runModel, viewModel } from '../../src/index.ts'
import {
  type AttributeProtoSchema,
  AttributeProto_AttributeType as AttributeType,
  ModelProtoSchema,
} from '../../src/proto/onnx_pb.ts'
import { thrown } from '../support/thrown.ts'

type Flat = readonly [values: readonly number[], shape: readonly number[], dtype?: string]

type Attribute = MessageInitShape<typeof AttributeProtoSchema>

const int = (value: number): Attribute => ({ type: AttributeType.INT, i: BigInt(value) })
const float = (value: number): Attribute => ({ type: AttributeType.FLOAT, f: value })
const string = (value: string): Attribute => ({ type: AttributeType.STRING, s: new TextEncoder().encode(value) })

const names = 'abcdefgh'

/** Runs one node of an operator set on operands a, b, … */
function apply(
  op: string,
  opset: number,
  operands: readonly Flat[],
  attributes: Record<string, Attribute> = {},
): unknown {
  const inputs = operands.map((_, i) => names[i]!)
  const attribute = Object.entries(attributes).map(([name, value]) => ({ ...value, name }))
  const model = viewModel(
    create(ModelProtoSchema, {
      irVersion: 3n,
      opsetImport: [{ version: BigInt(opset) }],
      graph: {
        node: [{ opType: op, input: inputs, output: ['y'], attribute }],
        input: inputs.map((name) => ({ name })),
        output: [{ name: 'y' }],
      },
    }),
  )
  const tensors = operands.map(
    ([values, shape, dtype = 'float32']) => tensor(values, { dtype: dtype as DType, shape }) as Tensor,
  )
  const { y } = runModel(model, Object.fromEntries(tensors.map((each, i) => [inputs[i]!, each])))
  return { shape: y!.shape, values: ([y!.toArray()] as unknown[]).flat(9) }
}

/** Why a node fails. */
function causeOf(...call: Parameters<typeof apply>): unknown {
  const error = thrown(() => apply(...call))
  expect(error).toBeInstanceOf(NodeError)
  return (error as NodeError).cause
}

const zeros: Flat = [
  [0, 0, 0, 0, 0, 0],
  [2, 3],
]
const on = { broadcast: int(1) }

describe('an ONNX node', () => {
  it('broadcasts by attribute before operator set 7', () => {
    expect(causeOf('Add', 6, [zeros, [[1, 2, 3], [3]]])).toBeInstanceOf(BroadcastError)
    expect(causeOf('Add', 6, [zeros, [[1, 2, 3], [3]]], { broadcast: int(0) })).toBeInstanceOf(BroadcastError)
    expect(apply('Add', 6, [zeros, [[1, 2, 3], [3]]], on)).toEqual({ shape: [2, 3], values: [1, 2, 3, 1, 2, 3] })
    expect(apply('Add', 6, [zeros, [[1, 2], [2]]], { ...on, axis: int(0) })).toEqual({
      shape: [2, 3],
      values: [1, 1, 1, 2, 2, 2],
    })
    expect(causeOf('Add', 6, [[[1, 2, 3], [3]], zeros], on)).toBeInstanceOf(BroadcastError)
  })

  it('broadcasts as NumPy from operator set 7 on, unless it still carries the attribute', () => {
    expect(apply('Add', 7, [[[1, 2, 3], [3]], zeros])).toMatchObject({ shape: [2, 3] })
    expect(causeOf('Add', 7, [[[1, 2, 3], [3]], zeros], on)).toBeInstanceOf(BroadcastError)
    expect(apply('Add', 7, [zeros, [[1, 2], [2]]], { ...on, axis: int(0) })).toMatchObject({
      values: [1, 1, 1, 2, 2, 2],
    })
  })

  it('stretches the ones that old exporters wrote', () => {
    expect(
      apply(
        'Add',
        6,
        [
          zeros,
          [
            [1, 2],
            [2, 1],
          ],
        ],
        { ...on, axis: int(0) },
      ),
    ).toMatchObject({ values: [1, 1, 1, 2, 2, 2] })
    expect(
      apply(
        'Add',
        6,
        [
          zeros,
          [
            [1, 2, 3],
            [1, 3],
          ],
        ],
        on,
      ),
    ).toMatchObject({ values: [1, 2, 3, 1, 2, 3] })
    expect(
      causeOf(
        'Add',
        6,
        [
          zeros,
          [
            [1, 2, 3, 4],
            [1, 4],
          ],
        ],
        on,
      ),
    ).toBeInstanceOf(BroadcastError)
  })

  it('with many operands demands equal shapes before operator set 8', () => {
    const row: Flat = [[1, 2, 3], [3]]
    expect(causeOf('Max', 7, [zeros, row])).toBeInstanceOf(BroadcastError)
    expect(apply('Max', 8, [zeros, row])).toEqual({ shape: [2, 3], values: [1, 2, 3, 1, 2, 3] })
    expect(apply('Sum', 6, [zeros])).toEqual({ shape: [2, 3], values: [0, 0, 0, 0, 0, 0] })
  })

  it('PRelu before operator set 7 takes one slope, or one for each channel', () => {
    const x: Flat = [
      [-1, -1, -1, -1, -1, -1, -1, -1],
      [1, 2, 4],
    ]
    expect(apply('PRelu', 6, [x, [[2, 3], [2]]])).toMatchObject({ values: [-2, -2, -2, -2, -3, -3, -3, -3] })
    expect(apply('PRelu', 6, [x, [[5], [1]]])).toMatchObject({ values: new Array(8).fill(-5) })
    expect(causeOf('PRelu', 6, [x, [[1, 2, 3, 4], [4]]])).toBeInstanceOf(BroadcastError)
    expect(apply('PRelu', 7, [x, [[1, 2, 3, 4], [4]]])).toMatchObject({ values: [-1, -2, -3, -4, -1, -2, -3, -4] })
  })

  it('Gemm before operator set 7 stretches C by attribute', () => {
    const a: Flat = [
      [1, 2],
      [1, 2],
    ]
    const b: Flat = [
      [3, 4],
      [2, 1],
    ]
    expect(apply('Gemm', 6, [a, b, [[10], [1, 1]]])).toEqual({ shape: [1, 1], values: [21] })
    expect(causeOf('Gemm', 6, [a, b, [[10], [1]]])).toBeInstanceOf(BroadcastError)
    expect(apply('Gemm', 6, [a, b, [[10], [1]]], on)).toMatchObject({ values: [21] })
    const scaled = { alpha: float(2), beta: float(0.5) }
    expect(apply('Gemm', 13, [a, b, [[10], [1]]], scaled)).toMatchObject({ values: [27] })
    expect(apply('Gemm', 13, [b, a], { transA: int(1), transB: int(1) })).toEqual({ shape: [1, 1], values: [11] })
  })

  it('reads the attributes of the operators that have some', () => {
    const seven: Flat = [[-7], [1], 'int32']
    const three: Flat = [[3], [1], 'int32']
    expect(apply('Mod', 13, [seven, three])).toMatchObject({ values: [2] })
    expect(apply('Mod', 13, [seven, three], { fmod: int(1) })).toMatchObject({ values: [-1] })
    expect(apply('Div', 14, [seven, three])).toMatchObject({ values: [-2] })
    const bits: Flat = [[12], [1], 'uint8']
    const two: Flat = [[2], [1], 'uint8']
    expect(apply('BitShift', 11, [bits, two], { direction: string('RIGHT') })).toMatchObject({
      values: [3],
    })
    expect(apply('BitShift', 11, [bits, two], { direction: string('LEFT') })).toMatchObject({
      values: [48],
    })
    expect(apply('Cast', 13, [[[1.5], [1]]], { to: int(6) })).toMatchObject({ values: [1] })
    expect(apply('Constant', 13, [], { value_ints: { type: AttributeType.INTS, ints: [4n, 5n] } })).toEqual({
      shape: [2],
      values: [4n, 5n],
    })
    expect(apply('Constant', 13, [], { value_float: float(0.5) })).toEqual({
      shape: [],
      values: [0.5],
    })
  })

  it('takes the element types that ONNX allows at its version, and no others', () => {
    const integers: Flat = [[1, 2], [2], 'int32']
    expect(causeOf('Add', 1, [integers, integers])).toBeInstanceOf(DTypeError)
    expect(causeOf('Add', 1, [integers, integers])).toMatchObject({
      message: 'Add of opset 1 does not take int32 for input 0 "a"; it takes float16, float32, float64.',
      dtype: 'int32',
      allowed: ['float16', 'float32', 'float64'],
    })
    expect(apply('Add', 7, [integers, integers])).toMatchObject({ values: [2, 4] })
    const bytes: Flat = [[1, 2], [2], 'uint8']
    expect(causeOf('Add', 13, [bytes, bytes])).toBeInstanceOf(DTypeError)
    expect(apply('Add', 14, [bytes, bytes])).toMatchObject({ values: [2, 4] })
    // The library takes it, ONNX does not.
    expect(causeOf('Max', 11, [integers])).toBeInstanceOf(DTypeError)
    expect(causeOf('ReduceSum', 13, [bytes])).toBeInstanceOf(DTypeError)
    expect(causeOf('Concat', 3, [bytes, bytes], { axis: int(0) })).toBeInstanceOf(DTypeError)
    expect(apply('Concat', 4, [bytes, bytes], { axis: int(0) })).toMatchObject({ values: [1, 2, 1, 2] })
    expect(causeOf('Flatten', 8, [bytes])).toBeInstanceOf(DTypeError)
    expect(apply('Flatten', 9, [bytes])).toMatchObject({ shape: [2, 1] })
    expect(causeOf('MatMul', 13, [bytes, bytes])).toBeInstanceOf(DTypeError)
    expect(
      causeOf('Pow', 11, [
        [[2], [1]],
        [[2], [1], 'int32'],
      ]),
    ).toBeInstanceOf(DTypeError)
    expect(
      apply('Pow', 12, [
        [[2], [1]],
        [[2], [1], 'int32'],
      ]),
    ).toMatchObject({ values: [4] })
  })

  it('sums floats of 16 bits in float32 and rounds once', () => {
    // In float16 alone, 2048 + 1 is 2048.
    const values = [2048, ...new Array<number>(64).fill(1)]
    expect(apply('ReduceSum', 13, [[values, [65], 'float16']])).toMatchObject({ values: [2112] })
    expect(apply('ReduceMean', 13, [[values, [65], 'float16']])).toMatchObject({ values: [32.5] })
  })

  it('reduces empty axes to what changes nothing', () => {
    const empty: Flat = [[], [2, 0]]
    const keep = { keepdims: int(0), axes: { type: AttributeType.INTS, ints: [1n] } }
    expect(apply('ReduceSum', 11, [empty], keep)).toEqual({ shape: [2], values: [0, 0] })
    expect(apply('ReduceProd', 11, [empty], keep)).toMatchObject({ values: [1, 1] })
    expect(apply('ReduceMax', 11, [empty], keep)).toMatchObject({ values: [-Infinity, -Infinity] })
    expect(apply('ReduceMin', 13, [[[], [2, 0], 'int32']], keep)).toMatchObject({ values: [2147483647, 2147483647] })
  })
})

describe('a node that cannot be computed says why', () => {
  const row: Flat = [[1, 2, 3], [3]]
  const image: Flat = [
    [1, 2, 3, 4],
    [1, 1, 2, 2],
  ]
  const far = Number.POSITIVE_INFINITY

  it.each<[string, number, readonly Flat[], Record<string, Attribute>, string]>([
    ['TopK', 11, [row, [[5], [1], 'int64']], {}, 'k is 5 on an axis of size 3.'],
    ['ScatterElements', 13, [row, [[7], [1], 'int64'], [[1], [1]]], {}, 'index 7 does not exist on axis 0 of size 3.'],
    ['ScatterElements', 13, [row, [[0], [1], 'int64'], [[1, 2], [2]]], {}, 'do not go with updates of shape (2).'],
    ['ScatterND', 13, [row, [[0], [1, 1], 'int64'], [[1, 2], [2]]], {}, 'do not go with data of shape (3).'],
    ['CumSum', 14, [row, [[1], [], 'int64']], {}, 'axis 1 does not exist in rank 1.'],
    ['QuantizeLinear', 13, [zeros, [[1, 2], [2]]], {}, 'input 1 has shape (2); on axis 1 of the data it is (3).'],
    ['QuantizeLinear', 21, [zeros, [[1, 2], [2]]], { block_size: int(-1) }, 'block_size is -1.'],
    [
      'Resize',
      13,
      [
        [[1, 2], [2], 'int32'],
        [[], [0]],
        [[2], [1]],
      ],
      { mode: string('linear') },
      'floats only, not int32.',
    ],
    ['Einsum', 12, [row, [[1, 2], [2]]], { equation: string('i,i->') }, 'label i has sizes 3 and 2.'],
    ['LRN', 13, [image], { size: int(0) }, 'size is 0.'],
    [
      'GRU',
      14,
      [
        [[1], [1, 1, 1]],
        [[1], [1, 1, 1]],
        [[1], [1, 1, 1]],
      ],
      { hidden_size: int(1) },
      'here it is (1,3,1).',
    ],
    [
      'NonMaxSuppression',
      11,
      [
        [
          [1, 2, 3],
          [1, 1, 3],
        ],
        [[1], [1, 1, 1]],
      ],
      {},
      'do not go with scores of shape (1,1,1).',
    ],
    [
      'RoiAlign',
      16,
      [
        image,
        [
          [0, 0, 1, 1],
          [1, 4],
        ],
        [[2], [1], 'int64'],
      ],
      {},
      'there is no image 2 among 1.',
    ],
    [
      'RoiAlign',
      16,
      [
        image,
        [
          [0, 0, far, 1],
          [1, 4],
        ],
        [[0], [1], 'int64'],
      ],
      {},
      'at most 134217728 are.',
    ],
  ])('%s-%s', (op, opset, operands, attributes, message) => {
    expect((causeOf(op, opset, operands, attributes) as Error).message).toContain(message)
  })
})
