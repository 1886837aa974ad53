// The operands of a finding as a picture: shapes aligned as `explain` prints them, with names and producers beside them.
// Drawn when a report needs it, for a model may have as many findings as nodes.
import type { Meeting } from '../dims/index.ts'
import type { CheckFinding } from './finding.ts'
import type { CheckedBroadcast, CheckedOperand } from './verdict.ts'
import { producerText, quote, shapeText } from './words.ts'

/** What an operand is, beside its line of the picture. */
const operandNote = ({ name, input, producer }: CheckedOperand): string =>
  input === undefined ? name : `${quote(name)}, ${producerText(producer)}`

// Most nodes of a model meet as others do, and share what was said of it.
const drawn = new WeakMap<Meeting, readonly string[]>()

function linesOf(meeting: Meeting): readonly string[] {
  const before = drawn.get(meeting)
  if (before !== undefined) return before
  const text = meeting.explanation.toString().split('\n')
  const lines = text.filter((line) => line.startsWith('  ')).map((line) => line.slice(2))
  drawn.set(meeting, lines)
  return lines
}

/** Operands may be more than a call takes arguments. */
const widest = (lines: readonly string[]): number => lines.reduce((most, { length }) => Math.max(most, length), 0)

/** The aligned shapes as `explain` prints them, each line with its operand's name and producer. */
function alignedPicture({ meeting, operands }: CheckedBroadcast): readonly string[] {
  const { explanation, legend } = meeting
  const lines = linesOf(meeting)
  const first = explanation.axes.length === 0 ? 0 : 1
  const width = widest(lines.slice(0, first + operands.length))
  const noted = lines.map((line, i) => {
    const operand = operands[i - first]
    const isOperand = operand !== undefined && i >= first && /^([A-Z]|operand \d+) /.test(`${line} `)
    return isOperand ? `${line.padEnd(width)}   ${operandNote(operand)}` : line
  })
  return [...noted, ...legend()]
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
