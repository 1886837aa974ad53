// Given inputs decide which branches are taken: those stand in the place of their If, so that what no run comes to does
// not keep the model from being loaded.
import { type Tensor, tensor } from 'bcast'
import * as ort from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { differenceOf, outputsOf } from '../../../../testing/models/bits.ts'
import { declared, type GraphInit, int, type ModelInit, modelOf, node } from '../../../../testing/models/infer.ts'
import {
  checkModel,
  checkStructure,
  type ExplicitOptions,
  type Model,
  makeExplicit,
  tensorProtoOf,
  viewModel,
} from '../../src/index.ts'
import { floats, weights } from '../support/explicit.ts'

const graph = (nodes: GraphInit['node'], outputs: string, more: GraphInit = {}): { graph: GraphInit } => ({
  graph: { name: 'g', node: nodes!, output: outputs.split(' ').map((name) => ({ name })), ...more },
})

/** `c` says whether axis 1 of x is 3. */
const condition: ModelInit['nodes'] = [
  node('Shape', 'x', 's'),
  node('Gather', 's one', 'd'),
  node('Equal', 'd three', 'c'),
]

const constants: ModelInit['inputs'] = { one: int(1), three: int(3) }

const operatorsOf = ({ graph: { nodes } }: Model): readonly string[] => nodes.map(({ opType }) => opType)

async function expectSame(model: Model, options: ExplicitOptions, feeds: Readonly<Record<string, ort.Tensor>>) {
  const { model: explicit, report } = makeExplicit(model, options)
  expect(checkStructure(explicit)).toEqual([])
  expect(report.unproven).toEqual([])
  expect(checkModel(explicit, { profile: 'sonnx-strict' }).passes).toBe(true)
  expect(makeExplicit(explicit).model === explicit).toBe(true)
  const [before, after] = [await outputsOf(model, feeds), await outputsOf(explicit, feeds)]
  if (typeof before === 'string' || typeof after === 'string') throw new Error(`${before}\n${after}`)
  expect(differenceOf(before, after)).toBeUndefined()
  return { model: explicit, report }
}

const shifted: ModelInit = {
  inputs: { x: 'N, M', b: weights(3), k: tensor(2) as Tensor, ...constants },
  nodes: [
    ...condition,
    node('If', 'c', 'y', {
      then_branch: graph([node('Add', 'x b', 't')], 't'),
      else_branch: graph([node('Identity', 'x', 'e')], 'e'),
    }),
    node('Mul', 'y k', 'z'),
  ],
  outputs: ['z'],
}

