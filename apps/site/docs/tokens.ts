// What is done to the parts of a text before it is written: comments become links into the playground, which stand
// behind the block and what it prints.
import type { Token } from 'markdown-it'
import type { State } from '../src/state/state.ts'
import { escaped } from './escape.ts'
import { type Annotation, annotationIn, explainedBy, playgroundAddress } from './playground.ts'

/** As the text of a link. */
export const playgroundLink = (state: State): string =>
  `<p class="open"><a href="${escaped(playgroundAddress(state))}">Open in the playground</a></p>\n`

/** Where the block at a place ends, with the output that follows it. */
function endOfBlock(tokens: readonly Token[], at: number): number {
  const first = tokens[at]!
  if (first.type === 'fence')
    return tokens[at + 1]?.type === 'fence' && tokens[at + 1]!.info === 'text' ? at + 2 : at + 1
  let [end, depth] = [at, 0]
  do depth += tokens[end++]!.nesting
  while (depth > 0 && end < tokens.length)
  return end
}

export interface Prepared {
  readonly tokens: readonly Token[]
  /** What comments said of the pictures behind them. */
  readonly pictures: ReadonlyMap<string, Annotation>
}

export function prepared(tokens: readonly Token[], htmlToken: (html: string) => Token): Prepared {
  const [kept, pictures]: [Token[], Map<string, Annotation>] = [[], new Map()]
  /** Links that stand before the token of that number. */
  const before = new Map<number, State[]>()
  const put = (at: number, state: State): void => {
    before.set(at, [...(before.get(at) ?? []), state])
  }
  for (const [i, token] of tokens.entries()) {
    for (const state of before.get(i) ?? []) kept.push(htmlToken(playgroundLink(state)))
    if (token.type === 'html_block') {
      if (!token.content.trim().startsWith('<!--')) throw new Error(`HTML in a text: ${token.content}`)
      const annotation = annotationIn(token.content)
      if (annotation === undefined) continue
      if (annotation.picture !== undefined) pictures.set(annotation.picture, annotation)
      put(endOfBlock(tokens, i + 1), annotation.state)
      continue
    }
    if (token.type === 'fence' && token.info === 'sh') {
      const states = token.content.split('\n').map(explainedBy)
      for (const state of states) if (state !== undefined) put(endOfBlock(tokens, i), state)
    }
    kept.push(token)
  }
  for (const state of before.get(tokens.length) ?? []) kept.push(htmlToken(playgroundLink(state)))
  return { tokens: kept, pictures }
}

/** The text of a part without its marks. */
export const plainText = (token: Token): string =>
  (token.children ?? [])
    .map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : type === 'softbreak' ? ' ' : ''))
    .join('')
