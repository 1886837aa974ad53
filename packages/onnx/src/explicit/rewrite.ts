// The rewrite of every node that broadcasts, scope by scope: plans become nodes, and what is done is written down.
import { checkedBroadcast } from '../check/verdict.ts'
import { constant, type Dim, mul, product, sum } from '../dims/index.ts'
import type { Broadcast, Operand } from '../infer/context.ts'
import type { Inference } from '../infer/inference.ts'
import { changed } from '../model/build.ts'
import { bytesOf, type ElementType, isDType } from '../model/element-type.ts'
import type { Model } from '../model/model.ts'
import { type Node, resolve } from '../model/scope.ts'
import type { Additions } from './additions.ts'
import { reasonToKeepParameters } from './parameters.ts'
import { type Expansion, planAddend, planMeeting, planOneWay } from './plan.ts'
import { constantPower, multiplied, type Power } from './power.ts'
import type { ExpandedOperand, KeptNode, RewrittenNode } from './report.ts'
import { openAxes, type Site, sitesOf } from './site.ts'
import { expandedTo, haveOneShape } from './support.ts'
import { productIsReadable, targetVector } from './target.ts'
import { Workspace } from './workspace.ts'

export interface Rewritten {
  readonly model: Model
  readonly rewritten: readonly RewrittenNode[]
  readonly kept: readonly KeptNode[]
}

/** What is done to the operands of a node, by the rule that they meet under. */
type Kind = 'meeting' | 'one-way' | 'addend' | 'other'

function kindOf({ meetings }: Site): Kind | undefined {
  const { name } = meetings[0]!.rule
  // Expand is the explicit broadcast, and under `none` there is none.
  if (name === 'bidirectional' || name === 'none') return undefined
  if (name === 'numpy') return 'meeting'
  if (name !== 'unidirectional') return 'other'
  return meetings[0]!.operands[0]!.factors === undefined ? 'one-way' : 'addend'
}

/** Why operands of an operator that is not element-wise stay as they are. */
function reasonOf({ meetings }: Site): string {
  const { name, label } = meetings[0]!.rule
  if (name === 'matmulBatch') return 'it multiplies matrices, and broadcasts their batches itself.'
  return `its operands meet under ${label}.`
}

/** Values by their first place among the operands. */
function distinct({ operands }: Broadcast): readonly number[] {
  const names = operands.map(({ name }) => name)
  return names.flatMap((name, i) => (names.indexOf(name) === i ? [i] : []))
}

/** `B` for input 1. */
const letterOf = (input: number): string => (input < 26 ? String.fromCharCode(65 + input) : `${input}`)

export class Rewrite {
  readonly #inference: Inference
  readonly #workspace: Workspace
  readonly #rewritten: RewrittenNode[] = []
  readonly #kept: KeptNode[] = []
  /** Nodes that no longer read their second input. */
  readonly #unread = new Set<Node>()

  constructor(model: Model, inference: Inference) {
    this.#inference = inference
    this.#workspace = new Workspace(model)
  }