describe('a branch that the inputs decide', () => {
  it('stands in the place of its If', async () => {
    const { model, report } = await expectSame(modelOf(shifted), { inputs: { x: [2, 4] } }, { x: floats(2, 4) })
    expect(operatorsOf(model)).toEqual(['Shape', 'Gather', 'Equal', 'Identity', 'Expand', 'Mul'])
    expect(report.inlined.map(({ node: at, branch }) => [at.index, branch])).toEqual([[3, 'else_branch']])
    const { report: other } = await expectSame(modelOf(shifted), { inputs: { x: [2, 3] } }, { x: floats(2, 3) })
    expect(other.inlined.map(({ branch }) => branch)).toEqual(['then_branch'])
    expect(other.rewritten.map(({ node: at }) => at.opType)).toEqual(['Add', 'Mul'])
  })

  it('stays in its If where the inputs are not given, or do not decide', () => {
    expect(makeExplicit(modelOf(shifted)).report.inlined).toEqual([])
    expect(operatorsOf(makeExplicit(modelOf(shifted), { inputs: { x: [2, null] } }).model)).toContain('If')
    const byData = { ...shifted, inputs: { ...shifted.inputs, c: 'bool:' }, nodes: shifted.nodes.slice(3) }
    const { report } = makeExplicit(modelOf(byData), { inputs: { x: [2, 4] } })
    expect(report.inlined).toEqual([])
    expect(report.kept.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^it fails: /)])
  })

  it('stays where an empty input would take the other', () => {
    const model = modelOf({
      inputs: { x: 'N, M', zero: int(0), one: int(1) },
      nodes: [
        node('Shape', 'x', 's'),
        node('Gather', 's zero', 'd'),
        node('Greater', 'd zero', 'c'),
        node('If', 'c', 'y', {
          then_branch: graph([node('Relu', 'x', 't')], 't'),
          else_branch: graph([node('Neg', 'x', 'e')], 'e'),
        }),
      ],
      outputs: ['y'],
    })
    expect(operatorsOf(makeExplicit(model, { inputs: { x: [null, 4] } }).model)).toContain('If')
    expect(operatorsOf(makeExplicit(model, { inputs: { x: [2, 4] } }).model)).not.toContain('If')
  })

  // Branches that use the same names, hold constants, and hold graphs.
  const body = graph([node('Add', 'v t', 'u'), node('Identity', 'go', 'again')], 'again u', {
    input: [declared('i', 'int64:'), declared('go', 'bool:'), declared('v', '*')],
  })
  const inner = (operator: string): { graph: GraphInit } =>
    graph(
      [
        node(operator, 'x w', 't'),
        node('If', 'c', 'p', {
          then_branch: graph([node('Add', 't b', 'q')], 'q'),
          else_branch: graph([node('Sub', 't w', 'q')], 'q'),
        }),
        node('Loop', 'rounds - p', 'r', { body }),
      ],
      't p r w',
      {
        initializer: [tensorProtoOf(operator === 'Add' ? weights(1) : weights(1, 1), 'w')],
        valueInfo: [declared('p', 'N, M')],
      },
    )

  it('keeps names apart, in branches and loops within it too', async () => {
    const model = modelOf({
      inputs: { x: 'N, M', b: weights(3), rounds: int(2), ...constants },
      nodes: [
        ...condition,
        node('If', 'c', 'y0 y1 y2 y3', { then_branch: inner('Mul'), else_branch: inner('Add') }),
        node('If', 'c', 'z0 z1 z2 z3', { then_branch: inner('Add'), else_branch: inner('Mul') }),
      ],
      outputs: ['y0', 'y1', 'y2', 'y3', 'z0', 'z2', 'z3'],
    })
    const { model: explicit, report } = await expectSame(model, { inputs: { x: [2, 4] } }, { x: floats(2, 4) })
    expect(operatorsOf(explicit)).not.toContain('If')
    expect(report.inlined).toHaveLength(4)
  })

  it('may give a value from outside, and one twice, which onnxruntime takes in no branch', async () => {
    const model = modelOf({
      inputs: { x: 'N, M', ...constants },
      nodes: [
        ...condition,
        node('If', 'c', 'y0 y1 y2', {
          then_branch: graph([node('Neg', 'x', 't')], 't t t'),
          else_branch: graph([node('Neg', 'x', 't')], 'x t t'),
        }),
      ],
      outputs: ['y0', 'y1', 'y2'],
    })
    const { model: explicit } = makeExplicit(model, { inputs: { x: [2, 4] } })
    expect(operatorsOf(explicit)).toEqual(['Shape', 'Gather', 'Equal', 'Neg', 'Identity', 'Identity'])
    const x = floats(2, 4)
    const negative = new ort.Tensor(
      'float32',
      Float32Array.from(x.data as Float32Array, (each) => -each),
      [2, 4],
    )
    const got = await outputsOf(explicit, { x })
    if (typeof got === 'string') throw new Error(got)
    expect(differenceOf({ y0: x, y1: negative, y2: negative }, got)).toBeUndefined()
  })

  it('brings its constants along as nodes into a file of the first versions, where each would be an input', () => {
    const { proto } = modelOf({
      inputs: { x: 'N, M' },
      nodes: [
        node('Constant', '', 'one', { value: int(1) }),
        node('Constant', '', 'three', { value: int(3) }),
        ...condition,
        node('If', 'c', 'y', {
          then_branch: inner('Add'),
          else_branch: graph([node('Add', 'x w', 't')], 't', {
            initializer: [tensorProtoOf(weights(2, 4), 'w')],
          }),
        }),
      ],
      outputs: ['y'],
      opset: 8,
    })
    proto.irVersion = 3n
    const { model } = makeExplicit(viewModel(proto), { inputs: { x: [2, 4] } })
    expect(operatorsOf(model).slice(-2)).toEqual(['Constant', 'Add'])
    expect([...model.graph.initializers.keys()]).toEqual([])
  })

  it('in a function is taken where every call takes it', async () => {
    const pick = {
      ...{ name: 'Pick', domain: 'local', input: ['x'], output: ['y'], opsetImport: [{ version: 22n }] },
      node: [
        node('Constant', '', 'one', { value: int(1) }),
        node('Constant', '', 'three', { value: int(3) }),
        ...condition,
        node('If', 'c', 'y', {
          then_branch: graph([node('Add', 'x b', 't')], 't', { initializer: [tensorProtoOf(weights(3), 'b')] }),
          else_branch: graph([node('Add', 'x b', 't')], 't', { initializer: [tensorProtoOf(weights(1), 'b')] }),
        }),
      ],
    }
    const model = modelOf({
      inputs: { x: 'N, M', v: 'K, L' },
      functions: [pick],
      nodes: [node('Pick', 'x', 'y', {}, 'local'), node('Pick', 'v', 'w', {}, 'local')],
      outputs: ['y', 'w'],
    })
    const agreed = { x: [2, 4], v: [3, 5] }
    const { model: explicit } = await expectSame(model, { inputs: agreed }, { x: floats(2, 4), v: floats(3, 5) })
    expect(explicit.functions[0]!.nodes.map(({ opType }) => opType)).not.toContain('If')
    const { model: other } = makeExplicit(model, { inputs: { x: [2, 4], v: [3, 3] } })
    expect(other.functions[0]!.nodes.map(({ opType }) => opType)).toContain('If')
  })
})

describe('a default of another shape than an input is given', () => {
  const { proto } = modelOf({ inputs: { x: '2, 3', b: weights(3) }, nodes: [node('Add', 'x b', 'y')], outputs: ['y'] })
  proto.graph!.input.push(...modelOf({ inputs: { b: '*' }, nodes: [] }).proto.graph!.input)
  const model = viewModel(proto)

  it('is left out, so that a run has to give one', async () => {
    const { model: explicit } = makeExplicit(model, { inputs: { b: [1, 1] } })
    expect([...explicit.graph.initializers.keys()]).not.toContain('b')
    const b = new ort.Tensor('float32', [-1], [1, 1])
    const got = await outputsOf(explicit, { x: floats(2, 3), b })
    if (typeof got === 'string') throw new Error(got)
    const shifted = Float32Array.from(floats(2, 3).data as Float32Array, (x) => x - 1)
    expect(differenceOf({ y: new ort.Tensor('float32', shifted, [2, 3]) }, got)).toBeUndefined()
  })

  it('stays where it has that shape', () => {
    const { model: explicit } = makeExplicit(model, { inputs: { b: [3] } })
    expect([...explicit.graph.initializers.keys()]).toContain('b')
  })
})
