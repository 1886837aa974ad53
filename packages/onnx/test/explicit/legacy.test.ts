// The attributes `broadcast` and `axis` of opsets before 7, lowered: onnxruntime computes what the rule onnxLegacy of
// bcast says.
import { add, and, div, equal, fromData, greater, less, mul, onnxLegacy, or, sub, type Tensor, xor } from 'bcast'
import fc from 'fast-check'
import * as ort from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { differenceOf, outputsOf } from '../../../../testing/models/bits.ts'
import { type Attributes, modelOf, node } from '../../../../testing/models/infer.ts'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import { checkModel, checkStructure, makeExplicit, nodePath, OpsetError } from '../../src/index.ts'
import { thrown } from '../support/thrown.ts'

type Binary = (a: Tensor, b: Tensor, options: object) => Tensor

const arithmetic: Readonly<Record<string, Binary>> = { Add: add, Sub: sub, Mul: mul, Div: div } as never
const comparisons: Readonly<Record<string, Binary>> = { Greater: greater, Less: less } as never
const logic: Readonly<Record<string, Binary>> = { And: and, Or: or, Xor: xor } as never
const operators: Readonly<Record<string, Binary>> = { ...arithmetic, ...comparisons, ...logic, Equal: equal as never }

type Element = 'float32' | 'int32' | 'bool'

const elementOf = (operator: string): Element =>
  operator in logic ? 'bool' : operator === 'Equal' ? 'int32' : 'float32'

function tensorOfShape(element: Element, shape: readonly number[], seed: number): Tensor {
  const count = shape.reduce((a, b) => a * b, 1)
  const values = Array.from({ length: count }, (_, i) => ((i + seed) * 7) % 5)
  if (element === 'bool')
    return fromData(
      'bool',
      Uint8Array.from(values, (x) => x % 2),
      [...shape],
    ) as Tensor
  if (element === 'int32') return fromData('int32', Int32Array.from(values), [...shape]) as Tensor
  return fromData(
    'float32',
    Float32Array.from(values, (x) => x + 0.5),
    [...shape],
  ) as Tensor
}

const fed = (x: Tensor): ort.Tensor => new ort.Tensor(x.dtype as 'float32', x.data.slice() as never, [...x.shape])

const floats = (shape: readonly number[]): ort.Tensor => fed(tensorOfShape('float32', shape, 2))

interface Case {
  readonly operator: string
  readonly opset: number
  readonly a: readonly number[]
  readonly b: readonly number[]
  readonly axis?: number
  readonly open?: boolean
}

async function expectLowered({ operator, opset, a, b, axis, open = false }: Case): Promise<void> {
  const element = elementOf(operator)
  const [x, y] = [tensorOfShape(element, a, 1), tensorOfShape(element, b, 3)]
  const attributes: Attributes = { broadcast: 1, ...(axis === undefined ? {} : { axis }) }
  const declared = (shape: readonly number[], name: string): string =>
    `${element}: ${shape.map((size, i) => (open ? `${name}${i}` : size)).join(', ')}`
  const model = modelOf({
    inputs: { x: declared(a, 'a'), y: declared(b, 'b') },
    nodes: [node(operator, 'x y', 'z', attributes)],
    outputs: ['z'],
    opset,
  })
  const { model: explicit } = makeExplicit(model)
  expect(checkStructure(explicit)).toEqual([])
  expect(makeExplicit(explicit).model === explicit).toBe(true)
  if (!open) expect(checkModel(explicit, { profile: 'sonnx-strict' }).passes).toBe(true)
  const got = await outputsOf(explicit, { x: fed(x), y: fed(y) })
  if (typeof got === 'string') throw new Error(got)
  const rule = onnxLegacy({ broadcast: true, ...(axis === undefined ? {} : { axis }) })
  const expected = operators[operator]!(x, y, { broadcast: rule })
  expect(differenceOf({ z: fed(expected) }, got)).toBeUndefined()
}