  run(): Rewritten {
    for (const site of sitesOf(this.#inference)) this.#visit(site)
    this.#dropUnread()
    return { model: this.#workspace.finish(), rewritten: this.#rewritten, kept: this.#kept }
  }

  #visit(site: Site): void {
    const kind = kindOf(site)
    if (kind === undefined) return
    const reason = this.#reasonToKeep(site, kind)
    if (reason !== undefined) this.#keep(site, reason)
    else if (kind !== 'other') this.#change(site, kind)
  }

  /** Why a node that broadcasts stays as it is; undefined for one to change, and for one that does not broadcast. */
  #reasonToKeep(site: Site, kind: Kind): string | undefined {
    const failed = site.meetings.find(({ meeting }) => meeting.verdict === 'error')
    if (failed !== undefined) return `it fails: ${failed.meeting.failure}.`
    const isEqual = site.meetings.every((each) => checkedBroadcast(each, this.#inference).verdict === 'equal')
    if (isEqual) return undefined
    if (!this.#inference.complete) return 'a part of the model was not looked at.'
    if (kind === 'other') return reasonOf(site)
    return site.node.scope.opsets.has('') ? undefined : "ONNX's own operators are not imported."
  }

  #keep({ node }: Site, reason: string): void {
    this.#kept.push({ node, reason })
  }

  #change(site: Site, kind: Exclude<Kind, 'other'>): void {
    const plan = planOf(site, kind)
    if (plan.length === 0 || isExplicit(site, kind)) return
    const power = constantPower(site, this.#inference)
    const isOpen = plan.some(({ targets }) => targets.some((target) => target.kind === 'product'))
    if (power !== undefined) this.#multiply(site, power)
    else if (isOpen && !productIsReadable(site.node)) {
      this.#keep(site, 'transA or transB are attributes of the function it is in.')
    } else this.#expand(site, plan)
  }

  #expand(site: Site, plan: readonly Expansion[]): void {
    const { node, meetings } = site
    const { operands, rule } = meetings[0]!
    const additions = this.#workspace.additionsFor(node)
    if (rule.oneWay && plan.every((each) => isExpanded(site, each, additions))) return
    const reason = reasonToKeepParameters(site)
    if (reason !== undefined) {
      this.#keep(site, reason)
      return
    }
    const before = countOf(additions)
    const expanded = expandAll(site, plan, additions)
    const inputs = new Set(operands.map(({ input }) => input))
    this.#workspace.replace(node, (own) => [
      changed(own, { input: own.input.map((name, i) => (inputs.has(i) ? (expanded.get(name)?.name ?? name) : name)) }),
    ])
    this.#rewritten.push({
      node,
      operands: this.#operandsOf(site, expanded),
      ...madeSince(additions, before),
      replacedBy: undefined,
    })
  }

  #multiply(site: Site, { exponent, ones }: Power): void {
    const { node } = site
    const additions = this.#workspace.additionsFor(node)
    const before = countOf(additions)
    const plan: Expansion[] = ones === undefined ? [] : [{ operand: 0, targets: [{ kind: 'sizes', sizes: ones }] }]
    const expanded = expandAll(site, plan, additions)
    const base = expanded.get(node.inputs[0]!)?.name ?? node.inputs[0]!
    const square = exponent === 3 ? additions.name(`${ownerOf(node)}.square`) : undefined
    this.#workspace.replace(node, (own) => multiplied(own, base, square))
    this.#unread.add(node)
    const { nodes, constants } = madeSince(additions, before)
    this.#rewritten.push({
      node,
      operands: this.#operandsOf(site, expanded),
      nodes: square === undefined ? nodes : [...nodes, { operator: 'Mul', name: square }],
      constants,
      replacedBy: 'Mul',
    })
  }

  #operandsOf(site: Site, expanded: ReadonlyMap<string, Made>): readonly ExpandedOperand[] {
    const [first] = site.meetings
    const seen = new Set<string>()
    return first!.operands.flatMap(({ name, input, shape }, i): ExpandedOperand[] => {
      const made = expanded.get(name)
      if (made === undefined || input === undefined) return []
      const shared = made.shared || seen.has(name)
      seen.add(name)
      const known = this.#inference.valueIn(first!.frame, name)
      const element = known.kind === 'tensor' ? known.element : undefined
      return [
        {
          ...{ input, name, expanded: made.name, element, shape, shared },
          ...{
            result: first!.meeting.shape ?? null,
            axes: openAxes(site, i)?.map((axis) => -axis),
            bytes: bytesIn(site, element),
          },
        },
      ]
    })
  }

  /** Constants that only nodes read which no longer do. */
  #dropUnread(): void {
    // Each exponent is looked at once, however many nodes read it.
    const readers = new Map([...this.#unread].map((node) => [`${node.scope.path}/${node.inputs[1]!}`, node]))
    for (const node of readers.values()) {
      const name = node.inputs[1]!
      const found = resolve(node.scope, name)
      if (found === undefined || found.definition.kind === 'input') continue
      const { scope, definition } = found
      // What a graph reads from around it is read by the node that has the graph.
      const isRead = scope.uses.get(name)?.some(({ node: by, input }) => !this.#unread.has(by) || input !== 1)
      if (isRead || scope.outputs.some((output) => output.name === name)) continue
      if (this.#workspace.additionsFor(node).found.has(name)) continue
      if (definition.kind === 'initializer') this.#workspace.dropInitializer(scope, name)
      else if (definition.node.opType === 'Constant' && definition.node.domain === '') {
        this.#workspace.replace(definition.node, () => [])
      }
    }
  }
}

/** How much was added so far. */
const countOf = ({ made }: Additions): readonly [nodes: number, vectors: number] => [
  made.nodes.length,
  made.vectors.length,
]

/** What was added since, as the report has it. */
const madeSince = (
  { made }: Additions,
  [nodes, vectors]: readonly [number, number],
): Pick<RewrittenNode, 'nodes' | 'constants'> => ({
  nodes: made.nodes.slice(nodes).map(({ opType, name }) => ({ operator: opType, name })),
  constants: made.vectors.slice(vectors),
})

const ownerOf = ({ name, outputs, opType }: Node): string => name || (outputs.find((each) => each !== '') ?? opType)

const hintOf = (node: Node, { input }: Operand): string => `${ownerOf(node)}.${letterOf(input ?? 0)}.expanded`

/** What an operand became. */
interface Made {
  readonly name: string
  /** Whether it was there already. */
  readonly shared: boolean
}

/** Adds what a plan says; operands by name. */
function expandAll({ node, meetings }: Site, plan: readonly Expansion[], additions: Additions): Map<string, Made> {
  const { operands } = meetings[0]!
  const expanded = new Map<string, Made>()
  for (const { operand, targets } of plan) {
    let made: Made = { name: operands[operand]!.name, shared: false }
    for (const target of targets) {
      const vector = targetVector(additions, node, operands, target, (name) => expanded.get(name)?.name ?? name)
      const wanted = { operator: 'Expand', inputs: [made.name, vector] }
      const shared = additions.there.value(wanted, '') !== undefined
      made = { name: additions.value(wanted, hintOf(node, operands[operand]!)), shared }
    }
    expanded.set(operands[operand]!.name, made)
  }
  return expanded
}

/** Whether operands have one shape by the way they are made; the product in Gemm is no value that could tell. */
function isExplicit({ node, meetings }: Site, kind: Kind): boolean {
  const names = meetings[0]!.operands.map(({ name }) => name)
  return kind !== 'addend' && haveOneShape(node.scope, names)
}

function planOf(site: Site, kind: Exclude<Kind, 'other'>): readonly Expansion[] {
  if (kind === 'addend') return planAddend(site)
  const operands = distinct(site.meetings[0]!)
  return kind === 'one-way' ? planOneWay(site, operands) : planMeeting(site, operands)
}

/** Whether an operand has been expanded to the very vector that it would be. */
function isExpanded({ node, meetings }: Site, { operand, targets }: Expansion, { there }: Additions): boolean {
  const { operands } = meetings[0]!
  const vector = targetVector(there, node, operands, targets[0]!, (name) => name)
  return vector !== undefined && expandedTo(node.scope, operands[operand]!.name) === vector
}

/** Bytes of an operand with the shape of the result, in all walks together. */
function bytesIn({ meetings }: Site, element: ElementType | undefined): Dim | undefined {
  if (!isDType(element) || bytesOf(element) === 0) return undefined
  const each = meetings.map(({ meeting: { shape } }) =>
    shape?.every((dim) => dim !== null) ? mul(product(shape), constant(bytesOf(element))) : undefined,
  )
  return each.every((bytes) => bytes !== undefined) ? sum(each) : undefined
}
