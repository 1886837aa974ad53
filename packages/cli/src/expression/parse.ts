// From text to expression. Signs bind as in Python, loosest first: or, xor, and, not, comparisons (which do not chain),
// | ^ & << >>, + -, * / // %, the signs + - ~ before an operand, ** (from the right).
import { type DType, dtypeInfo, dtypes } from 'bcast'
import { nearest } from '../errors/nearest.ts'
import { attributeValue, wordsFor } from './attributes.ts'
import { ExpressionError } from './expression-error.ts'
import { type Attributes, operators } from './operators.ts'
import type { Expression, Span } from './syntax.ts'
import { type Token, tokensOf } from './tokens.ts'

const MAX_NODES = 50_000

interface Infix {
  readonly operator: string
  readonly binds: number
  readonly fromRight?: true
  readonly compares?: true
}

const COMPARISON = 5
const UNARY = 12

const infixes: Readonly<Record<string, Infix>> = {
  or: { operator: 'or', binds: 1 },
  '||': { operator: 'or', binds: 1 },
  xor: { operator: 'xor', binds: 2 },
  and: { operator: 'and', binds: 3 },
  '&&': { operator: 'and', binds: 3 },
  '==': { operator: 'equal', binds: COMPARISON, compares: true },
  '!=': { operator: 'notEqual', binds: COMPARISON, compares: true },
  '<': { operator: 'less', binds: COMPARISON, compares: true },
  '<=': { operator: 'lessOrEqual', binds: COMPARISON, compares: true },
  '>': { operator: 'greater', binds: COMPARISON, compares: true },
  '>=': { operator: 'greaterOrEqual', binds: COMPARISON, compares: true },
  '|': { operator: 'bitwiseOr', binds: 6 },
  '^': { operator: 'bitwiseXor', binds: 7 },
  '&': { operator: 'bitwiseAnd', binds: 8 },
  '<<': { operator: 'leftShift', binds: 9 },
  '>>': { operator: 'rightShift', binds: 9 },
  '+': { operator: 'add', binds: 10 },
  '-': { operator: 'sub', binds: 10 },
  '*': { operator: 'mul', binds: 11 },
  '/': { operator: 'div', binds: 11 },
  '//': { operator: 'floorDiv', binds: 11 },
  '%': { operator: 'floorMod', binds: 11 },
  '**': { operator: 'pow', binds: 13, fromRight: true },
}

/** Signs before an operand: how tightly what follows is bound. `+` does nothing. */
const prefixes: Readonly<Record<string, { readonly operator: string | undefined; readonly binds: number }>> = {
  not: { operator: 'not', binds: 4 },
  '!': { operator: 'not', binds: UNARY },
  '-': { operator: 'neg', binds: UNARY },
  '~': { operator: 'bitwiseNot', binds: UNARY },
  '+': { operator: undefined, binds: UNARY },
}

const constants: Readonly<Record<string, number | boolean>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  true: true,
  false: false,
  True: true,
  False: false,
}

/** Types that numbers and files have: all but string and real. */
const types: readonly DType[] = dtypes.filter((dtype) => dtypeInfo(dtype).array !== undefined)
const isType = (text: string): text is DType => (types as readonly string[]).includes(text)

/** Words that cannot name an array. */
export const reservedWords: ReadonlySet<string> = new Set([...Object.keys(constants), 'and', 'or', 'xor', 'not'])

const textOf = (token: Token): string => (token.kind === 'sign' || token.kind === 'word' ? token.text : '')
const infixOf = (token: Token): Infix | undefined =>
  Object.hasOwn(infixes, textOf(token)) ? infixes[textOf(token)] : undefined

const around = (first: Span, last: Span): Span => ({ start: first.start, end: last.end })

