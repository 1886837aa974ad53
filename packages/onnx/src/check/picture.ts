// The operands of a finding as a picture: shapes aligned as `explain` prints them, with names and producers beside them.
// Drawn when a report needs it, for a model may have as many findings as nodes.
import type { PictureLine } from 'bcast'
import type { Meeting } from '../dims/index.ts'
import type { CheckFinding } from './finding.ts'
import type { CheckedBroadcast, CheckedOperand } from './verdict.ts'
import { producerText, quote, shapeText } from './words.ts'

/** What an operand is, beside its line of the picture. */
const operandNote = ({ name, input, producer }: CheckedOperand): string =>
  input === undefined ? name : `${quote(name)}, ${producerText(producer)}`

// Most nodes of a model meet as others do, and share what was said of it.
const drawn = new WeakMap<Meeting, readonly PictureLine[]>()

function linesOf(meeting: Meeting): readonly PictureLine[] {
  let lines = drawn.get(meeting)
  if (lines === undefined) drawn.set(meeting, (lines = meeting.explanation.picture))
  return lines
}

/** Operands may be more than a call takes arguments. */
const widest = (lines: readonly string[]): number => lines.reduce((most, { length }) => Math.max(most, length), 0)

/** The aligned shapes as `explain` prints them, each line with its operand's name and producer. */
function alignedPicture({ meeting, operands }: CheckedBroadcast): readonly string[] {
  const lines = linesOf(meeting)
  const width = widest(lines.flatMap(({ text, operand }) => (operand === undefined ? [] : [text])))
  const noted = lines.map(({ text, operand }) => {
    const known = operands[operand ?? -1]
    return known === undefined ? text : `${text.padEnd(width)}   ${operandNote(known)}`
  })
  return [...noted, ...meeting.legend()]
}

/** Shapes of operands that are not aligned, one a line. */
function shapeList(operands: readonly CheckedOperand[]): readonly string[] {
  const shapes = operands.map(({ shape }) => shapeText(shape))
  const width = widest(shapes)
  return operands.map((operand, i) => `input ${operand.input}  ${shapes[i]!.padEnd(width)}   ${operandNote(operand)}`)
}

/** The operands of a finding with their shapes, line by line: aligned where they meet; empty where there are none. */
export const pictureOf = ({ broadcast, operands }: CheckFinding): readonly string[] =>
  broadcast === undefined ? shapeList(operands) : alignedPicture(broadcast)
