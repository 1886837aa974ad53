// Models of old operator sets, raised to the first that has Expand; and nodes of any set that keep the attributes of
// old ones, without them. All or nothing: where one node has no counterpart, the error names every such node.
import { checkedBroadcast } from '../../check/verdict.ts'
import { AttributeError, type NotRaised, OpsetError } from '../../errors/index.ts'
import { legacyAttributes } from '../../infer/attributes/legacy.ts'
import type { Broadcast } from '../../infer/context.ts'
import type { Inference } from '../../infer/inference.ts'
import { changed } from '../../model/build.ts'
import type { Model } from '../../model/model.ts'
import { type Node, nodeLabel, nodePath, type Scope } from '../../model/scope.ts'
import { domainOf } from '../../model/view.ts'
import { scopesOf } from '../../structure/check.ts'
import type { LoweredNode } from '../report.ts'
import { meetingsOf } from '../site.ts'
import { Workspace } from '../workspace.ts'
import { changesOf, EXPAND } from './changes.ts'
import { Draft, Refused } from './draft.ts'
import { lowerBroadcast } from './legacy.ts'

export interface Raised {
  readonly model: Model
  readonly lowered: readonly LoweredNode[]
}

const opsetOf = ({ opsets }: Scope): number => opsets.get('') ?? EXPAND

/** The model's graph or the function that a scope is in: what an operator set is imported for. */
const rootOf = (scope: Scope): Scope => (scope.parent === undefined ? scope : rootOf(scope.parent.scope))

/** Whether operands of a node may differ in shape, so that something has to be done about it. */
function mayStretch(broadcast: Broadcast, inference: Inference): boolean {
  const { name, relation } = broadcast.rule
  if (name === 'none' || name === 'matmulBatch' || relation === 'equal') return false
  const { verdict } = checkedBroadcast(broadcast, inference)
  return verdict !== 'equal' && verdict !== 'error'
}

/** Whether a node of an old set says that it broadcasts. */
const saysBroadcast = ({ domain, attributes }: Node): boolean =>
  domain === '' && attributes.kind('broadcast') === 'int' && attributes.bigint('broadcast') !== 0n

/** Graphs and functions of sets before Expand in which something broadcasts, or says so. */
function rootsToRaise(model: Model, inference: Inference): ReadonlySet<Scope> {
  const stretched = inference.broadcasts.filter((each) => mayStretch(each, inference)).map(({ node }) => node.scope)
  const saying = [...scopesOf(model)].filter(({ nodes }) => nodes.some(saysBroadcast))
  return new Set([...stretched, ...saying].filter((scope) => opsetOf(scope) < EXPAND).map(rootOf))
}

/** Attributes of old sets on a node of a set that has no such attribute; inference reads them all the same. */
const keepsAttributes = (node: Node, opset: number): boolean =>
  opset >= 7 && legacyAttributes({ node, attributes: node.attributes }).length > 0

/** The node as the newer set has it; undefined where it stays as it is. */
function drafted(draft: Draft, isRaised: boolean): Draft | undefined {
  const { node, opset } = draft
  if (isRaised && node.domain === '') for (const change of changesOf(node.opType, opset)) change(draft)
  if (keepsAttributes(node, opset)) {
    if (node.opType === 'Gemm') draft.drop(['broadcast'], 'without broadcast')
    else lowerBroadcast(draft, Math.max(opset, EXPAND))
  }
  return draft.inputs === node.inputs && draft.attributes === node.proto.attribute ? undefined : draft
}

/** The model with Expand at hand and without attributes of old sets; itself where nothing is needed. */
export function raised(model: Model, inference: Inference): Raised {
  const roots = rootsToRaise(model, inference)
  const meetings = meetingsOf(inference.broadcasts)
  const workspace = new Workspace(model)
  const lowered: LoweredNode[] = []
  const refused: NotRaised[] = []
  for (const scope of scopesOf(model)) {
    const isRaised = roots.has(rootOf(scope))
    for (const node of scope.nodes) {
      const opset = opsetOf(scope)
      if (!isRaised && !keepsAttributes(node, opset)) continue
      const known = (name: string) => inference.valueOf(scope, name)
      const draft = new Draft(node, opset, meetings.get(node) ?? [], workspace.additionsFor(node), known)
      try {
        const made = drafted(draft, isRaised)
        if (made === undefined) continue
        const { inputs, attributes, changes } = made
        workspace.replace(node, (own) => [changed(own, { input: [...inputs], attribute: [...attributes] })])
        if (changes.length > 0) lowered.push({ node, changes })
      } catch (error) {
        if (!(error instanceof Refused || error instanceof AttributeError)) throw error
        // Where the operator set is new enough the node can stay as it is; what is left to do about it is reported.
        if (!isRaised) continue
        refused.push({ path: nodePath(node), operator: node.opType, text: `${nodeLabel(node)}: ${error.message}` })
      }
    }
  }
  const oldest = Math.min(EXPAND, ...[...roots].map(opsetOf))
  if (refused.length > 0) throw new OpsetError(oldest, EXPAND, refused)
  for (const root of roots) {
    const imports = root.kind === 'function' ? root.proto.opsetImport : model.proto.opsetImport
    workspace.setOpsets(
      root,
      imports.map((each) => (domainOf(each.domain) === '' ? changed(each, { version: BigInt(EXPAND) }) : each)),
    )
  }
  return { model: workspace.finish(), lowered }
}
