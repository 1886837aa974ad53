// Which nodes become one kernel; that it changes no bit, no error and no failure.
import { DivisionByZeroError, type Tensor, tensor } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelOf, node } from '../../../../testing/models/infer.ts'
import { runModel as runInEngine } from '../../../../testing/models/onnxruntime.ts'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import { type Model, NodeError, prepareModel, type Tensors } from '../../src/index.ts'
import { thrown } from '../support/thrown.ts'
import { difference, fed } from '../support/values.ts'

/** The steps of a model, each as the operators of its nodes. */
const stepsOf = (model: Model, fuse = true): string[] =>
  prepareModel(model, { fuse }).steps.map(({ nodes }) => nodes.map(({ opType }) => opType).join(' '))

const x = '2, 3'

describe('element-wise nodes become one kernel', () => {
  it('in a chain', () => {
    const model = modelOf({
      inputs: { x, m: x, s: x },
      nodes: [node('Sub', 'x m', 'd'), node('Div', 'd s', 'q'), node('Relu', 'q', 'y')],
      outputs: ['y'],
    })
    expect(stepsOf(model)).toEqual(['Sub Div Relu'])
    expect(stepsOf(model, false)).toEqual(['Sub', 'Div', 'Relu'])
  })

  it('in a diamond, and in diamonds of diamonds', () => {
    const model = modelOf({
      inputs: { x },
      nodes: [
        node('Neg', 'x', 'a'),
        node('Exp', 'a', 'b'),
        node('Abs', 'a', 'c'),
        node('Add', 'b c', 'd'),
        node('Mul', 'd a', 'e'),
        node('Sub', 'e d', 'y'),
      ],
      outputs: ['y'],
    })
    expect(stepsOf(model)).toEqual(['Neg Exp Abs Add Mul Sub'])
  })

  it('up to a value that somebody else wants', () => {
    const nodes = [node('Neg', 'x', 'a'), node('Abs', 'a', 'b'), node('Sqrt', 'b', 'y')]
    expect(stepsOf(modelOf({ inputs: { x }, nodes, outputs: ['y', 'b'] }))).toEqual(['Neg Abs', 'Sqrt'])
    const more = [...nodes, node('Transpose', 'a', 't'), node('MatMul', 'y t', 'z')]
    expect(stepsOf(modelOf({ inputs: { x }, nodes: more, outputs: ['z'] }))).toEqual([
      'Neg',
      'Abs Sqrt',
      'Transpose',
      'MatMul',
    ])
  })

  it('never around a node that is no element-wise one', () => {
    // What goes through MatMul comes back: one kernel of all would have to wait for itself.
    const model = modelOf({
      inputs: { x: '3, 3' },
      nodes: [node('Neg', 'x', 'a'), node('MatMul', 'a x', 'b'), node('Add', 'a b', 'c'), node('Relu', 'c', 'y')],
      outputs: ['y'],
    })
    expect(stepsOf(model)).toEqual(['Neg', 'MatMul', 'Add Relu'])
  })

  it('of one shape only, so that no element is computed twice', () => {
    const model = modelOf({
      inputs: { x: 'N, 3', s: 'N, 1' },
      nodes: [node('Exp', 's', 'e'), node('Sqrt', 'e', 'r'), node('Mul', 'x r', 'p'), node('Tanh', 'p', 'y')],
      outputs: ['y'],
    })
    expect(stepsOf(model)).toEqual(['Exp Sqrt', 'Mul Tanh'])
  })

  it('also of shapes that nobody knows', () => {
    const model = modelOf({
      inputs: { x: 'float32: *' },
      nodes: [node('Exp', 'x', 'a'), node('Neg', 'a', 'b'), node('Add', 'a b', 'y')],
      outputs: ['y'],
    })
    expect(stepsOf(model)).toEqual(['Exp Neg Add'])
    const shifted = modelOf({
      inputs: { x: 'float32: *', b: tensor([1, 2]) as Tensor, y: 'float32: *' },
      nodes: [node('Sub', 'x b', 'a'), node('Mul', 'a b', 'c'), node('Relu', 'c', 'r'), node('Add', 'r y', 'z')],
      outputs: ['z'],
    })
    expect(stepsOf(shifted)).toEqual(['Sub Mul Relu', 'Add'])
  })

  it('through a function of the model', () => {
    const model = modelOf({
      inputs: { x },
      nodes: [node('Neg', 'x', 'a'), node('twice', 'a', 'b', {}, 'local'), node('Abs', 'b', 'y')],
      outputs: ['y'],
      functions: [
        {
          name: 'twice',
          domain: 'local',
          input: ['v'],
          output: ['w'],
          opsetImport: [{ version: 22n }],
          node: [node('Add', 'v v', 'w')],
        },
      ],
    })
    expect(stepsOf(model)).toEqual(['Neg Add Abs'])
    expect(
      prepareModel(model)
        .run({
          x: tensor([
            [1, 2, 3],
            [4, 5, 6],
          ]),
        })
        ['y']!.toArray(),
    ).toEqual([
      [2, 4, 6],
      [8, 10, 12],
    ])
  })

  it('but not more of them than fit', () => {
    const nodes = Array.from({ length: 100 }, (_, i) => node('Neg', i === 0 ? 'x' : `v${i - 1}`, `v${i}`))
    const steps = prepareModel(modelOf({ inputs: { x }, nodes, outputs: ['v99'] })).steps
    expect(steps.map(({ nodes: group }) => group.length)).toEqual([4, 32, 32, 32])
  })
})

