// The report as text and as plain data.
import { readFileSync } from 'node:fs'
import { type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { faults } from '../../../../testing/json-schema.ts'
import { int, modelOf, node } from '../../../../testing/models/infer.ts'
import { explicitJson, explicitText, makeExplicit } from '../../src/index.ts'

const two = tensor(2) as Tensor

const model = modelOf({
  inputs: { x: 'N, 3', b: 'M', p: two, w: '5, 3, 4', u: '*' },
  nodes: [
    node('Add', 'x b', 'y'),
    node('Mul', 'y x', 'z'),
    node('Pow', 'z p', 'q'),
    node('MatMul', 'q w', 'r'),
    node('Add', 'r u', 's'),
  ],
  outputs: ['s'],
})

const branch = (operator: string) => ({
  graph: { name: 'g', node: [node(operator, 'x', 'v')], output: [{ name: 'v' }] },
})

/** How many elements x has decides the branch. */
const decided = modelOf({
  inputs: { x: 'N', one: int(1) },
  nodes: [
    node('Size', 'x', 's'),
    node('Equal', 's one', 'c'),
    node('If', 'c', 'y', { then_branch: branch('Neg'), else_branch: branch('Abs') }),
  ],
  outputs: ['y'],
})

describe('the report', () => {
  it('reads well', () => {
    expect(explicitText(makeExplicit(model).report).split('\n')).toEqual([
      '3 nodes rewritten: 6 nodes (3 Shape, 3 Expand) and 0 constants added; expanded operands take 12*N bytes, and 2 operands whose size is not known',
      '',
      'rewritten:',
      '  node 0 (Add); added Shape, Expand',
      '    input 1 "b" (M) to (N,3) on axes -2,-1, 12*N bytes',
      '  node 2 (Pow): Mul in its place',
      '  node 4 (Add); added Shape, Expand, Shape, Expand',
      '    input 0 "r" (5,N,4) to (?…), of a size that is not known',
      '    input 1 "u" (?…) to (?…), of a size that is not known',
      '',
      'left as they are:',
      '  node 3 (MatMul): it multiplies matrices, and broadcasts their batches itself.',
      '',
      'not proven by profile sonnx-strict:',
      '  node 1 "y.B.expanded" (Expand): it holds if M = 1 or M = 3.',
      '  node 7 "s.A.expanded" (Expand): a shape is not known, so it may fail.',
      '  node 9 "s.B.expanded" (Expand): a shape is not known, so it may fail.',
      '  node 10 (Add): a shape is not known, so shapes may differ. They are equal by the way they are made.',
      '',
      '3 nodes rewritten: 6 nodes (3 Shape, 3 Expand) and 0 constants added; expanded operands take 12*N bytes, and 2 operands whose size is not known',
    ])
  })

  it('tells nodes that are rewritten alike once, whatever their sizes where these are many', () => {
    const chain = (sizes: readonly number[]) =>
      makeExplicit(
        modelOf({
          inputs: { ...Object.fromEntries(sizes.map((size, i) => [`x${i}`, `N, ${size}`])), b: '1' },
          nodes: sizes.map((_, i) => ({ ...node('Add', `x${i} b`, `y${i}`), name: `add${i}` })),
          outputs: sizes.map((_, i) => `y${i}`),
        }),
      ).report
    const alike = chain(Array.from({ length: 30 }, () => 4))
    expect(explicitText(alike).split('\n').slice(2)).toEqual([
      'rewritten:',
      '  30 ×, the first: node 0 "add0" (Add); added Shape, Expand',
      '    input 1 "b" (1) to (N,4) on axes -2,-1, 16*N bytes',
      '    also node 1 "add1" (Add), node 2 "add2" (Add), node 3 "add3" (Add) and 26 more; --all lists them',
    ])
    const sized = chain(Array.from({ length: 30 }, (_, i) => i + 2))
    expect(explicitText(sized)).toContain('  30 ×, the first: node 0 "add0" (Add); added Shape, Expand')
    expect(explicitText(sized, { all: true }).match(/node \d+ "add\d+" \(Add\); added Shape, Expand/g)).toHaveLength(30)
  })

  it('says when there was nothing to do, or a newer operator set was needed', () => {
    const equal = modelOf({ inputs: { x: '3', b: '3' }, nodes: [node('Add', 'x b', 'y')], outputs: ['y'] })
    expect(explicitText(makeExplicit(equal).report)).toBe('nothing to rewrite')
    const old = modelOf({
      inputs: { x: '2, 3, 4', b: '3' },
      nodes: [node('Add', 'x b', 'y', { broadcast: 1, axis: 1 })],
      outputs: ['y'],
      opset: 6,
    })
    expect(explicitText(makeExplicit(old).report).split('\n')).toEqual([
      'raised from opset 6 to 8; 1 node rewritten: 1 node (1 Expand) and 1 constant added; expanded operands take 96 bytes',
      '',
      'for the newer operator set:',
      '  node 0 (Add): Unsqueeze (axes=[1]) before "b"; without broadcast and axis',
      '',
      'rewritten:',
      '  node 1 (Add); added Expand',
      '    input 1 "y.unsqueeze" (3,1) to (2,3,4) on axes -3,-1, 96 bytes',
    ])
  })

  it('says which branches the inputs decide', () => {
    const { report } = makeExplicit(decided, { inputs: { x: [3] } })
    expect(explicitText(report).split('\n')).toEqual([
      '0 nodes rewritten: no nodes and 0 constants added; expanded operands take 0 bytes',
      '',
      'decided by the inputs:',
      '  node 2 (If): else_branch in its place',
    ])
    expect(explicitJson(report).inlined).toMatchObject([{ node: { path: 'graph.node[2]' }, branch: 'else_branch' }])
  })

  it('is as its schema says', () => {
    const schema = JSON.parse(readFileSync(new URL('../../schema/explicit.schema.json', import.meta.url), 'utf8'))
    const old = modelOf({
      inputs: { x: '2, 3, 4', b: '3' },
      nodes: [node('Add', 'x b', 'y', { broadcast: 1, axis: 1 })],
      opset: 6,
    })
    for (const each of [model, old, modelOf({ inputs: {}, nodes: [] })]) {
      const json = JSON.parse(JSON.stringify(explicitJson(makeExplicit(each).report)))
      expect(faults(json, schema)).toEqual([])
    }
    const { report } = makeExplicit(decided, { inputs: { x: [3] } })
    expect(faults(JSON.parse(JSON.stringify(explicitJson(report))), schema)).toEqual([])
    const json = explicitJson(makeExplicit(model).report)
    const { totals, ...rest } = json
    expect(faults(rest, schema)).toEqual(['$ lacks totals'])
    expect(faults({ ...json, totals: { ...totals, unknown: -1 } }, schema)).toEqual(['$.totals.unknown is below 0'])
  })

  it('is plain data', () => {
    const json = explicitJson(makeExplicit(model).report)
    expect(JSON.parse(JSON.stringify(json))).toEqual(json)
    const totals = { nodes: 6, operators: { Shape: 3, Expand: 3 }, constants: 0, bytes: '12*N', unknown: 2 }
    expect(json).toMatchObject({ version: 1, opset: { from: 22, to: 22 }, lowered: [], totals })
    expect(json.rewritten[0]).toMatchObject({
      node: { path: 'graph.node[0]', operator: 'Add' },
      operands: [
        {
          ...{ input: 1, name: 'b', expanded: 'y.B.expanded', element: 'float32', shape: ['M'], result: ['N', 3] },
          ...{ axes: [-2, -1], bytes: '12*N', shared: false },
        },
      ],
      nodes: [
        { operator: 'Shape', name: 'x.shape' },
        { operator: 'Expand', name: 'y.B.expanded' },
      ],
      constants: [],
      replacedBy: null,
    })
    expect(json.rewritten[1]).toMatchObject({ operands: [], nodes: [], replacedBy: 'Mul' })
    expect(json.rewritten[2]!.operands).toMatchObject([{ axes: null, bytes: null, result: null }, { shape: null }])
    expect(json.kept).toMatchObject([{ node: { operator: 'MatMul' }, reason: expect.stringMatching(/matrices/) }])
  })
})
