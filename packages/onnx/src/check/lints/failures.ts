// Nodes that cannot be: shapes that do not meet, and everything else that inference could not make sense of.
import { numpy, type Rule } from 'bcast'
import { type DimShape, meet } from '../../dims/index.ts'
import type { Frame } from '../../infer/frame.ts'
import { inferShapes } from '../../infer/infer.ts'
import type { Node } from '../../model/scope.ts'
import type { FindingId } from '../codes.ts'
import { atBroadcast, atNode, atPath, type Lint, type Subject } from '../finding.ts'
import { type CheckedBroadcast, inputsOf } from '../verdict.ts'

const holds = (shapes: readonly DimShape[], rule: Rule): boolean =>
  meet(shapes, { broadcast: rule }).verdict !== 'error'

/** A failure that an engine lets pass, because it broadcasts both ways where the standard has one. */
function idOf({ node, operands, rule }: CheckedBroadcast): FindingId {
  const shapes = operands.map(({ shape }) => shape)
  if (rule !== 'unidirectional' || !holds(shapes, numpy)) return 'broadcast-error'
  if (node.opType === 'PRelu') return 'prelu-enlarges-x'
  return node.opType === 'Gemm' ? 'gemm-c-enlarges' : 'broadcast-error'
}

const remarks: Readonly<Partial<Record<FindingId, string>>> = {
  'prelu-enlarges-x': '; some engines enlarge X instead, the standard does not',
  'gemm-c-enlarges': '; C must not enlarge the product',
}

/** Nodes that fail whatever the inputs are. */
function failingAnyway({ model, files }: Subject): ReadonlySet<Node> {
  const { findings } = inferShapes(model, files === undefined ? {} : { files })
  return new Set(findings.map(({ node }) => node))
}

/** Tells nodes that only the given sizes make fail, where they may not run: another branch may be meant for such sizes. */
function unfitting(subject: Subject): (node: Node, frame: Frame) => boolean {
  let anyway: ReadonlySet<Node> | undefined
  return (node, { certain }) => {
    if (certain || subject.inputs === undefined) return false
    anyway ??= failingAnyway(subject)
    return !anyway.has(node)
  }
}

const unfittingText = (message: string): string =>
  `${message.replace(/\.$/, '')} (with the sizes that were given; the branch may be meant for others).`

export const failures: Lint = function* (subject) {
  const { inference, broadcasts } = subject
  const isUnfitting = unfitting(subject)
  const failed = new Map<object, CheckedBroadcast>()
  for (const broadcast of broadcasts) {
    if (broadcast.verdict !== 'error') continue
    const { node, frame, meeting } = broadcast
    const { failure, explanation } = meeting
    failed.set(node, broadcast)
    const more = { axis: explanation.failure?.axis }
    if (isUnfitting(node, frame)) yield atBroadcast('branch-does-not-fit', broadcast, unfittingText(failure!), more)
    else {
      const id = idOf(broadcast)
      yield atBroadcast(id, broadcast, `${failure}${remarks[id] ?? ''}.`, more)
    }
  }
  for (const { node, frame, message } of inference.findings) {
    const { frame: other, meeting } = failed.get(node) ?? {}
    if (other === frame && meeting?.failure === message) continue
    const operands = inputsOf(node, frame, inference)
    const more = { clause: `${node.domain || 'ONNX'} ${node.opType}`, operands }
    yield isUnfitting(node, frame)
      ? atNode('branch-does-not-fit', { node, frame }, unfittingText(message), more)
      : atNode('impossible-node', { node, frame }, message, more)
  }
  if (!inference.complete) {
    yield atPath('incomplete', 'graph', 'functions or loops nest so much that a part of the model was not looked at.')
  }
}
