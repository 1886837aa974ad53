// Graphs inside nodes, and functions that the model defines: what holds whichever way a run takes.
import { type Tensor, tensor } from 'bcast'
import * as ort from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { newTally } from '../../../../testing/models/agree.ts'
import {
  attribute,
  declared,
  type GraphInit,
  int,
  ints,
  modelOf,
  node,
  text,
  texts,
} from '../../../../testing/models/infer.ts'
import { runModel } from '../../../../testing/models/onnxruntime.ts'
import { inferShapes, tensorProtoOf } from '../../src/index.ts'
import { judgeRun } from '../support/directory.ts'

type Init = Parameters<typeof modelOf>[0]
type NodeInit = Init['nodes'][number]

const graph = (inputs: string, outputs: string, ...nodes: NodeInit[]): GraphInit => ({
  name: 'body',
  input: inputs
    .split(' ')
    .filter(Boolean)
    .map((name) => ({ name })),
  node: nodes,
  output: outputs.split(' ').map((name) => ({ name })),
})

describe('If', () => {
  const choose = (inputs: Init['inputs'], ...nodes: NodeInit[]) =>
    inferShapes(
      modelOf({
        inputs: { c: 'bool:', ...inputs },
        nodes: [
          ...nodes,
          node('If', 'c', 'y', {
            then_branch: { graph: graph('', 'a', node('Concat', 'x x', 'a', { axis: 0 })) },
            else_branch: { graph: graph('', 'b', node('Identity', 'x', 'b')) },
          }),
          node('Relu', 'y', 'z'),
        ],
      }),
    )

  it('gives what both branches have in common', () => {
    const inference = choose({ x: 'N, 3' })
    expect(texts(inference)['y']).toBe('float32(y.size, 3)')
    const [then, otherwise] = inference.root.scope.nodes[0]!.subgraphs.map(({ graph: each }) => each)
    expect(text(inference.valueOf(then!, 'a'))).toBe('float32(2*N, 3)')
    expect(text(inference.valueOf(otherwise!, 'b'))).toBe('float32(N, 3)')
  })

  it('bounds what differs by both', () => {
    const bounds = choose({ x: '4, 3' }).symbols().get('y.size')!
    expect(bounds.terms[0]!.monomial.factors[0]!.atom).toMatchObject({ min: 4n, max: 8n })
  })

  it('enters only the branch that is taken, if that is known', () => {
    const inference = inferShapes(
      modelOf({
        inputs: { x: 'N, 3', one: int(1) },
        nodes: [
          node('Shape', 'x', 's', { start: 1 }),
          node('Squeeze', 's', 'n'),
          node('Equal', 'n one', 'c'),
          node('If', 'c', 'y', {
            then_branch: {
              graph: graph('', 'a', node('Squeeze', 'x axes', 'a'), node('Constant', '', 'axes', { value: ints(1) })),
            },
            else_branch: { graph: graph('', 'b', node('Identity', 'x', 'b')) },
          }),
        ],
      }),
    )
    expect(texts(inference)['y']).toBe('float32(N, 3)')
    expect(inference.findings).toEqual([])
    expect(inference.framesOf(inference.root.scope.nodes[3]!.subgraphs[0]!.graph)).toEqual([])
  })

  it('teaches nothing about runs that do not take the branch', () => {
    const inference = inferShapes(
      modelOf({
        inputs: { c: 'bool:', x: 'N, 3', axes: ints(0) },
        nodes: [
          node('If', 'c', 'y', {
            then_branch: { graph: graph('', 'a', node('Squeeze', 'x axes', 'a')) },
            else_branch: { graph: graph('', 'b', node('Constant', '', 'b', { value: ints(1, 2, 3) })) },
          }),
          node('Relu', 'x', 'z'),
        ],
      }),
    )
    expect(texts(inference)).toEqual({ y: '?(3)', z: 'float32(N, 3)' })
  })
})

