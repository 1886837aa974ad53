// From text to expression. Signs bind as in Python, loosest first: or, xor, and, not, comparisons (which do not chain),
// | ^ & << >>, + -, * / // %, the signs + - ~ before an operand, ** (from the right).
import { type DType, dtypes } from 'bcast'
import { nearest } from '../nearest.ts'
import { ExpressionError } from './expression-error.ts'
import { operators } from './operators.ts'
import type { Expression, Span } from './syntax.ts'
import { type Token, tokensOf } from './tokens.ts'

/** Nodes below each other; every later step walks expressions by recursion. */
const MAX_DEPTH = 500
const MAX_NODES = 10_000

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
const types: readonly DType[] = dtypes.filter((dtype) => dtype !== 'string' && dtype !== 'real')
const isType = (text: string): text is DType => (types as readonly string[]).includes(text)

/** Words that cannot name an array. */
export const reservedWords: ReadonlySet<string> = new Set([...Object.keys(constants), 'and', 'or', 'xor', 'not'])

const textOf = (token: Token): string => (token.kind === 'sign' || token.kind === 'word' ? token.text : '')
const infixOf = (token: Token): Infix | undefined =>
  Object.hasOwn(infixes, textOf(token)) ? infixes[textOf(token)] : undefined

const around = (first: Span, last: Span): Span => ({ start: first.start, end: last.end })

class Parser {
  readonly #expression: string
  readonly #tokens: readonly Token[]
  readonly #depths = new WeakMap<Expression, number>()
  #next = 0
  #nodes = 0
  #nesting = 0

  constructor(expression: string) {
    this.#expression = expression
    this.#tokens = tokensOf(expression)
  }

