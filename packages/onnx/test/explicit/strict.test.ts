// The rewrite against the profile it is made for: of every operator that a check counts as a broadcast, the result
// passes sonnx-strict, or the report says what does not; and onnxruntime computes the same bits.
import { create } from '@bufbuild/protobuf'
import { fromData, type Tensor, tensor } from 'bcast'
import * as ort from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { differenceOf, outputsOf } from '../../../../testing/models/bits.ts'
import { int, modelOf, node } from '../../../../testing/models/infer.ts'
import { checkModel, type Inference, inferShapes, type Model, makeExplicit, viewModel } from '../../src/index.ts'
import { rows } from '../../src/infer/operators/index.ts'
import type { OperatorRow } from '../../src/model/operator-rows.ts'
import { ModelProtoSchema } from '../../src/proto/onnx_pb.ts'
import { expectExplicit, floats } from '../support/explicit.ts'

/** Operators of a model that a check counts, as `domain:Operator`. */
const namesOf = ({ broadcasts }: Inference): readonly string[] =>
  broadcasts.map(({ node: { domain, opType } }) => keyOf({ domain, name: opType }))
const keyOf = ({ domain = '', name }: Pick<OperatorRow, 'domain' | 'name'>): string =>
  domain === '' ? name : `${domain}:${name}`
const countedIn = (model: Model): readonly string[] => namesOf(inferShapes(model))

const passes = (model: Model): boolean => checkModel(model, { profile: 'sonnx-strict', fixes: false }).passes

/** Rewrites a model and holds the report to the check. */
function expectReported(model: Model): readonly string[] {
  const { model: explicit, report } = makeExplicit(model)
  expect(report.unproven.length === 0, report.unproven.join('\n')).toBe(passes(explicit))
  return report.unproven
}

/** Shapes for as many inputs as an operator may have, of which most operators that broadcast take one or another. */
const shapes: readonly (readonly string[])[] = [
  ['2, 3, 4', '4', '4', '4', '4'],
  ['2, 3, 4', '3, 4', '4', '4'],
  ['2, 3, 4', '1', '1'],
  ['4', '2, 3, 4', '3, 1'],
  ['5, 2, 3', '3, 4', '', ''],
  ['5, 2, 3', '', '', '3, 4', '', '', '', ''],
  ['2, 3', '3, 4', '4'],
  ['2, 3', '', '', '3, 4', '', '', '4', '', ''],
  ['2, 3, 4', '', '', '4', '', '', '', ''],
  ['2, 3, 4', '4', '', '', '3, 1', '', '', '', ''],
]

/** The same for two, three and all inputs. */
const chosen: readonly (readonly string[])[] = [
  ...new Map(
    shapes
      .flatMap((all) => [2, 3, all.length].map((count) => all.slice(0, count)))
      .map((some) => [some.join(';'), some]),
  ).values(),
]

/** The model of one node of a row, of inputs of these shapes. */
function modelOfRow({ name, domain = '', since = 1 }: OperatorRow, inputs: readonly string[]): Model {
  const named = Object.fromEntries(inputs.map((shape, i) => [`x${i}`, shape]))
  const nodes = [node(name, Object.keys(named).join(' '), 'y', {}, domain)]
  return modelOf({ inputs: named, nodes, outputs: ['y'], opset: Math.max(since, 8) })
}

describe('of every operator that a check counts', () => {
  const newest = new Set(new Map(rows.map((each) => [keyOf(each), each])).values())
  const counted = new Set<string>()
  const reported = new Map<string, string>()

  function look(model: Model): void {
    const inference = inferShapes(model)
    const [name] = namesOf(inference)
    if (name === undefined || inference.findings.length > 0) return
    counted.add(name)
    const unproven = expectReported(model)
    if (unproven.length > 0) reported.set(name, unproven[0]!)
  }

  it('the result passes where sizes are known', () => {
    // Of versions before the newest every third: they take the same inputs.
    for (const row of rows) {
      const some = newest.has(row) ? chosen : chosen.filter((_, i) => i % 3 === 0)
      for (const inputs of some) look(modelOfRow(row, inputs))
    }
    expect(counted.size).toBeGreaterThan(40)
    expect([...counted]).toEqual(
      expect.arrayContaining(['Add', 'Gemm', 'LayerNormalization', 'MatMulInteger', 'PRelu', 'QLinearMatMul', 'Where']),
    )
    // A target that data decides is no proof of a shape.
    expect([...reported.keys()]).toEqual(['Expand'])
  })

  it('the result passes or the report says why not where sizes are open', () => {
    // With every size open, or only the first ones.
    for (const row of newest) {
      if (!counted.has(keyOf(row))) continue
      for (const [n, some] of chosen.entries()) {
        const open = some.map((shape, i) => shape.replaceAll(/\d/g, (size) => `s${i}_${size}`))
        const half = some.map((shape, i) => shape.replace(/^\d/, `s${i}`))
        look(modelOfRow(row, n % 2 === 0 ? open : half))
      }
    }
  })
})

