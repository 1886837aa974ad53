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
function withNotes(lines: readonly PictureLine[], operands: readonly CheckedOperand[]): readonly string[] {
  const width = widest(lines.flatMap(({ text, operand }) => (operand === undefined ? [] : [text])))
  return lines.map(({ text, operand }) => {
    const known = operands[operand ?? -1]
    return known === undefined ? text : `${text.padEnd(width)}   ${operandNote(known)}`
  })
}

/** The same with names and producers below it. */
const aboveNotes = (lines: readonly PictureLine[], operands: readonly CheckedOperand[]): readonly string[] => [
  ...lines.map(({ text }) => text),
  ...lines.flatMap(({ text, operand }) => {
    const known = operands[operand ?? -1]
    return known === undefined ? [] : [`${text.split(' ', 1)} is ${operandNote(known)}`]
  }),
]

/** As little is changed as the room asks for: sizes with short names, then notes below the picture. */
function alignedPicture({ meeting, operands }: CheckedBroadcast, width: number): readonly string[] {
  const whole = withNotes(linesOf(meeting), operands)
  if (widest(whole) <= width) return [...whole, ...meeting.legend()]
  const short = meeting.abridged()
  const lines = short.explanation.picture
  const beside = withNotes(lines, operands)
  return [...(widest(beside) <= width ? beside : aboveNotes(lines, operands)), ...short.legend()]
}

/** Shapes of operands that are not aligned, one a line, or where that is too wide each with its note below it. */
function shapeList(operands: readonly CheckedOperand[], width: number): readonly string[] {
  const shapes = operands.map(({ shape }) => shapeText(shape))
  const longest = widest(shapes)
  const lines = operands.map(
    (operand, i) => `input ${operand.input}  ${shapes[i]!.padEnd(longest)}   ${operandNote(operand)}`,
  )
  if (widest(lines) <= width) return lines
  return operands.flatMap((operand, i) => [`input ${operand.input} ${shapes[i]}`, `  ${operandNote(operand)}`])
}

/**
 * The operands of a finding with their shapes, line by line: aligned where they meet; empty where there are none. Lines
 * that align something are at most `width` wide where that can be done; what is left is names.
 *
 * @example
 * ```ts
 * pictureOf(checkModel(model).findings[0])[1] // 'A        N   3   8   8!   "x", input'
 * ```
 */
export const pictureOf = ({ broadcast, operands }: CheckFinding, width: number = Infinity): readonly string[] =>
  broadcast === undefined ? shapeList(operands, width) : alignedPicture(broadcast, width)
