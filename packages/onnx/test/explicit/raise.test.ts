// Operators of old sets, raised to opset 8 because something beside them broadcasts: the attributes and inputs that they
// get, what onnxruntime computes with them, and what cannot be raised.
import { fromData, type Tensor, tensor } from 'bcast'
import * as ort from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { outputsOf } from '../../../../testing/models/bits.ts'
import { type Attributes, int, type ModelInit, modelOf, node } from '../../../../testing/models/infer.ts'
import { type Model, makeExplicit, type Node, OpsetError, tensorOf } from '../../src/index.ts'
import { thrown } from '../support/thrown.ts'

interface Old {
  readonly operator: string
  readonly opset: number
  readonly attributes?: Attributes
  readonly x: readonly number[]
  readonly more?: Readonly<Record<string, Tensor>>
}

/** A model of one old operator, and an addition whose bias is zero and stretches. */
function oldModel({ operator, opset, attributes = {}, x, more = {} }: Old, outputs = 'y'): Model {
  const inputs: ModelInit['inputs'] = {
    x: x.join(', '),
    ...more,
    zero: fromData('float32', new Float32Array(1), [1]) as Tensor,
  }
  return modelOf({
    inputs,
    nodes: [
      node('Add', 'x zero', 'x0', { broadcast: 1 }),
      node(operator, ['x0', ...Object.keys(more)].join(' '), outputs, attributes),
    ],
    outputs: outputs.split(' ').slice(0, 1),
    opset,
  })
}

const nodeOf = (model: Model): Node => model.graph.nodes.find(({ outputs }) => outputs[0] === 'y')!

/** What a node says, as text: inputs that are constants, then attributes. */
function said({ attributes, inputs, scope }: Node): Record<string, unknown> {
  const values = inputs.slice(1).map((name) => {
    const found = scope.definitions.get(name)
    return found?.kind === 'initializer' && !found.initializer.sparse
      ? Array.from(tensorOf(found.initializer.proto).data as ArrayLike<unknown>, Number)
      : name
  })
  const own = attributes.names.map((name) => {
    const { i, f, s, ints, floats } = attributes.proto(name)!
    const kind = attributes.kind(name)
    const value = { int: Number(i), float: f, string: new TextDecoder().decode(s), ints: ints.map(Number), floats }
    return [name, value[kind as 'int']] as const
  })
  return { ...(values.length === 0 ? {} : { inputs: values }), ...Object.fromEntries(own) }
}

async function run(model: Model, x: readonly number[]): Promise<{ shape: readonly number[]; values: number[] }> {
  const count = x.reduce((a, b) => a * b, 1)
  const elements = Float32Array.from({ length: count }, (_, i) => i - 1)
  const got = await outputsOf(model, { x: new ort.Tensor('float32', elements, [...x]) })
  if (typeof got === 'string') throw new Error(got)
  return { shape: got['y']!.dims, values: Array.from(got['y']!.data as ArrayLike<number | bigint>, Number) }
}

const channels = (value: number): Tensor => fromData('float32', new Float32Array(2).fill(value), [2]) as Tensor