/** Elements that are no whole numbers, so that last bits can differ. */
const waves = (...shape: number[]): ort.Tensor => {
  const count = shape.reduce((a, b) => a * b, 1)
  return new ort.Tensor(
    'float32',
    Float32Array.from({ length: count }, (_, i) => 3 * Math.sin(1.37 * i + 1)),
    shape,
  )
}

const text = (shape: readonly number[]): string => shape.join(', ')

describe('scale and bias of a layer normalisation', () => {
  const model = (op: string, x: readonly number[], axis: number, ...parameters: readonly (readonly number[])[]) => {
    const inputs = Object.fromEntries([x, ...parameters].map((shape, i) => [`x${i}`, text(shape)]))
    return modelOf({
      inputs,
      nodes: [node(op, Object.keys(inputs).join(' '), 'y', { axis })],
      outputs: ['y'],
      opset: 23,
    })
  }

  it.each([
    ['LayerNormalization', [2, 3, 4], -1, [4], [4]],
    ['LayerNormalization', [2, 3, 4], 1, [3, 4], [3, 4]],
    ['LayerNormalization', [2, 3, 4], 2, [1, 1, 4], [4]],
    ['RMSNormalization', [2, 3, 4], -1, [4]],
    ['SimplifiedLayerNormalization', [2, 3, 4], -1, [4]],
  ] as const)('are no broadcast where each place has its own: %s %j axis %i', (op, x, axis, ...parameters) => {
    const own = model(op, x, axis, ...(parameters as readonly (readonly number[])[]))
    expect(passes(own)).toBe(true)
    expect(makeExplicit(own).model).toBe(own)
  })

  it.each([
    ['LayerNormalization', [2, 3, 4], -1, [1], [4]],
    ['LayerNormalization', [2, 3, 4], -1, [], [1]],
    ['LayerNormalization', [2, 3, 4], 1, [4], [3, 1]],
    ['LayerNormalization', [2, 3, 4], 2, [3, 4], [4]],
    ['LayerNormalization', [2, 3, 4], 2, [2, 1, 4], [1, 1, 1]],
    ['RMSNormalization', [2, 3, 4], 1, [4]],
    ['SimplifiedLayerNormalization', [2, 3, 4], 1, [1, 4]],
  ] as const)('are expanded where they stretch: %s %j axis %i', async (op, x, axis, ...parameters) => {
    const shapes = parameters as readonly (readonly number[])[]
    const own = model(op, x, axis, ...shapes)
    expect(passes(own)).toBe(false)
    expect(expectReported(own)).toEqual([])
    const feeds = Object.fromEntries([x, ...shapes].map((shape, i) => [`x${i}`, waves(...shape)]))
    const [before, after] = [await outputsOf(own, feeds), await outputsOf(makeExplicit(own).model, feeds)]
    if (typeof before === 'string' || typeof after === 'string') throw new Error(`${before}\n${after}`)
    expect(differenceOf(before, after)).toBeUndefined()
  })

  it('stay, and are reported, where the bits would change or it is not certain', () => {
    const all = makeExplicit(model('LayerNormalization', [2, 3], 0, [3]))
    expect(all.report.kept.map(({ reason }) => reason)).toEqual([
      'it normalises all axes, and expanding its parameters would change last bits.',
    ])
    expect(all.report.unproven).toHaveLength(1)
    const open = modelOf({
      inputs: { x: 'N, D', s: 'S' },
      nodes: [node('LayerNormalization', 'x s', 'y')],
      outputs: ['y'],
    })
    const { kept, unproven } = makeExplicit(open).report
    expect(kept[0]!.reason).toMatch(/^it is not certain that its parameters stretch/)
    expect(unproven).toHaveLength(1)
  })
})

