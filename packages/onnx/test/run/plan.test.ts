// Runs that are planned once: they give what the general way gives, to the bit, whatever the inputs hold, and then only
// execute, in memory that is bounded and given back.
import { configure, fromData, identity, type Tensor, tensor } from 'bcast'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Feeds } from '../../../../testing/models/feeds.ts'
import { int, ints, modelOf, node } from '../../../../testing/models/infer.ts'
import { realModels } from '../../../../testing/models/real-runs.ts'
import { compiling } from '../../../bcast/src/backend/backends.ts'
import { WebAssemblyBackend } from '../../../bcast/src/backend/webassembly/backend.ts'
import { Arena } from '../../../bcast/src/backend/webassembly/memory/arena.ts'
import { type Model, type Program, prepareModel, type Tensors } from '../../src/index.ts'
import { readModelFile } from '../../src/node.ts'
import { families as arbitraryFamilies, type Case } from '../support/cases.ts'
import { caseText, modelOfCase } from '../support/judge.ts'
import { Random } from '../support/random.ts'
import { families } from './families/index.ts'

afterEach(() => configure({ backend: 'auto', threads: 2 }))

type Outcome = Readonly<Record<string, readonly [dtype: string, shape: string, bits: readonly unknown[]]>> | string

const bitsOf = (x: Tensor): readonly unknown[] => {
  const elements = [...(x.data as Iterable<unknown>)]
  // NaNs are equal whatever their payload, zeros are not.
  return elements.map((element) => (Object.is(element, -0) ? '-0' : element))
}

function described(results: Record<string, Tensor>): Outcome {
  const entries = Object.entries(results).map(
    ([name, x]) => [name, [x.dtype, x.shape.join(), bitsOf(x)] as const] as const,
  )
  for (const x of Object.values(results)) x.dispose()
  return Object.fromEntries(entries)
}

/** What a run gives, or the error in words. */
function outcome({ run }: Program, inputs: Tensors): Outcome {
  try {
    return described(run(inputs))
  } catch (error) {
    return String(error)
  }
}

async function outcomeAsync({ run }: Program, inputs: Tensors): Promise<Outcome> {
  try {
    return described(await run.async(inputs))
  } catch (error) {
    return String(error)
  }
}

/** The same tensor with other elements: those that are there, in another order. */
function reordered(x: Tensor): Tensor {
  const elements = Array.from(x.data as Iterable<never>).reverse()
  const { constructor: Data } = x.data as unknown as { constructor: { from(values: readonly unknown[]): unknown } }
  return fromData(x.dtype as 'float32', Data.from(elements) as Float32Array, [...x.shape]) as unknown as Tensor
}

/** Runs a model with and without plans, several times over. */
function compareRuns(model: Model, each: readonly Tensors[], text = ''): void {
  const [planned, general] = [prepareModel(model), prepareModel(model, { plan: false })]
  const wanted = each.map((inputs) => outcome(general, inputs))
  for (let round = 0; round < 2; round++) {
    for (const [i, inputs] of each.entries()) expect(outcome(planned, inputs), text).toEqual(wanted[i])
  }
  planned.dispose()
}

function compareCase(each: Case): void {
  let prepared: ReturnType<typeof modelOfCase>
  try {
    prepared = modelOfCase(each)
    prepareModel(prepared.model)
  } catch {
    return
  }
  const { model, given } = prepared
  const other = Object.fromEntries(Object.entries(given).map(([name, x]) => [name, reordered(x)]))
  compareRuns(model, [given, other], caseText(each))
}

describe('planned runs give what runs give', () => {
  it.each(families.map(([generate], i) => [generate(new Random(i)).op, generate, i] as const))(
    'of %s, also for other elements of the same shapes',
    (_, generate, i) => {
      const random = new Random(1000 + i)
      compareCase(generate(random))
    },
  )

  it.each(Object.entries(arbitraryFamilies))('of the family %s', (_, cases) => {
    fc.assert(fc.property(cases, compareCase), { numRuns: 4 })
  })
})

