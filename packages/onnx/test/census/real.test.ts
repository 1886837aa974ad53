// The census of real models and of ONNX's test directories, beside a count of another kind: from the shapes that
// onnxruntime gives the operands, or that the directories record, and from how the shapes look as text.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { exposeValues } from '../../../../testing/models/expose.ts'
import { facts, filesIn, packaged } from '../../../../testing/models/packaged.ts'
import { needs } from '../../../../testing/needs.ts'
import { type CensusSource, census, type Model, readModel } from '../../src/index.ts'
import { modelFiles, readModelFile } from '../../src/node.ts'

type Sizes = readonly number[]

const elementwise = new Set([
  ...['Add', 'Sub', 'Mul', 'Div', 'Pow', 'Mod', 'Sum', 'Mean', 'Max', 'Min', 'Where', 'PRelu', 'And', 'Or', 'Xor'],
  ...['Equal', 'Less', 'Greater', 'LessOrEqual', 'GreaterOrEqual', 'BitwiseAnd', 'BitwiseOr', 'BitwiseXor', 'BitShift'],
])

/** Each axis of the result: `k` the operand has its size, `r` it repeats a 1, `1` there is nothing to repeat. */
const look = (shape: Sizes, result: Sizes): string =>
  [...Array<number>(result.length - shape.length).fill(1), ...shape]
    .map((size, axis) => (result[axis] === 1 ? '1' : size === 1 ? 'r' : 'k'))
    .join('')

const looks: readonly (readonly [RegExp, string])[] = [
  [/^[r1]*$/, 'scalar'],
  [/^[r1]*k$/, 'row'],
  [/^.k[r1]{2,}$/, 'channel'],
  [/^rk[r1]$/, 'channel'],
  [/^[k1]*r$/, 'column'],
  [/./, 'other'],
]

/** The patterns of the operands of one node. */
function patternsOf(shapes: readonly Sizes[]): string[] {
  const rank = Math.max(...shapes.map((shape) => shape.length))
  const result = Array.from({ length: rank }, (_, axis) =>
    shapes.map((shape) => shape[axis - rank + shape.length] ?? 1).reduce((a, b) => (a === 1 ? b : a), 1),
  )
  const all = shapes.map((shape) => look(shape, result))
  const isWhole = all.some((each) => !each.includes('r'))
  const isShared = [...result.keys()].some((axis) => all.filter((each) => each[axis] === 'k').length > 1)
  return all.flatMap((each, i) => {
    if (!each.includes('r')) return shapes[i]!.length < rank ? ['rank'] : []
    if (isWhole || !each.includes('k')) return [looks.find(([look]) => look.test(each))![1]]
    return [isShared ? 'both' : 'outer']
  })
}

const tally = (entries: Iterable<string>): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const entry of entries) counts[entry] = (counts[entry] ?? 0) + 1
  return counts
}

/** What the census says of element-wise operators: `Add channel`, as often as it is counted. */
const censusOf = (sources: readonly CensusSource[]): Record<string, number> =>
  tally(
    census(sources)
      .stretches.filter(({ operator }) => elementwise.has(operator))
      .flatMap(({ operator, pattern, operands }) => Array<string>(operands).fill(`${operator} ${pattern}`)),
  )

const runs: readonly (readonly [string, readonly number[]])[] = [
  ['ch_PP-OCRv4_det_infer.onnx', [2, 3, 64, 96]],
  ['ch_PP-OCRv4_rec_infer.onnx', [2, 3, 48, 64]],
  ['ch_ppocr_mobile_v2.0_cls_infer.onnx', [1, 3, 48, 192]],
]

