// Graphs inside nodes, and functions of the model: what onnxruntime makes of them is made here.
import { type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { declared, type GraphInit, int, ints, modelOf, node } from '../../../../testing/models/infer.ts'
import { runModel as runInEngine } from '../../../../testing/models/onnxruntime.ts'
import { type Model, prepareModel, type Tensors } from '../../src/index.ts'
import { difference, fed } from '../support/values.ts'

const graph = (
  inputs: Readonly<Record<string, string>>,
  nodes: GraphInit['node'],
  outputs: Readonly<Record<string, string>>,
): { graph: GraphInit } => ({
  graph: {
    name: 'inner',
    input: Object.entries(inputs).map(([name, text]) => declared(name, text)),
    node: nodes!,
    output: Object.entries(outputs).map(([name, text]) => declared(name, text)),
  },
})

/** Runs a model fused, unfused and on the workers, and holds the results against onnxruntime's. */
async function agreed(model: Model, inputs: Tensors): Promise<Record<string, unknown>> {
  const feeds = Object.fromEntries(Object.entries(inputs).map(([name, x]) => [name, fed(x)]))
  const engine = await runInEngine(model, feeds)
  const program = prepareModel(model)
  for (const results of [
    program.run(inputs),
    prepareModel(model, { fuse: false }).run(inputs),
    await program.run.async(inputs),
  ]) {
    for (const [name, actual] of engine!) expect(difference(results[name], actual), name).toBe(undefined)
  }
  return Object.fromEntries(Object.entries(program.run(inputs)).map(([name, x]) => [name, x.toArray()]))
}

const x = tensor([
  [1, -2, 3],
  [-4, 5, -6],
]) as Tensor

describe('If', () => {
  const model = modelOf({
    inputs: { x: '2, 3', c: 'bool:' },
    nodes: [
      node('Neg', 'x', 'n'),
      node('If', 'c', 'a b', {
        then_branch: graph({}, [node('Abs', 'n', 't'), node('Add', 't n', 'u'), node('Identity', 'n', 'v')], {
          u: '2, 3',
          v: '2, 3',
        }),
        else_branch: graph({}, [node('Identity', 'x', 'e'), node('Neg', 'n', 'f')], { e: '2, 3', f: '2, 3' }),
      }),
      node('Mul', 'a b', 'y'),
    ],
    outputs: ['y', 'a'],
  })

  it.each([true, false])('takes the branch of %s', async (condition) => {
    const { y } = (await agreed(model, { x, c: tensor(condition) as Tensor })) as { y: number[][] }
    expect(y[0]![1]).toBe(condition ? 8 : 4)
  })

  it('whose condition never changes is the branch it takes, whatever is in the other one', async () => {
    const constant = modelOf({
      inputs: { x: '2, 3', c: tensor([true]) as Tensor },
      nodes: [
        node('Neg', 'x', 'n'),
        node('Not', 'c', 'no'),
        node('If', 'no', 'a', {
          then_branch: graph({}, [node('Conv', 'n n', 't')], { t: '2, 3' }),
          else_branch: graph({}, [node('Add', 'n x', 'm'), node('Abs', 'm', 'e')], { e: '2, 3' }),
        }),
        node('Relu', 'a', 'y'),
      ],
      outputs: ['y'],
    })
    const program = prepareModel(constant)
    expect(program.steps.map(({ nodes }) => nodes.map(({ opType }) => opType))).toEqual([['Neg', 'Add', 'Abs', 'Relu']])
    expect(program.run({ x })['y']!.toArray()).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ])
  })
})