/** A random graph of matrices in which shapes are computed, too; `x` is (N, M) and `y` (M). */
function randomGraph(random: Random): Model {
  const values = ['x']
  const nodes: ReturnType<typeof node>[] = []
  const constants: Record<string, Tensor> = { zero: ints(0), one: ints(1), two: ints(2), back: ints(-1) }
  const pick = (): string => values[random.int(Math.max(0, values.length - 3), values.length - 1)]!
  const steps: readonly ((from: string, to: string) => ReturnType<typeof node>[])[] = [
    (from, to) => [node('Transpose', from, to)],
    (from, to) => [node('Add', `${from} ${from}`, `${to}a`), node('Relu', `${to}a`, to)],
    (from, to) => [node('Sigmoid', from, to)],
    (from, to) => [node('Concat', `${from} ${from}`, `${to}c`, { axis: 0 }), node('Slice', `${to}c one back`, to)],
    (from, to) => [node('ReduceSum', `${from} one`, `${to}s`, { keepdims: 1 }), node('Sub', `${from} ${to}s`, to)],
    (from, to) => [node('Transpose', from, `${to}t`), node('MatMul', `${from} ${to}t`, to)],
    (from, to) => [node('Softmax', from, to, { axis: 1 })],
    (from, to) => [node('Slice', `${from} zero two one`, `${to}l`), node('Tanh', `${to}l`, to)],
    // The sizes the other way round, from the shape.
    (from, to) => [
      node('Shape', from, `${to}s`),
      node('Gather', `${to}s one`, `${to}m`, { axis: 0 }),
      node('Concat', `${to}m back`, `${to}r`, { axis: 0 }),
      node('Reshape', `${from} ${to}r`, to),
    ],
    // A branch by the shape.
    (from, to) => {
      const branch = (op: string) => ({ graph: { node: [node(op, from, 'b')], output: [{ name: 'b' }] } })
      return [
        node('Size', from, `${to}n`),
        node('Greater', `${to}n limit`, `${to}g`),
        node('If', `${to}g`, to, { then_branch: branch('Neg'), else_branch: branch('Exp') }),
      ]
    },
    (from, to) => [node('Unsqueeze', `${from} zero`, `${to}u`), node('ReduceMax', `${to}u zero`, to, { keepdims: 0 })],
  ]
  constants['limit'] = int(40)
  const count = random.int(3, 9)
  for (let i = 0; i < count; i++) {
    nodes.push(...random.pick(...steps)(pick(), `v${i}`))
    values.push(`v${i}`)
  }
  const outputs = [...new Set([values.at(-1)!, pick()])]
  return modelOf({ inputs: { x: 'N, M', ...constants }, nodes, outputs })
}

const noise = (random: Random, ...shape: number[]): Tensor =>
  fromData(
    'float32',
    Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => random.next() - 0.5),
    shape,
  ) as unknown as Tensor

describe('random graphs', () => {
  it.each(['auto', 'interpreter'] as const)('with computed shapes, on backend %s, now and later', async (backend) => {
    configure({ backend })
    const random = new Random(77)
    for (let round = 0; round < 12; round++) {
      const model = randomGraph(random)
      const [planned, general] = [prepareModel(model), prepareModel(model, { plan: false })]
      const text = model.graph.nodes.map(({ opType }) => opType).join(' ')
      const sizes = [
        [3, 5],
        [4, 4],
        [17, 9],
        [3, 5],
      ]
      for (const [n, m] of sizes) {
        const x = noise(random, n!, m!)
        const wanted = outcome(general, { x })
        expect(outcome(planned, { x }), text).toEqual(wanted)
        expect(await outcomeAsync(planned, { x }), text).toEqual(wanted)
        // The same tensor with other elements.
        ;(x.data as Float32Array).reverse()
        expect(outcome(planned, { x }), text).toEqual(outcome(general, { x }))
      }
      planned.dispose()
    }
  })
})

