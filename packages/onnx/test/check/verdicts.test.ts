// One verdict for every node that broadcasts: what stretches where, what it takes, and on what it depends.
import { describe, expect, it } from 'vitest'
import { type Attributes, ints, modelOf, node } from '../../../../testing/models/infer.ts'
import {
  type CheckedBroadcast,
  type CheckOptions,
  checkModel,
  formatDim,
  formatDimConditions,
} from '../../src/index.ts'

interface Options extends CheckOptions {
  readonly opset?: number
  readonly attributes?: Attributes
}

/** The one broadcast of a node with inputs A, B, … */
function broadcastOf(opType: string, shapes: readonly string[], { opset = 22, attributes, ...options }: Options = {}) {
  const inputs = Object.fromEntries(shapes.map((shape, i) => [String.fromCharCode(97 + i), shape]))
  const nodes = [node(opType, Object.keys(inputs).join(' '), 'y', attributes)]
  const { broadcasts } = checkModel(modelOf({ inputs, nodes, opset }), options)
  expect(broadcasts).toHaveLength(1)
  return broadcasts[0]!
}

/** `broadcast b:-1,-3 32`: the verdict, each operand that differs with its axes and bytes, the condition. */
function textOf({ verdict, operands, conditions }: CheckedBroadcast): string {
  const parts = operands.flatMap(({ name, stretched, padded, bytes }) => {
    const axes = [stretched.join(), padded.join()].join('/')
    return axes === '/' ? [] : [`${name}:${axes} ${bytes === undefined ? '?' : formatDim(bytes)}`]
  })
  return [verdict, ...parts, ...(conditions.length === 0 ? [] : [`if ${formatDimConditions(conditions)}`])].join(' ')
}

