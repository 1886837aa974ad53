// What expressions mean, written back with every parenthesis; and what is wrong with those that mean nothing, where.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExpressionError, pointAt } from '../../src/expression/expression-error.ts'
import { operators } from '../../src/expression/operators.ts'
import { parseExpression } from '../../src/expression/parse.ts'
import { type Expression, namesIn } from '../../src/expression/syntax.ts'

/** Every operator as a call. */
function spelt(part: Expression): string {
  switch (part.kind) {
    case 'name':
      return part.name
    case 'number':
      return Object.is(part.value, -0) ? '-0' : String(part.value)
    case 'boolean':
      return String(part.value)
    case 'cast':
      return `${part.dtype}(${spelt(part.arg)})`
    case 'apply':
      return `${part.operator}(${part.args.map(spelt).join(', ')})`
  }
}

const meaning = (text: string): string => spelt(parseExpression(text))

function refusal(text: string): ExpressionError {
  try {
    parseExpression(text)
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
  throw new Error(`${text} was accepted`)
}

describe('expressions', () => {
  it.each([
    ['a + b * c', 'add(a, mul(b, c))'],
    ['a - b - c', 'sub(sub(a, b), c)'],
    ['(x - m) / s * g + b', 'add(mul(div(sub(x, m), s), g), b)'],
    ['a ** b ** c', 'pow(a, pow(b, c))'],
    ['-a ** b', 'neg(pow(a, b))'],
    ['a ** -b ** c', 'pow(a, neg(pow(b, c)))'],
    ['-a * b', 'mul(neg(a), b)'],
    ['- -a', 'neg(neg(a))'],
    ['+a', 'a'],
    ['~a & b', 'bitwiseAnd(bitwiseNot(a), b)'],
    ['a | b ^ c & d << e + f', 'bitwiseOr(a, bitwiseXor(b, bitwiseAnd(c, leftShift(d, add(e, f)))))'],
    ['a >> b << c', 'leftShift(rightShift(a, b), c)'],
    ['a // b % c', 'floorMod(floorDiv(a, b), c)'],
    ['a + b < c | d', 'less(add(a, b), bitwiseOr(c, d))'],
    ['not a == b', 'not(equal(a, b))'],
    ['!a == b', 'equal(not(a), b)'],
    ['a or b xor c and not d', 'or(a, xor(b, and(c, not(d))))'],
    ['a && b || c', 'or(and(a, b), c)'],
    ['a >= b and c != d', 'and(greaterOrEqual(a, b), notEqual(c, d))'],
    ['and(a, b)', 'and(a, b)'],
    ['where(a <= b, -1, max(a, b, 3))', 'where(lessOrEqual(a, b), -1, max(a, b, 3))'],
    ['select(c, x, y)', 'where(c, x, y)'],
    ['int8(-128) + cast(x, float16)', 'add(int8(-128), float16(x))'],
    [`cast(x, 'int32')`, 'int32(x)'],
    ['mean - min', 'sub(mean, min)'],
    ['int8 + 1', 'add(int8, 1)'],
    ['  x\n\t+ y ', 'add(x, y)'],
    ['größe * 2', 'mul(größe, 2)'],
  ])('%s', (text, expected) => {
    expect(meaning(text)).toBe(expected)
  })

  it.each([
    ['1', 1],
    ['1.5e-3', 0.0015],
    ['.5', 0.5],
    ['1.', 1],
    ['1_000', 1000],
    ['0xFF', 255],
    ['0b101', 5],
    ['0o17', 15],
    ['inf', Number.POSITIVE_INFINITY],
    ['-0.0', -0],
    ['18446744073709551615', 18446744073709551615n],
    ['-9223372036854775808', -9223372036854775808n],
    ['nan', Number.NaN],
  ])('the number %s', (text, value) => {
    expect(parseExpression(text)).toMatchObject({ kind: 'number', value })
  })

  it('knows every operator by its name', () => {
    for (const [name, { name: own, least }] of operators) {
      const operands = Array.from({ length: least }, (_, i) => `x${i}`).join(', ')
      expect(meaning(`${name}(${operands})`)).toBe(`${own}(${operands})`)
    }
  })

  it.each([
    ['mod(x, y, fmod=true)', 'mod', { fmod: true }],
    ['mod(x, y, fmod = False) + 1', 'mod', { fmod: false }],
    ['mod(fmod=true, x, y)', 'mod', { fmod: true }],
    ['div(x, y, pythondiv=true)', 'div', { pythondiv: true }],
  ])('%s says an attribute', (text, operator, attributes) => {
    const root = parseExpression(text)
    const call = root.kind === 'apply' && root.operator === 'add' ? root.args[0]! : root
    expect(call).toMatchObject({ kind: 'apply', operator, attributes, args: [{ name: 'x' }, { name: 'y' }] })
  })

  it('says no attribute where none is written', () => {
    expect(parseExpression('mod(x, y)')).not.toHaveProperty('attributes')
  })

  it('knows the place of every part', () => {
    const text = ' (x - mean) /std'
    const root = parseExpression(text)
    const at = (part: { span: { start: number; end: number } }): string => text.slice(part.span.start, part.span.end)
    if (root.kind !== 'apply') throw new Error('not an operator')
    expect([at(root), ...root.args.map(at)]).toEqual(['(x - mean) /std', '(x - mean)', 'std'])
    expect([...namesIn(root)].map(([name, span]) => [name, text.slice(span.start, span.end)])).toEqual([
      ['x', 'x'],
      ['mean', 'mean'],
      ['std', 'std'],
    ])
  })
})

describe('what is wrong', () => {
  it.each([
    ['', '', 'empty'],
    ['  ', '', 'empty'],
    ['x +', '', 'ends where an operand'],
    ['x y', 'y', 'operator is missing'],
    ['2x', '2x', '2 * x'],
    ['x = y', '=', 'did you mean =='],
    ['where(x = 3, 1, 2)', '=', 'did you mean =='],
    ['abs(x, axis=0)', 'axis', 'abs has no attributes; a comparison is written axis == …'],
    ['mod(x, y, fmo=true)', 'fmo', 'mod has no attribute fmo; it has fmod'],
    ['mod(x, y, fmod=2)', '2', 'fmod of mod is true or false'],
    ['mod(x, y, fmod=-true)', 'true', 'fmod of mod is true or false'],
    ['mod(x, y, fmod=true, fmod=true)', 'fmod', 'said twice'],
    ['mod(x, y, fmod=', '', 'true or false'],
    ['mod(x, fmod=true)', 'mod(x, fmod=true)', 'takes 2 operands, not 1'],
    ['mod(x, y, fmod=true', '(', 'never closed'],
    ['x ? y', '?', 'means nothing in an expression. A choice is written where(c, a, b).'],
    ['x[0]', '[', 'There are no indices'],
    ['a @ b', '@', 'There are no matrix products here.'],
    ['(x + y', '(', 'never closed'],
    ['x)', ')', 'closes nothing'],
    ['()', '()', 'nothing in these'],
    ['max()', '()', 'needs operands'],
    ['x, y', ',', 'comma'],
    ['a < b < c', '<', 'do not chain'],
    ['a == b != c', '!=', 'do not chain'],
    ['* x', '*', 'operand is expected before *'],
    ['x + * y', '*', 'operand is expected before *'],
    ['and x', 'and', 'operand is expected before and'],
    ['sqr(x)', 'sqr', 'Did you mean sqrt?'],
    ['frobnicate(x)', 'frobnicate', 'add, sub, mul, div'],
    ['sqrt(x, y)', 'sqrt(x, y)', 'takes 1 operand, not 2'],
    ['where(c, x)', 'where(c, x)', 'takes 3 operands, not 2'],
    ['nan(x)', 'nan', 'constant'],
    ['cast(x)', ')', 'cast(x, float32)'],
    ['cast(x, flaot32)', 'flaot32', 'did you mean float32'],
    ['cast(x, string)', 'string', 'a type is expected'],
    ['int8(x, y)', ',', 'takes 1 operand'],
    ["'x' + 1", "'x'", 'no operand'],
    ['1__0', '1__0', 'no number'],
    ['0x', '0x', 'neither a number nor a name'],
    ['np.sqrt(x)', '.', 'A function stands alone: sqrt(x)'],
  ])('%j', (text, place, reason) => {
    const error = refusal(text)
    expect(error.problem).toContain(reason)
    expect(text.slice(error.span.start, error.span.end)).toBe(place)
  })

  it('shows the line and carets under the place', () => {
    expect(refusal('(x - mean) /\n sqr(std)').message).toBe(
      'there is no function sqr. Did you mean sqrt?\n   sqr(std)\n   ^^^',
    )
    const long = `${'x + '.repeat(100)}y z${' + x'.repeat(100)}`
    const shown = refusal(long).message.split('\n')
    expect(shown[1]!.length).toBeLessThan(80)
    expect(shown[1]![shown[2]!.indexOf('^')]).toBe('z')
    expect(pointAt('aé𝕏b', { start: 4, end: 5 })).toBe('  aé𝕏b\n     ^')
    expect(pointAt('日本 + c', { start: 3, end: 4 })).toBe('  日本 + c\n       ^')
    expect(pointAt('x + 日本', { start: 4, end: 6 })).toBe('  x + 日本\n      ^^^^')
    expect(pointAt('e\u0301 + c', { start: 3, end: 4 })).toBe('  e\u0301 + c\n    ^')
    expect(pointAt('x +\n\ty * c', { start: 7, end: 8 })).toBe('   y * c\n     ^')
  })

  it('reads what nests deep, and refuses what is without end, in time', () => {
    for (const text of [
      `${'('.repeat(40_000)}x${')'.repeat(40_000)}`,
      `${'-'.repeat(40_000)}x`,
      `${'not '.repeat(40_000)}x`,
      `x${' + x'.repeat(20_000)}`,
      `x${' ** x'.repeat(20_000)}`,
      `${'sqrt('.repeat(40_000)}x${')'.repeat(40_000)}`,
      `${'float32('.repeat(20_000)}x${')'.repeat(20_000)}`,
      `${'(x + '.repeat(20_000)}x${')'.repeat(20_000)}`,
    ]) {
      expect([...namesIn(parseExpression(text)).keys()]).toEqual(['x'])
    }
    for (const text of [
      `${'-'.repeat(60_000)}x`,
      `${'not '.repeat(60_000)}x`,
      `x${' + x'.repeat(60_000)}`,
      `x${' ** x'.repeat(60_000)}`,
      `${'sqrt('.repeat(60_000)}x${')'.repeat(60_000)}`,
      `max(${'x, '.repeat(60_000)}x)`,
    ]) {
      expect(refusal(text).problem).toContain('at most 50000 parts')
    }
    expect(refusal('('.repeat(60_000)).problem).toContain('ends where an operand is expected')
    expect(refusal('sqrt('.repeat(60_000)).problem).toContain('ends where an operand is expected')
  })

  it('is an ExpressionError for any text, or none', () => {
    const words = [
      'x',
      '1',
      '2.5',
      '(',
      ')',
      ',',
      '+',
      '-',
      '**',
      '<',
      'and',
      'not',
      'max(',
      'int8(',
      'nan',
      ' ',
      "'",
      '0x1',
    ]
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((list) => list.join('')),
    )
    fc.assert(
      fc.property(text, (expression) => {
        try {
          parseExpression(expression)
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError)
          expect((error as ExpressionError).span.end).toBeLessThanOrEqual(expression.length)
        }
      }),
      { numRuns: 250 },
    )
  })
})