const fed = (feeds: Feeds, random: Random): Tensors =>
  Object.fromEntries(
    Object.entries(feeds).map(([name, { element, elements, shape }]) => [
      name,
      element === 'float32'
        ? noise(random, ...shape)
        : (fromData(element as 'int64', elements as BigInt64Array, [...shape]) as unknown as Tensor),
    ]),
  )

describe.each(realModels.map((model) => [model.name, model] as const))('%s', (_, { file, runs }) => {
  it('gives the same bits with and without plans, for other elements and sizes, now and later', async () => {
    const { model, files } = readModelFile(file)
    const [planned, general] = [prepareModel(model, { files }), prepareModel(model, { files, plan: false })]
    const random = new Random(5)
    for (const feeds of [runs[0]!, runs.at(-1)!, runs[0]!]) {
      const inputs = fed(feeds, random)
      const wanted = outcome(general, inputs)
      expect(outcome(planned, inputs)).toEqual(wanted)
      expect(await outcomeAsync(planned, inputs)).toEqual(wanted)
    }
    planned.dispose()
  })

  it('only executes: no plan is made, and no memory taken but for the outputs', () => {
    // Other threads are handed kernels through the arena.
    configure({ threads: 1 })
    const { model, files } = readModelFile(file)
    const program = prepareModel(model, { files })
    const inputs = fed(runs[0]!, new Random(6))
    const size = ({ dtype, size: count }: Tensor): number => count * (dtype === 'float32' ? 4 : 8)
    const first = program.run(inputs)
    const planning = vi.spyOn(WebAssemblyBackend.prototype, 'planOf')
    const taking = vi.spyOn(Arena.prototype, 'allocate')
    try {
      // Copies of inputs and outputs are eager calls, which are planned once themselves.
      program.run(inputs)
      planning.mockClear()
      taking.mockClear()
      const again = program.run(inputs)
      // Those that are too large for the short way of small calls.
      const moved = [...Object.values(inputs), ...Object.values(again)].filter((x) => size(x) > 1 << 13)
      expect(planning.mock.calls.length).toBeLessThanOrEqual(moved.length)
      const taken = taking.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0)
      const outputs = Object.values(again).reduce((sum, x) => sum + Math.max(16 * size(x), 1024), 0)
      expect(taken).toBeLessThanOrEqual(outputs)
    } finally {
      planning.mockRestore()
      taking.mockRestore()
    }
    for (const x of Object.values(first)) x.dispose()
    program.dispose()
  })
})

describe('Silero on the interpreter', () => {
  it('gives the same bits as kernels', () => {
    const { file, runs } = realModels.find(({ name }) => name === 'silero_vad_v5.onnx')!
    const { model, files } = readModelFile(file)
    const inputs = fed(runs[0]!, new Random(8))
    const wanted = outcome(prepareModel(model, { files }), inputs)
    configure({ backend: 'interpreter' })
    const program = prepareModel(model, { files })
    expect(outcome(program, inputs)).toEqual(wanted)
    expect(outcome(program, inputs)).toEqual(wanted)
    program.dispose()
  })
})

