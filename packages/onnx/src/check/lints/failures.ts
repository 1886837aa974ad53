// Nodes that cannot be: shapes that do not meet, and everything else that inference could not make sense of.
import { numpy, type Rule } from 'bcast'
import { type DimShape, meet } from '../../dims/index.ts'
import type { FindingId } from '../codes.ts'
import { atBroadcast, atNode, atPath, type Lint } from '../finding.ts'
import { type CheckedBroadcast, inputsOf } from '../verdict.ts'
import { unfitting, unfittingText } from './unfitting.ts'

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
    if (isUnfitting(node, frame))
      yield atBroadcast('branch-does-not-fit', broadcast, unfittingText(failure!, frame), more)
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
      ? atNode('branch-does-not-fit', { node, frame }, unfittingText(message, frame), more)
      : atNode('impossible-node', { node, frame }, message, more)
  }
  if (!inference.complete) {
    yield atPath('incomplete', 'graph', 'functions or loops nest so much that a part of the model was not looked at.')
  }
}
