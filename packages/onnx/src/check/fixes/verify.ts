// Candidates tried on a copy of the model: kept if the node then passes, those first that leave nothing else failing.
import { formatDimConditions, settle } from '../../dims/index.ts'
import { OnnxError } from '../../errors/index.ts'
import { type InferOptions, inferShapes } from '../../infer/infer.ts'
import type { Inference } from '../../infer/inference.ts'
import type { Model } from '../../model/model.ts'
import { type Node, nodeLabel, type Scope } from '../../model/scope.ts'
import { scopesOf } from '../../structure/check.ts'
import type { Found, Subject } from '../finding.ts'
import { declaredShapes } from '../lints/declarations.ts'
import { outerProducts } from '../lints/unlikely.ts'
import { profiles } from '../profile.ts'
import { type CheckedBroadcast, checkedBroadcast, requiredOf } from '../verdict.ts'
import { type Candidate, candidatesFor } from './candidates.ts'
import { applyFix, type ModelFix } from './edit.ts'

/** As many fixes are shown at one finding. */
const MAX_FIXES = 3
/** Of as many candidates that are tried. */
const MAX_TRIES = 16
/** Nodes that all tries together may meet, so that a large model with many failures is still checked at once. */
const MAX_NODES = 100_000

/** What a node is called whatever is put before it: its outputs are its own. */
export function keyOf(node: Node): string {
  const { parent, kind, path } = node.scope as Scope
  const within = parent === undefined ? (kind === 'function' ? path : '') : keyOf(parent)
  return `${within}/${node.opType}:${node.outputs.join(',')}`
}

/** What fails, by its key, with its name: nodes that cannot be, and shapes that differ from what is declared. */
function failingIn(model: Model, inference: Inference, asDeclared: boolean): ReadonlyMap<string, string> {
  const failing = new Map(inference.findings.map(({ node }) => [keyOf(node), nodeLabel(node)]))
  const subject: Subject = {
    ...{ model, inference, broadcasts: [], asDeclared, profile: profiles.onnx },
    ...{ inputs: undefined, files: undefined },
  }
  for (const { node, name, message } of declaredShapes(subject)) failing.set(`${node && keyOf(node)} ${name}`, message)
  return failing
}

/** The broadcasts of the node of a key. */
const broadcastsOf = (inference: Inference, { outputs }: Node, key: string): readonly CheckedBroadcast[] =>
  inference.broadcasts
    .filter(({ node }) => node.outputs[0] === outputs[0] && keyOf(node) === key)
    .map((broadcast) => checkedBroadcast(broadcast, inference))

/** What must hold of the model's sizes so that the node of a key passes: `N = 3`. */
function conditionsOf(inference: Inference, at: Node, key: string, broadcasts: readonly CheckedBroadcast[]): string {
  const own = inference.requirements.filter(({ node }) => node.outputs[0] === at.outputs[0] && keyOf(node) === key)
  const given = [...requiredOf(own), ...broadcasts].flatMap(({ conditions }) => conditions)
  return formatDimConditions(settle(given)?.conditions ?? given)
}

interface Tried {
  readonly fix: ModelFix
  readonly conditions: string
  readonly uncovers: readonly string[]
  /** How much still fails. */
  readonly failing: number
}

export class Repairs {
  readonly #subject: Subject
  readonly #options: InferOptions
  readonly #before: ReadonlyMap<string, string>
  #nodes = MAX_NODES
  #named: ReadonlyMap<string, string> | undefined

  constructor(subject: Subject, options: InferOptions) {
    this.#subject = subject
    this.#options = options
    this.#before = failingIn(subject.model, subject.inference, subject.asDeclared)
  }

  /** Fixes after which the node of a finding passes. */
  fixesFor(found: Found): readonly ModelFix[] {
    const fixes: Tried[] = []
    const tried = new Set<string>()
    for (const candidate of candidatesFor(found, this.#subject.inference)) {
      if (tried.has(candidate.text)) continue
      if (tried.size >= MAX_TRIES || this.#nodes <= 0) break
      // Other values for a constant, and what stands behind them, are the last that is meant.
      if (fixes.length > 0 && candidate.isLast) break
      tried.add(candidate.text)
      const { edits } = candidate
      const outcome = this.#tried(candidate, found)
      if (outcome !== undefined) {
        const { conditions, uncovers } = outcome
        const text = conditions === '' ? candidate.text : `${candidate.text}, if ${conditions}`
        fixes.push({ ...outcome, fix: { text, edits, uncovers } })
      }
      if (fixes.filter(({ uncovers }) => uncovers.length === 0).length >= MAX_FIXES) break
    }
    const clean = fixes.filter(({ uncovers }) => uncovers.length === 0)
    return (clean.length > 0 ? clean : fixes)
      .toSorted((a, b) => a.failing - b.failing)
      .slice(0, MAX_FIXES)
      .map(({ fix }) => fix)
  }

  /** The names of the model's own nodes: what is put before a node changes its index in the copy. */
  #labels(): ReadonlyMap<string, string> {
    this.#named ??= new Map(
      [...scopesOf(this.#subject.model)].flatMap(({ nodes }) =>
        nodes.map((node) => [keyOf(node), nodeLabel(node)] as const),
      ),
    )
    return this.#named
  }

  /** A copy with edits made; undefined where a constant that they change cannot be read. */
  #applied(edits: Candidate['edits']): Model | undefined {
    try {
      return applyFix(this.#subject.model, { edits }, this.#options.files)
    } catch (error) {
      if (error instanceof OnnxError) return undefined
      throw error
    }
  }

  /** What fails after a candidate; undefined if the node does not pass. */
  #tried({ edits }: Candidate, { id, node }: Found): Omit<Tried, 'fix'> | undefined {
    const model = this.#applied(edits)
    if (model === undefined) return undefined
    this.#nodes -= model.graph.nodes.length
    const inference = inferShapes(model, this.#options)
    const failing = failingIn(model, inference, this.#subject.asDeclared)
    const key = keyOf(node!)
    if (failing.has(key)) return undefined
    const broadcasts = broadcastsOf(inference, node!, key)
    if (broadcasts.some(({ verdict }) => verdict === 'error' || verdict === 'unknown')) return undefined
    const found = [...outerProducts({ ...this.#subject, model, inference, broadcasts })]
    if (id === 'outer-product' && found.some((each) => each.id === id)) return undefined
    const uncovers = [...failing]
      .filter(([each]) => !this.#before.has(each))
      .map(([each, label]) => this.#labels().get(each) ?? label)
    return { uncovers, conditions: conditionsOf(inference, node!, key, broadcasts), failing: failing.size }
  }
}
