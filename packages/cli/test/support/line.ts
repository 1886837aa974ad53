// A line as people type it, run in this process where it is nothing but one call of the program: a shell and a process
// for each take most of the time of such a line.
import { called } from './called.ts'
import { type Outcome, typed, type workplace } from './program.ts'

/** Words without anything that a shell would replace. */
const WORD = /((?:'[^']*'|"[^"$`\\!]*"|[\w.,:=/+@%^-])+)(?: +|$)/y

/** The arguments of a line that calls the program once; undefined where it says more. */
export function argumentsOf(line: string): readonly string[] | undefined {
  const words: string[] = []
  for (let at = 0; at < line.length; at = WORD.lastIndex) {
    WORD.lastIndex = at
    const [, word] = WORD.exec(line) ?? []
    if (word === undefined) return undefined
    words.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'))
  }
  return words[0] === 'bcast' ? words.slice(1) : undefined
}

export function ran(line: string, place: ReturnType<typeof workplace>): Promise<Outcome> {
  const args = argumentsOf(line)
  // This process takes more memory than the program's own would.
  return args === undefined || args.includes('--memory') ? typed(line, place) : called(args, { cwd: place.folder })
}
