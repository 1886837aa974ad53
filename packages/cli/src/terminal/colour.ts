// Colour for people at a terminal. Text is made plain and painted last, so that what is piped never differs from what
// is seen but for the colour itself.
export type Paint = (text: string) => string

const sgr =
  (open: number, close: number): Paint =>
  (text) =>
    `\u001b[${open}m${text}\u001b[${close}m`

export const bold: Paint = sgr(1, 22)
export const dim: Paint = sgr(2, 22)
export const red: Paint = sgr(31, 39)
export const green: Paint = sgr(32, 39)
export const yellow: Paint = sgr(33, 39)
export const cyan: Paint = sgr(36, 39)

/** Whether a stream takes colour: a terminal does; NO_COLOR and FORCE_COLOR overrule (no-color.org, force-color.org). */
export function wantsColour(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  return isTerminal && env['TERM'] !== 'dumb'
}

/** How lines of reports and explanations look, by how they start. */
const lines: readonly (readonly [RegExp, Paint])[] = [
  [/^(cannot broadcast|.* does not fit|error |fails )/, (line) => bold(red(line))],
  [/^warning /, yellow],
  [/^note: /, yellow],
  [/^\s*(fix|or): /, (line) => line.replace(/^(\s*)(fix|or):/, (_, space, word) => `${space}${green(`${word}:`)}`)],
  [/^rule |^\s*\[|^\s*\([*!].*\)$/, dim],
]

/** An aligned picture: sizes in conflict and sizes that stretch stand out. */
const pictured: Paint = (line) =>
  line
    .replace(/\S+!(?=\s|$)/g, (size) => bold(red(size)))
    .replace(/[^\s(]+\*(?=\s|$)/g, (size) => cyan(size))
    .replace(/^(\s*)(axis)(.*)$/, (_, space, word, rest) => `${space}${dim(`${word}${rest}`)}`)

/** How a line is painted, and what it goes on with on the lines below it. */
export function paintOf(line: string): Paint {
  for (const [start, paint] of lines) if (start.test(line)) return paint
  if (/; it holds if /.test(line)) return yellow
  if (/^\S.* gives? \(.*\)$|^passes /.test(line)) return green
  return /^ {2,}/.test(line) ? pictured : String
}
