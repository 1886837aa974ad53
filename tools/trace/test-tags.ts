// Reads the tags of tests: ids in square brackets in the title of a describe, it or test that runs.
// What is skipped, still to be written or expected to fail shows nothing, and does not count.
import { substitution, type Token, tokens } from './lex.ts'

interface TestTag {
  readonly id: string
  /** The title without its tags; a value computed at run time shows as an ellipsis. */
  readonly title: string
}

interface TestTags {
  readonly tags: readonly TestTag[]
  /** Titles whose id is partly computed, so that nobody can find it by reading. */
  readonly computed: readonly string[]
}

const callers = new Set(['describe', 'it', 'suite', 'test'])
const notRun = new Set(['fails', 'skip', 'todo'])
/** These take arguments of their own before the title comes. */
const takesArguments = new Set(['each', 'for', 'runIf', 'skipIf'])
const id = /^[A-Za-z][\w-]*(?:\.[\w-]+)+$/
const computedId = /^[a-z][a-z0-9]*\.[\w.-]*(?:\$|%)/

const endOfParentheses = (list: readonly Token[], open: number): number => {
  let depth = 0
  for (let i = open; i < list.length; i++) {
    const token = list[i]
    if (token?.kind !== 'punctuation') continue
    if (token.text === '(') depth++
    else if (token.text === ')' && --depth === 0) return i + 1
  }
  return list.length
}

const isPunctuation = (token: Token | undefined, text: string): boolean =>
  token?.kind === 'punctuation' && token.text === text

/** Where the parenthesis of the title opens, for the call whose name stands at `at`; else undefined. */
const findTitle = (list: readonly Token[], at: number): { open: number; runs: boolean } | undefined => {
  let runs = true
  let argumentsAhead = false
  for (let i = at + 1; i < list.length; ) {
    const token = list[i]
    const next = list[i + 1]
    if (isPunctuation(token, '.') && next?.kind === 'word') {
      runs &&= !notRun.has(next.text)
      argumentsAhead ||= takesArguments.has(next.text)
      i += 2
    } else if (isPunctuation(token, '<')) {
      while (i < list.length && !isPunctuation(list[i], '>')) i++
      i++
    } else if (argumentsAhead && (token?.kind === 'string' || isPunctuation(token, '('))) {
      i = token?.kind === 'string' ? i + 1 : endOfParentheses(list, i)
      argumentsAhead = false
    } else {
      return isPunctuation(token, '(') && next?.kind === 'string' ? { open: i, runs } : undefined
    }
  }
  return undefined
}

/** The title that begins at `at`: strings joined by plus signs, anything else among them being computed. */
const readTitle = (list: readonly Token[], at: number): string => {
  let title = list[at]?.text ?? ''
  for (let i = at + 1; isPunctuation(list[i], '+'); i += 2) {
    const operand = list[i + 1]
    if (operand?.kind !== 'string') return title + substitution
    title += operand.text
  }
  return title
}

const tagsOf = (title: string): { ids: string[]; shown: string; computed: boolean } => {
  const ids: string[] = []
  let computed = false
  const shown = title.replace(/\[([^[\]]*)\]/g, (bracket, contents: string) => {
    const parts = contents.split(',').map((part) => part.trim())
    const literal = parts.filter((part) => !computedId.test(part))
    if (literal.length < parts.length) computed = true
    if (!literal.some((part) => id.test(part))) return bracket
    ids.push(...literal)
    return ''
  })
  return { ids, shown: shown.replaceAll(substitution, '…').replace(/\s+/g, ' ').trim(), computed }
}

export const testTags = (source: string): TestTags => {
  const list = [...tokens(source)].filter((token) => token.kind !== 'comment')
  const tags: TestTag[] = []
  const computed: string[] = []
  for (let i = 0; i < list.length; i++) {
    const token = list[i]
    if (token?.kind !== 'word' || !callers.has(token.text) || isPunctuation(list[i - 1], '.')) continue
    const found = findTitle(list, i)
    if (found === undefined) continue
    if (!found.runs) {
      i = endOfParentheses(list, found.open) - 1
      continue
    }
    const title = readTitle(list, found.open + 1)
    const { ids, shown, computed: isComputed } = tagsOf(title)
    if (isComputed) computed.push(title)
    for (const name of ids) tags.push({ id: name, title: shown })
  }
  return { tags, computed }
}