describe('Loop', () => {
  const loop = (trips: string | ReturnType<typeof int>, body: GraphInit, inputs = 'm - v') =>
    texts(
      inferShapes(
        modelOf({
          inputs: { m: trips, v: 'N, 3', one: '1, 3' },
          nodes: [node('Loop', inputs, 'last all', { body: { graph: body } })],
        }),
      ),
    )

  it('hands on what does not change, and stacks what each round gives', () => {
    const body = graph('i c v_in', 'c v_out v_out', node('Relu', 'v_in', 'v_out'))
    expect(loop(int(5), body)).toEqual({ last: 'float32(N, 3)', all: 'float32(5, N, 3)' })
    expect(loop('int64:', body)).toEqual({
      last: 'float32(N, 3)',
      all: 'float32(max(m.value, 0), last.size, last.size_2)',
    })
  })

  it('gives up sizes that change from round to round', () => {
    const body = graph('i c v_in', 'c v_out v_in', node('Concat', 'v_in one', 'v_out', { axis: 0 }))
    const inference = inferShapes(
      modelOf({
        inputs: { m: 'int64:', v: 'N, 3', one: '1, 3' },
        nodes: [node('Loop', 'm - v', 'last all', { body: { graph: body } })],
      }),
    )
    expect(texts(inference)).toEqual({
      last: 'float32(last.size, 3)',
      all: 'float32(max(m.value, 0), last.size_2, last.size_3)',
    })
    const [inner] = inference.root.scope.nodes[0]!.subgraphs
    expect(text(inference.valueOf(inner!.graph, 'v_in'))).toBe('float32(last.carried, 3)')
    expect(text(inference.valueOf(inner!.graph, 'v_out'))).toBe('float32(last.carried + 1, 3)')
  })

  it('ends when the condition says so', () => {
    const body = graph(
      'i c v_in',
      'go v_in v_in',
      node('ReduceMax', 'v_in', 'r', { keepdims: 0 }),
      node('Cast', 'r', 'go', { to: 9 }),
    )
    expect(loop(int(5), body)['all']).toBe('float32(last.rounds, N, 3)')
  })

  it('has no rounds when none are asked for', () => {
    const body = graph('i c v_in', 'c v_out v_out', node('MatMul', 'v_in v_in', 'v_out'))
    expect(loop(int(0), body)).toEqual({ last: 'float32(N, 3)', all: 'float32(0, last.size, last.size_2)' })
  })

  it('ends even where nothing settles', () => {
    const body = graph(
      'i c v_in',
      'c v_out v_out',
      node('Unsqueeze', 'v_in axes', 'v_out'),
      node('Identity', 'v_in', 'w'),
    )
    const unsqueeze = { ...body, initializer: [] }
    const inference = inferShapes(
      modelOf({
        inputs: { m: 'int64:', v: 'N, 3', axes: ints(0) },
        nodes: [node('Loop', 'm - v', 'last all', { body: { graph: unsqueeze } })],
      }),
    )
    expect(texts(inference)).toEqual({ last: 'float32(*)', all: 'float32(*)' })
  })

  it('reports what cannot be once, not once a round', () => {
    const body = graph(
      'i c v_in',
      'c v_out',
      node('Concat', 'v_in one', 'v_out', { axis: 0 }),
      node('Add', 'v_in bad', 'w'),
    )
    const inference = inferShapes(
      modelOf({
        inputs: { m: 'int64:', v: 'N, 3', one: '1, 3', bad: '7, 4' },
        nodes: [node('Loop', 'm - v', 'last', { body: { graph: body } })],
      }),
    )
    expect(inference.findings.map(({ node: { opType } }) => opType)).toEqual(['Add'])
    expect(inference.broadcasts).toHaveLength(1)
  })
})

describe('Scan', () => {
  it('goes along an axis', () => {
    const body = graph('sum next', 'total square', node('Add', 'sum next', 'total'), node('Mul', 'next next', 'square'))
    const inference = inferShapes(
      modelOf({
        inputs: { s: 'N', x: 'N, T' },
        nodes: [
          node('Scan', 's x', 'last all', {
            body: { graph: body },
            num_scan_inputs: 1,
            scan_input_axes: [1],
            scan_output_axes: [-1],
          }),
        ],
      }),
    )
    expect(texts(inference)).toEqual({ last: 'float32(N)', all: 'float32(N, T)' })
  })
})

describe('runs in onnxruntime', () => {
  const value = (name: string) => declared(name, '*')
  const judged = async (init: Init, feeds: Record<string, Tensor>) => {
    const model = modelOf(init)
    const given = Object.entries(feeds)
    const run = await runModel(
      model,
      Object.fromEntries(
        given.map(([name, each]) => [
          name,
          new ort.Tensor(each.dtype as 'float32', (each.data as Float32Array).slice() as never, [...each.shape]),
        ]),
      ),
    )
    const inputs = new Map(given.map(([, each], i) => [i, tensorProtoOf(each)]))
    const outputs = new Map(model.graph.outputs.map(({ name }, i) => [i, run!.get(name)!]))
    const tally = newTally()
    expect(judgeRun(model, inputs, outputs, tally)).toEqual([])
    return tally
  }
  const floats = (...shape: number[]) => tensor(new Float32Array(shape.reduce((a, b) => a * b, 1)), { shape }) as Tensor

  it('agree on a loop that grows, and hands out sizes', async () => {
    const body: GraphInit = {
      name: 'body',
      node: [
        node('Identity', 'c_in', 'c_out'),
        node('Concat', 'v_in one', 'v_out', { axis: 0 }),
        node('Shape', 'v_in', 'size'),
      ],
      input: [declared('i', 'int64:'), declared('c_in', 'bool:'), value('v_in')],
      output: [declared('c_out', 'bool:'), value('v_out'), declared('size', 'int64: *')],
    }
    const init: Init = {
      inputs: { m: 'int64:', v: '2, 3', one: '1, 3' },
      nodes: [node('Loop', 'm - v', 'last sizes', { body: { graph: body } })],
      outputs: ['last', 'sizes'],
    }
    for (const rounds of [0, 1, 4]) {
      const { fixed, symbolic } = await judged(init, { m: int(rounds), v: floats(2, 3), one: floats(1, 3) })
      expect(fixed + symbolic).toBeGreaterThan(3)
    }
  })

  it('agree on a scan', async () => {
    const body: GraphInit = {
      name: 'body',
      node: [node('Add', 'sum next', 'total'), node('Mul', 'next next', 'square')],
      input: [value('sum'), value('next')],
      output: [value('total'), value('square')],
    }
    const init: Init = {
      inputs: { s: '2', x: '2, 5' },
      nodes: [
        node('Scan', 's x', 'last all', {
          body: { graph: body },
          num_scan_inputs: 1,
          scan_input_axes: [1],
          scan_output_axes: [1],
        }),
      ],
      outputs: ['last', 'all'],
    }
    expect(await judged(init, { s: floats(2), x: floats(2, 5) })).toMatchObject({ fixed: 4, symbolic: 2, unknown: [] })
  })
})