describe('what elements decide is never stale', () => {
  const x = tensor([1, 0, 3, 0, 5]) as Tensor
  const y = tensor([0, 0, 0, 4, 5]) as Tensor

  it('in sizes: NonZero, ranges, shapes and places from inputs', () => {
    const nodes = [
      node('NonZero', 'x', 'places'),
      node('ReduceSum', 'x', 'sum', { keepdims: 0 }),
      node('Cast', 'sum', 'count', { to: 7 }),
      node('Range', 'zero count one', 'range'),
      node('Gather', 'x range', 'taken'),
    ]
    const [zero, one] = [int(0), int(1)]
    const model = modelOf({ inputs: { x: 'N', zero, one }, nodes, outputs: ['places', 'range', 'taken'] })
    compareRuns(model, [{ x: tensor([1, 0, 1, 0]) as Tensor }, { x: tensor([0, 1, 0, 2]) as Tensor }])
  })

  it('in branches, by inputs that are compared at every run', () => {
    const branch = (op: string) => ({ graph: { node: [node(op, 'x', 'b')], output: [{ name: 'b' }] } })
    const nodes = [
      node('Equal', 'rate high', 'is'),
      node('If', 'is', 'v', { then_branch: branch('Neg'), else_branch: branch('Exp') }),
    ]
    const model = modelOf({ inputs: { x: 'N', rate: 'int64:', high: int(16000) }, nodes, outputs: ['v', 'rate'] })
    const [low, high] = [int(8000), int(16000)]
    compareRuns(model, [
      { x, rate: high },
      { x: y, rate: high },
      { x: y, rate: low },
      { x, rate: low },
    ])
    const program = prepareModel(model)
    const rate = BigInt64Array.of(16000n)
    const given = { x, rate: fromData('int64', rate, []) as unknown as Tensor }
    const before = outcome(program, given)
    rate[0] = 8000n
    expect(outcome(program, given)).not.toEqual(before)
    rate[0] = 16000n
    expect(outcome(program, given)).toEqual(before)
    // Nor is what was given first looked at again.
    given.rate.dispose()
    expect(outcome(program, { x, rate: int(16000) })).toEqual(before)
    program.dispose()
  })

  it('by inputs that differ every time: those are not planned for ever', () => {
    const sliced = modelOf({
      inputs: { x: '200', k: 'int64: 1', five: ints(200) },
      nodes: [node('Slice', 'x k five', 'a'), node('Neg', 'a', 'b')],
      outputs: ['b'],
    })
    const [program, general] = [prepareModel(sliced), prepareModel(sliced, { plan: false })]
    const long = tensor(Float32Array.from({ length: 200 }, (_, i) => i)) as Tensor
    for (let i = 0; i < 60; i++) {
      expect(outcome(program, { x: long, k: ints(i) })).toEqual(outcome(general, { x: long, k: ints(i) }))
    }
    program.dispose()
  })

  it('in loops whose rounds an input counts', () => {
    const body = {
      input: ['i', 'c', 'v'].map((each) => ({ name: each })),
      output: ['c', 'w'].map((each) => ({ name: each })),
      node: [node('Add', 'v v', 'w')],
    }
    const nodes = [node('Loop', 'count - x', 'y', { body: { graph: body } })]
    const model = modelOf({ inputs: { x: 'N', count: 'int64:' }, nodes, outputs: ['y'] })
    compareRuns(
      model,
      [0, 3, 3, 1].map((count) => ({ x, count: int(count) })),
    )
    // Far more rounds than are taken note of.
    compareRuns(model, [{ x, count: int(17_000) }])
  })
})