describe('a kernel of several nodes fails as its nodes would', () => {
  const int = (values: number[], shape: number[]): Tensor => tensor(values, { dtype: 'int32', shape }) as Tensor
  const model = modelOf({
    inputs: { a: 'int32: *', b: 'int32: *', c: 'int32: *' },
    nodes: [node('Add', 'a a', 's'), node('Div', 's b', 'q'), node('Mul', 'q c', 'y')],
    outputs: ['y'],
    valueInfo: { s: 'int32: N', q: 'int32: N', y: 'int32: N' },
  })

  it.each([true, false])('with the node and the place, fused: %s', (fuse) => {
    const program = prepareModel(model, { fuse })
    expect(program.steps).toHaveLength(fuse ? 1 : 3)
    const inputs = { a: int([7, 8, 9], [3]), b: int([1, 2, 0], [3]), c: int([1, 1, 1], [3]) }
    const error = thrown(() => program.run(inputs)) as NodeError
    expect(error).toBeInstanceOf(NodeError)
    expect(error.message).toBe(
      'node 1 (Div): Div: division by zero at index [2] of the result. Make the divisor there nonzero: where(equal(y, 0), 1, y) in the place of y. A where around the quotient comes too late.',
    )
    expect(error.cause).toBeInstanceOf(DivisionByZeroError)
    expect(error).toMatchObject({ index: 1, opType: 'Div', path: 'graph.node[1]' })
  })

  it.each([true, false])('though the result is empty, fused: %s', (fuse) => {
    const inputs = { a: int([7], [1]), b: int([0], [1]), c: int([], [0]) }
    const error = thrown(() => prepareModel(model, { fuse }).run(inputs)) as NodeError
    expect(error.opType).toBe('Div')
  })

  it.each([true, false])('with the explanation of shapes, fused: %s', (fuse) => {
    const inputs = { a: int([1, 2, 3], [3]), b: int([1, 2, 3], [3]), c: int([1, 2], [2]) }
    const error = thrown(() => prepareModel(model, { fuse }).run(inputs)) as NodeError
    expect(error.message).toContain('node 2 (Mul): cannot broadcast axis -1: 3 vs 2 (shapes [3] and [2])')
    expect((error.cause as { code: string }).code).toBe('BCAST_BROADCAST')
  })
})

