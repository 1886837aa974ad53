// What an expression says of an attribute: `alpha=-0.5`, `approximate=tanh`.
import type { Attribute } from 'bcast'
import type { Token } from './tokens.ts'

const NUMBERS: Readonly<Record<string, number>> = { nan: Number.NaN, inf: Number.POSITIVE_INFINITY }
const TRUTHS: Readonly<Record<string, boolean>> = { true: true, false: false, True: true, False: false }

/** What an attribute may be, in words. */
export function wordsFor(attribute: Attribute): string {
  if (attribute.kind === 'choice') return attribute.values.join(' or ')
  return attribute.kind === 'flag' ? 'true or false' : 'a number'
}

const wordOf = (token: Token): string => (token.kind === 'word' || token.kind === 'quoted' ? token.text : '')

/** What a token behind a sign, if there is one, says of an attribute; undefined where it may not be that. */
export function attributeValue(
  attribute: Attribute,
  sign: string,
  token: Token,
): number | boolean | string | undefined {
  const word = wordOf(token)
  if (attribute.kind === 'number') {
    const size =
      token.kind === 'number' ? Number(token.value) : Object.hasOwn(NUMBERS, word) ? NUMBERS[word] : undefined
    return size === undefined ? undefined : sign === '-' ? -size : size
  }
  if (sign !== '') return undefined
  if (attribute.kind === 'choice') return attribute.values.includes(word) ? word : undefined
  return Object.hasOwn(TRUTHS, word) ? TRUTHS[word] : undefined
}
