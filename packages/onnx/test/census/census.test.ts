// The census: what is counted, where operands come from, models that cannot be read, one model at a time.
import { fromData, type Tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { ints, modelOf, node } from '../../../../testing/models/infer.ts'
import {
  type Census,
  type CensusSource,
  census,
  DamagedModelError,
  type Model,
  readModel,
  viewModel,
} from '../../src/index.ts'

const bias = fromData('float32', new Float32Array(3), [3, 1, 1]) as Tensor

const first = (): Model =>
  modelOf({
    inputs: { x: 'N, 3, 8, 8', bias, n: 'N', m: '4', u: '*', k: '8', s: ints(2, 8) },
    nodes: [
      node('Add', 'x bias', 'a'),
      node('Add', 'a x', 'b'),
      node('Add', 'b k', 'c'),
      node('Mul', 'n m', 'd'),
      node('Mul', 'u m', 'e'),
      node('Expand', 'k s', 'f'),
    ],
  })

const second = (): Model =>
  modelOf({ inputs: { x: '1, 3, 8, 8', bias }, nodes: [node('Add', 'x bias', 'a'), node('Relu', 'a', 'b')] })

const broken: CensusSource = { name: 'broken.onnx', model: () => readModel(new Uint8Array([8, 200])) }

const counted = (): Census => census([{ name: 'a', model: first() }, broken, { name: 'b', model: second }])

/** `Add channel 4 constant: 2 in 2`. */
const kinds = ({ stretches }: Census): string[] =>
  stretches.map(
    ({ operator, pattern, rank, origin, operands, models }) =>
      `${operator} ${pattern} ${rank} ${origin}: ${operands} in ${models}`,
  )

describe('a census', () => {
  it('counts nodes by operator and verdict, and operands by kind', () => {
    const result = counted()
    expect(kinds(result)).toEqual([
      'Add channel 4 constant: 2 in 2',
      'Add row 4 computed: 1 in 1',
      'Expand row 2 computed: 1 in 1',
    ])
    expect(result.operators).toEqual([
      {
        ...{ operator: 'Add', domain: '', explicit: false, models: 2 },
        verdicts: { equal: 1, broadcast: 3, error: 0, conditional: 0, unknown: 0 },
      },
      {
        ...{ operator: 'Mul', domain: '', explicit: false, models: 1 },
        verdicts: { equal: 0, broadcast: 0, error: 0, conditional: 1, unknown: 1 },
      },
      {
        ...{ operator: 'Expand', domain: '', explicit: true, models: 1 },
        verdicts: { equal: 0, broadcast: 1, error: 0, conditional: 0, unknown: 0 },
      },
    ])
    expect(result.totals).toEqual({
      ...{ models: 2, broadcasting: 2, nodes: 8, explicit: 1 },
      verdicts: { equal: 1, broadcast: 3, error: 0, conditional: 1, unknown: 1 },
      stretched: { constant: 2, computed: 1 },
    })
    expect(result.stretches[0]!.example).toEqual({
      model: 'a',
      node: 'graph.node[0]',
      shapes: '(N,3,8,8) with (3,1,1)',
    })
  })

  it('lists a model that cannot be read, and goes on', () => {
    const { models, failures } = counted()
    expect(models.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(failures).toEqual([{ name: 'broken.onnx', code: 'ONNX_DAMAGED', message: expect.stringContaining('byte') }])
    const thrower = (error: unknown): CensusSource => ({
      name: 'x',
      model: () => {
        throw error
      },
    })
    const odd = census([thrower('no text'), thrower(undefined), thrower(new DamagedModelError('cut', 3, 'graph'))])
    expect(odd.failures.map(({ code, message }) => [code, message.slice(0, 9)])).toEqual([
      [null, 'no text'],
      [null, 'undefined'],
      ['ONNX_DAMAGED', expect.any(String)],
    ])
  })

  it('reads a model when its turn comes', () => {
    const steps: string[] = []
    function* sources(): Generator<CensusSource> {
      for (const name of ['a', 'b', 'c']) {
        steps.push(`want ${name}`)
        yield {
          name,
          model: () => {
            steps.push(`read ${name}`)
            return second()
          },
        }
      }
    }
    expect(census(sources()).totals.models).toBe(3)
    expect(steps).toEqual(['want a', 'read a', 'want b', 'read b', 'want c', 'read c'])
  })

  it('counts what happens for given inputs', () => {
    const source = { name: 'a', model: first(), inputs: { n: [4], u: [2, 4] } }
    expect(census([source]).totals.verdicts).toEqual({ equal: 2, broadcast: 3, error: 0, conditional: 0, unknown: 0 })
  })

  it('counts a function for every call, and both branches', () => {
    const branch = { node: [node('Mul', 'x k', 'b')], output: [{ name: 'b' }] }
    const model = modelOf({
      inputs: { c: 'bool:', x: '2, 3', k: ints(1, 2, 3).reshape([3]) },
      nodes: [
        node('If', 'c', 'i', { then_branch: { graph: branch }, else_branch: { graph: branch } }),
        node('Plus', 'x k', 'p', {}, 'local'),
        node('Plus', 'x x', 'q', {}, 'local'),
        node('Plus', 'k x', 'r', {}, 'local'),
      ],
      functions: [
        {
          ...{ name: 'Plus', domain: 'local', input: ['u', 'v'], output: ['w'], opsetImport: [{ version: 22n }] },
          node: [node('Add', 'u v', 'w')],
        },
      ],
    })
    const result = census([{ name: 'm', model }])
    expect(kinds(result)).toEqual(['Add row 2 constant: 2 in 1', 'Mul row 2 constant: 2 in 1'])
    expect(result.totals.verdicts).toMatchObject({ equal: 1, broadcast: 4 })
    expect(result.models[0]!.nodes).toBe(4 + 2 + 1)
  })
})

describe('an operand', () => {
  const origin = (nodes: ReturnType<typeof node>[], more = {}): string => {
    const inputs = { x: '2, 3', k: fromData('float32', new Float32Array(3), [3]) as Tensor, ...more }
    const { stretches } = census([
      { name: 'm', model: modelOf({ inputs, nodes: [...nodes, node('Add', 'x o', 'y')] }) },
    ])
    expect(stretches).toHaveLength(1)
    return stretches[0]!.origin
  }

  it.each<[string, string, ReturnType<typeof node>[]]>([
    ['made of weights alone', 'constant', [node('Neg', 'k', 'n'), node('Abs', 'n', 'o')]],
    ['of a Constant', 'constant', [node('Constant', '', 'o', { value: ints(1, 2, 3) })]],
    ['made of an input', 'computed', [node('ReduceSum', 'x axes', 'o', { keepdims: 0 })]],
    ['of chance', 'computed', [node('RandomUniform', '', 'o', { shape: [3] })]],
    [
      'made of weights and an input',
      'computed',
      [node('ReduceSum', 'x axes', 'r', { keepdims: 0 }), node('Mul', 'k r', 'o')],
    ],
    [
      'of a branch that reads weights alone',
      'constant',
      [
        node('Constant', '', 'c', { value: ints(1) }),
        node('If', 'c', 'o', {
          then_branch: { graph: { node: [node('Neg', 'k', 'b')], output: [{ name: 'b' }] } },
          else_branch: { graph: { node: [node('Abs', 'k', 'b')], output: [{ name: 'b' }] } },
        }),
      ],
    ],
    [
      'of a branch that reads an input',
      'computed',
      [
        node('Constant', '', 'c', { value: ints(1) }),
        node('If', 'c', 'o', {
          then_branch: {
            graph: { node: [node('ReduceSum', 'x axes', 'b', { keepdims: 0 })], output: [{ name: 'b' }] },
          },
          else_branch: { graph: { node: [node('Abs', 'k', 'b')], output: [{ name: 'b' }] } },
        }),
      ],
    ],
  ])('%s is %s', (_, expected, nodes) => {
    expect(origin(nodes, { axes: ints(0) })).toBe(expected)
  })

  it('is constant in old files too, which list weights among the inputs', () => {
    const { proto } = modelOf({ inputs: { x: '2, 3', k: '3' }, nodes: [node('Add', 'x k', 'y')], opset: 8 })
    const weights = modelOf({ inputs: { k: fromData('float32', new Float32Array(3), [3]) as Tensor }, nodes: [] })
    proto.graph!.initializer = weights.proto.graph!.initializer
    proto.irVersion = 3n
    const { stretches } = census([{ name: 'm', model: () => viewModel(proto) }])
    expect(stretches.map(({ origin: each }) => each)).toEqual(['constant'])
  })
})