describe('a planned run', () => {
  const model = modelOf({
    inputs: { a: 'int32: N', b: 'int32: N' },
    nodes: [node('Add', 'a a', 's'), node('Div', 's b', 'q', {}), node('Transpose', 'q', 't'), node('Add', 't a', 'y')],
    outputs: ['y'],
  })
  const given = (divisors: readonly number[]): Tensors => ({
    a: tensor([6, 7, 8], { dtype: 'int32' }) as Tensor,
    b: tensor(divisors, { dtype: 'int32' }) as Tensor,
  })

  it.each(['auto', 'interpreter'] as const)('names the node and the element that fail, backend %s', async (backend) => {
    configure({ backend })
    const program = prepareModel(model)
    for (let round = 0; round < 2; round++) {
      expect(program.run(given([1, 2, 4]))['y']!.toArray()).toEqual([18, 14, 12])
      expect(() => program.run(given([1, 0, 0]))).toThrow(/node 1 \(Div\).*index \[1\]/s)
      await expect(program.run.async(given([1, 2, 0]))).rejects.toThrow(/node 1 \(Div\).*index \[2\]/s)
      expect((await program.run.async(given([1, 2, 4])))['y']!.toArray()).toEqual([18, 14, 12])
    }
    program.dispose()
  })

  it('gives tensors of its own, which later runs leave alone', () => {
    const program = prepareModel(model)
    const first = program.run(given([1, 2, 4]))['y']!
    const second = program.run(given([2, 2, 2]))['y']!
    expect([first.toArray(), second.toArray()]).toEqual([
      [18, 14, 12],
      [12, 14, 16],
    ])
    ;(first.data as Int32Array).fill(99)
    program.dispose()
    expect(second.toArray()).toEqual([12, 14, 16])
    expect(program.run(given([1, 2, 4]))['y']!.toArray()).toEqual([18, 14, 12])
    program.dispose()
  })

  it('takes inputs of any layout, and of a caller who disposes of them meanwhile', async () => {
    const large = modelOf({
      inputs: { x: 'N, M', y: 'M, N' },
      nodes: [node('MatMul', 'x y', 'p'), node('Sigmoid', 'p', 's'), node('Add', 's s', 'z')],
      outputs: ['z'],
    })
    const random = new Random(9)
    const [x, y] = [noise(random, 300, 200), noise(random, 300, 200)]
    const program = prepareModel(large)
    const wanted = outcome(prepareModel(large, { plan: false }), { x, y: y.transpose() as Tensor })
    expect(outcome(program, { x, y: y.transpose() as Tensor })).toEqual(wanted)
    const [a, b] = [identity(x), identity(y)]
    const swapped = { x: y, y: x.transpose() as Tensor }
    const other = outcome(prepareModel(large, { plan: false }), swapped)
    const running = [outcomeAsync(program, { x: a, y: b.transpose() as Tensor }), outcomeAsync(program, swapped)]
    a.dispose()
    b.dispose()
    const others = [identity(y), identity(x)]
    expect(outcome(program, { x, y: y.transpose() as Tensor })).toEqual(wanted)
    expect(await Promise.all(running)).toEqual([wanted, other])
    for (const each of others) each.dispose()
    // Given back while it runs, it runs to its end.
    const last = outcomeAsync(program, { x, y: y.transpose() as Tensor })
    program.dispose()
    expect(await last).toEqual(wanted)
  })
})

describe('the memory of plans', () => {
  const held = (): number => compiling()!.arena.pages * 65_536 - compiling()!.arena.freeBytes
  const model = modelOf({
    inputs: { x: 'N, M' },
    nodes: [node('Transpose', 'x', 't'), node('MatMul', 'x t', 'p'), node('Softmax', 'p', 'y', { axis: 1 })],
    outputs: ['y'],
  })
  const random = new Random(10)

  it('does not grow from run to run', () => {
    const program = prepareModel(model)
    const x = noise(random, 60, 50)
    const run = (): void => program.run({ x })['y']!.dispose()
    run()
    run()
    const before = held()
    for (let i = 0; i < 100; i++) run()
    expect(held()).toBeLessThanOrEqual(before)
    program.dispose()
  })

  it('is that of a few sizes, and goes back', () => {
    const program = prepareModel(model)
    const run = (rows: number): void => program.run({ x: noise(random, rows, 50) })['y']!.dispose()
    const before = held()
    for (let rows = 60; rows < 100; rows++) run(rows)
    const some = held()
    for (let rows = 60; rows < 100; rows++) run(rows)
    expect(some - before).toBeLessThan(2 ** 22)
    expect(held()).toBeLessThanOrEqual(some + 2 ** 20)
    program.dispose()
    expect(held()).toBeLessThanOrEqual(before + 2 ** 19)
  })
})
