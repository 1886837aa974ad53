// Lines that are not wider than a terminal. What a line has beyond that goes on below it, further to the right, so that
// what begins at the left is still the beginning of something.
import { columns } from './columns.ts'

/** Lines with columns mean something by where things stand, and are left as they are. */
const ALIGNED = /\S {2,}\S/
/** A fix has its code behind a gap, which may as well be an end of the line. */
const FIX = /^\s*(?:fix|or): /

/** A text in quotes or what has no space, with the spaces, commas and signs behind it, where a line may end. */
const PIECE = /(?:"(?:[^"\\]|\\.)*"|[^ ,*])+[ ,*]*|[ ,*]+/g

const HANGING = 4

/** A line as lines of at most `width` columns; a word or a name that is longer stays whole and sticks out. */
export function wrapped(line: string, width: number): readonly string[] {
  if (line.length <= width && columns(line) <= width) return [line]
  if (ALIGNED.test(line) && !FIX.test(line)) return [line]
  const own = /^ */.exec(line)![0]
  const below = own + ' '.repeat(HANGING)
  const lines: string[] = []
  let [text, taken] = [own, own.length]
  for (const [piece] of line.slice(own.length).matchAll(PIECE)) {
    const here = columns(piece.trimEnd())
    if (taken + here > width && text.trim() !== '') {
      lines.push(text.trimEnd())
      ;[text, taken] = [below, below.length]
    }
    text += piece
    taken += columns(piece)
  }
  return [...lines, text.trimEnd()]
}