describe('products of matrices', () => {
  it.each(['MatMul', 'MatMulInteger'])('%s may broadcast batches, which is what they are for', (op) => {
    const type = op === 'MatMul' ? 'float32' : 'uint8'
    const inputs = { a: `${type}: 5, 2, 3`, b: `${type}: 3, 4` }
    const own = modelOf({ inputs, nodes: [node(op, 'a b', 'y')], outputs: ['y'] })
    expect(countedIn(own)).toEqual([op])
    expect(passes(own)).toBe(true)
    expect(makeExplicit(own).report).toMatchObject({
      unproven: [],
      kept: [{ reason: expect.stringMatching('batches') }],
    })
  })

  it('have rules of their own where a profile says so', () => {
    const operators = { 'com.microsoft:FusedMatMul': { broadcasting: 'forbidden' as const, clause: 'ours' } }
    const own = modelOf({
      inputs: { a: '5, 2, 3', b: '3, 4' },
      nodes: [node('FusedMatMul', 'a b', 'y', {}, 'com.microsoft')],
      outputs: ['y'],
    })
    const strict = checkModel(own, { profile: 'sonnx-strict' })
    expect(strict.passes).toBe(true)
    expect(checkModel(own, { profile: { ...strict.profile, operators } }).passes).toBe(false)
  })
})

describe('operators of onnxruntime', () => {
  it('SkipLayerNormalization adds what may be the same for a whole batch', async () => {
    await expectExplicit(
      {
        inputs: { x: 'N, 3, 4', k: '3, 4', s: '4' },
        nodes: [node('SkipLayerNormalization', 'x k s', 'y', {}, 'com.microsoft')],
        outputs: ['y'],
      },
      {
        lines: [
          'x.shape = Shape(x)',
          'y.B.expanded = Expand(k, x.shape)',
          'y = SkipLayerNormalization(x, y.B.expanded, s)',
        ],
        feeds: [{ x: waves(2, 3, 4), k: waves(3, 4), s: waves(4) }],
      },
    )
  })

  it('FusedGemm adds C as Gemm does', async () => {
    await expectExplicit(
      {
        inputs: { a: 'M, 3', b: '3, 4', c: '4' },
        nodes: [node('FusedGemm', 'a b c', 'y', { activation: 'Relu' }, 'com.microsoft')],
        outputs: ['y'],
      },
      {
        lines: [
          'a.shape = Shape(a)',
          'a.shape.0 = Gather(a.shape, [0])',
          'y.product.shape = Concat(a.shape.0, [4])',
          'y.C.expanded = Expand(c, y.product.shape)',
          'y = FusedGemm(a, b, y.C.expanded)',
        ],
        feeds: [{ a: floats(2, 3), b: floats(3, 4), c: floats(4) }],
      },
    )
  })

  it('QGemm multiplies its first and fourth input', async () => {
    const scale = tensor(0.5) as Tensor
    const zero = fromData('uint8', Uint8Array.of(1), []) as unknown as Tensor
    const own = modelOf({
      inputs: { a: 'uint8: M, 3', sa: scale, za: zero, b: 'uint8: 3, K', sb: scale, zb: zero, c: 'int32: K' },
      nodes: [node('QGemm', 'a sa za b sb zb c', 'y', {}, 'com.microsoft')],
      outputs: ['y'],
    })
    const { model, report } = makeExplicit(own)
    expect(report.rewritten).toHaveLength(1)
    const bytes = (...shape: number[]) =>
      new ort.Tensor(
        'uint8',
        Uint8Array.from({ length: shape[0]! * shape[1]! }, (_, i) => (i * 7) % 11),
        shape,
      )
    const feeds = { a: bytes(2, 3), b: bytes(3, 4), c: new ort.Tensor('int32', Int32Array.of(1, -2, 3, 4), [4]) }
    const [before, after] = [await outputsOf(own, feeds), await outputsOf(model, feeds)]
    if (typeof before === 'string' || typeof after === 'string') throw new Error(`${before}\n${after}`)
    expect(differenceOf(before, after)).toBeUndefined()
  })

  it.each(['BiasGelu', 'FastGelu'])('%s has a bias for each place on the last axis, which is no broadcast', (op) => {
    const own = (bias: string) =>
      modelOf({ inputs: { x: 'N, 4', b: bias }, nodes: [node(op, 'x b', 'y', {}, 'com.microsoft')], outputs: ['y'] })
    expect(countedIn(own('4'))).toEqual([])
    expect(checkModel(own('3')).findings[0]!.message).toMatch('the bias has another size than the last axis')
  })
})

it('what keeps a model from passing is in the report, whatever it is', () => {
  const { proto } = modelOf({ inputs: { x: '2, 3', i: int(0) }, nodes: [node('Add', 'x b', 'y')], outputs: ['y'] })
  const graph = {
    ...proto.graph!,
    node: [...proto.graph!.node, ...modelOf({ inputs: {}, nodes: [node('Relu', 'nothing', 'z')] }).proto.graph!.node],
  }
  const broken = viewModel(
    create(ModelProtoSchema, { irVersion: 10n, opsetImport: proto.opsetImport, graph: graph as never }),
  )
  expect(expectReported(broken).length).toBeGreaterThan(0)
})
