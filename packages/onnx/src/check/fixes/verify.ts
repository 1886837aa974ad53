// Candidates tried on a copy of the model: kept if the node then passes, those first that leave nothing else failing.
import { type InferOptions, inferShapes } from '../../infer/infer.ts'
import type { Inference } from '../../infer/inference.ts'
import type { Model } from '../../model/model.ts'
import { type Node, nodeLabel, type Scope } from '../../model/scope.ts'
import { scopesOf } from '../../structure/check.ts'
import type { Found, Subject } from '../finding.ts'
import { declaredShapes } from '../lints/declarations.ts'
import { outerProducts } from '../lints/unlikely.ts'
import { profiles } from '../profile.ts'
import { checkedBroadcast } from '../verdict.ts'
import { type Candidate, candidatesFor } from './candidates.ts'
import { applyFix, type ModelFix } from './edit.ts'

/** As many fixes are shown at one finding. */
const MAX_FIXES = 3
/** Of as many candidates that are tried. */
const MAX_TRIES = 16
/** Nodes that all tries together may meet, so that a large model with many failures is still checked at once. */
const MAX_NODES = 200_000

/** What a node is called whatever is put before it: its outputs are its own. */
export function keyOf(node: Node): string {
  const { parent, kind, path } = node.scope as Scope
  const within = parent === undefined ? (kind === 'function' ? path : '') : keyOf(parent)
  return `${within}/${node.opType}:${node.outputs.join(',')}`
}

interface Judged {
  readonly subject: Subject
  /** What fails, by its key, with its name. */
  readonly failing: ReadonlyMap<string, string>
}

function judged(model: Model, inference: Inference, asDeclared: boolean): Judged {
  const broadcasts = inference.broadcasts.map((broadcast) => checkedBroadcast(broadcast, inference))
  const subject: Subject = { model, inference, broadcasts, asDeclared, profile: profiles.onnx }
  const failing = new Map(inference.findings.map(({ node }) => [keyOf(node), nodeLabel(node)]))
  for (const { node, name, message } of declaredShapes(subject)) failing.set(`${node && keyOf(node)} ${name}`, message)
  return { subject, failing }
}

interface Tried {
  readonly fix: ModelFix
  readonly uncovers: readonly string[]
  /** How much still fails. */
  readonly failing: number
}

export class Repairs {
  readonly #model: Model
  readonly #options: InferOptions
  readonly #before: Judged
  #nodes = MAX_NODES
  #named: ReadonlyMap<string, string> | undefined

  constructor(subject: Subject, options: InferOptions) {
    this.#model = subject.model
    this.#options = options
    this.#before = judged(subject.model, subject.inference, subject.asDeclared)
  }

  /** Fixes after which the node of a finding passes. */
  fixesFor(found: Found): readonly ModelFix[] {
    const fixes: Tried[] = []
    const tried = new Set<string>()
    for (const candidate of candidatesFor(found, this.#before.subject.inference)) {
      if (tried.has(candidate.text)) continue
      if (tried.size >= MAX_TRIES || this.#nodes <= 0) break
      // Other values for a constant, and what stands behind them, are the last that is meant.
      if (fixes.length > 0 && candidate.isLast) break
      tried.add(candidate.text)
      const { text, edits } = candidate
      const outcome = this.#tried(candidate, found)
      if (outcome !== undefined) fixes.push({ ...outcome, fix: { text, edits, uncovers: outcome.uncovers } })
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
      [...scopesOf(this.#model)].flatMap(({ nodes }) => nodes.map((node) => [keyOf(node), nodeLabel(node)] as const)),
    )
    return this.#named
  }

  /** What fails after a candidate; undefined if the node does not pass. */
  #tried({ edits }: Candidate, { id, node }: Found): Omit<Tried, 'fix'> | undefined {
    const model = applyFix(this.#model, { edits }, this.#options.files)
    this.#nodes -= model.graph.nodes.length
    const inference = inferShapes(model, this.#options)
    const after = judged(model, inference, this.#before.subject.asDeclared)
    const key = keyOf(node!)
    if (after.failing.has(key)) return undefined
    const own = after.subject.broadcasts.filter((broadcast) => keyOf(broadcast.node) === key)
    if (own.some(({ verdict }) => verdict === 'error' || verdict === 'unknown')) return undefined
    const isOuter = [...outerProducts({ ...after.subject, broadcasts: own })].some(
      (found) => found.id === 'outer-product',
    )
    if (id === 'outer-product' && isOuter) return undefined
    const uncovers = [...after.failing]
      .filter(([each]) => !this.#before.failing.has(each))
      .map(([each, label]) => this.#labels().get(each) ?? label)
    return { uncovers, failing: after.failing.size }
  }
}
