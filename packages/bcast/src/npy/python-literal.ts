// The header of an .npy file is a Python literal. This reads the few forms that headers have, and evaluates nothing.

/** What a literal says; dictionaries have strings for keys. */
export type Literal =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'tuple' | 'list'; readonly items: readonly Literal[] }
  | { readonly kind: 'dictionary'; readonly entries: ReadonlyMap<string, Literal> }

/** Says what is wrong, and at which character. */
export class LiteralError extends Error {}

/** Types within types go deeper in no header that anything writes. */
const DEPTH = 32

const names: Readonly<Record<string, Literal>> = {
  True: { kind: 'boolean', value: true },
  False: { kind: 'boolean', value: false },
  None: { kind: 'none' },
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\', "'": "'", '"': '"', n: '\n', t: '\t', r: '\r' }

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  #fail(expected: string): LiteralError {
    const found = this.#at < this.#text.length ? JSON.stringify(this.#text[this.#at]) : 'the end'
    return new LiteralError(`${found} at character ${this.#at}, where ${expected} was expected`)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const text = pattern.exec(this.#text)?.[0]
    if (text !== undefined) this.#at += text.length
    return text
  }

  #space(): void {
    this.#match(/[ \t\r\n]*/y)
  }

  #accepts(character: string): boolean {
    this.#space()
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #string(): string | undefined {
    const quote = this.#match(/['"]/y)
    if (quote === undefined) return undefined
    let value = ''
    for (;;) {
      value += this.#match(quote === "'" ? /[^'\\\n]*/y : /[^"\\\n]*/y)
      if (this.#match(/['"]/y) !== undefined) return value
      if (this.#match(/\\/y) === undefined) throw this.#fail('the end of a string')
      const meant = escapes[this.#text[this.#at] ?? '']
      if (meant === undefined) throw this.#fail('an escape such as \\\\')
      this.#at++
      value += meant
    }
  }

  /** Entries with commas between, and perhaps behind, up to `close`. Whether a comma stood behind the last. */
  #entries(close: string, entry: () => void): boolean {
    for (let comma = true; ; ) {
      if (this.#accepts(close)) return comma
      if (!comma) throw this.#fail(`a comma or ${close}`)
      entry()
      comma = this.#accepts(',')
    }
  }

  #sequence(kind: 'tuple' | 'list', close: string, depth: number): Literal {
    const items: Literal[] = []
    const comma = this.#entries(close, () => items.push(this.#value(depth + 1)))
    // Parentheses around one value without a comma only group.
    return kind === 'tuple' && items.length === 1 && !comma ? items[0]! : { kind, items }
  }

  #dictionary(depth: number): Literal {
    const entries = new Map<string, Literal>()
    this.#entries('}', () => {
      this.#space()
      const key = this.#string()
      if (key === undefined) throw this.#fail('a key in quotes')
      if (entries.has(key)) throw new LiteralError(`the key '${key}' comes twice`)
      if (!this.#accepts(':')) throw this.#fail('a colon')
      entries.set(key, this.#value(depth + 1))
    })
    return { kind: 'dictionary', entries }
  }

  #value(depth: number): Literal {
    if (depth > DEPTH) throw new LiteralError(`it nests more than ${DEPTH} deep`)
    if (this.#accepts('{')) return this.#dictionary(depth)
    if (this.#accepts('(')) return this.#sequence('tuple', ')', depth)
    if (this.#accepts('[')) return this.#sequence('list', ']', depth)
    const text = this.#string()
    if (text !== undefined) return { kind: 'string', value: text }
    const name = this.#match(/(True|False|None)\b/y)
    if (name !== undefined) return names[name]!
    // Python 2 wrote an L behind long integers.
    const integer = this.#match(/-?\d{1,40}L?/y)
    if (integer === undefined) throw this.#fail('a value')
    return { kind: 'integer', value: BigInt(integer.replace('L', '')) }
  }

  whole(): Literal {
    const value = this.#value(0)
    this.#space()
    if (this.#at < this.#text.length) throw this.#fail('nothing more')
    return value
  }
}

/** Reads a literal; throws a LiteralError. */
export const parseLiteral = (text: string): Literal => new Reader(text).whole()