describe('real models', () => {
  it.each(runs)('%s is counted as a run in onnxruntime shows', async (file, x) => {
    const { model } = readModelFile(packaged.find((each) => path.basename(each) === file)!)
    const elements = new Float32Array(x.reduce((a, b) => a * b, 1))
    const exposed = await exposeValues(model, { x: { element: 'float32', shape: x, elements } })
    const shapes = new Map<string, Sizes>([['x', x]])
    for (const { name, dims } of model.proto.graph!.initializer) shapes.set(name, dims.map(Number))
    for (const { name, actual } of exposed) shapes.set(name, actual.shape)
    const expected = model.proto
      .graph!.node.filter(({ opType }) => elementwise.has(opType))
      .flatMap(({ opType, input }) =>
        patternsOf(input.map((name) => shapes.get(name)!)).map((each) => `${opType} ${each}`),
      )
    expect(expected.length).toBeGreaterThan(10)
    expect(censusOf([{ name: file, model, inputs: { x } }])).toEqual(tally(expected))
  })

  it('have every node that may broadcast in some row', () => {
    const result = census(packaged.map((file) => ({ name: file, model: () => readModel(readFileSync(file)) })))
    expect(result.failures).toEqual([])
    expect(result.totals).toMatchObject({ models: 6, broadcasting: 6 })
    const counts = (verdict: 'equal' | 'broadcast'): number =>
      result.operators.filter(({ explicit }) => !explicit).reduce((sum, { verdicts }) => sum + verdicts[verdict], 0)
    expect([counts('equal'), counts('broadcast')]).toEqual([
      result.totals.verdicts.equal,
      result.totals.verdicts.broadcast,
    ])
    const stretched = result.stretches.filter(({ explicit }) => !explicit)
    for (const origin of ['constant', 'computed'] as const) {
      const own = stretched.filter((stretch) => stretch.origin === origin)
      expect(own.reduce((sum, { operands }) => sum + operands, 0)).toBe(result.totals.stretched[origin])
    }
  })
})

interface Entry {
  readonly name: string
  readonly opset: Readonly<Record<string, number>>
  readonly nodes: readonly { op: string; inputs: string[]; attributes: Record<string, unknown> }[]
  readonly inputs: readonly { readonly name: string; readonly shape: number[] }[]
}

/** The shapes of a node's operands as the manifest has them, B of old operator sets with ones behind it. */
function recorded({ nodes: [node], inputs, opset }: Entry): Sizes[] {
  const [a, b, ...others] = node!.inputs.map((name) => inputs.find((each) => each.name === name)!.shape)
  const isOldSlope = node!.op === 'PRelu' && opset['ai.onnx']! < 7 && b!.length === 1 && b![0] !== 1
  const axis = isOldSlope ? 1 : node!.attributes['axis']
  if (typeof axis !== 'number') return [a, b, ...others].filter((shape) => shape !== undefined)
  const behind = a!.length - (axis < 0 ? axis + a!.length : axis) - b!.length
  return [a!, [...b!, ...Array<number>(behind).fill(1)]]
}

const sets = filesIn(facts, 'manifest.json')

describe('ONNX test directories', needs('conformance', sets.length > 0), () => {
  it('are counted as their data show', () => {
    let compared = 0
    for (const manifest of sets) {
      const entries = (JSON.parse(readFileSync(manifest, 'utf8')) as Entry[]).filter(
        ({ nodes, inputs }) =>
          nodes.length === 1 &&
          elementwise.has(nodes[0]!.op) &&
          nodes[0]!.inputs.every((name) => inputs.some((each) => each.name === name)),
      )
      for (const entry of entries) {
        const { op } = entry.nodes[0]!
        const read = (): Model => readModel(readFileSync(path.join(path.dirname(manifest), entry.name, 'model.onnx')))
        const expected = patternsOf(recorded(entry)).map((pattern) => `${op} ${pattern}`)
        expect(censusOf([{ name: entry.name, model: read }]), entry.name).toEqual(tally(expected))
        compared++
      }
    }
    expect(compared).toBeGreaterThan(100)
  })

  it('are all found and read', () => {
    const files = modelFiles(facts)
    expect(files).toEqual(filesIn(facts, '.onnx'))
    const { totals, failures } = census(files.map((file) => ({ name: file, model: () => readModelFile(file).model })))
    expect(failures).toEqual([])
    expect(totals.models).toBe(files.length)
  })
})
