// Models of many nodes: time grows with their number, and shapes are shared.
import { type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { modelOf, node, text } from '../../../../testing/models/infer.ts'
import { processorTime } from '../../../../testing/processor-time.ts'
import { checkModel, inferShapes, prepareModel, reportText } from '../../src/index.ts'

const chain = (count: number, op: string, more: string, attributes = {}) =>
  modelOf({
    inputs: { x: 'N, 3, H', b: '3, 1' },
    nodes: Array.from({ length: count }, (_, i) =>
      node(op, `${i === 0 ? 'x' : `v${i - 1}`}${more}`, `v${i}`, attributes),
    ),
  })

const milliseconds = (model: ReturnType<typeof chain>): number => processorTime(() => inferShapes(model))

describe('many nodes', () => {
  it.each([
    ['Relu', '', {}],
    ['Add', ' b', {}],
    ['Concat', ' x', { axis: 0 }],
    ['Transpose', '', { perm: [0, 1, 2] }],
  ])('%s', (op, more, attributes) => {
    milliseconds(chain(1000, op, more, attributes))
    const few = milliseconds(chain(2500, op, more, attributes))
    const many = milliseconds(chain(15_000, op, more, attributes))
    expect(many).toBeLessThan(Math.max(24 * few, 2000))
  })

  it('of which each has a symbol of its own', () => {
    const count = 500
    const model = modelOf({
      inputs: Object.fromEntries(Array.from({ length: count + 1 }, (_, i) => [`x${i}`, `S${i}, T`])),
      nodes: Array.from({ length: count }, (_, i) => node('Add', `${i === 0 ? 'x0' : `y${i - 1}`} x${i + 1}`, `y${i}`)),
    })
    const spent = processorTime(() => expect(checkModel(model).verdicts.conditional).toBe(count))
    expect(spent).toBeLessThan(3000)
  })

  it('of which one has hundreds of operands with symbols of their own', () => {
    const summed = (count: number) => {
      const names = Array.from({ length: count }, (_, i) => `x${i}`)
      const inputs = Object.fromEntries(names.map((name, i) => [name, `S${i}, T`]))
      return checkModel(modelOf({ inputs, nodes: [node('Sum', names.join(' '), 'y')] })).verdicts
    }
    expect(summed(64)).toMatchObject({ conditional: 1 })
    expect(processorTime(() => expect(summed(2000)).toMatchObject({ unknown: 1 }))).toBeLessThan(15_000)
  })

  it('of which one has thousands of operands with few shapes', () => {
    const names = Array.from({ length: 2000 }, (_, i) => `x${i}`)
    const inputs = Object.fromEntries(names.map((name, i) => [name, `${['S', 'T', '7', '1'][i % 4]}, 3`]))
    const spent = processorTime(() => {
      const { verdicts } = checkModel(modelOf({ inputs, nodes: [node('Sum', names.join(' '), 'y')] }))
      expect(verdicts).toMatchObject({ conditional: 1 })
    })
    expect(spent).toBeLessThan(15_000)
  })

  it('are still refused after more facts than are kept', () => {
    const pairs = Array.from({ length: 1100 }, (_, i) => i)
    const model = modelOf({
      inputs: Object.fromEntries([
        ...pairs.flatMap((i) => [
          [`p${i}`, `P${i}, 4`],
          [`q${i}`, `Q${i}, 4`],
        ]),
        ['a', '2, 3'],
        ['b', '2, 4'],
      ]),
      nodes: [
        ...pairs.map((i) => node('Concat', `p${i} q${i}`, `pq${i}`, { axis: 1 })),
        node('Concat', 'a b', 'ab', { axis: 0 }),
      ],
    })
    expect(inferShapes(model).findings.map(({ message }) => message)).toEqual(['axis 1 has different sizes.'])
  })

  it('share a shape that does not change', () => {
    const model = chain(1000, 'Relu', '')
    const inference = inferShapes(model)
    const [first, last] = ['x', 'v999'].map((name) => inference.valueOf(model.graph, name))
    expect(first!.kind === 'tensor' && last!.kind === 'tensor' && first!.shape === last!.shape).toBe(true)
    expect(text(last!)).toBe('float32(N, 3, H)')
  })
})

describe('what only a hostile file has', () => {
  const chained = (
    count: number,
    start: string,
    ...step: readonly (readonly [op: string, inputs: string, output: string])[]
  ) =>
    Array.from({ length: count }, (_, i) =>
      step.map(([op, inputs, output]) => {
        const named = (text: string): string =>
          text.replaceAll('@', i === 0 ? start : `v${i}`).replaceAll('%', String(i))
        return node(op, named(inputs), output === '@' ? `v${i + 1}` : named(output))
      }),
    ).flat()

  it('is numbers whose digits double at every node', () => {
    const inputs = { x: 'N, M', three: '3' }
    const squares = chained(200, 'v0', ['Mul', '@ @', 'm%'], ['Add', 'm% @', '@'])
    const nodes = [
      node('Shape', 'x', 's'),
      node('ReduceSum', 's', 'v0'),
      ...squares,
      node('ConstantOfShape', 'v200', 'y'),
    ]
    expect(milliseconds(modelOf({ inputs, nodes }))).toBeLessThan(5000)
    for (const start of ['x', 'three']) {
      const tiled = modelOf({ inputs, nodes: chained(200, start, ['Shape', '@', 's%'], ['Tile', '@ s%', '@']) })
      expect(milliseconds(tiled)).toBeLessThan(5000)
    }
    const tiled = modelOf({ inputs, nodes: chained(7, 'three', ['Shape', '@', 's%'], ['Tile', '@ s%', '@']) })
    expect(inferShapes(tiled).findings.map(({ message }) => message)).toEqual([`axis 0 would be of size ${3n ** 64n}.`])
  })

  it('is a constant of no elements in many long axes', () => {
    const value = tensor([], { dtype: 'int64', shape: [...new Array<number>(20).fill(60), 0] }) as Tensor
    const nodes = [node('Constant', '', 'c', { value }), node('Reshape', 'x c', 'y')]
    expect(milliseconds(modelOf({ inputs: { x: 'N', i: value }, nodes }))).toBeLessThan(5000)
    const { y } = prepareModel(modelOf({ inputs: { x: 'N' }, nodes, outputs: ['y'] })).run({ x: tensor([1]) })
    expect(y!.shape).toEqual([])
  })

  it('is an unknown rank where axes are thousands', () => {
    const axes = Array.from({ length: 30_000 }, (_, i) => `n${i}`).join(', ')
    const model = modelOf({ inputs: { x: axes, y: '2' }, nodes: [node('Add', 'x y', 'z')] })
    expect(text(inferShapes(model).valueOf(model.graph, 'z'))).toBe('float32(*)')
    expect(reportText(checkModel(model))).toContain('unknown')
  })

  it('is reported where operands are more than a call takes arguments', () => {
    const names = new Array<string>(200_000).fill('x').join(' ')
    const model = modelOf({ inputs: { x: '2, 3' }, nodes: [node('Concat', names, 'y', { axis: 5 })] })
    expect(reportText(checkModel(model, { fixes: false }))).toContain('axis')
  })
})
