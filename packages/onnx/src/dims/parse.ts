// Dims from text: what print.ts writes, and what people write (N/2 where it is exact, N // 2, N % 4, 1.5*H under a
// floor). Inside the parser a value is a fraction, so that floor(3*H/2 + 1) means what it says.
import { symbol } from './atoms.ts'
import { isDivisible } from './compare.ts'
import { type Dim, MAX_DEGREE } from './dim.ts'
import { floorDiv } from './divide.ts'
import { DimError } from './errors.ts'
import { abs, max, min } from './extreme.ts'
import { functionNames, wordPattern } from './names.ts'
import { add, constant, constantOf, mul, neg } from './polynomial.ts'
import { ceilDiv, floorMod, truncDiv } from './round.ts'

interface Fraction {
  readonly numerator: Dim
  readonly divisor: Dim
}

type FunctionName = (typeof functionNames)[number]

const ONE = constant(1)
/** Parentheses in parentheses beyond this are refused, before the stack is at its end. */
const MAX_DEPTH = 200

const tokenPattern = new RegExp(
  `\\s*(?:(\\d+(?:\\.\\d+)?)|("(?:[^"\\\\]|\\\\.)*")|(${wordPattern})|(//|\\*\\*|[-+*/%^(),]))`,
  'uy',
)

interface Token {
  readonly kind: 'number' | 'name' | 'mark' | 'end'
  readonly text: string
  readonly at: number
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < end) {
    const from = tokenPattern.lastIndex
    const match = tokenPattern.exec(text)
    if (match === null) throw syntaxError(text, from, 'is no part of an expression')
    const [all, number, quoted, name, mark] = match
    const at = from + all.length - (number ?? quoted ?? name ?? mark)!.length
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at })
    else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark, at })
    else tokens.push({ kind: 'name', text: quoted ?? name!, at })
  }
  tokens.push({ kind: 'end', text: 'the end', at: end })
  return tokens
}

const syntaxError = (text: string, at: number, problem: string): DimError =>
  new DimError(
    'DIM_SYNTAX',
    `${JSON.stringify(text)}: what stands at ${at} (${text.slice(at, at + 12) || 'the end'}) ${problem}.`,
  )

class Parser {
  readonly #text: string
  readonly #symbolOf: (name: string) => Dim
  readonly #tokens: readonly Token[]
  #position = 0
  #depth = 0

  constructor(text: string, symbolOf: (name: string) => Dim) {
    this.#text = text
    this.#symbolOf = symbolOf
    this.#tokens = tokensOf(text)
  }

  whole(): Dim {
    const value = this.#integer(() => this.#sum())
    if (this.#next.kind !== 'end') throw this.#error('is not expected here')
    return value
  }

  get #next(): Token {
    return this.#tokens[this.#position]!
  }

  #error(problem: string, at: number = this.#next.at): DimError {
    return syntaxError(this.#text, at, problem)
  }

