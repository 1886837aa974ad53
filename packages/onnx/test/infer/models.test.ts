// Real models, run in onnxruntime with every value inside exposed: what inference says is true of each of them, for
// inputs of fixed sizes, and for those that the file leaves open.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { inferShapes, type Model } from '../../src/index.ts'
import { readModelFile } from '../../src/node.ts'
import { type Bindings, faultOf, newTally, type Tally } from '../support/agree.ts'
import { type Exposed, exposeValues, type Feed } from '../support/expose.ts'
import { packaged } from '../support/models.ts'

const floats = (...shape: number[]): Feed => ({
  element: 'float32',
  shape,
  elements: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(i)),
})
const integer = (value: number): Feed => ({ element: 'int64', shape: [], elements: BigInt64Array.of(BigInt(value)) })

type Feeds = Readonly<Record<string, Feed>>

const silero = (batch: number, length: number, rate: number): Feeds => ({
  input: floats(batch, length),
  state: floats(2, batch, 128),
  sr: integer(rate),
})
const sileroLegacy = (batch: number, length: number, rate: number): Feeds => ({
  input: floats(batch, length),
  sr: integer(rate),
  h: floats(2, batch, 64),
  c: floats(2, batch, 64),
})

const runs: readonly (readonly [file: string, feeds: readonly Feeds[]])[] = [
  [
    'ch_PP-OCRv4_det_infer.onnx',
    [{ x: floats(1, 3, 32, 32) }, { x: floats(2, 3, 64, 96) }, { x: floats(1, 3, 160, 128) }],
  ],
  [
    'ch_PP-OCRv4_rec_infer.onnx',
    [{ x: floats(1, 3, 48, 64) }, { x: floats(2, 3, 48, 120) }, { x: floats(3, 3, 48, 33) }],
  ],
  ['ch_ppocr_mobile_v2.0_cls_infer.onnx', [{ x: floats(1, 3, 48, 192) }, { x: floats(4, 3, 48, 192) }]],
  ['silero_vad_legacy.onnx', [sileroLegacy(1, 512, 16000), sileroLegacy(3, 1536, 16000), sileroLegacy(2, 256, 8000)]],
  ['silero_vad_v5.onnx', [silero(1, 576, 16000), silero(3, 576, 16000), silero(2, 288, 8000)]],
  ['silero_vad_v6.onnx', [silero(1, 576, 16000), silero(3, 576, 16000), silero(2, 288, 8000)]],
]

/** The symbols of the inputs, with what a run gives them. */
function inputBindings(model: Model, feeds: Feeds): Bindings {
  const bindings: Bindings = new Map()
  for (const { name, type } of model.graph.inputs) {
    const feed = feeds[name]
    if (feed === undefined || type.kind !== 'tensor') continue
    for (const [axis, size] of (type.shape ?? []).entries()) {
      if (typeof size !== 'number')
        bindings.set(size === null ? `${name}.${axis}` : (size as string), BigInt(feed.shape[axis]!))
    }
    if (feed.element === 'int64') bindings.set(`${name}.value`, feed.elements[0] as bigint)
  }
  return bindings
}

function compare(exposed: readonly Exposed[], inference: ReturnType<typeof inferShapes>, bindings: Bindings): Tally {
  const tally = newTally()
  const faults = exposed.flatMap(
    ({ scope, name, actual }) =>
      faultOf(`${scope.path}/${name}`, inference.valueOf(scope, name), actual, bindings, tally) ?? [],
  )
  expect(faults).toEqual([])
  return tally
}

describe.each(runs)('%s', (file, feedsOfRuns) => {
  const { model } = readModelFile(packaged.find((each) => path.basename(each) === file)!)
  const open = inferShapes(model)

  it('cannot be faulted', () => {
    expect(open.findings).toEqual([])
    expect(open.complete).toBe(true)
  })

  it.each(feedsOfRuns)('agrees with a run, $#', async (feeds) => {
    const exposed = await exposeValues(model, feeds)
    const shapes = Object.fromEntries(Object.entries(feeds).map(([name, { shape }]) => [name, shape]))
    const fixed = compare(exposed, inferShapes(model, { inputs: shapes }), inputBindings(model, feeds))
    const symbolic = compare(exposed, open, inputBindings(model, feeds))
    expect([fixed, symbolic].map((tally) => tally.fixed + tally.symbolic + tally.unknown.length)).toEqual([
      exposed.length,
      exposed.length,
    ])
  })
})
