// What a check finds besides verdicts, each by its name, at its node, and with fixes that hold when they are applied.
import { create } from '@bufbuild/protobuf'
import { fromData, type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { type GraphInit, int, ints, type ModelInit, modelOf, node } from '../../../../testing/models/infer.ts'
import {
  applyFix,
  type CheckOptions,
  checkModel,
  type FindingId,
  type Model,
  pictureOf,
  readProfile,
  viewModel,
} from '../../src/index.ts'
import { SparseTensorProtoSchema } from '../../src/proto/onnx_pb.ts'

const findingsOf = (init: ModelInit | Model, options?: CheckOptions) =>
  checkModel('proto' in init ? init : modelOf(init), options).findings

const idsOf = (init: ModelInit | Model, options?: CheckOptions): FindingId[] =>
  findingsOf(init, options).map(({ id }) => id)

const zeros = (...shape: readonly number[]): Tensor => {
  const count = shape.reduce((product, size) => product * size, 1)
  return fromData('float32', new Float32Array(count), [...shape]) as Tensor
}

/** The texts of the fixes of the only finding, each applied: the model that comes out has no findings. */
function appliedFixes(init: ModelInit): string[] {
  const model = modelOf(init)
  const [finding, ...others] = checkModel(model).findings
  expect(others).toEqual([])
  for (const fix of finding!.fixes) {
    const { findings } = checkModel(applyFix(model, fix))
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  }
  return finding!.fixes.map(({ text }) => text)
}

describe('shapes that do not meet', () => {
  const bias: ModelInit = { inputs: { x: 'N, 64', bias: zeros(15) }, nodes: [node('Add', 'x bias', 'y')] }

  it('are found with operands, producers, axis, clause and picture', () => {
    const [finding] = findingsOf({
      ...bias,
      nodes: [node('Relu', 'x', 'r'), { ...node('Add', 'r bias', 'y'), name: 'shift' }],
    })
    expect(finding).toMatchObject({
      id: 'broadcast-error',
      severity: 'error',
      path: 'graph.node[1]',
      axis: -1,
      clause: 'ONNX Broadcasting, multidirectional, condition 2',
      message: 'node 1 "shift" (Add): cannot broadcast axis -1: 64 vs 15 (shapes [N,64] and [15]).',
      node: { name: 'shift', index: 1 },
      operands: [
        { name: 'r', input: 0, producer: { definition: { kind: 'output', node: { index: 0 } } } },
        { name: 'bias', input: 1, producer: { definition: { kind: 'initializer' } } },
      ],
    })
    expect(pictureOf(finding!)).toEqual([
      'axis    -2  -1',
      'A        N  64!   "r", node 0 (Relu)',
      'B           15!   "bias", initializer',
      '(! conflict)',
    ])
  })

  it('of a constant of the wrong size need another constant', () => {
    expect(appliedFixes(bias)).toEqual(['give initializer "bias" the shape (64) instead of (15), with values for it'])
  })

  it('keep the elements of a constant that is given another size', () => {
    const weights = tensor([
      [1, 2, 3],
      [4, 5, 6],
    ]) as unknown as Tensor
    const model = modelOf({ inputs: { x: '2, 2', w: weights }, nodes: [node('Add', 'x w', 'y')] })
    const fix = checkModel(model).findings[0]!.fixes.find(({ edits }) => edits[0]!.kind === 'resize')!
    const [changed] = applyFix(model, fix).proto.graph!.initializer
    expect(changed!.dims).toEqual([2n, 2n])
    expect([...new Float32Array(changed!.rawData.slice().buffer)]).toEqual([1, 2, 4, 5])
    expect(model.proto.graph!.initializer[0]!.dims).toEqual([2n, 3n])
  })

  it('because of a reduction that drops its axis keep it', () => {
    const nodes = [node('ReduceMax', 'x axes', 'm', { keepdims: 0 }), node('Sub', 'x m', 'y')]
    expect(appliedFixes({ inputs: { x: '8, 64', axes: ints(1) }, nodes })).toEqual([
      'set keepdims=1 on node 0 (ReduceMax)',
      'Unsqueeze (axes=[1]) "m"',
    ])
  })

  it('because of a reduction some nodes before keep its axis too', () => {
    const nodes = [
      node('ReduceMean', 'x axes', 'v', { keepdims: 0 }),
      node('Add', 'v eps', 'e'),
      node('Sqrt', 'e', 's'),
      node('Div', 'x s', 'y'),
    ]
    const [first] = appliedFixes({ inputs: { x: '8, 64', axes: ints(1), eps: zeros() }, nodes })
    expect(first).toBe('set keepdims=1 on node 0 (ReduceMean)')
  })

  it.each([
    [zeros(64), 'Unsqueeze (axes=[1,2]) "b"'],
    [zeros(1, 1, 64, 1), 'Squeeze (axes=[0,1,3]) and Unsqueeze (axes=[1,2]) "b"'],
  ])('of a bias for channels get it on the channels', (b, expected) => {
    for (const opset of [11, 22]) {
      const [first] = appliedFixes({ inputs: { x: '1, 64, 8, 8', b }, nodes: [node('Add', 'x b', 'y')], opset })
      expect(first).toBe(expected)
    }
  })

  it('because axes were exchanged get them exchanged again', () => {
    const nodes = [node('Transpose', 'x', 't', { perm: [0, 1, 3, 2] }), node('Add', 't z', 'y')]
    expect(appliedFixes({ inputs: { x: '2, 3, 4, 5', z: '2, 3, 4, 5' }, nodes })).toContain(
      'set perm=[0,1,2,3] on node 0 (Transpose)',
    )
  })

  it('inside a branch are mended there', () => {
    const graph: GraphInit = { node: [node('Add', 'x b', 'z')], output: [{ name: 'z' }] }
    const nodes = [node('If', 'c', 'y', { then_branch: { graph }, else_branch: { graph } })]
    const model = modelOf({ inputs: { c: 'bool:', x: '1, 64, 8, 8', b: zeros(64) }, nodes })
    const { findings } = checkModel(model)
    expect(findings.map(({ path }) => path)).toEqual([
      'graph.node[0].attribute[0].g.node[0]',
      'graph.node[0].attribute[1].g.node[0]',
    ])
    const fixed = applyFix(model, { edits: findings.flatMap(({ fixes }) => fixes[0]!.edits) })
    expect(checkModel(fixed).findings).toEqual([])
  })

  it('behind another failure are named by the fix that uncovers them', () => {
    const nodes = [node('Add', 'x b', 'z'), node('Add', 'z c', 'y')]
    const [finding] = findingsOf({ inputs: { x: '1, 64, 8, 8', b: zeros(64), c: zeros(9) }, nodes })
    expect(finding!.fixes[0]).toMatchObject({ text: 'Unsqueeze (axes=[1,2]) "b"', uncovers: ['node 1 (Add)'] })
  })

  it('in old operator sets get other attributes', () => {
    const nodes = [node('Add', 'x b', 'y', { broadcast: 1, axis: 2 })]
    const model = modelOf({ inputs: { x: '2, 3, 4, 5', b: '3, 4' }, nodes, opset: 6 })
    const texts = checkModel(model).findings[0]!.fixes.map(({ text }) => text)
    expect(texts).toContain('set broadcast=1 and axis=1 on node 0 (Add)')
  })

  it('are not looked into when no fixes are wanted', () => {
    expect(findingsOf(bias, { fixes: false })[0]!.fixes).toEqual([])
  })
})

describe('other failures', () => {
  it('of matrices get one of them transposed', () => {
    expect(appliedFixes({ inputs: { a: '4, 5', b: '6, 5' }, nodes: [node('MatMul', 'a b', 'y')] })).toEqual([
      'Transpose (perm=[1,0]) "b"',
    ])
    expect(appliedFixes({ inputs: { a: '4, 5', b: '6, 5' }, nodes: [node('Gemm', 'a b', 'y')] })).toEqual([
      'set transB=1 on node 0 (Gemm)',
    ])
  })

  it('name the inputs with their shapes', () => {
    const [finding] = findingsOf({ inputs: { a: '4, 5', b: '6, 7' }, nodes: [node('MatMul', 'a b', 'y')] })
    expect(finding).toMatchObject({ id: 'impossible-node', clause: 'ONNX MatMul', fixes: [] })
    expect(pictureOf(finding!)).toEqual(['input 0  (4,5)   "a", input', 'input 1  (6,7)   "b", input'])
  })

  it('of a branch are warnings when only the sizes that were given make it fail', () => {
    const branch = (op: string, other: string) => ({
      graph: { node: [node(op, `x ${other}`, 'b')], output: [{ name: 'b' }] },
    })
    const choice = (op: string, other: string): ModelInit => ({
      inputs: { c: 'bool:', x: 'N, M', v: zeros(4), m: zeros(4, 2), w: zeros(2, 3, 1) },
      nodes: [node('If', 'c', 'y', { then_branch: branch(op, other), else_branch: branch('Add', 'x') })],
    })
    const fails = (init: ModelInit, options: CheckOptions): string[] =>
      findingsOf(init, options).flatMap(({ id, severity }) => (severity === 'note' ? [] : [`${severity} ${id}`]))
    const inputs = { x: [3, 5] }
    expect(fails(choice('Add', 'v'), {})).toEqual([])
    expect(fails(choice('Add', 'v'), { inputs })).toEqual(['warning branch-does-not-fit'])
    expect(fails(choice('MatMul', 'm'), { inputs })).toEqual(['warning branch-does-not-fit'])
    expect(fails(choice('MatMul', 'm'), { inputs, profile: 'sonnx-strict' })).toEqual(['error branch-does-not-fit'])
    expect(findingsOf(choice('MatMul', 'm'), { inputs })[0]!.message).toBe(
      'node 0 (MatMul) in graph.node[0].attribute[0].g: the inner sizes of the matrices differ (with the sizes that were given; the branch may be meant for others).',
    )
    expect(fails(choice('Gemm', 'w'), { inputs })).toEqual(['error impossible-node'])
    expect(fails({ ...choice('Add', 'v'), nodes: [node('Add', 'x v', 'y')] }, { inputs })).toEqual([
      'error broadcast-error',
    ])
  })

  it('of every branch are errors, for one of them runs', () => {
    const graph = (name: string, ...nodes: ModelInit['nodes'][0][]) => ({ graph: { node: nodes, output: [{ name }] } })
    const either = (name: string, first: ReturnType<typeof graph>, second: ReturnType<typeof graph>) =>
      node('If', 'c', name, { then_branch: first, else_branch: second })
    const fails = (choice: ModelInit['nodes'][0]): string[] =>
      findingsOf({ inputs: { c: 'bool:', x: 'N', v: zeros(4) }, nodes: [choice] }, { inputs: { x: [3] } }).flatMap(
        ({ id, severity }) => (severity === 'note' ? [] : [`${severity} ${id}`]),
      )
    const [add, mul, same] = [
      graph('a', node('Add', 'x v', 'a')),
      graph('m', node('Mul', 'x v', 'm')),
      graph('s', node('Identity', 'x', 's')),
    ]
    expect(fails(either('y', add, mul))).toEqual(['error broadcast-error', 'error broadcast-error'])
    expect(fails(either('y', add, same))).toEqual(['warning branch-does-not-fit'])
    // One branch of the outer If has one that fits.
    expect(fails(either('y', graph('i', either('i', add, same)), mul))).toEqual([
      'warning branch-does-not-fit',
      'warning branch-does-not-fit',
    ])
    expect(fails(either('y', graph('i', either('i', add, mul)), graph('n', node('Sub', 'x v', 'n'))))).toEqual([
      'error broadcast-error',
      'error broadcast-error',
      'error broadcast-error',
    ])
  })

  it('of a loop say that it may have no rounds', () => {
    const body = {
      input: [{ name: 'i' }, { name: 'go' }],
      node: [node('Identity', 'go', 'on'), node('Add', 'x v', 's')],
      output: [{ name: 'on' }, { name: 's' }],
    }
    const loop = {
      inputs: { n: 'int64:', x: 'N', v: zeros(4) },
      nodes: [node('Loop', 'n -', 'y', { body: { graph: body } })],
    }
    const found = findingsOf(loop, { inputs: { x: [3] } }).find(({ id }) => id === 'branch-does-not-fit')
    expect(found?.message).toMatch(/ \(with the sizes that were given; the loop may have no rounds\)\.$/)
  })

  it('of the structure are passed on', () => {
    expect(idsOf({ inputs: { x: '2' }, nodes: [node('Add', 'x nowhere', 'y')] })).toContain('undefined-name')
  })

  it('of integers divided by a constant zero name the element', () => {
    const nodes = (op: string) => [node(op, 'x d', 'y')]
    const inputs = { x: 'int64: 3', d: ints(2, 0, 1) }
    const [finding] = findingsOf({ inputs, nodes: nodes('Div') })
    expect(finding).toMatchObject({ id: 'integer-division-by-zero', severity: 'error', name: 'd' })
    expect(finding!.message).toContain('element 1 of the divisor "d" (3) is 0')
    expect(idsOf({ inputs, nodes: nodes('Mod') })).toEqual(['integer-division-by-zero'])
    expect(idsOf({ inputs: { x: 'int64: 3', d: int(2) }, nodes: nodes('Div') })).toEqual([])
    const many = ints(...Array.from({ length: 3000 }, (_, i) => 2999 - i))
    expect(findingsOf({ inputs: { x: 'int64: 3000', d: many }, nodes: nodes('Div') })[0]!.message).toContain(
      'element 2999',
    )
    expect(idsOf({ inputs: { x: '3', d: zeros(3) }, nodes: nodes('Div') })).toEqual([])
  })
})

describe('broadcasts that are rarely meant', () => {
  it.each<[string, string, FindingId[]]>([
    ['N', 'N, 1', ['outer-product']],
    ['7', '7, 1', ['outer-product']],
    ['1, 4', '3, 1', ['both-stretch']],
    ['4', '3, 1', ['both-stretch']],
    ['1, 1', '1', []],
    ['N, 4', '4', []],
    ['N, 4', 'N, 1', []],
  ])('(%s) with (%s): %j', (a, b, expected) => {
    expect(idsOf({ inputs: { a, b }, nodes: [node('Sub', 'a b', 'y')] })).toEqual(expected)
  })

  it('have a fix that lets them meet element by element', () => {
    expect(appliedFixes({ inputs: { a: 'N', b: 'N, 1' }, nodes: [node('Sub', 'a b', 'y')] })).toContain(
      'Squeeze (axes=[1]) "b"',
    )
  })

  it.each<[string, string, FindingId[]]>([
    ['1, 3, 2, 3', '3', ['prelu-ambiguous-slope']],
    ['1, 3, 2, 3', '3, 1, 1', []],
    ['1, 3, 2, 2', '2', []],
    ['2, 3', '3', []],
    ['1, 2', '3, 2', ['prelu-enlarges-x']],
    ['1, 2', '3', ['broadcast-error']],
    ['1, 3, 2, 2', '3', ['broadcast-error']],
  ])('PRelu of (%s) with slope (%s): %j', (x, slope, expected) => {
    expect(idsOf({ inputs: { x, slope }, nodes: [node('PRelu', 'x slope', 'y')] })).toEqual(expected)
  })

  it.each<[string, FindingId[]]>([
    ['4', ['gemm-c-ambiguous']],
    ['4, 1', []],
    ['1, 4', []],
    ['', []],
    ['2, 4, 4', ['gemm-c-enlarges']],
    ['5', ['broadcast-error']],
  ])('Gemm with C (%s) on a square product: %j', (c, expected) => {
    expect(idsOf({ inputs: { a: '4, 2', b: '2, 4', c }, nodes: [node('Gemm', 'a b c', 'y')] })).toEqual(expected)
  })

  it.each<[number, string, Record<string, number>, FindingId[], string]>([
    [
      6,
      '3, 4',
      { broadcast: 1, axis: 1 },
      ['legacy-axis'],
      "need B as (3,4,1) instead. ONNX's own version converter gets this wrong.",
    ],
    [6, '2', { broadcast: 1, axis: 0 }, ['legacy-axis'], 'need B as (2,1,1,1) instead.'],
    [6, '4, 5', { broadcast: 1, axis: 2 }, ['legacy-axis'], 'place it the same without the attributes.'],
    [6, '4, 5', { broadcast: 1 }, [], ''],
    [7, '4, 5', { broadcast: 1, axis: 2 }, ['ignored-attribute'], 'opset 7 has no attribute broadcast or axis'],
  ])('opset %s, (2,3,4,5) with (%s) and %j: %j', (opset, b, attributes, expected, text) => {
    const found = findingsOf({ inputs: { a: '2, 3, 4, 5', b }, nodes: [node('Add', 'a b', 'y', attributes)], opset })
    expect(found.map(({ id }) => id)).toEqual(expected)
    expect(found[0]?.message ?? '').toContain(text)
  })

  it('an axis of another operator is its own', () => {
    const normalise = node('LayerNormalization', 'x s', 'y', { axis: -1 })
    expect(idsOf({ inputs: { x: 'N, 4', s: '4' }, nodes: [normalise], opset: 17 })).toEqual([])
  })
})

describe('what the file declares', () => {
  const withOutput = (init: ModelInit, name: string, text: string): Model => {
    const { proto } = modelOf({ ...init, outputs: [name] })
    proto.graph!.output[0] = modelOf({ inputs: { [name]: text }, nodes: [] }).proto.graph!.input[0]!
    return viewModel(proto)
  }
  const relu: ModelInit = { inputs: { x: 'N, 3' }, nodes: [node('Relu', 'x', 'y')] }

  it.each<[string, FindingId[]]>([
    ['N, 3', []],
    ['M, 3', []],
    ['?, 3', []],
    ['5, 3', []],
    ['N, 4', ['declared-shape-differs']],
    ['N', ['declared-shape-differs']],
    ['3, N', []],
  ])('as (%s) against (N,3): %j', (text, expected) => {
    expect(idsOf(withOutput(relu, 'y', text))).toEqual(expected)
  })

  it('does not count for inputs of other shapes', () => {
    const model = withOutput({ inputs: { x: '2, 3' }, nodes: [node('Relu', 'x', 'y')] }, 'y', '2, 3')
    const [finding, ...others] = findingsOf(model, { inputs: { x: [{ min: 2, max: null }, 3] } })
    expect(others).toEqual([])
    expect(finding).toMatchObject({ id: 'input-size-differs', severity: 'warning', path: 'graph.input[0]', name: 'x' })
    expect(finding!.message).toBe('input "x" is given as (2..,3), and the model declares (2,3).')
    expect(idsOf(model, { inputs: { x: [null, 3] } })).toEqual([])
  })

  it('under one name must be one size', () => {
    const nodes = [node('Concat', 'x x', 'y', { axis: 0 })]
    const [finding, ...others] = findingsOf(withOutput({ inputs: { x: 'N' }, nodes }, 'y', 'N'))
    expect(others).toEqual([])
    expect(finding).toMatchObject({ id: 'dim-param-contradiction', path: 'graph.node[0]', name: 'y' })
    expect(finding!.message).toContain('output "y" has size 2*N where it is declared as N, which is N in "x"')
  })

  it('under one name must be one size among inner values too', () => {
    const init: ModelInit = {
      inputs: { x: '3', z: '4' },
      nodes: [node('Relu', 'x', 'y'), node('Relu', 'z', 'w')],
      valueInfo: { y: 'K', w: 'K' },
    }
    expect(idsOf(init)).toEqual(['dim-param-contradiction'])
  })
})

describe('sizes that a node needs to be equal', () => {
  const graph: GraphInit = { node: [node('MatMul', 'x w', 'z')], output: [{ name: 'z' }] }

  it.each<[string, ModelInit, string[]]>([
    [
      'MatMul',
      { inputs: { x: '2, N', w: '3' }, nodes: [node('MatMul', 'x w', 'y')] },
      ['node 0 (MatMul): it holds if N = 3.'],
    ],
    [
      'Gemm',
      { inputs: { x: '2, N', w: 'M, 3' }, nodes: [node('Gemm', 'x w', 'y')] },
      ['node 0 (Gemm): it holds if N = M.'],
    ],
    [
      'Concat',
      { inputs: { cls: zeros(1, 1, 4), x: 'batch, 2, 4' }, nodes: [node('Concat', 'cls x', 'y', { axis: 1 })] },
      ['node 0 (Concat): it holds if batch = 1.'],
    ],
    [
      'a node that needs two',
      { inputs: { x: 'N, M, 1', w: '2, 3, 4' }, nodes: [node('Concat', 'x w', 'y', { axis: 2 })] },
      ['node 0 (Concat): it holds if N = 2 and M = 3.'],
    ],
    [
      'two nodes that need the same',
      { inputs: { x: '2, N', w: '3' }, nodes: [node('MatMul', 'x w', 'y'), node('MatMul', 'x w', 'z')] },
      ['node 0 (MatMul): it holds if N = 3.'],
    ],
    [
      'a node in a branch',
      {
        inputs: { c: 'bool:', x: '2, N', w: '3' },
        nodes: [node('If', 'c', 'y', { then_branch: { graph }, else_branch: { graph } })],
      },
      [
        'node 0 (MatMul) in graph.node[0].attribute[0].g: it holds if N = 3.',
        'node 0 (MatMul) in graph.node[0].attribute[1].g: it holds if N = 3.',
      ],
    ],
    ['sizes that are', { inputs: { x: '2, N', w: 'N' }, nodes: [node('MatMul', 'x w', 'y')] }, []],
  ])('are a condition: %s', (_, init, expected) => {
    const findings = findingsOf(init)
    expect(findings.map(({ message }) => message)).toEqual(expected)
    for (const finding of findings) expect(finding).toMatchObject({ id: 'sizes-conditional', severity: 'note' })
  })

  it('are said by a fix that holds for some sizes', () => {
    const product: ModelInit = { inputs: { x: 'N, 2', w: '3' }, nodes: [node('MatMul', 'x w', 'y')] }
    expect(appliedFixes(product)).toEqual(['Transpose (perm=[1,0]) "x", if N = 3'])
    const nodes = [node('ReduceMax', 'x axes', 'm', { keepdims: 0 }), node('Sub', 'w m', 'y')]
    const [first] = appliedFixes({ inputs: { x: '8, 64, 9', w: 'P, 64, 5', axes: ints(2) }, nodes })
    expect(first).toBe('set keepdims=1 on node 0 (ReduceMax), if P = 1 or P = 8')
  })
})

describe('an Expand', () => {
  it('is judged by ONNX', () => {
    const init: ModelInit = { inputs: { x: 'C', s: ints(3) }, nodes: [node('Expand', 'x s', 'y')] }
    for (const profile of ['onnx', 'sonnx-strict'] as const) {
      expect(findingsOf(init, { profile })[0]).toMatchObject({ id: 'broadcast-conditional', clause: 'ONNX Expand' })
    }
  })
})

describe('limits of a target', () => {
  it('are those of the profile', () => {
    const init: ModelInit = { inputs: { x: '1, 2, 3' }, nodes: [node('Relu', 'x', 'y')] }
    const profile = readProfile({ name: 'small', maxRank: 2 })
    expect(idsOf(init, { profile })).toEqual(['rank-limit', 'rank-limit'])
    expect(idsOf(init, { profile: readProfile({ name: 'large', maxRank: 3 }) })).toEqual([])
  })

  it('on sparse tensors are those of the safety profiles', () => {
    const { proto } = modelOf({ inputs: { x: '3' }, nodes: [node('Relu', 'x', 'y')] })
    proto.graph!.sparseInitializer.push(
      create(SparseTensorProtoSchema, { dims: [3n], values: { name: 's', dataType: 1 } }),
    )
    expect(idsOf(viewModel(proto))).toEqual([])
    expect(idsOf(viewModel(proto), { profile: 'sonnx-strict' })).toEqual(['sparse-tensor'])
  })
})
