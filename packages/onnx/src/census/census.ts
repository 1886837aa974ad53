// A census of models: which operators broadcast, how, over how many axes, and whether what is stretched is a constant.
// One model is in memory at a time; what is kept are counts, and one example of each kind.
import { bidirectional, matmulBatch } from 'bcast'
import { type CheckedBroadcast, checkedBroadcast, type Verdict } from '../check/verdict.ts'
import { shapeText } from '../check/words.ts'
import { type InferOptions, inferShapes } from '../infer/infer.ts'
import type { Model } from '../model/model.ts'
import { nodePath } from '../model/scope.ts'
import { scopesOf } from '../structure/check.ts'
import { type Origin, Origins } from './origin.ts'
import { type Pattern, patternsOf } from './pattern.ts'

/** A model to be counted, and how its shapes are inferred. */
export interface CensusSource extends InferOptions {
  readonly name: string
  /** The model, or what reads it: called when its turn comes, and what it throws is listed. */
  readonly model: Model | (() => Model)
}

/** How many broadcasts had which verdict. */
export type VerdictCounts = Readonly<Record<Verdict, number>>

/** How many operands came from where. */
export type OriginCounts = Readonly<Record<Origin, number>>

/** Where broadcasts are implicit: everywhere but in Expand. */
export interface CensusCounts {
  /** Nodes whose operands broadcast, or would if shapes differed, by what the shapes say. */
  readonly verdicts: VerdictCounts
  /** Operands that broadcast, by whether they are constants. */
  readonly stretched: OriginCounts
  /** Nodes that only broadcast: Expand. */
  readonly explicit: number
}

/** What is counted of one model. */
export interface CensusModel extends CensusCounts {
  readonly name: string
  /** Those of subgraphs and functions included. */
  readonly nodes: number
  /** False when functions or loops nest so much that a part was not looked at. */
  readonly complete: boolean
}

/** A model that could not be counted, and why. */
export interface CensusFailure {
  readonly name: string
  /** The error's code, where it has one. */
  readonly code: string | null
  readonly message: string
}

interface OperatorName {
  readonly operator: string
  /** Empty for ONNX's own. */
  readonly domain: string
}

/** What is counted of one operator over all models. */
export interface CensusOperator extends OperatorName {
  /** Whether it broadcasts by its nature: Expand. */
  readonly explicit: boolean
  /** How many models have it. */
  readonly models: number
  readonly verdicts: VerdictCounts
}

/** Operands that stretch alike. */
export interface CensusStretch extends OperatorName {
  readonly explicit: boolean
  readonly pattern: Pattern
  /** Of the result. */
  readonly rank: number
  readonly origin: Origin
  readonly operands: number
  readonly models: number
  /** The first that was met. */
  readonly example: { readonly model: string; readonly node: string; readonly shapes: string }
}

/** Of all models together. */
export interface CensusTotals extends CensusCounts {
  readonly models: number
  /** Models with an implicit broadcast. */
  readonly broadcasting: number
  readonly nodes: number
}

/** How a set of models broadcasts: what `census` gives. */
export interface Census {
  /** Models that were counted, in the order they came. */
  readonly models: readonly CensusModel[]
  /** Models that could not be read. */
  readonly failures: readonly CensusFailure[]
  readonly totals: CensusTotals
  /** Operators that broadcast or would, the most frequent first. */
  readonly operators: readonly CensusOperator[]
  /** Operands that stretch, by operator, pattern, rank and origin, the most frequent first. */
  readonly stretches: readonly CensusStretch[]
}

type Open<T> = { -readonly [K in keyof T]: T[K] extends Readonly<Record<string, number>> ? Open<T[K]> : T[K] }

/** What was counted, by what tells one kind from another. */
interface Kinds {
  readonly operators: Map<string, Open<CensusOperator>>
  readonly stretches: Map<string, Open<CensusStretch>>
}

const noVerdicts = (): Open<VerdictCounts> => ({ equal: 0, broadcast: 0, error: 0, conditional: 0, unknown: 0 })

const noCounts = (): Open<CensusCounts> => ({
  verdicts: noVerdicts(),
  stretched: { constant: 0, computed: 0 },
  explicit: 0,
})

const noKinds = (): Kinds => ({ operators: new Map(), stretches: new Map() })

function addTo<K extends string>(counts: Record<K, number>, more: Readonly<Record<K, number>>): void {
  for (const key of Object.keys(counts) as K[]) counts[key] += more[key]
}

function entryOf<T>(entries: Map<string, T>, key: readonly (string | number)[], made: () => T): T {
  const text = JSON.stringify(key)
  let entry = entries.get(text)
  if (entry === undefined) entries.set(text, (entry = made()))
  return entry
}

