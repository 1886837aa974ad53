// Cuts the text of an expression into tokens. Every character belongs to one or is blank; anything else is an error.
import { ExpressionError } from './expression-error.ts'
import type { Span } from './syntax.ts'

export type Token =
  | { readonly kind: 'number'; readonly value: number | bigint; readonly span: Span }
  | { readonly kind: 'word'; readonly text: string; readonly span: Span }
  /** A word in quotes, where a type is meant. */
  | { readonly kind: 'quoted'; readonly text: string; readonly span: Span }
  | { readonly kind: 'sign'; readonly text: string; readonly span: Span }
  /** `alpha=` before what an attribute is; `sign` is where the = stands. */
  | { readonly kind: 'attribute'; readonly text: string; readonly span: Span; readonly sign: Span }
  | { readonly kind: 'end'; readonly span: Span }

const BLANK = /\s+/uy
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy
const ATTRIBUTE = /([\p{L}_][\p{L}\p{N}_]*)\s*=(?!=)/uy
const NUMBER = /0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/uy
const QUOTED = /'([^'\n]*)'|"([^"\n]*)"/uy
const SIGN = /\*\*|\/\/|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>&|^~!(),]/uy

/** Signs that people write for others. */
const MEANT: Readonly<Record<string, string>> = {
  '=': '==',
  '×': '*',
  '·': '*',
  '÷': '/',
  '−': '-',
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
}

/** What people write elsewhere, and what there is of it here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '.': 'A function stands alone: sqrt(x), not np.sqrt(x) or x.sqrt().',
  '[': 'There are no indices and no lists here.',
  '@': 'There are no matrix products here.',
  '?': 'A choice is written where(c, a, b).',
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** The value of a literal; undefined where digits are missing. Integers beyond 2^53 stay exact. */
function numberOf(literal: string): number | bigint | undefined {
  if (/__|_$|_\.|\._|_[eE]|^0[xXbBoO]_?$/.test(literal)) return undefined
  const digits = literal.replaceAll('_', '')
  if (!/^(0[xXbBoO]|\d+$)/.test(digits)) return Number(digits)
  const exact = BigInt(digits)
  return exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact
}

export function tokensOf(expression: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  const fail = (length: number, problem: string): never => {
    throw new ExpressionError({ expression, span: { start: at, end: at + length }, problem })
  }
  while (at < expression.length) {
    const blank = match(BLANK, expression, at)
    if (blank !== null) {
      at += blank[0].length
      continue
    }
    const spanOf = (text: string): Span => ({ start: at, end: at + text.length })
    const number = match(NUMBER, expression, at)
    if (number !== null) {
      const [text] = number
      const value = numberOf(text)
      if (value === undefined) return fail(text.length, `${text} is no number: a _ stands between two digits.`)
      if (value === Number.POSITIVE_INFINITY) {
        return fail(text.length, `${text} is beyond the numbers of float64; infinity is written inf.`)
      }
      const word = match(WORD, expression, at + text.length)
      if (word !== null) {
        const both = text + word[0]
        return fail(both.length, `${both} is neither a number nor a name; a product is written ${text} * ${word[0]}.`)
      }
      tokens.push({ kind: 'number', value, span: spanOf(text) })
      at += text.length
      continue
    }
    const attribute = match(ATTRIBUTE, expression, at)
    if (attribute !== null) {
      const [whole, text = ''] = attribute
      const end = at + whole.length
      tokens.push({ kind: 'attribute', text, span: spanOf(text), sign: { start: end - 1, end } })
      at = end
      continue
    }
    const word = match(WORD, expression, at)
    const quoted = word === null ? match(QUOTED, expression, at) : null
    const sign = word === null && quoted === null ? match(SIGN, expression, at) : null
    const [text] = word ?? quoted ?? sign ?? ['']
    if (word !== null) tokens.push({ kind: 'word', text, span: spanOf(text) })
    else if (quoted !== null) tokens.push({ kind: 'quoted', text: quoted[1] ?? quoted[2]!, span: spanOf(text) })
    else if (sign !== null) tokens.push({ kind: 'sign', text, span: spanOf(text) })
    else {
      const character = String.fromCodePoint(expression.codePointAt(at)!)
      const hint = Object.hasOwn(ELSEWHERE, character) ? ` ${ELSEWHERE[character]}` : ''
      const meant = Object.hasOwn(MEANT, character)
        ? `; did you mean ${MEANT[character]}?`
        : ` in an expression.${hint}`
      fail(character.length, `${JSON.stringify(character)} means nothing${meant}`)
    }
    at += text.length
  }
  tokens.push({ kind: 'end', span: { start: expression.length, end: expression.length } })
  return tokens
}