/** Operators on float32 that are exact, by how many operands they have. */
const exact = {
  1: [
    'Neg',
    'Abs',
    'Floor',
    'Ceil',
    'Relu',
    'Sqrt',
    'Round',
    'Reciprocal',
    'LeakyRelu',
    'Sign',
    'Transpose',
    'Flatten',
    'Identity',
  ],
  2: ['Add', 'Sub', 'Mul', 'Div', 'Max', 'Min'],
} as const

/** Of zeros of two signs onnxruntime takes whichever stands first. */
const zeroes = /Max|Min|Relu/

interface RandomGraph {
  readonly model: Model
  readonly inputs: Tensors
}

/** Graphs over inputs of a few shapes that broadcast; every node reads values made before it. */
const graphs: fc.Arbitrary<RandomGraph> = fc
  .tuple(
    fc.array(fc.constantFrom<readonly number[]>([2, 3], [3], [2, 1], [], [1, 3], [4, 2, 3]), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.boolean()), { minLength: 1, maxLength: 12 }),
    fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
    fc.infiniteStream(
      fc.constantFrom(-2.5, -1, -0, 0, 0.1, 1, 3.25, 7, 1e30, -1e-30, Number.POSITIVE_INFINITY, Number.NaN),
    ),
  )
  .map(([shapes, choices, wanted, elements]) => {
    const names = shapes.map((_, i) => `x${i}`)
    const nodes = choices.map(([operator, left, right, single], i) => {
      const operators = exact[single ? 1 : 2]
      const [a, b] = [names[left % names.length]!, names[right % names.length]!]
      names.push(`v${i}`)
      return node(operators[operator % operators.length]!, single ? a : `${a} ${b}`, `v${i}`)
    })
    const made = choices.map((_, i) => `v${i}`)
    const outputs = [...new Set(wanted.map((i) => made[i % made.length]!))]
    const inputs = shapes.map((shape, i) => {
      const count = shape.reduce((a, b) => a * b, 1)
      const values = Float32Array.from({ length: count }, () => elements.next().value)
      return [`x${i}`, tensor(values, { shape: [...shape] }) as Tensor] as const
    })
    const declared = inputs.map(([name, { shape }]) => [name, shape.join(', ')])
    return {
      model: modelOf({ inputs: Object.fromEntries(declared), nodes, outputs, opset: 16 }),
      inputs: Object.fromEntries(inputs),
    }
  })

describe('random graphs', () => {
  it('have the same bits fused, unfused, on the workers, and in onnxruntime', async () => {
    let [kernels, nodes, compared] = [0, 0, 0]
    const property = fc.asyncProperty(graphs, async ({ model, inputs }) => {
      const [fused, apart] = [prepareModel(model), prepareModel(model, { fuse: false })]
      kernels += fused.steps.length
      nodes += apart.steps.length
      const feeds = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, fed(value)]))
      const operators = model.graph.nodes.map(({ opType, inputs: from, outputs }) => `${outputs} = ${opType}(${from})`)
      const engine = operators.some((text) => zeroes.test(text)) ? undefined : await runInEngine(model, feeds)
      let results: Tensors
      try {
        results = fused.run(inputs)
      } catch (error) {
        // Shapes that do not meet, and then for everybody.
        expect(error).toBeInstanceOf(NodeError)
        expect(() => apart.run(inputs)).toThrow(NodeError)
        await expect(fused.run.async(inputs)).rejects.toThrow((error as Error).message)
        expect(engine).toBe(undefined)
        return
      }
      const others = [apart.run(inputs), await fused.run.async(inputs)]
      if (engine !== undefined) compared++
      for (const [name, result] of Object.entries(results)) {
        const actual = { element: result.dtype, shape: result.shape, elements: result.data as ArrayLike<number> }
        const text = `${name} of ${operators.join(', ')}`
        for (const other of others) expect(difference(other[name], actual), text).toBe(undefined)
        if (engine !== undefined) expect(difference(result, engine.get(name)!), text).toBe(undefined)
      }
    })
    await fc.assert(property, { numRuns: 60, endOnFailure: true })
    onDefaultSeed(() => {
      expect(compared).toBeGreaterThan(10)
      expect(kernels).toBeLessThan(nodes * 0.85)
    })
  })
})
