// Random graphs of broadcasting operators, made explicit and run before and after: the same bits, or a failure in both.
// Sizes are numbers, names or not even a rank; runs have empty axes, single ones and scalars. EXPLICIT_ROUNDS asks for
// more of them.
import { fromData, type Tensor } from 'bcast'
import fc from 'fast-check'
import * as ort from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { differenceOf, outputsOf } from '../../../../testing/models/bits.ts'
import { modelOf, node } from '../../../../testing/models/infer.ts'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import { checkModel, checkStructure, type Model, makeExplicit, nodeLabel } from '../../src/index.ts'

const { EXPLICIT_ROUNDS = '30' } = process.env
const parameters = { numRuns: Number(EXPLICIT_ROUNDS) }

type Size = 'N' | 'M' | 'K' | 0 | 1 | 2 | 3

type Element = 'float32' | 'int64' | 'bool'

/** An operand of the shape that all meet in: axes left out in front, others of size 1, one of another size. */
interface Operand {
  readonly element: Element
  readonly left: number
  readonly ones: readonly boolean[]
  readonly other: Size | undefined
  readonly declared: 'as it is' | 'by rank' | 'at all' | 'constant'
}

interface Step {
  readonly operator: string
  readonly picks: readonly number[]
}

interface Graph {
  readonly sizes: Readonly<Record<'N' | 'M' | 'K', number>>
  readonly shape: readonly Size[]
  readonly operands: readonly Operand[]
  readonly steps: readonly Step[]
}

const size = fc.constantFrom<Size>('N', 'M', 'K', 0, 1, 2, 3)

const operand: fc.Arbitrary<Operand> = fc.record({
  element: fc.constantFrom<Element>('float32', 'float32', 'float32', 'int64', 'bool'),
  left: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }),
  ones: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  other: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: size }),
  declared: fc.constantFrom('as it is', 'as it is', 'by rank', 'at all', 'constant'),
})

/** Operators by what they read and give, and how many operands they take. */
const operators: Readonly<Record<string, { reads: Element; gives: Element; count: number }>> = {
  ...Object.fromEntries(
    ['Add', 'Sub', 'Mul', 'Div', 'Pow'].map((name) => [name, { reads: 'float32', gives: 'float32', count: 2 }]),
  ),
  ...Object.fromEntries(
    ['Max', 'Min', 'Sum', 'Mean'].map((name) => [name, { reads: 'float32', gives: 'float32', count: 3 }]),
  ),
  ...Object.fromEntries(['And', 'Or', 'Xor'].map((name) => [name, { reads: 'bool', gives: 'bool', count: 2 }])),
  Less: { reads: 'float32', gives: 'bool', count: 2 },
  Equal: { reads: 'int64', gives: 'bool', count: 2 },
  GreaterOrEqual: { reads: 'int64', gives: 'bool', count: 2 },
  Mod: { reads: 'int64', gives: 'int64', count: 2 },
  PRelu: { reads: 'float32', gives: 'float32', count: 2 },
  Where: { reads: 'float32', gives: 'float32', count: 3 },
}

const step: fc.Arbitrary<Step> = fc.record({
  operator: fc.constantFrom(...Object.keys(operators)),
  picks: fc.array(fc.nat(100), { minLength: 3, maxLength: 3 }),
})

const length = fc.constantFrom(0, 1, 1, 2, 2, 3)

const graph: fc.Arbitrary<Graph> = fc.record({
  sizes: fc.record({ N: length, M: length, K: length }),
  shape: fc.array(size, { maxLength: 4 }),
  operands: fc.array(operand, { minLength: 3, maxLength: 6 }),
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
})

interface Built {
  readonly model: Model
  readonly feeds: Readonly<Record<string, ort.Tensor>>
}

/** Positive numbers that are no integers, so that no power is a square and no product a negative zero. */
function elementsOf(element: Element, count: number): Float32Array | BigInt64Array | Uint8Array {
  if (element === 'int64') return BigInt64Array.from({ length: count }, (_, i) => BigInt(1 + ((i * 5) % 7)))
  if (element === 'bool') return Uint8Array.from({ length: count }, (_, i) => ((i * 7) % 3 === 0 ? 1 : 0))
  return Float32Array.from({ length: count }, (_, i) => 0.37 + ((i * 5) % 11) / 3)
}

function build({ sizes, shape, operands, steps }: Graph, opset: number): Built {
  const inputs: Record<string, string | Tensor> = {}
  const feeds: Record<string, ort.Tensor> = {}
  const pools: Record<Element, string[]> = { float32: [], int64: [], bool: [] }
  for (const [i, { element, left, ones, other, declared }] of operands.entries()) {
    const own = shape
      .map((each, axis) => (ones[axis] ? 1 : other !== undefined && axis === i % 4 ? other : each))
      .slice(Math.min(left, shape.length))
    const lengths = own.map((each) => (typeof each === 'number' ? each : sizes[each]))
    const elements = elementsOf(
      element,
      lengths.reduce((a, b) => a * b, 1),
    )
    const name = `x${i}`
    pools[element].push(name)
    if (declared === 'constant') {
      inputs[name] = fromData(element as 'float32', elements as Float32Array, lengths) as Tensor
      continue
    }
    const text = { 'as it is': own.join(', '), 'by rank': own.map(() => '?').join(', '), 'at all': '*' }[declared]
    inputs[name] = `${element}: ${text}`
    feeds[name] = new ort.Tensor(element, elements as never, lengths)
  }
  const nodes = steps.flatMap(({ operator, picks }, i) => {
    const { reads, gives, count } = operators[operator]!
    const [values, conditions] = [pools[reads], pools.bool]
    if (values.length === 0 || (operator === 'Where' && conditions.length === 0)) return []
    const read = Array.from({ length: count }, (_, k) =>
      operator === 'Where' && k === 0 ? conditions[picks[k]! % conditions.length]! : values[picks[k]! % values.length]!,
    )
    pools[gives].push(`y${i}`)
    return [node(operator, read.join(' '), `y${i}`)]
  })
  const outputs = nodes.map(({ output }) => output![0]!)
  return { model: modelOf({ inputs, nodes, outputs, opset }), feeds }
}