  #accept(...marks: readonly string[]): string | undefined {
    const { kind, text } = this.#next
    if (kind !== 'mark' || !marks.includes(text)) return undefined
    this.#position++
    return text
  }

  #expect(mark: string): void {
    if (this.#accept(mark) === undefined) throw this.#error(`should be ${mark}`)
  }

  /** What must be an integer: a fraction only if it is whole for certain. */
  #integer(read: () => Fraction): Dim {
    const { at } = this.#next
    const { numerator, divisor } = read()
    if (constantOf(divisor) === 1n) return numerator
    if (isDivisible(numerator, divisor) === true) return floorDiv(numerator, divisor)
    throw this.#error('is a quotient that may not be whole; write floor(…), ceil(…) or trunc(…) around it', at)
  }

  #sum(): Fraction {
    let value = this.#product()
    for (let sign = this.#accept('+', '-'); sign !== undefined; sign = this.#accept('+', '-')) {
      const { numerator, divisor } = this.#product()
      const other = sign === '+' ? numerator : neg(numerator)
      value = {
        numerator: add(mul(value.numerator, divisor), mul(other, value.divisor)),
        divisor: mul(value.divisor, divisor),
      }
    }
    return value
  }

  #product(): Fraction {
    let value = this.#signed()
    for (let mark = this.#accept('*', '/', '//', '%'); mark !== undefined; mark = this.#accept('*', '/', '//', '%')) {
      const { at } = this.#next
      const other = this.#signed()
      if (mark !== '*' && other.numerator.terms.length === 0) throw this.#error('divides by zero', at)
      value = combine(mark, value, other)
    }
    return value
  }

  #signed(): Fraction {
    let isNegative = false
    for (let sign = this.#accept('-', '+'); sign !== undefined; sign = this.#accept('-', '+')) {
      if (sign === '-') isNegative = !isNegative
    }
    const { numerator, divisor } = this.#powered()
    return { numerator: isNegative ? neg(numerator) : numerator, divisor }
  }

  #powered(): Fraction {
    const { numerator, divisor } = this.#primary()
    if (this.#accept('^', '**') === undefined) return { numerator, divisor }
    const { kind, text } = this.#next
    const exponent = kind === 'number' && !text.includes('.') ? Number(text) : Number.NaN
    if (!(exponent <= MAX_DEGREE)) throw this.#error(`should be a power from 0 to ${MAX_DEGREE}`)
    this.#position++
    let value: Fraction = { numerator: ONE, divisor: ONE }
    for (let i = 0; i < exponent; i++) value = combine('*', value, { numerator, divisor })
    return value
  }

  #primary(): Fraction {
    const { kind, text, at } = this.#next
    if (++this.#depth > MAX_DEPTH) throw this.#error(`is nested deeper than ${MAX_DEPTH}`)
    try {
      if (this.#accept('(') !== undefined) {
        const value = this.#sum()
        this.#expect(')')
        return value
      }
      if (kind !== 'number' && kind !== 'name') throw this.#error('should be a number, a name or (')
      this.#position++
      if (kind === 'number') return decimal(text)
      const numerator = isFunctionName(text) ? this.#call(text) : this.#symbolOf(this.#unquoted(text, at))
      return { numerator, divisor: ONE }
    } finally {
      this.#depth--
    }
  }

  #unquoted(text: string, at: number): string {
    if (!text.startsWith('"')) return text
    try {
      return JSON.parse(text) as string
    } catch {
      throw this.#error('is no text in quotes', at)
    }
  }

  #call(name: FunctionName): Dim {
    this.#expect('(')
    const { at } = this.#next
    if (name === 'floor' || name === 'ceil' || name === 'trunc') {
      const { numerator, divisor } = this.#sum()
      this.#expect(')')
      return { floor: floorDiv, ceil: ceilDiv, trunc: truncDiv }[name](numerator, divisor)
    }
    const args = [this.#integer(() => this.#sum())]
    while (this.#accept(',') !== undefined) args.push(this.#integer(() => this.#sum()))
    this.#expect(')')
    if (name === 'max') return max(...args)
    if (name === 'min') return min(...args)
    const [first, second] = args
    const count = name === 'mod' ? 2 : 1
    if (args.length !== count) throw this.#error(`begins the arguments of ${name}, which takes ${count}`, at)
    if (name === 'abs') return abs(first!)
    if (constantOf(second!) === 0n) throw this.#error('divides by zero', at)
    return floorMod(first!, second!)
  }
}

const isFunctionName = (text: string): text is FunctionName => functionNames.some((name) => name === text)

function decimal(text: string): Fraction {
  const [whole, fraction = ''] = text.split('.')
  return { numerator: constant(BigInt(whole + fraction)), divisor: constant(10n ** BigInt(fraction.length)) }
}

function combine(mark: string, a: Fraction, b: Fraction): Fraction {
  const over = { numerator: mul(a.numerator, b.divisor), divisor: mul(a.divisor, b.numerator) }
  if (mark === '*') return { numerator: mul(a.numerator, b.numerator), divisor: mul(a.divisor, b.divisor) }
  if (mark === '/') return over
  const quotient = floorDiv(over.numerator, over.divisor)
  if (mark === '//') return { numerator: quotient, divisor: ONE }
  // The remainder of fractions: a - b*floor(a/b).
  const divisor = mul(a.divisor, b.divisor)
  const numerator = add(mul(a.numerator, b.divisor), neg(mul(mul(quotient, b.numerator), a.divisor)))
  return { numerator, divisor }
}

/** The Dim that a text says. Names become symbols with the usual bounds, or what `symbolOf` makes of them. */
export const parse = (text: string, symbolOf: (name: string) => Dim = symbol): Dim => new Parser(text, symbolOf).whole()