describe('broadcast and axis', () => {
  it.each<Case>([
    { operator: 'Add', opset: 6, a: [2, 2, 5, 5], b: [2], axis: 1 },
    { operator: 'Add', opset: 6, a: [1, 64, 8, 8], b: [64], axis: 1 },
    { operator: 'Add', opset: 1, a: [2, 3, 4, 5], b: [3, 4], axis: 1 },
    { operator: 'Mul', opset: 6, a: [2, 3, 4, 5], b: [2], axis: 0 },
    { operator: 'Mul', opset: 6, a: [2, 3, 4, 5], b: [4, 5] },
    { operator: 'Sub', opset: 6, a: [2, 3, 4, 5], b: [] },
    { operator: 'Sub', opset: 6, a: [2, 3, 4, 5], b: [1, 1] },
    { operator: 'Sub', opset: 6, a: [2, 3, 4, 5], b: [1, 1], axis: 2 },
    { operator: 'Div', opset: 7, a: [2, 3, 4], b: [3], axis: 1 },
    { operator: 'Add', opset: 13, a: [2, 3, 4], b: [3], axis: 1 },
    { operator: 'Add', opset: 6, a: [2, 2, 5, 5], b: [2], axis: 1, open: true },
  ])('$operator-$opset $a $b axis=$axis', expectLowered)

  it('of random shapes', async () => {
    const cases = fc
      .record({
        operator: fc.constantFrom(...Object.keys(operators)),
        opset: fc.constantFrom(1, 4, 6, 7, 9),
        a: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
        start: fc.nat(4),
        length: fc.nat(5),
        open: fc.boolean(),
        isSuffix: fc.boolean(),
      })
      .map(({ a, start, length, isSuffix, ...rest }): Case => {
        const axis = isSuffix ? Math.max(a.length - length, 0) : start % a.length
        const b = isSuffix ? a.slice(axis) : a.slice(axis, axis + length)
        return { ...rest, a, b, ...(isSuffix ? {} : { axis }) }
      })
    await fc.assert(fc.asyncProperty(cases, expectLowered), { numRuns: 15 })
  })

  it('of sizes that a run decides fails where the first operand would have to grow', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 })
    const cases = fc.record({
      ...{ a: sizes, b: sizes, axis: fc.option(fc.nat(2), { nil: undefined }), broadcast: fc.boolean() },
      ...{ openA: fc.boolean(), openB: fc.boolean() },
    })
    const failures = { expected: 0, ran: 0 }
    const property = fc.asyncProperty(cases, async ({ a, b, axis, broadcast, openA, openB }) => {
      const at = axis === undefined || !broadcast ? {} : { axis: Math.min(axis, a.length - 1) }
      const [x, y] = [tensorOfShape('float32', a, 1), tensorOfShape('float32', b, 3)]
      const text = (shape: readonly number[], name: string, open: boolean): string =>
        shape.map((size, i) => (open ? `${name}${i}` : size)).join(', ')
      const model = modelOf({
        // The second node has the model raised, whatever the first does.
        inputs: { x: text(a, 'a', openA), y: text(b, 'b', openB), one: '1', row: '2, 2' },
        nodes: [
          node('Sub', 'x y', 'z', broadcast ? { broadcast: 1, ...at } : {}),
          node('Add', 'row one', 'w', { broadcast: 1 }),
        ],
        outputs: ['z', 'w'],
        opset: 6,
      })
      let expected: Tensor | undefined
      try {
        expected = sub(x, y, { broadcast: onnxLegacy({ broadcast, ...at }) }) as Tensor
      } catch {
        // Ones inside the second operand are repeated, as exporters meant it.
        if (broadcast && b.includes(1)) return
      }
      const feeds = { x: fed(x), y: fed(y), one: floats([1]), row: floats([2, 2]) }
      let got: Awaited<ReturnType<typeof outputsOf>>
      try {
        got = await outputsOf(makeExplicit(model).model, feeds)
      } catch (error) {
        // Shapes that never fit.
        expect(error).toBeInstanceOf(OpsetError)
        got = (error as Error).message
      }
      if (expected === undefined) {
        failures.expected++
        expect(got).toBeTypeOf('string')
        return
      }
      failures.ran++
      if (typeof got === 'string') throw new Error(got)
      expect(differenceOf({ z: fed(expected) }, got)).toBeUndefined()
    })
    await fc.assert(property, { numRuns: 100 })
    onDefaultSeed(() => expect(Math.min(failures.expected, failures.ran)).toBeGreaterThan(10))
  })

  it('of an open size that only one number fits passes the strict check, and the first operand is left alone', async () => {
    const model = modelOf({
      inputs: { x: 'N, C, 4', y: '3' },
      nodes: [node('Add', 'x y', 'z', { broadcast: 1, axis: 1 })],
      outputs: ['z'],
      opset: 6,
    })
    const { model: explicit, report } = makeExplicit(model)
    expect(report.rewritten.flatMap(({ operands }) => operands.map(({ input }) => input))).toEqual([1])
    expect(report.unproven).toEqual([])
    expect(checkModel(explicit, { profile: 'sonnx-strict' }).passes).toBe(true)
    const y = tensorOfShape('float32', [3], 3)
    expect(await outputsOf(explicit, { x: floats([1, 1, 4]), y: fed(y) })).toMatch(/cannot be reshaped/)
    expect(await outputsOf(explicit, { x: floats([2, 3, 4]), y: fed(y) })).toMatchObject({ z: { dims: [2, 3, 4] } })
  })

  it('was not there for Sum and its like, which still take one shape alone', async () => {
    const model = modelOf({
      inputs: { x: 'N, C', y: 'N, 3', z: 'K, 3', row: '2, 3', one: '1' },
      nodes: [node('Sum', 'x y z', 's'), node('Add', 'row one', 'w', { broadcast: 1 })],
      outputs: ['s', 'w'],
      opset: 6,
    })
    const { model: explicit, report } = makeExplicit(model)
    expect(report.unproven).toEqual([])
    const feeds = (...shapes: readonly number[][]): Readonly<Record<string, ort.Tensor>> =>
      Object.fromEntries(['x', 'y', 'z', 'row', 'one'].map((name, i) => [name, floats(shapes[i]!)]))
    const rest = [[2, 3], [1]]
    expect(await outputsOf(explicit, feeds([2, 3], [2, 3], [2, 3], ...rest))).toMatchObject({ s: { dims: [2, 3] } })
    expect(await outputsOf(explicit, feeds([2, 1], [2, 3], [2, 3], ...rest))).toMatch(/cannot be reshaped/)
    expect(await outputsOf(explicit, feeds([2, 3], [2, 3], [1, 3], ...rest))).toMatch(/cannot be reshaped/)
  })

  it('that fails is not raised to a set where it would pass', () => {
    const model = modelOf({
      inputs: { x: '2, 3', y: '3', z: '2, 3' },
      nodes: [node('Add', 'x y', 'v', {}), node('Sum', 'v y', 'u'), node('Add', 'z y', 'w', { broadcast: 1 })],
      outputs: ['u', 'w'],
      opset: 6,
    })
    expect((thrown(() => makeExplicit(model)) as OpsetError).nodes.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^node 0 \(Add\): it fails: /),
    ])
  })

  it('places the slope of an old PRelu on the channels', async () => {
    const model = modelOf({
      inputs: { x: '2, 3, 2, 2', slope: '3' },
      nodes: [node('PRelu', 'x slope', 'y')],
      outputs: ['y'],
      opset: 6,
    })
    const { model: explicit } = makeExplicit(model)
    expect(explicit.graph.nodes.map(({ opType }) => opType)).toEqual(['Unsqueeze', 'Expand', 'PRelu'])
    const x = new ort.Tensor('float32', new Float32Array(24).fill(-1), [2, 3, 2, 2])
    const got = await outputsOf(explicit, { x, slope: new ort.Tensor('float32', Float32Array.of(1, 2, 3), [3]) })
    if (typeof got === 'string') throw new Error(got)
    expect(Array.from(got['y']!.data as Float32Array)).toEqual(
      [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3].map((v) => -v),
    )
  })

  it('of an operand with ones behind what it covers', async () => {
    const model = modelOf({
      inputs: { x: '2, 3', y: '3, 1' },
      nodes: [node('Add', 'x y', 'z', { broadcast: 1, axis: 1 })],
      outputs: ['z'],
      opset: 6,
    })
    const { model: explicit } = makeExplicit(model)
    expect(explicit.graph.nodes.map(({ opType }) => opType)).toEqual(['Squeeze', 'Expand', 'Add'])
    const [x, y] = [tensorOfShape('float32', [2, 3], 1), tensorOfShape('float32', [3, 1], 3)]
    const got = await outputsOf(explicit, { x: fed(x), y: fed(y) })
    if (typeof got === 'string') throw new Error(got)
    expect(differenceOf({ z: fed(add(x, y.reshape([3]) as Tensor) as Tensor) }, got)).toBeUndefined()
  })

  it('of one element needs no rank', async () => {
    const model = modelOf({
      inputs: { x: '*', y: '1' },
      nodes: [node('Sub', 'x y', 'z', { broadcast: 1, axis: 1 })],
      outputs: ['z'],
      opset: 6,
    })
    const { model: explicit } = makeExplicit(model)
    expect(explicit.graph.nodes.map(({ opType }) => opType)).toEqual(['Shape', 'Expand', 'Shape', 'Expand', 'Sub'])
    const [x, y] = [tensorOfShape('float32', [2, 3], 1), tensorOfShape('float32', [1], 3)]
    const got = await outputsOf(explicit, { x: fed(x), y: fed(y) })
    if (typeof got === 'string') throw new Error(got)
    expect(differenceOf({ z: fed(sub(x, y) as Tensor) }, got)).toBeUndefined()
  })

  it('stays in a newer set where a rank is not known', () => {
    const model = modelOf({
      inputs: { x: '*', y: '3' },
      nodes: [node('Add', 'x y', 'z', { broadcast: 1, axis: 1 })],
      outputs: ['z'],
      opset: 13,
    })
    const { model: same, report } = makeExplicit(model)
    expect(same === model).toBe(true)
    expect(report.kept.map(({ reason }) => reason)).toEqual([
      'its operands meet under onnxLegacy(broadcast=1, axis=1).',
    ])
  })

  it.each([
    [-1, 'node 0 (Add): axis is -1; it counts from 0, or is left out for the end.'],
    [2147483647, 'node 0 (Add): axis is 2147483647, which lies behind the axes of the first operand.'],
  ])('cannot be lowered where axis is %i', (axis, text) => {
    const model = modelOf({
      inputs: { x: '2, 3', y: '3' },
      nodes: [node('Add', 'x y', 'z', { broadcast: 1, axis })],
      outputs: ['z'],
      opset: 6,
    })
    expect((thrown(() => makeExplicit(model)) as OpsetError).nodes.map((each) => each.text)).toEqual([text])
  })

  it('cannot be lowered where a rank is not known', () => {
    const model = modelOf({
      inputs: { x: '*', y: '3' },
      nodes: [node('Add', 'x y', 'z', { broadcast: 1, axis: 1 }), node('Dropout', 'z', 'w')],
      outputs: ['w'],
      opset: 6,
    })
    const error = thrown(() => makeExplicit(model))
    expect(error).toBeInstanceOf(OpsetError)
    const { nodes, from, to, message } = error as OpsetError
    expect({ from, to, nodes: nodes.map(({ path }) => path) }).toEqual({
      from: 6,
      to: 8,
      nodes: model.graph.nodes.map(nodePath),
    })
    expect(message).toMatch(/node 0 \(Add\): axis=1 places an operand.*\n.*node 1 \(Dropout\): it drops at random/)
  })
})
