// Failures that only the given sizes cause, in a part of the model that may not run: another branch may be meant for
// such sizes. Where every branch of an If fails, one of them runs all the same.
import type { Frame } from '../../infer/frame.ts'
import { inferShapes } from '../../infer/infer.ts'
import { isIf, type Node } from '../../model/scope.ts'
import type { Subject } from '../finding.ts'

/** Nodes that fail whatever the inputs are. */
function failingAnyway({ model, files }: Subject): ReadonlySet<Node> {
  const { findings } = inferShapes(model, { defaults: 'open', ...(files === undefined ? {} : { files }) })
  return new Set(findings.map(({ node }) => node))
}

/** The walks through the branches of an If that a run may take. */
const branchesOf = ({ subgraphs }: Node, { entered }: Frame): readonly Frame[] =>
  subgraphs.flatMap(({ graph }) => entered.get(graph) ?? [])

/** Whether a walk fails whenever it happens, for every walk. */
function failingWalks({ inference }: Subject): (frame: Frame) => boolean {
  const failing = new Map<Frame, boolean>(inference.findings.map(({ frame }) => [frame, true]))
  const fails = (frame: Frame): boolean => {
    let known = failing.get(frame)
    if (known === undefined) failing.set(frame, (known = [...frame.entered.values()].some(failsAround)))
    return known
  }
  /** Whether what entered a walk fails with it; a loop may have no rounds. */
  const failsAround = (inner: Frame): boolean => {
    const { frame, node } = inner.caller!
    if (inner.scope.kind === 'function') return fails(inner)
    return isIf(node) && branchesOf(node, frame).every(fails)
  }
  return fails
}

/** Whether a walk happens in every run that does not fail elsewhere. */
function isTaken({ certain, scope, caller }: Frame, fails: (frame: Frame) => boolean): boolean {
  if (certain || caller === undefined) return true
  const { frame, node } = caller
  const isTakenFrom = scope.kind === 'function' || (isIf(node) && branchesOf(node, frame).every(fails))
  return isTakenFrom && isTaken(frame, fails)
}

/** Tells nodes that only the given sizes make fail, where they may not run. */
export function unfitting(subject: Subject): (node: Node, frame: Frame) => boolean {
  const fails = failingWalks(subject)
  let anyway: ReadonlySet<Node> | undefined
  return (node, frame) => {
    if (subject.inputs === undefined || isTaken(frame, fails)) return false
    anyway ??= failingAnyway(subject)
    return !anyway.has(node)
  }
}

/** Whether the part that may not run is a loop. */
function isInLoop({ scope, caller }: Frame): boolean {
  if (caller === undefined) return false
  return scope.kind === 'function' ? isInLoop(caller.frame) : !isIf(caller.node)
}

export const unfittingText = (message: string, frame: Frame): string => {
  const remark = isInLoop(frame) ? 'the loop may have no rounds' : 'the branch may be meant for others'
  return `${message.replace(/\.$/, '')} (with the sizes that were given; ${remark}).`
}
