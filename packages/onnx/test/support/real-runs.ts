// Runs of the real models for inputs of several sizes, and what inference says of every value in them: with the sizes of
// the run, and with those that the file leaves open.
import path from 'node:path'
import { type Inference, inferShapes, type Model } from '../../src/index.ts'
import { type Bindings, faultOf, newTally, type Tally } from './agree.ts'
import { type Exposed, exposeValues, type Feed } from './expose.ts'
import { packaged } from './models.ts'

export type Feeds = Readonly<Record<string, Feed>>

export interface RealModel {
  readonly name: string
  readonly file: string
  /** Inputs of each run. */
  readonly runs: readonly Feeds[]
}

const floats = (...shape: number[]): Feed => ({
  element: 'float32',
  shape,
  elements: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(i)),
})
const integer = (value: number): Feed => ({ element: 'int64', shape: [], elements: BigInt64Array.of(BigInt(value)) })

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

const images = (...shapes: readonly (readonly number[])[]): readonly Feeds[] =>
  shapes.map((shape) => ({ x: floats(...shape) }))

const runs: Readonly<Record<string, readonly Feeds[]>> = {
  'ch_PP-OCRv4_det_infer.onnx': images([1, 3, 32, 32], [2, 3, 64, 96], [1, 3, 160, 128]),
  'ch_PP-OCRv4_rec_infer.onnx': images([1, 3, 48, 64], [2, 3, 48, 120], [3, 3, 48, 33]),
  'ch_ppocr_mobile_v2.0_cls_infer.onnx': images([1, 3, 48, 192], [4, 3, 48, 192]),
  'silero_vad_legacy.onnx': [sileroLegacy(1, 512, 16000), sileroLegacy(3, 1536, 16000), sileroLegacy(2, 256, 8000)],
  'silero_vad_v5.onnx': [silero(1, 576, 16000), silero(3, 576, 16000), silero(2, 288, 8000)],
  'silero_vad_v6.onnx': [silero(1, 576, 16000), silero(3, 576, 16000), silero(2, 288, 8000)],
}

export const realModels: readonly RealModel[] = Object.entries(runs).map(([name, feeds]) => ({
  name,
  file: packaged.find((each) => path.basename(each) === name)!,
  runs: feeds,
}))

/** The shapes of a run's inputs. */
export const shapesOf = (feeds: Feeds): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(Object.entries(feeds).map(([name, { shape }]) => [name, shape]))

/** The symbols of the inputs, with what a run gives them. */
function inputBindings({ graph }: Model, feeds: Feeds): Bindings {
  const bindings: Bindings = new Map()
  for (const { name, type } of graph.inputs) {
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

export interface Judged {
  readonly faults: readonly string[]
  readonly tally: Tally
}

function judge(exposed: readonly Exposed[], inference: Inference, bindings: Bindings): Judged {
  const tally = newTally()
  const faults = exposed.flatMap(
    ({ scope, name, actual }) =>
      faultOf(`${scope.path}/${name}`, inference.valueOf(scope, name), actual, bindings, tally) ?? [],
  )
  return { faults, tally }
}

/** What inference says of a run in onnxruntime with every value exposed. */
export async function judgeRun(
  model: Model,
  feeds: Feeds,
): Promise<{ readonly values: number; readonly fixed: Judged; readonly open: Judged }> {
  const exposed = await exposeValues(model, feeds)
  const judged = (inference: Inference): Judged => judge(exposed, inference, inputBindings(model, feeds))
  return {
    values: exposed.length,
    fixed: judged(inferShapes(model, { inputs: shapesOf(feeds) })),
    open: judged(inferShapes(model)),
  }
}
