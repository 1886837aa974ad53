// Runs of the real models for inputs of several sizes, and what inference says of every value in them: with the sizes of
// the run, and with those that the file leaves open.
import path from 'node:path'
import { type Inference, inferShapes, type Model } from '@bcast/onnx'
import * as ort from 'onnxruntime-node'
import { type Bindings, faultOf, newTally, type Tally } from './agree.ts'
import { differenceOf, outputsOf } from './bits.ts'
import { type Exposed, exposeValues } from './expose.ts'
import { type Feeds, runs } from './feeds.ts'
import { packaged } from './packaged.ts'
import type { Level } from './session.ts'

export interface RealModel {
  readonly name: string
  readonly file: string
  /** Inputs of each run. */
  readonly runs: readonly Feeds[]
}

export const realModels: readonly RealModel[] = runs.map(([name, feeds]) => ({
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

/** What inference says of a model whose sizes are open, which is the same for every run. */
const inferred = new WeakMap<Model, Inference>()

function openInference(model: Model): Inference {
  const known = inferred.get(model) ?? inferShapes(model)
  inferred.set(model, known)
  return known
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
    open: judged(openInference(model)),
  }
}

/** Where the outputs of two models differ for the same inputs, in words; undefined when they are the same bits. */
export async function differenceInRun(
  model: Model,
  other: Model,
  feeds: Feeds,
  level: Level = 'disabled',
): Promise<string | undefined> {
  const tensors = Object.fromEntries(
    Object.entries(feeds).map(([name, { element, elements, shape }]) => [
      name,
      new ort.Tensor(element, elements as never, [...shape]),
    ]),
  )
  const [before, after] = [await outputsOf(model, tensors, level), await outputsOf(other, tensors, level)]
  if (typeof before === 'string') return before
  return typeof after === 'string' ? after : differenceOf(before, after)
}
