// A lexer for just enough of TypeScript to tell comments, strings and code apart, so that a tag inside a
// string is no tag and a title inside a comment is no title. (TypeScript 7 offers no compiler API.)

export interface Token {
  readonly kind: 'comment' | 'string' | 'regex' | 'word' | 'punctuation'
  /** Comments: as written. Strings: the contents, each `${…}` of a template reduced to exactly `${…}`. */
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Stands for every substitution in the text of a template. */
export const substitution = `\${…}`

const wordStart = /[\p{L}\p{N}_$#]/u
const word = /[\p{L}\p{N}_$#]+/uy
/** After these a slash opens a regular expression although they are words. */
const beforeOperand = new Set('return typeof case in of delete void throw new else do await yield'.split(' '))

const slashOpensRegex = (previous: Token | undefined): boolean => {
  if (previous === undefined) return true
  if (previous.kind === 'word') return beforeOperand.has(previous.text)
  return previous.kind === 'punctuation' && !')]}'.includes(previous.text)
}

const lineEnd = (source: string, from: number): number => {
  const at = source.indexOf('\n', from)
  return at < 0 ? source.length : at
}

const endOfRegex = (source: string, start: number): number => {
  let inClass = false
  for (let i = start + 1; i < source.length && source[i] !== '\n'; i++) {
    const c = source[i]
    if (c === '\\') i++
    else if (c === '[') inClass = true
    else if (c === ']') inClass = false
    else if (c === '/' && !inClass) return i + 1
  }
  return start + 1
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

const readQuoted = (source: string, start: number): Token => {
  const quote = source[start]
  let text = ''
  let i = start + 1
  for (; i < source.length && source[i] !== quote && source[i] !== '\n'; i++) {
    if (source[i] === '\\') {
      i++
      text += escapes[source[i] ?? ''] ?? source[i] ?? ''
    } else text += source[i]
  }
  return { kind: 'string', text, start, end: i + 1 }
}

/** Index just behind the brace that closes the substitution whose contents begin at `start`. */
const endOfSubstitution = (source: string, start: number): number => {
  let depth = 1
  for (const token of tokens(source, start)) {
    if (token.kind !== 'punctuation') continue
    if (token.text === '{') depth++
    else if (token.text === '}' && --depth === 0) return token.end
  }
  return source.length
}

const readTemplate = (source: string, start: number): Token => {
  let text = ''
  let i = start + 1
  while (i < source.length && source[i] !== '`') {
    if (source.startsWith('${', i)) {
      text += substitution
      i = endOfSubstitution(source, i + 2)
    } else if (source[i] === '\\') {
      text += escapes[source[i + 1] ?? ''] ?? source[i + 1] ?? ''
      i += 2
    } else text += source[i++]
  }
  return { kind: 'string', text, start, end: i + 1 }
}

const readToken = (source: string, start: number, previous: Token | undefined): Token => {
  const slice = (kind: Token['kind'], end: number): Token => ({ kind, text: source.slice(start, end), start, end })
  const c = source[start] ?? ''
  if (source.startsWith('//', start)) return slice('comment', lineEnd(source, start))
  if (source.startsWith('/*', start)) {
    const close = source.indexOf('*/', start + 2)
    return slice('comment', close < 0 ? source.length : close + 2)
  }
  if (c === "'" || c === '"') return readQuoted(source, start)
  if (c === '`') return readTemplate(source, start)
  if (c === '/' && slashOpensRegex(previous)) return slice('regex', endOfRegex(source, start))
  if (wordStart.test(c)) {
    word.lastIndex = start
    return slice('word', start + (word.exec(source)?.[0].length ?? 1))
  }
  return slice('punctuation', start + 1)
}

/** The tokens of a source from `start` on, lazily: a template reads only as far as its substitution goes. */
export function* tokens(source: string, start = 0): Generator<Token> {
  let previous: Token | undefined
  for (let i = start; i < source.length; ) {
    if (/\s/.test(source[i] ?? '')) {
      i++
      continue
    }
    const token = readToken(source, i, previous)
    yield token
    if (token.kind !== 'comment') previous = token
    i = token.end
  }
}