/** The result's rank; that of MatMul has its matrices beside the batch. */
const rankOf = ({ rule, shape }: CheckedBroadcast): number => shape!.length + (rule === matmulBatch.label ? 2 : 0)

const exampleOf = (model: string, { node, operands }: CheckedBroadcast): CensusStretch['example'] => ({
  model,
  node: nodePath(node),
  shapes: operands.map(({ shape }) => shapeText(shape)).join(' with '),
})

/** Counts one broadcast of a model. */
function countBroadcast(
  model: string,
  broadcast: CheckedBroadcast,
  origins: Origins,
  counts: Open<CensusCounts>,
  { operators, stretches }: Kinds,
): void {
  const { node, frame, verdict, operands } = broadcast
  const explicit = broadcast.rule === bidirectional.label
  const about = { operator: node.opType, domain: node.domain, explicit, models: 1 }
  if (explicit) counts.explicit++
  else counts.verdicts[verdict]++
  const name = [node.domain, node.opType]
  entryOf(operators, name, () => ({ ...about, verdicts: noVerdicts() })).verdicts[verdict]++
  for (const [i, pattern] of patternsOf(broadcast).entries()) {
    if (pattern === undefined) continue
    const { input, name: operand } = operands[i]!
    const origin = input === undefined ? 'computed' : origins.of(frame, operand)
    if (!explicit) counts.stretched[origin]++
    const rank = rankOf(broadcast)
    entryOf(stretches, [...name, pattern, rank, origin], () => {
      const example = exampleOf(model, broadcast)
      return { ...about, pattern, rank, origin, operands: 0, example }
    }).operands++
  }
}

function countModel(name: string, model: Model, options: InferOptions): { model: CensusModel; kinds: Kinds } {
  const inference = inferShapes(model, options)
  const [origins, counts, kinds] = [new Origins(inference), noCounts(), noKinds()]
  for (const each of inference.broadcasts) {
    countBroadcast(name, checkedBroadcast(each, inference), origins, counts, kinds)
  }
  const nodes = [...scopesOf(model)].reduce((sum, scope) => sum + scope.nodes.length, 0)
  return { model: { name, nodes, complete: inference.complete, ...counts }, kinds }
}

/** Adds what one model has to what all have. */
function addKinds({ operators, stretches }: Kinds, more: Kinds): void {
  for (const [key, operator] of more.operators) {
    const all = operators.get(key)
    if (all === undefined) operators.set(key, operator)
    else {
      all.models += operator.models
      addTo(all.verdicts, operator.verdicts)
    }
  }
  for (const [key, stretch] of more.stretches) {
    const all = stretches.get(key)
    if (all === undefined) stretches.set(key, stretch)
    else {
      all.models += stretch.models
      all.operands += stretch.operands
    }
  }
}

/** An error as a line of the list. */
function failureOf(name: string, error: unknown): CensusFailure {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown }
  return {
    name,
    code: typeof code === 'string' ? code : null,
    message: typeof message === 'string' ? message : String(error),
  }
}

/** The most frequent first, then by name; code units, so that the order is the same everywhere. */
const sorted = <T>(entries: ReadonlyMap<string, T>, countOf: (entry: T) => number): T[] =>
  [...entries].sort(([a, x], [b, y]) => countOf(y) - countOf(x) || (a < b ? -1 : 1)).map(([, entry]) => entry)

export const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/**
 * Counts the broadcasts of models, one after the other. The caller's `inputs` must name inputs of their model.
 *
 * @example
 * ```ts
 * census([{ name: 'model.onnx', model }]).models.length // 1
 * ```
 */
export function census(sources: Iterable<CensusSource>): Census {
  const models: CensusModel[] = []
  const failures: CensusFailure[] = []
  const kinds = noKinds()
  for (const { name, model: given, ...options } of sources) {
    let model: Model
    try {
      model = typeof given === 'function' ? given() : given
    } catch (error) {
      failures.push(failureOf(name, error))
      continue
    }
    const counted = countModel(name, model, options)
    models.push(counted.model)
    addKinds(kinds, counted.kinds)
  }
  const counts = noCounts()
  for (const { verdicts, stretched, explicit } of models) {
    addTo(counts.verdicts, verdicts)
    addTo(counts.stretched, stretched)
    counts.explicit += explicit
  }
  const totals: Census['totals'] = {
    models: models.length,
    broadcasting: models.filter(({ verdicts }) => verdicts.broadcast > 0).length,
    nodes: models.reduce((sum, { nodes }) => sum + nodes, 0),
    ...counts,
  }
  return {
    models,
    failures,
    totals,
    operators: sorted(kinds.operators, ({ verdicts }) => sumOf(verdicts)),
    stretches: sorted(kinds.stretches, ({ operands }) => operands),
  }
}
