// Links into the playground. A comment before a block says what it opens with, in the words of the address:
// <!-- playground text="2,3,4 3,1" rule=pdpd axis=1 picture=pictures/pdpd.svg --> and `bcast explain` says it itself.
import type { State } from '../src/state/state.ts'
import { fromUrl, toUrl } from '../src/state/url.ts'

export interface Annotation {
  readonly state: State
  /** A picture of it that the text shows, from the folder of the text. */
  readonly picture: string | undefined
}

/** Words as a shell has them: `a "b c"` is two. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, ''))

function stateOf(entries: readonly (readonly [key: string, value: string])[], origin: string): State {
  const said = new URLSearchParams(Object.fromEntries(entries))
  const { state, problems } = fromUrl(said.toString())
  if (problems.length > 0) throw new Error(`${origin}: ${problems.join(' ')}`)
  return state
}

/** What a comment says; undefined for one that is about something else. */
export function annotationIn(comment: string): Annotation | undefined {
  const said = /^<!-- playground (.*) -->$/.exec(comment.trim())?.[1]
  if (said === undefined) return undefined
  const entries = wordsOf(said).map((word): readonly [string, string] => {
    const at = word.indexOf('=')
    if (at < 1) throw new Error(`${comment.trim()}: ${word} is no KEY=VALUE`)
    return [word.slice(0, at), word.slice(at + 1)]
  })
  const picture = entries.find(([key]) => key === 'picture')?.[1]
  return {
    state: stateOf(
      entries.filter(([key]) => key !== 'picture'),
      comment.trim(),
    ),
    picture,
  }
}

/** Flags of `bcast explain` by what addresses call them. */
const FLAGS: Readonly<Record<string, string>> = {
  '--rule': 'rule',
  '--axis': 'axis',
  '--axes': 'axes',
  '--new-axes': 'newAxes',
  '--inner-ones': 'innerOnes',
  '--broadcast': 'broadcast',
}

/** Flags without a value. */
const SWITCHES: Readonly<Record<string, string>> = { '--strict': 'strict', '--untrimmed': 'untrimmed' }

/** What a command explains; undefined where it reads a file, or is no such command. */
export function explainedBy(line: string): State | undefined {
  const [, typed] = /^(?:npx )?bcast explain ([^#<|]*)(?:#.*)?$/.exec(line) ?? []
  if (typed === undefined) return undefined
  const shapes: string[] = []
  const entries: (readonly [string, string])[] = []
  const words = wordsOf(typed)
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    const key = FLAGS[word]
    if (key !== undefined) entries.push([key, words[++i]!])
    else if (word in SWITCHES) entries.push([SWITCHES[word]!, '1'])
    else if (word === '--onto') entries.push(['onto', String(words[++i]!.charCodeAt(0) - 'A'.charCodeAt(0))])
    else if (word === '--from') i++
    else if (word === '-') return undefined
    else if (!word.startsWith('--')) shapes.push(word)
  }
  return stateOf([['text', shapes.join('  ')], ...entries], line)
}

/** The address of a state, from a page of the documentation. */
export const playgroundAddress = (state: State): string => `../${toUrl(state)}`
