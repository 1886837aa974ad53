// Models that are made to be hard: wide, deep, without end, or with graphs that do not fit their nodes. Each is run in
// time that grows with its size, or refused in words.
import { type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { type GraphInit, int, modelOf, node } from '../../../../testing/models/infer.ts'
import { processorTime } from '../../../../testing/processor-time.ts'
import { prepareModel, runModel, StructureError, UnsupportedError, UnsupportedOperatorsError } from '../../src/index.ts'
import { thrown } from '../support/thrown.ts'

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `v${i}`)
const x = tensor([1, 2, 3]) as Tensor

describe('a large model', () => {
  it('of 10000 outputs that are views takes time for each, not for each pair', () => {
    const outputs = names(10_000)
    const nodes = outputs.map((name) => node('Transpose', 'x', name))
    const program = prepareModel(modelOf({ inputs: { x: '3' }, nodes, outputs }))
    const run = (): void => expect(program.run({ x })['v9999']!.toArray()).toEqual([1, 2, 3])
    expect(processorTime(run)).toBeLessThan(3000)
  })

  it('with thousands of operands of one node is made ready in time for each', () => {
    const made = names(8000)
    const nodes = [...made.map((name) => node('Neg', 'x', name)), node('Sum', made.join(' '), 'y')]
    const model = modelOf({ inputs: { x: '3' }, nodes, outputs: ['y'] })
    expect(processorTime(() => prepareModel(model))).toBeLessThan(5000)
  })

  it('of 10000 nodes in a row needs no deeper stack, fused or not', () => {
    const made = names(10_000)
    const nodes = (op: string) => made.map((name, i) => node(op, made[i - 1] ?? 'x', name))
    for (const [op, fuse] of [['Neg', true] as const, ['Transpose', false] as const]) {
      const model = modelOf({ inputs: { x: '3' }, nodes: nodes(op), outputs: ['v9999'] })
      expect(runModel(model, { x }, { fuse })['v9999']!.toArray()).toEqual([1, 2, 3])
    }
  })
})

describe('functions within functions', () => {
  const body = (name: string, calls: readonly string[]) => ({
    ...{ name, domain: 'local', input: ['a'], output: [`m${calls.length}`] },
    opsetImport: [{ version: 22n }, { domain: 'local', version: 1n }],
    node: calls.map((call, i) =>
      node(call, i === 0 ? 'a' : `m${i}`, `m${i + 1}`, {}, call.startsWith('f') ? 'local' : ''),
    ),
  })
  const unfolding = (levels: number, calls: number) =>
    modelOf({
      inputs: { x: '3' },
      nodes: [node(`f${levels}`, 'x', 'y', {}, 'local')],
      outputs: ['y'],
      functions: [
        body('f0', ['Neg']),
        ...Array.from({ length: levels }, (_, i) => body(`f${i + 1}`, new Array<string>(calls).fill(`f${i}`))),
      ],
    })

  it('are run while their nodes are few', () => {
    expect(runModel(unfolding(5, 2), { x })['y']!.toArray()).toEqual([1, 2, 3])
    expect(runModel(unfolding(150, 1), { x })['y']!.toArray()).toEqual([-1, -2, -3])
  })

  it('are refused where they unfold without end, or lie too deep', () => {
    const wide = thrown(() => prepareModel(unfolding(60, 2))) as UnsupportedError
    expect(wide).toBeInstanceOf(UnsupportedError)
    expect(wide.message).toContain('with its functions in the place of their calls the model has')
    expect(() => prepareModel(unfolding(3000, 1))).toThrow(
      'holds more than 200 graphs and functions within each other.',
    )
    expect(() => prepareModel(unfolding(200, 1))).toThrow('holds more than 200')
    expect(prepareModel(unfolding(199, 1)).steps).toHaveLength(1)
  })
})

