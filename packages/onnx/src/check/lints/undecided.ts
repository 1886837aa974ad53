// Broadcasts that hold for some sizes, that nothing is known of, or that the profile does not allow; and other nodes
// that hold for some sizes.
import { none } from 'bcast'
import { type DimCondition, formatDimConditions, meet } from '../../dims/index.ts'
import { atBroadcast, atNode, type Found, type Lint, type Subject } from '../finding.ts'
import { operatorRule } from '../profile.ts'
import { dataSymbolsIn } from '../symbols.ts'
import { type CheckedBroadcast, inputsOf, requiredOf } from '../verdict.ts'
import { shapeText } from '../words.ts'

/** `B stretches on axes -1 and -3`. */
function stretchText({ operands }: CheckedBroadcast): string {
  const parts = operands.flatMap(({ stretched, padded }, i) => {
    const axes = [...stretched, ...padded].sort((a, b) => b - a)
    if (axes.length === 0) return []
    return [`${String.fromCharCode(65 + i)} on ${axes.length === 1 ? 'axis' : 'axes'} ${axes.join(', ')}`]
  })
  return parts.length === 0 ? 'an operand may stretch' : `${parts.join(' and ')} is repeated`
}

function conditionText(subject: Subject, conditions: readonly DimCondition[]): string {
  const byData = dataSymbolsIn(subject.inference, conditions)
  const remark = byData.length === 0 ? '' : `; data decides ${byData.join(', ')}`
  return `${formatDimConditions(conditions)}${remark}`
}

/** Under a profile that demands equal shapes. */
function* strictly(subject: Subject, broadcast: CheckedBroadcast, clause: string): Generator<Found> {
  const { verdict, operands } = broadcast
  if (verdict === 'broadcast') {
    const cause = stretchText(broadcast)
    const sentence = `${cause}; Expand makes it explicit, to ${shapeText(broadcast.shape)}.`
    yield atBroadcast('implicit-broadcast', broadcast, sentence, { clause, cause })
    return
  }
  const equal = meet(
    operands.map(({ shape }) => shape),
    { broadcast: none },
  )
  if (equal.verdict === 'error') {
    yield atBroadcast('implicit-broadcast', broadcast, `the shapes are never equal: ${equal.failure}.`, { clause })
  } else if (verdict === 'unknown') {
    yield atBroadcast('broadcast-unknown', broadcast, 'a shape is not known, so shapes may differ.', { clause })
  } else {
    const sentence = `the shapes are equal only if ${conditionText(subject, equal.conditions)}.`
    yield atBroadcast('broadcast-conditional', broadcast, sentence, { clause })
  }
}

export const undecided: Lint = function* (subject) {
  for (const broadcast of subject.broadcasts) {
    const { verdict, conditions } = broadcast
    const { broadcasting, clause, specified } = operatorRule(subject.profile, broadcast)
    if (specified === false) yield atNode('no-specification', broadcast, `${clause}.`, { clause })
    if (verdict === 'error' || verdict === 'equal') continue
    if (broadcasting === 'forbidden') yield* strictly(subject, broadcast, clause)
    else if (verdict === 'conditional') {
      yield atBroadcast('broadcast-conditional', broadcast, `it holds if ${conditionText(subject, conditions)}.`)
    } else if (verdict === 'unknown') {
      yield atBroadcast('broadcast-unknown', broadcast, 'a shape is not known, so it may fail.')
    }
  }
}

/** Nodes that need sizes to be equal which only some inputs make so. */
export const required: Lint = function* (subject) {
  const { inference } = subject
  for (const { node, frame, conditions } of requiredOf(inference.requirements)) {
    const more = { clause: `${node.domain || 'ONNX'} ${node.opType}`, operands: inputsOf(node, frame, inference) }
    yield atNode('sizes-conditional', { node, frame }, `it holds if ${conditionText(subject, conditions)}.`, more)
  }
}