const counts = { ran: 0, failed: 0, expanded: 0 }

/** ONNX forbids what onnxruntime lets pass, and what it infers of the nodes behind is then wrong. */
function slopeEnlarges({ graph }: Model, values: Readonly<Record<string, ort.Tensor>>): boolean {
  const sizesOf = (name: string): string =>
    (values[name]?.dims ?? graph.proto.initializer.find((each) => each.name === name)!.dims).join()
  return graph.nodes.some(
    ({ opType, inputs, outputs }) => opType === 'PRelu' && sizesOf(inputs[0]!) !== sizesOf(outputs[0]!),
  )
}

async function expectSame({ model, feeds }: Built, hasExtremes: boolean): Promise<void> {
  const { model: explicit, report } = makeExplicit(model)
  expect(checkStructure(explicit)).toEqual([])
  const { findings } = checkModel(explicit, { profile: 'sonnx-strict', fixes: false })
  const implicit = findings.filter(({ id, node: at }) => id === 'implicit-broadcast' && at!.opType !== 'PRelu')
  expect(implicit.filter(({ message }) => !/never equal/.test(message)).map(({ message }) => message)).toEqual([])
  const again = makeExplicit(explicit)
  expect(again.report.rewritten.map(({ node: at }) => nodeLabel(at))).toEqual([])
  expect(again.model === explicit).toBe(true)
  const [before, after] = [await outputsOf(model, feeds), await outputsOf(explicit, feeds)]
  if (typeof before === 'string') {
    counts.failed++
    expect(typeof after).toBe('string')
    return
  }
  if (slopeEnlarges(model, { ...feeds, ...before })) return
  if (typeof after === 'string') throw new Error(after)
  counts.ran++
  counts.expanded += report.totals.operators['Expand'] ?? 0
  // Which zero is the larger depends on the place of an element in onnxruntime's vectors.
  expect(differenceOf(before, after, { zeros: !hasExtremes })).toBeUndefined()
}

describe('a random graph computes the same when it is explicit', () => {
  it.each([8, 13, 22])('of opset %i', async (opset) => {
    const property = fc.asyncProperty(graph, async (each) => {
      const hasExtremes = each.steps.some(({ operator }) => operator === 'Max' || operator === 'Min')
      const usable = each.steps.filter(({ operator }) => since(operator) <= opset)
      await expectSame(build({ ...each, steps: usable }, opset), hasExtremes)
    })
    await fc.assert(property, parameters)
  })

  it('has run and expanded', () => {
    onDefaultSeed(() => {
      expect(counts.ran).toBeGreaterThan(parameters.numRuns)
      expect(counts.expanded).toBeGreaterThan(parameters.numRuns)
    })
  })

  it('of a product and what is added to it', async () => {
    const products = fc.record({
      sizes: fc.record({ M: fc.integer({ min: 1, max: 3 }), K: fc.constant(2), N: fc.integer({ min: 1, max: 3 }) }),
      open: fc.record({ M: fc.boolean(), N: fc.boolean(), C: fc.constantFrom('fixed', 'named', 'of any rank') }),
      trans: fc.record({ transA: fc.nat(1), transB: fc.nat(1) }),
      addend: fc.constantFrom('', 'N', '1', 'M, N', 'M, 1', '1, N', '1, 1', '1'),
    })
    const property = fc.asyncProperty(products, ({ sizes, open, trans, addend }) => {
      const sizeOf = (name: string): number => sizes[name as 'M'] ?? Number(name)
      const text = (names: readonly string[]): string =>
        names.map((name) => (open[name as 'M'] === true ? name : String(sizeOf(name)))).join(', ')
      const a = trans.transA === 1 ? ['K', 'M'] : ['M', 'K']
      const b = trans.transB === 1 ? ['N', 'K'] : ['K', 'N']
      const c = addend.split(', ').filter((name) => name !== '')
      const declared = { fixed: text(c), named: c.map((_, i) => `c${i}`).join(', '), 'of any rank': '*' }[open.C]!
      const lengths = { a: a.map(sizeOf), b: b.map(sizeOf), c: c.map(sizeOf) }
      const fed = Object.entries(lengths).map(([name, shape]) => {
        const elements = elementsOf(
          'float32',
          shape.reduce((x, y) => x * y, 1),
        ) as Float32Array
        return [name, new ort.Tensor('float32', elements, shape)] as const
      })
      const inputs = { a: text(a), b: text(b), c: declared }
      const model = modelOf({ inputs, nodes: [node('Gemm', 'a b c', 'y', trans)], outputs: ['y'] })
      return expectSame({ model, feeds: Object.fromEntries(fed) }, false)
    })
    await fc.assert(property, parameters)
  })
})

/** The first operator set with the operator as it is used here. */
function since(operator: string): number {
  return { Where: 9, Mod: 10, GreaterOrEqual: 12 }[operator] ?? 8
}