describe('graphs of a node', () => {
  const graph = (inputs: string, outputs: string): { graph: GraphInit } => ({
    graph: {
      input: inputs.split(' ').flatMap((name) => (name === '' ? [] : [{ name }])),
      output: outputs.split(' ').flatMap((name) => (name === '' ? [] : [{ name }])),
    },
  })
  const given = { x: '3', c: 'bool:', n: int(2) }

  it.each([
    ['Loop', 'n - x', 'y', {}, 'it has no body'],
    ['Loop', 'n - x', 'y', { body: graph('i c v w', 'c v') }, 'body has 4 inputs where it is given 3'],
    ['Loop', 'n - x', 'y', { body: graph('i c v', '') }, 'body has 0 outputs where it has to have 2'],
    ['Loop', 'n - x', 'y s', { body: graph('i c v', 'c v') }, 'body has 2 outputs where it has to have 3'],
    ['Scan', 'x', 'y', { num_scan_inputs: 2, body: graph('v', 'v') }, 'it scans 2 of its 1 inputs'],
    ['Scan', 'x', 'y', { num_scan_inputs: 1, body: graph('v w', 'v') }, 'body has 2 inputs where it is given 1'],
    ['Scan', 'x x', 'y', { num_scan_inputs: 1, body: graph('s v', '') }, 'body has 0 outputs where it has to have 1'],
    ['If', 'c', 'y', { then_branch: graph('', 'x') }, 'it has no else_branch'],
    [
      'If',
      'c',
      'y z',
      { then_branch: graph('', 'x'), else_branch: graph('', 'x') },
      'then_branch has 1 outputs where it has to have 2',
    ],
  ])('that do not fit it are told before a run: %s(%s) → %s %#', (op, inputs, outputs, attributes, reason) => {
    const nodes = [node(op, inputs, outputs, attributes)]
    const model = modelOf({ inputs: given, nodes, outputs: outputs.split(' ') })
    const error = thrown(() => prepareModel(model)) as UnsupportedOperatorsError
    expect(error).toBeInstanceOf(UnsupportedOperatorsError)
    expect(error.operators.map((each) => each.reason)).toEqual([reason])
  })

  it('or functions that do not make an output of the model break it', () => {
    const f = {
      ...{ name: 'f', domain: 'local', input: ['a', 'o'], output: ['b', 'o'], opsetImport: [{ version: 22n }] },
      node: [node('Neg', 'a', 'b')],
    }
    const nodes = [node('f', 'x', 'y z', {}, 'local')]
    const error = thrown(() => prepareModel(modelOf({ inputs: given, nodes, outputs: ['y', 'z'], functions: [f] })))
    expect(error).toBeInstanceOf(StructureError)
    expect((error as StructureError).message).toBe('the model is broken: nothing makes output "z" of graph.')
  })
})