/** What is being read, each inside the one before; what is inside it is handed to it when it is whole. */
type Open =
  /** Operands and the signs between them that bind at least as tightly as `least`. */
  | { readonly kind: 'operation'; readonly least: number; left?: Expression; infix?: Infix; at?: Span }
  | { readonly kind: 'parentheses'; readonly open: Span }
  | { readonly kind: 'prefix'; readonly operator: string | undefined; readonly at: Span }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly at: Span
      readonly open: Span
      readonly args: Expression[]
      readonly attributes: Record<string, number | boolean | string>
    }
  | { readonly kind: 'type'; readonly dtype: DType; readonly at: Span; readonly open: Span }
  | { readonly kind: 'cast'; readonly at: Span; readonly open: Span }

type AttributeToken = Extract<Token, { kind: 'attribute' }>
type Call = Extract<Open, { kind: 'call' }>

/** With a list of its own for what is open, because a text may nest deeper than the call stack. */
class Parser {
  readonly #expression: string
  readonly #tokens: readonly Token[]
  readonly #open: Open[] = []
  #next = 0
  #nodes = 0

  constructor(expression: string) {
    this.#expression = expression
    this.#tokens = tokensOf(expression)
  }

  whole(): Expression {
    if (this.#peek().kind === 'end') this.#fail(this.#peek().span, 'the expression is empty.')
    this.#begin(0)
    let made = this.#operand()
    for (;;) {
      made = made === undefined ? this.#operand() : this.#hand(made)
      if (made !== undefined && this.#open.length === 0) break
    }
    const token = this.#peek()
    if (token.kind === 'end') return made
    if (textOf(token) === ')') this.#fail(token.span, 'this ) closes nothing.')
    if (textOf(token) === ',') this.#fail(token.span, 'a comma stands between the operands of a function only.')
    return this.#fail(token.span, 'an operator is missing before this.')
  }

  #peek(): Token {
    return this.#tokens[this.#next]!
  }

  #take(): Token {
    return this.#tokens[this.#next++]!
  }

  #fail(span: Span, problem: string): never {
    throw new ExpressionError({ expression: this.#expression, span, problem })
  }

  #noSign({ sign }: AttributeToken): never {
    return this.#fail(sign, '"=" means nothing; did you mean ==?')
  }

  /** A node, counted: hostile texts must not take memory without end. */
  #made(expression: Expression): Expression {
    if (++this.#nodes > MAX_NODES) this.#fail(expression.span, `an expression has at most ${MAX_NODES} parts.`)
    return expression
  }