describe('Loop', () => {
  const body = graph(
    { i: 'int64:', c: 'bool:', v: '2, 3' },
    [
      node('Add', 'v x', 'w'),
      node('ReduceSum', 'w', 's', { keepdims: 0 }),
      node('Cast', 'i', 'f', { to: 1 }),
      node('Add', 's f', 't'),
      node('Less', 's limit', 'more'),
      node('Reshape', 'w flat', 'r'),
    ],
    { more: 'bool:', w: '2, 3', t: 'float32:', r: '6' },
  )
  const looping = modelOf({
    inputs: { x: '2, 3', count: 'int64:', first: 'bool:', limit: 'float32:', flat: ints(-1) },
    nodes: [node('Loop', 'count first x', 'last sums rows', { body })],
    outputs: ['last', 'sums', 'rows'],
  })
  const given = {
    x: tensor([
      [1, 2, 3],
      [4, 5, 6],
    ]) as Tensor,
    count: int(5),
    first: tensor(true) as Tensor,
    limit: tensor(90) as Tensor,
  }

  it('hands values on, collects those of every round, and ends by its condition or count', async () => {
    expect((await agreed(looping, given))['sums']).toEqual([42, 64, 86, 108])
    expect((await agreed(looping, { ...given, count: int(2) }))['sums']).toEqual([42, 64])
  })

  it('without rounds gives back what it was given, and nothing of every round', () => {
    for (const none of [{ count: int(0) }, { first: tensor(false) as Tensor }]) {
      const { last, sums, rows } = prepareModel(looping).run({ ...given, ...none })
      expect(last!.toArray()).toEqual([
        [1, 2, 3],
        [4, 5, 6],
      ])
      expect([sums!.shape, rows!.shape]).toEqual([[0], [0, 6]])
      expect(given.x.get(0, 0)).toBe(1)
    }
  })

  it('without rounds has the types that follow where the graph declares none', () => {
    const undeclared = graph(
      { i: 'int64:', c: 'bool:' },
      [node('Cast', 'x', 'n', { to: 7 }), node('Identity', 'c', 'more')],
      { more: 'bool:', n: 'int64: *' },
    )
    for (const output of undeclared.graph.output!.slice(1)) delete output.type
    const empty = modelOf({
      inputs: { x: '2, 3', count: 'int64:' },
      nodes: [node('Loop', 'count -', 'all', { body: undeclared })],
      outputs: ['all'],
    })
    // ONNX does not say the sizes that no round tells; open ones are 0.
    const { all } = prepareModel(empty).run({ x: given.x, count: int(0) })
    expect([all!.dtype, all!.shape]).toEqual(['int64', [0, 0, 0]])
    const never = modelOf({
      inputs: { x: '2, 3', count: int(0) },
      nodes: [node('Loop', 'count -', 'all', { body: undeclared })],
      outputs: ['all'],
    })
    expect(prepareModel(never).run({ x: given.x })['all']).toMatchObject({ dtype: 'int64', shape: [0, 0, 0] })
  })

  it('within a loop sees what is around both', async () => {
    const inner = graph(
      { j: 'int64:', c2: 'bool:', a: '2, 3' },
      [node('Add', 'a v', 'b'), node('Mul', 'b half', 'd')],
      {
        c2: 'bool:',
        d: '2, 3',
      },
    )
    const outer = graph({ i: 'int64:', c: 'bool:', v: '2, 3' }, [node('Loop', 'two - x', 'w', { body: inner })], {
      c: 'bool:',
      w: '2, 3',
    })
    const model = modelOf({
      inputs: { x: '2, 3', two: int(2), three: int(3), half: tensor(0.5) as Tensor },
      nodes: [node('Loop', 'three - x', 'y', { body: outer })],
      outputs: ['y'],
    })
    expect(await agreed(model, { x })).toHaveProperty('y')
  })
})

describe('Scan', () => {
  const body = graph(
    { s: '2', a: '2', b: '2' },
    [node('Add', 's a', 'p'), node('Mul', 'p b', 'q'), node('Identity', 'p', 'next')],
    { next: '2', q: '2' },
  )

  it.each([
    [{ num_scan_inputs: 2, scan_input_axes: [1, 1] }],
    [
      {
        num_scan_inputs: 2,
        scan_input_axes: [1, -1],
        scan_input_directions: [1, 0],
        scan_output_axes: [1],
        scan_output_directions: [1],
      },
    ],
  ])('goes through slices: %j', async (attributes) => {
    const model = modelOf({
      inputs: { s: '2', x: '2, 3' },
      nodes: [node('Scan', 's x x', 'last rows', { body, ...attributes })],
      outputs: ['last', 'rows'],
    })
    await agreed(model, { s: tensor([10, 20]) as Tensor, x })
  })
})

describe('functions of a model', () => {
  it('are run with the attributes and inputs that a call gives', async () => {
    const model = modelOf({
      inputs: { x: '2, 3' },
      nodes: [
        node('scaled', 'x', 'a', { alpha: { float: 0.5 } }, 'local'),
        node('scaled', 'a', 'y', {}, 'local'),
        node('outer', 'x y', 'z', {}, 'local'),
      ],
      outputs: ['y', 'z'],
      functions: [
        {
          name: 'scaled',
          domain: 'local',
          input: ['v', 'bias'],
          output: ['w'],
          attributeProto: [{ name: 'alpha', type: 1, f: 0.25 }],
          opsetImport: [{ version: 22n }],
          node: [
            {
              opType: 'LeakyRelu',
              input: ['v'],
              output: ['w'],
              attribute: [{ name: 'alpha', type: 1, refAttrName: 'alpha' }],
            },
          ],
        },
        {
          name: 'outer',
          domain: 'local',
          input: ['a', 'b'],
          output: ['c'],
          opsetImport: [{ version: 22n }, { domain: 'local', version: 1n }],
          node: [node('scaled', 'a', 'v', {}, 'local'), node('Sub', 'v b', 'c')],
        },
      ],
    })
    expect(await agreed(model, { x })).toEqual({
      y: [
        [1, -0.25, 3],
        [-0.5, 5, -0.75],
      ],
      z: [
        [0, -0.25, 0],
        [-0.5, 0, -0.75],
      ],
    })
  })
})