  whole(): Expression {
    if (this.#peek().kind === 'end') this.#fail(this.#peek().span, 'the expression is empty.')
    const made = this.#operation(0)
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

  /** A node, counted and measured: hostile texts must not exhaust the stack of whoever walks it. */
  #made(expression: Expression, parts: readonly Expression[]): Expression {
    const depth = 1 + parts.reduce((most, part) => Math.max(most, this.#depths.get(part)!), 0)
    if (depth > MAX_DEPTH) this.#fail(expression.span, `operators nest more than ${MAX_DEPTH} deep here.`)
    if (++this.#nodes > MAX_NODES) this.#fail(expression.span, `an expression has at most ${MAX_NODES} parts.`)
    this.#depths.set(expression, depth)
    return expression
  }

  #apply(operator: string, args: readonly Expression[], span: Span, at: Span): Expression {
    return this.#made({ kind: 'apply', operator, args, span, at }, args)
  }

  /** Reads operands and the signs between them that bind at least as tightly as `least`. */
  #operation(least: number): Expression {
    if (++this.#nesting > MAX_DEPTH) this.#fail(this.#peek().span, `operators nest more than ${MAX_DEPTH} deep here.`)
    let left = this.#operand()
    for (;;) {
      const sign = this.#peek()
      const infix = infixOf(sign)
      if (infix === undefined || infix.binds < least) break
      this.#take()
      const right = this.#operation(infix.fromRight === true ? UNARY : infix.binds + 1)
      left = this.#apply(infix.operator, [left, right], around(left.span, right.span), sign.span)
      const next = infixOf(this.#peek())
      if (infix.compares === true && next?.compares === true) {
        this.#fail(this.#peek().span, 'comparisons do not chain; write a < b and b < c.')
      }
    }
    this.#nesting--
    return left
  }

  #operand(): Expression {
    const token = this.#take()
    switch (token.kind) {
      case 'number':
        return this.#made({ kind: 'number', value: token.value, span: token.span }, [])
      case 'end':
        return this.#fail(token.span, 'the expression ends where an operand is expected.')
      case 'quoted':
        return this.#fail(token.span, 'a text is no operand; names of arrays and types stand without quotes.')
      case 'word':
        return this.#word(token.text, token.span)
      case 'sign':
        return this.#signed(token.text, token.span)
    }
  }

  #signed(sign: string, span: Span): Expression {
    if (sign === '(') {
      if (textOf(this.#peek()) === ')')
        this.#fail(around(span, this.#peek().span), 'there is nothing in these parentheses.')
      const inner = this.#operation(0)
      const end = this.#close(span, [])
      // The parentheses belong to what is shown of it.
      const whole: Expression = { ...inner, span: around(span, end) }
      this.#depths.set(whole, this.#depths.get(inner)!)
      return whole
    }
    if (Object.hasOwn(prefixes, sign)) return this.#prefixed(sign, span)
    return this.#fail(span, `an operand is expected before ${sign}.`)
  }

  #prefixed(sign: string, at: Span): Expression {
    const { operator, binds } = prefixes[sign]!
    const arg = this.#operation(binds)
    const span = around(at, arg.span)
    if (operator === undefined) return arg
    // A negative number is one number, so that int8(-128) is one.
    if (operator === 'neg' && arg.kind === 'number') return this.#made({ kind: 'number', value: -arg.value, span }, [])
    return this.#apply(operator, [arg], span, at)
  }

  /** The parenthesis that closes the one at `open`. */
  #close(open: Span, or: readonly string[]): Span {
    const token = this.#peek()
    if (textOf(token) === ')') return this.#take().span
    if (token.kind === 'end') return this.#fail(open, 'this ( is never closed.')
    return this.#fail(token.span, `${[...or, ')'].join(' or ')} is expected here.`)
  }

  #word(text: string, span: Span): Expression {
    const called = textOf(this.#peek()) === '('
    if (Object.hasOwn(constants, text)) {
      const value = constants[text]!
      if (called) this.#fail(span, `${text} is a constant and takes no operands.`)
      return this.#made(
        typeof value === 'boolean' ? { kind: 'boolean', value, span } : { kind: 'number', value, span },
        [],
      )
    }
    if (text === 'not') return this.#prefixed(text, span)
    if (called) return this.#call(text, span)
    if (reservedWords.has(text)) this.#fail(span, `an operand is expected before ${text}.`)
    return this.#made({ kind: 'name', name: text, span }, [])
  }

  #call(name: string, at: Span): Expression {
    const open = this.#take().span
    if (name === 'cast') return this.#cast(at, open)
    if (isType(name)) {
      const arg = this.#operation(0)
      if (textOf(this.#peek()) === ',') this.#fail(this.#peek().span, `${name}(…) takes 1 operand.`)
      const span = around(at, this.#close(open, []))
      return this.#made({ kind: 'cast', dtype: name, arg, span }, [arg])
    }
    const operator = operators.get(name)
    if (operator === undefined) {
      const known = [...operators.keys(), ...types, 'cast']
      const meant = nearest(name, known)
      const choice = meant === undefined ? `There are ${known.join(', ')}.` : `Did you mean ${meant}?`
      this.#fail(at, `there is no function ${name}. ${choice}`)
    }
    const args: Expression[] = []
    if (textOf(this.#peek()) === ')') this.#fail(around(open, this.#peek().span), `${name} needs operands.`)
    for (;;) {
      args.push(this.#operation(0))
      if (textOf(this.#peek()) !== ',') break
      this.#take()
    }
    const span = around(at, this.#close(open, [',']))
    const { least, most } = operator
    if (args.length < least || args.length > most) {
      this.#fail(span, `${name} takes ${least} operand${least === 1 ? '' : 's'}, not ${args.length}.`)
    }
    return this.#apply(operator.name, args, span, at)
  }

  #cast(at: Span, open: Span): Expression {
    const arg = this.#operation(0)
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
    const span = around(at, this.#close(open, []))
    return this.#made({ kind: 'cast', dtype: name, arg, span }, [arg])
  }
}

/** Throws an ExpressionError at the place where the text stops making sense. */
export const parseExpression = (expression: string): Expression => new Parser(expression).whole()