  #apply(operator: string, args: readonly Expression[], span: Span, at: Span, attributes: Attributes = {}): Expression {
    const said = Object.keys(attributes).length === 0 ? {} : { attributes }
    return this.#made({ kind: 'apply', operator, args, ...said, span, at })
  }

  /** From here on operands and signs are read. */
  #begin(least: number): undefined {
    this.#open.push({ kind: 'operation', least })
  }

  /** The operand that comes next; undefined where it only begins here. */
  #operand(): Expression | undefined {
    const token = this.#take()
    switch (token.kind) {
      case 'number':
        return this.#made({ kind: 'number', value: token.value, span: token.span })
      case 'end':
        return this.#fail(token.span, 'the expression ends where an operand is expected.')
      case 'attribute':
        return this.#noSign(token)
      case 'quoted':
        return this.#fail(token.span, 'a text is no operand; names of arrays and types stand without quotes.')
      case 'word':
        return this.#word(token.text, token.span)
      case 'sign':
        return this.#signed(token.text, token.span)
    }
  }

  #signed(sign: string, span: Span): undefined {
    if (sign === '(') {
      if (textOf(this.#peek()) === ')')
        this.#fail(around(span, this.#peek().span), 'there is nothing in these parentheses.')
      this.#open.push({ kind: 'parentheses', open: span })
      return this.#begin(0)
    }
    if (Object.hasOwn(prefixes, sign)) return this.#prefixed(sign, span)
    return this.#fail(span, `an operand is expected before ${sign}.`)
  }

  #prefixed(sign: string, at: Span): undefined {
    const { operator, binds } = prefixes[sign]!
    this.#open.push({ kind: 'prefix', operator, at })
    return this.#begin(binds)
  }

  #word(text: string, span: Span): Expression | undefined {
    const called = textOf(this.#peek()) === '('
    if (Object.hasOwn(constants, text)) {
      const value = constants[text]!
      if (called) this.#fail(span, `${text} is a constant and takes no operands.`)
      return this.#made(typeof value === 'boolean' ? { kind: 'boolean', value, span } : { kind: 'number', value, span })
    }
    if (text === 'not') return this.#prefixed(text, span)
    if (called) return this.#called(text, span)
    if (reservedWords.has(text)) this.#fail(span, `an operand is expected before ${text}.`)
    return this.#made({ kind: 'name', name: text, span })
  }

  #called(name: string, at: Span): Expression | undefined {
    const open = this.#take().span
    if (name === 'cast') this.#open.push({ kind: 'cast', at, open })
    else if (isType(name)) this.#open.push({ kind: 'type', dtype: name, at, open })
    else {
      if (!operators.has(name)) {
        const known = [...operators.keys(), ...types, 'cast']
        const meant = nearest(name, known)
        const choice = meant === undefined ? `There are ${known.join(', ')}.` : `Did you mean ${meant}?`
        this.#fail(at, `there is no function ${name}. ${choice}`)
      }
      if (textOf(this.#peek()) === ')') this.#fail(around(open, this.#peek().span), `${name} needs operands.`)
      const call: Call = { kind: 'call', name, at, open, args: [], attributes: {} }
      this.#open.push(call)
      return this.#arguments(call)
    }
    return this.#begin(0)
  }

  /** Goes on to the next operand of a call, past attributes; gives the call where that was all. */
  #arguments(call: Call): Expression | undefined {
    for (let token = this.#peek(); token.kind === 'attribute'; token = this.#peek()) {
      call.attributes[token.text] = this.#attribute(call, token)
      if (textOf(this.#peek()) !== ',') return this.#wholeCall(call)
      this.#take()
    }
    return this.#begin(0)
  }

  /** What an attribute is said to be. */
  #attribute({ name, args, attributes }: Call, named: AttributeToken): number | boolean | string {
    this.#take()
    const { text, span } = named
    const known = operators.get(name)!.attributes
    const names = Object.keys(known)
    if (names.length === 0 && args.length === 0) this.#noSign(named)
    if (names.length === 0) this.#fail(span, `${name} has no attributes; a comparison is written ${text} == …`)
    const attribute = Object.hasOwn(known, text) ? known[text] : undefined
    if (attribute === undefined) this.#fail(span, `${name} has no attribute ${text}; it has ${names.join(', ')}.`)
    if (Object.hasOwn(attributes, text)) this.#fail(span, `${text} is said twice.`)
    const sign = ['-', '+'].includes(textOf(this.#peek())) ? textOf(this.#take()) : ''
    const token = this.#take()
    const value = attributeValue(attribute, sign, token)
    return value ?? this.#fail(token.span, `${text} of ${name} is ${wordsFor(attribute)}.`)
  }

  /** Hands what was read to what it is inside of; gives what that makes, or undefined where an operand comes next. */
  #hand(made: Expression): Expression | undefined {
    const around = this.#open.at(-1)!
    switch (around.kind) {
      case 'operation':
        return this.#joined(around, made)
      case 'parentheses':
        return this.#parenthesised(around.open, made)
      case 'prefix':
        return this.#negated(around.operator, around.at, made)
      case 'call':
        return this.#argument(around, made)
      case 'type':
        return this.#typed(around.dtype, around.at, around.open, made)
      case 'cast':
        return this.#cast(around.at, around.open, made)
    }
  }

  #joined(operation: Extract<Open, { kind: 'operation' }>, made: Expression): Expression | undefined {
    const { left, infix, at } = operation
    const whole =
      left === undefined ? made : this.#apply(infix!.operator, [left, made], around(left.span, made.span), at!)
    const sign = this.#peek()
    const next = infixOf(sign)
    if (infix?.compares === true && next?.compares === true) {
      this.#fail(sign.span, 'comparisons do not chain; write a < b and b < c.')
    }
    if (next === undefined || next.binds < operation.least) {
      this.#open.pop()
      return whole
    }
    this.#take()
    operation.left = whole
    operation.infix = next
    operation.at = sign.span
    return this.#begin(next.fromRight === true ? UNARY : next.binds + 1)
  }

  #parenthesised(open: Span, inner: Expression): Expression {
    this.#open.pop()
    // The parentheses belong to what is shown of it.
    return { ...inner, span: around(open, this.#close(open, [])) }
  }

  #negated(operator: string | undefined, at: Span, arg: Expression): Expression {
    this.#open.pop()
    const span = around(at, arg.span)
    if (operator === undefined) return arg
    // A negative number is one number, so that int8(-128) is one.
    if (operator === 'neg' && arg.kind === 'number') return this.#made({ kind: 'number', value: -arg.value, span })
    return this.#apply(operator, [arg], span, at)
  }

  #argument(call: Call, arg: Expression): Expression | undefined {
    call.args.push(arg)
    if (textOf(this.#peek()) === ',') {
      this.#take()
      return this.#arguments(call)
    }
    return this.#wholeCall(call)
  }

  #wholeCall({ name, at, open, args, attributes }: Call): Expression {
    this.#open.pop()
    const span = around(at, this.#close(open, [',']))
    const { least, most, name: operator } = operators.get(name)!
    if (args.length < least || args.length > most) {
      const count = most === least || args.length < least ? `${least}` : `${least} to ${most}`
      const many = most === Number.POSITIVE_INFINITY
      const why = many ? `: ${name} goes through its operands element by element, and reduces none along its axes` : ''
      const needed = many ? `at least ${least}` : count
      this.#fail(span, `${name} takes ${needed} operand${count === '1' ? '' : 's'}, not ${args.length}${why}.`)
    }
    return this.#apply(operator, args, span, at, attributes)
  }

  #typed(dtype: DType, at: Span, open: Span, arg: Expression): Expression {
    this.#open.pop()
    if (textOf(this.#peek()) === ',') this.#fail(this.#peek().span, `${dtype}(…) takes 1 operand.`)
    return this.#made({ kind: 'cast', dtype, arg, span: around(at, this.#close(open, [])) })
  }

  #cast(at: Span, open: Span, arg: Expression): Expression {
    this.#open.pop()
    if (textOf(this.#peek()) !== ',')
      this.#fail(this.#peek().span, 'cast takes an operand and a type: cast(x, float32).')
    this.#take()
    const token = this.#take()
    const name = token.kind === 'word' || token.kind === 'quoted' ? token.text : ''
    if (!isType(name)) {
      const meant = nearest(name, types)
      const choice = meant === undefined ? `one of ${types.join(', ')}.` : `did you mean ${meant}?`
      this.#fail(token.span, `a type is expected here: ${choice}`)
    }
    return this.#made({ kind: 'cast', dtype: name, arg, span: around(at, this.#close(open, [])) })
  }

  /** The parenthesis that closes the one at `open`. */
  #close(open: Span, or: readonly string[]): Span {
    const token = this.#peek()
    if (textOf(token) === ')') return this.#take().span
    if (token.kind === 'end') return this.#fail(open, 'this ( is never closed.')
    return this.#fail(token.span, `${[...or, ')'].join(' or ')} is expected here.`)
  }
}

/** Throws an ExpressionError at the place where the text stops making sense. */
export const parseExpression = (expression: string): Expression => new Parser(expression).whole()