describe('functions', () => {
  const twice = {
    name: 'Twice',
    domain: 'local',
    input: ['a'],
    output: ['b'],
    attribute: ['axis'],
    opsetImport: [{ version: 22n }],
    node: [node('Concat', 'a a', 'b', { axis: { reference: 'axis' } })],
  }

  it('are entered once for every call, with the attributes of the call', () => {
    const inference = inferShapes(
      modelOf({
        inputs: { x: 'N, 3' },
        functions: [twice],
        nodes: [node('Twice', 'x', 'y', { axis: 0 }, 'local'), node('Twice', 'y', 'z', { axis: 1 }, 'local')],
      }),
    )
    expect(texts(inference)).toEqual({ y: 'float32(2*N, 3)', z: 'float32(2*N, 6)' })
    const [body] = inference.frames.map(({ scope }) => scope).filter(({ kind }) => kind === 'function')
    expect(inference.framesOf(body!)).toHaveLength(2)
    expect(text(inference.valueOf(body!, 'b'))).toBe('float32(2*N, b)')
    expect(inference.framesOf(body!).map((frame) => text(inference.valueIn(frame, 'b')))).toEqual([
      'float32(2*N, 3)',
      'float32(2*N, 6)',
    ])
  })

  it('have their own operator sets, and defaults', () => {
    const old = {
      name: 'Old',
      domain: 'local',
      input: ['a', 'b'],
      output: ['c'],
      opsetImport: [{ version: 6n }],
      attributeProto: [attribute('axis', 1)],
      node: [node('Add', 'a b', 'c', { broadcast: 1, axis: { reference: 'axis' } })],
    }
    const inference = inferShapes(
      modelOf({ inputs: { x: 'N, 3, 4', y: '3' }, functions: [old], nodes: [node('Old', 'x y', 'z', {}, 'local')] }),
    )
    expect(texts(inference)).toEqual({ z: 'float32(N, 3, 4)' })
  })

  it('that call themselves are left unknown', () => {
    const again = {
      name: 'Again',
      domain: 'local',
      input: ['a'],
      output: ['c'],
      opsetImport: [{ version: 22n }, { domain: 'local', version: 1n }],
      node: [node('Again', 'a', 'b', {}, 'local'), node('Again', 'b', 'c', {}, 'local')],
    }
    const inference = inferShapes(
      modelOf({
        inputs: { x: 'N' },
        functions: [again],
        nodes: [node('Again', 'x', 'y', {}, 'local'), node('Relu', 'x', 'z')],
      }),
    )
    expect(texts(inference)).toEqual({ y: '?', z: 'float32(N)' })
  })

  it('that call each other without measure are given up', () => {
    const level = (i: number) => ({
      name: `F${i}`,
      domain: 'local',
      input: ['a'],
      output: ['c'],
      opsetImport: [{ version: 22n }, { domain: 'local', version: 1n }],
      node:
        i === 0
          ? [node('Relu', 'a', 'c')]
          : [node(`F${i - 1}`, 'a', 'b', {}, 'local'), node(`F${i - 1}`, 'b', 'c', {}, 'local')],
    })
    const inference = inferShapes(
      modelOf({
        inputs: { x: 'N' },
        functions: Array.from({ length: 40 }, (_, i) => level(i)),
        nodes: [node('F39', 'x', 'y', {}, 'local')],
      }),
    )
    expect(inference.complete).toBe(false)
    expect(texts(inference)).toEqual({ y: '?' })
  })
})
