// JSON text as tokens, as it arrives. Numbers stay text: a number would lose the digits of 64-bit integers.
import { FileError } from '../../errors/file-error.ts'

/** A bracket, brace, colon or comma; or a word (a number, true, NaN), a string, or the end. */
export type Token = '[' | ']' | '{' | '}' | ':' | ',' | 'word' | 'string' | 'end'

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** No token of an array of numbers is nearly as long. */
const LONGEST = 2 ** 12

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
const marks: ReadonlyMap<number, Token> = new Map(
  (['[', ']', '{', '}', ':', ','] as const).map((mark) => [mark.charCodeAt(0), mark]),
)

const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** Editors on Windows begin a text with a byte order mark. */
export const withoutMark = (start: Buffer): Buffer =>
  start.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? start.subarray(BYTE_ORDER_MARK.length) : start

export class JsonTokens {
  /** As the user wrote it, for messages. */
  readonly label: string
  readonly #chunks: AsyncIterator<Uint8Array>
  /** Where text lies, block after block. */
  #room: Buffer = Buffer.alloc(0)
  #text: Buffer = Buffer.alloc(0)
  #at = 0
  /** Bytes of the file before `#text`. */
  #before = 0
  #ended = false
  /** Of the last token, if it is a word or a string. */
  value = ''

  constructor(label: string, chunks: AsyncIterable<Uint8Array>) {
    this.label = label
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  fail(problem: string, fix?: string): FileError {
    return new FileError(this.label, `${problem}, near byte ${this.#before + this.#at}.`, fix)
  }

  /** The next token, if all of it has arrived. */
  take(): Token | undefined {
    while (this.#at < this.#text.length && isSpace(this.#text[this.#at]!)) this.#at++
    if (this.#at === this.#text.length) return this.#ended ? 'end' : undefined
    const first = this.#text[this.#at]!
    const mark = marks.get(first)
    if (mark === undefined) return first === QUOTE ? this.#string() : this.#word()
    this.#at++
    return mark
  }

  #word(): Token | undefined {
    let end = this.#at
    while (end < this.#text.length && !isSpace(this.#text[end]!) && !marks.has(this.#text[end]!)) end++
    if (end === this.#text.length && !this.#ended) return undefined
    this.value = this.#text.toString('utf8', this.#at, end)
    this.#at = end
    return 'word'
  }

  #string(): Token | undefined {
    let end = this.#at + 1
    while (end < this.#text.length && this.#text[end] !== QUOTE) end += this.#text[end] === BACKSLASH ? 2 : 1
    if (end >= this.#text.length) {
      if (this.#ended) throw this.fail('the text ends within a string')
      return undefined
    }
    const literal = this.#text.toString('utf8', this.#at, end + 1)
    try {
      this.value = JSON.parse(literal) as string
    } catch {
      throw this.fail(`${literal} is no JSON string`)
    }
    this.#at = end + 1
    return 'string'
  }

  /** The next token when more has arrived; for the one that `take` could not give. */
  async awaited(): Promise<Token> {
    for (;;) {
      if (this.#text.length - this.#at > LONGEST) throw this.fail('a number or word of more than 4096 characters')
      const { value, done } = await this.#chunks.next()
      const left = this.#text.subarray(this.#at)
      this.#before += this.#at
      this.#at = 0
      this.#ended = done === true
      this.#text = this.#ended ? left : this.#joined(left, value)
      if (this.#before === 0) this.#at = this.#text.length - withoutMark(this.#text).length
      const token = this.take()
      if (token !== undefined) return token
    }
  }

  /** What is left of the text, and what has arrived behind it. */
  #joined(left: Buffer, arrived: Uint8Array): Buffer {
    if (this.#room.length < left.length + arrived.length) this.#room = Buffer.alloc(LONGEST + arrived.length)
    this.#room.set(left)
    this.#room.set(arrived, left.length)
    return this.#room.subarray(0, left.length + arrived.length)
  }

  async next(): Promise<Token> {
    return this.take() ?? (await this.awaited())
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}