describe('an operator of an old set', () => {
  it.each<[Old, Record<string, unknown>, readonly number[], readonly number[]]>([
    [{ operator: 'Relu', opset: 1, attributes: { consumed_inputs: [0] }, x: [3] }, {}, [3], [0, 0, 1]],
    [
      { operator: 'Reshape', opset: 4, attributes: { shape: [2, -1], consumed_inputs: [0] }, x: [4] },
      { inputs: [[2, -1]] },
      [2, 2],
      [-1, 0, 1, 2],
    ],
    [
      { operator: 'Concat', opset: 3, x: [2, 1], more: { z: tensor([[5], [6]]) as Tensor } },
      { inputs: [[5, 6]], axis: 1 },
      [2, 2],
      [-1, 5, 0, 6],
    ],
    [{ operator: 'Pad', opset: 1, attributes: { paddings: [1, 0] }, x: [2] }, { pads: [1, 0] }, [3], [0, -1, 0]],
    [{ operator: 'Cast', opset: 5, attributes: { to: 'INT64' }, x: [3] }, { to: 7 }, [3], [-1, 0, 1]],
    [
      { operator: 'Clip', opset: 5, attributes: { min: { float: 0 } }, x: [3] },
      { min: 0, max: Number.POSITIVE_INFINITY },
      [3],
      [0, 0, 1],
    ],
    [
      { operator: 'Selu', opset: 1, x: [3] },
      { alpha: Math.fround(1.6732), gamma: Math.fround(1.0507) },
      [3],
      [1.0507 * 1.6732 * (Math.exp(-1) - 1), 0, 1.0507],
    ],
    [
      { operator: 'Tile', opset: 5, x: [2, 1], more: { tiles: int(3), axis: int(1) } },
      { inputs: [[1, 3]] },
      [2, 3],
      [-1, -1, -1, 0, 0, 0],
    ],
    [
      {
        operator: 'Upsample',
        opset: 6,
        attributes: { height_scale: { float: 1 }, width_scale: { float: 2 } },
        x: [1, 1, 1, 2],
      },
      { scales: [1, 1, 1, 2] },
      [1, 1, 1, 4],
      [-1, -1, 0, 0],
    ],
    [{ operator: 'Dropout', opset: 6, attributes: { is_test: 1 }, x: [3] }, {}, [3], [-1, 0, 1]],
    [
      {
        operator: 'BatchNormalization',
        opset: 1,
        attributes: { is_test: 1, consumed_inputs: [0, 0, 0, 1, 1], epsilon: { float: 0 } },
        x: [1, 2, 1, 1],
        more: { scale: channels(2), bias: channels(1), mean: channels(1), variance: channels(4) },
      },
      {
        inputs: [
          [2, 2],
          [1, 1],
          [1, 1],
          [4, 4],
        ],
        epsilon: 0,
      },
      [1, 2, 1, 1],
      [-1, 0],
    ],
    [
      {
        operator: 'BatchNormalization',
        opset: 6,
        attributes: { epsilon: { float: 0 } },
        x: [1, 2, 1, 1],
        more: { scale: channels(2), bias: channels(1), mean: channels(1), variance: channels(4) },
      },
      {
        inputs: [
          [2, 2],
          [1, 1],
          [1, 1],
          [4, 4],
        ],
        epsilon: 0,
      },
      [1, 2, 1, 1],
      [-1, 0],
    ],
    [{ operator: 'GlobalLpPool', opset: 1, attributes: { p: { float: 1 } }, x: [1, 1, 3] }, { p: 1 }, [1, 1, 1], [2]],
    [
      { operator: 'Split', opset: 1, attributes: { axis: 0 }, x: [3], more: { lengths: tensor([1, 2]) as Tensor } },
      { axis: 0, split: [1, 2] },
      [1],
      [-1],
    ],
  ])('$0.operator-$0.opset', async (old, expected, shape, values) => {
    const { model, report } = makeExplicit(oldModel(old, old.operator === 'Split' ? 'y rest' : 'y'))
    expect(report.opset).toEqual({ from: old.opset, to: 8 })
    expect(model.opsets.get('')).toBe(8)
    expect(said(nodeOf(model))).toEqual(expected)
    const got = await run(model, old.x)
    expect(got.shape).toEqual(shape)
    for (const [i, value] of values.entries()) expect(got.values[i]).toBeCloseTo(value, 5)
    expect(makeExplicit(model).model === model).toBe(true)
  })

  it.each([
    ...['Abs', 'Ceil', 'Elu', 'Exp', 'Floor', 'HardSigmoid', 'LeakyRelu', 'Log', 'Max', 'Mean', 'Min', 'Neg'],
    ...['Reciprocal', 'Relu', 'Sigmoid', 'Sqrt', 'Sum', 'Tanh'],
  ])('%s-1 loses its hint to one engine', async (operator) => {
    const old: Old = { operator, opset: 1, attributes: { consumed_inputs: [0] }, x: [3] }
    const { model } = makeExplicit(oldModel(old))
    expect(said(nodeOf(model))).toEqual({})
    expect((await run(model, old.x)).shape).toEqual([3])
  })

  it('stays where nothing broadcasts', () => {
    const model = modelOf({ inputs: { x: '3' }, nodes: [node('Dropout', 'x', 'y')], outputs: ['y'], opset: 6 })
    expect(makeExplicit(model).model === model).toBe(true)
  })

  it.each<[Old, RegExp]>([
    [{ operator: 'Dropout', opset: 6, x: [3] }, /it drops at random/],
    [
      {
        operator: 'BatchNormalization',
        opset: 6,
        attributes: { is_test: 0 },
        x: [1, 2, 1, 1],
        more: { scale: channels(2), bias: channels(1), mean: channels(1), variance: channels(4) },
      },
      /it computes as in training/,
    ],
    [{ operator: 'GlobalLpPool', opset: 1, attributes: { p: { float: 1.5 } }, x: [1, 1, 3] }, /p is 1.5/],
    [{ operator: 'Cast', opset: 1, attributes: { to: 'NUMBER' }, x: [3] }, /to is "NUMBER"/],
    [{ operator: 'Reshape', opset: 1, x: [3] }, /attribute "shape" .* is missing/],
  ])('$0.operator-$0.opset cannot be raised: $1', (old, message) => {
    const error = thrown(() => makeExplicit(oldModel(old)))
    expect(error).toBeInstanceOf(OpsetError)
    expect((error as OpsetError).code).toBe('ONNX_OPSET')
    expect((error as OpsetError).nodes.map(({ operator }) => operator)).toEqual([old.operator])
    expect((error as OpsetError).message).toMatch(message)
  })
})