describe('a verdict', () => {
  it.each<[readonly string[], string]>([
    [['2, 3', '2, 3'], 'equal'],
    [['N, 3', 'N, 3'], 'equal'],
    [['', ''], 'equal'],
    [['2, 3', '3'], 'broadcast b:/-2 24'],
    [['2, 3', '2, 1'], 'broadcast b:-1/ 24'],
    [['N, 3', '1, 1'], 'broadcast b:-2,-1/ 12*N'],
    [['N, 3', ''], 'broadcast b:/-2,-1 12*N'],
    [['1, 3', '2, 1'], 'broadcast a:-2/ 24 b:-1/ 24'],
    [['0', '1'], 'broadcast b:-1/ 0'],
    [['int8: 2, 3', 'int8: 1'], 'broadcast b:-1/-2 6'],
    [['2, 3', '2'], 'error'],
    [['0', '2'], 'error'],
    [['N', '4'], 'conditional if N = 1 or N = 4'],
    [['N', 'M'], 'conditional if N = 1 or M = 1 or N = M'],
    [['N, 3', 'M, 1'], 'conditional b:-1/ ? if N = 1 or M = 1 or N = M'],
    [['*', '2'], 'unknown'],
  ])('of Add with %j is %s', (shapes, expected) => {
    const result = textOf(broadcastOf('Add', shapes))
    expect(result.replace(/ b:-1\/ .* if/, ' b:-1/ ? if')).toBe(expected)
  })

  it('of a value that meets itself is equal, whatever its rank', () => {
    const verdicts = (nodes: Parameters<typeof modelOf>[0]['nodes']) =>
      checkModel(modelOf({ inputs: { a: '*', b: '*', t: 'int64: *' }, nodes })).broadcasts.map(({ verdict }) => verdict)
    expect(verdicts([node('Mul', 'a a', 'y'), node('Sum', 'a a a', 'z'), node('PRelu', 'a a', 'u')])).toEqual([
      'equal',
      'equal',
      'equal',
    ])
    expect(verdicts([node('Sum', 'a a b', 'y'), node('Expand', 't t', 'z')])).toEqual(['unknown', 'unknown'])
  })

  it('says which of three operands stretch', () => {
    expect(textOf(broadcastOf('Where', ['bool: 3', '2, 3', '']))).toBe('broadcast a:/-2 6 c:/-2,-1 24')
  })

  it('counts the bytes of matrices under the batch that they are repeated for', () => {
    expect(textOf(broadcastOf('MatMul', ['2, 5, 3, 4', '4, 7']))).toBe(`broadcast b:/-2,-1 ${2 * 5 * 4 * 7 * 4}`)
    expect(textOf(broadcastOf('MatMul', ['5, 3, 4', '5, 4, 7']))).toBe('equal')
  })

  it('takes the product for the first operand of Gemm', () => {
    const broadcast = broadcastOf('Gemm', ['2, 4', '4, 3', '3'])
    expect(textOf(broadcast)).toBe('broadcast c:/-2 24')
    expect(broadcast.operands.map(({ input }) => input)).toEqual([undefined, 2])
  })

  it('of Expand is about its data', () => {
    const nodes = [node('Expand', 'x s', 'y')]
    const [broadcast] = checkModel(modelOf({ inputs: { x: '3, 1', s: ints(2, 3, 4) }, nodes })).broadcasts
    expect(textOf(broadcast!)).toBe('broadcast x:-1/-3 96')
    const [same] = checkModel(modelOf({ inputs: { x: '3, 4', s: ints(1) }, nodes })).broadcasts
    expect(textOf(same!)).toBe('equal')
  })

  it('follows the attributes of old operator sets', () => {
    const attributes = { broadcast: 1, axis: 1 }
    expect(textOf(broadcastOf('Add', ['2, 3, 4, 5', '3, 4'], { opset: 6, attributes }))).toBe(
      `broadcast b:/-4,-1 ${2 * 3 * 4 * 5 * 4}`,
    )
    expect(textOf(broadcastOf('Add', ['2, 3', '3'], { opset: 6 }))).toBe('error')
  })

  it('depends on the shapes that are given', () => {
    expect(textOf(broadcastOf('Add', ['N', '4'], { inputs: { a: [4] } }))).toBe('equal')
    expect(textOf(broadcastOf('Add', ['N', '4'], { inputs: { a: [3] } }))).toBe('error')
  })

  it('is given to nodes of branches and of functions, for every call', () => {
    const branch = { node: [node('Add', 'x y', 'b')], output: [{ name: 'b' }] }
    const model = modelOf({
      inputs: { c: 'bool:', x: '2, 3', y: '3', z: '2' },
      nodes: [
        node('If', 'c', 'i', { then_branch: { graph: branch }, else_branch: { graph: branch } }),
        node('Sum', 'x y', 'p', {}, 'local'),
        node('Sum', 'x z', 'q', {}, 'local'),
      ],
      functions: [
        {
          name: 'Sum',
          domain: 'local',
          input: ['u', 'v'],
          output: ['w'],
          opsetImport: [{ version: 22n }],
          node: [node('Add', 'u v', 'w')],
        },
      ],
    })
    const { broadcasts, findings } = checkModel(model)
    expect(broadcasts.map(({ verdict }) => verdict)).toEqual(['broadcast', 'broadcast', 'broadcast', 'error'])
    expect(findings.map(({ id, path, message }) => [id, path, message.split(': ')[0]])).toEqual([
      ['broadcast-error', 'functions[0].node[0]', 'node 0 (Add) in functions[0], called by node 2 (Sum)'],
    ])
  })
})

it('a check tells how much of it is done, node by node and finding by finding', () => {
  const told: number[] = []
  const nodes = Array.from({ length: 10 }, (_, i) => node('Add', 'a b', `y${i}`))
  checkModel(modelOf({ inputs: { a: '2, 3', b: '4' }, nodes }), { progress: (done) => told.push(done) })
  expect(told).toEqual([...told].sort((a, b) => a - b))
  expect(told[0]).toBeCloseTo(0.06)
  expect(new Set(told).size).toBeGreaterThan(15)
  expect(told.at(-1)).toBeLessThanOrEqual(1)
})