describe('numbers of a node', () => {
  it.each([
    [[0, Number.POSITIVE_INFINITY, 1], 'there would be Infinity places on an axis to count; at most 134217728 are.'],
    [[0, Number.NaN, 1], 'there would be NaN places'],
    [[0, 1e30, 1e-3], 'places on an axis to count; at most 134217728 are.'],
  ])('that would make a Range without end are refused: %j', (numbers, message) => {
    const model = modelOf({
      inputs: { a: '', b: '', d: '' },
      nodes: [node('Range', 'a b d', 'y')],
      outputs: ['y'],
    })
    const [a, b, d] = numbers.map((value) => tensor(value) as Tensor)
    expect(() => runModel(model, { a: a!, b: b!, d: d! })).toThrow(message)
  })

  it.each([
    ['Pad', 'x far', { mode: 'edge' }, 'node 0 (Pad): Pad: there would be 1099511627779 places'],
    ['OneHot', 'x depth values', {}, 'node 0 (OneHot): OneHot: there would be 1099511627776 places'],
    ['Split', 'x', { num_outputs: 2 ** 40 }, 'node 0 (Split): Split: there are 1099511627776 parts for 1 outputs.'],
    ['Tile', 'x depth', {}, 'node 0 (Tile): there is no memory'],
    ['ConstantOfShape', 'depth', {}, 'node 0 (ConstantOfShape): there is no memory'],
  ])('that would make a result without end are refused by %s', (op, inputs, attributes, message) => {
    const far = tensor([2n ** 40n, 0n]) as Tensor
    const constants = { far, depth: far.slice([0, 1]) as Tensor, values: tensor([0, 1]) as Tensor }
    const model = modelOf({
      inputs: { x: '3', ...constants },
      nodes: [node(op, inputs, 'y', attributes)],
      outputs: ['y'],
    })
    expect(() => runModel(model, { x })).toThrow(message)
  })

  it('of a diagonal far outside leave all or nothing', () => {
    const model = modelOf({
      inputs: { x: '1, 3', k: tensor(2n ** 63n - 1n) as Tensor },
      nodes: [node('Trilu', 'x k', 'l', { upper: 0 }), node('Trilu', 'x k', 'u')],
      outputs: ['l', 'u'],
    })
    const { l, u } = runModel(model, { x: x.reshape([1, 3]) as Tensor })
    expect([l!.toArray(), u!.toArray()]).toEqual([[[1, 2, 3]], [[0, 0, 0]]])
  })

  it('of int64 are counted exactly by Range, beyond those that a float holds', () => {
    const model = modelOf({
      inputs: { a: 'int64:', b: 'int64:', d: 'int64:' },
      nodes: [node('Range', 'a b d', 'y')],
      outputs: ['y'],
    })
    const range = (...numbers: bigint[]): unknown => {
      const [a, b, d] = numbers.map((value) => tensor(value) as Tensor)
      return runModel(model, { a: a!, b: b!, d: d! })['y']!.toArray()
    }
    expect(range(2n ** 60n, 2n ** 60n + 3n, 1n)).toEqual([2n ** 60n, 2n ** 60n + 1n, 2n ** 60n + 2n])
    expect(range(2n ** 60n, 2n ** 60n - 5n, -2n)).toEqual([2n ** 60n, 2n ** 60n - 2n, 2n ** 60n - 4n])
    expect(range(2n ** 60n, 2n ** 60n + 3n, -1n)).toEqual([])
  })

  it('split into parts that are not its outputs are refused, not dropped', () => {
    const model = modelOf({
      inputs: { x: '3', sizes: tensor([1n, 1n, 1n]) as Tensor },
      nodes: [node('Split', 'x sizes', 'a b')],
      outputs: ['a', 'b'],
    })
    expect(() => runModel(model, { x })).toThrow('node 0 (Split): Split: there are 3 parts for 2 outputs.')
  })
})

describe('windows that cannot be', () => {
  it.each([
    ['Conv', { strides: [0] }, 'axis 2 has kernel 2, stride 0, dilation 1, pads 0 and 0.'],
    ['Conv', { dilations: [9] }, 'its kernel reaches over 10 of 4 elements of axis 2.'],
    ['Conv', { pads: [1, 0], auto_pad: 'VALID' }, 'it has pads and auto_pad VALID, which say two things.'],
    ['Conv', { group: 2 }, '1 filters do not make 2 groups.'],
    ['ConvTranspose', { strides: [0] }, 'kernel 2, stride 0, dilation 1, pads 0 and 0, output_padding 0.'],
    ['ConvTranspose', { pads: [9, 9] }, 'kernel 2, stride 1, dilation 1, pads 9 and 9, output_padding 0.'],
    ['ConvTranspose', { group: -1 }, 'the image has 1 channels, the weights 1, in -1 groups.'],
  ])('%s of %o', (op, attributes, message) => {
    const [image, weights] = [tensor([1, 2, 3, 4]).reshape(1, 1, 4), tensor([1, 2]).reshape(1, 1, 2)]
    const model = modelOf({
      inputs: { x: '1, 1, 4', w: '1, 1, 2' },
      nodes: [node(op, 'x w', 'y', attributes)],
      outputs: ['y'],
    })
    expect(() => runModel(model, { x: image as Tensor, w: weights as Tensor })).toThrow(message)
  })
})
