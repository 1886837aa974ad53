// Operators without rounding: integers against the machine's wrapping arithmetic, rationals, booleans and strings.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type IntegerType, integerRange, integerTypes, rational, scalar, type Value, wrap } from '../src/index.ts'

const held = (dtype: IntegerType, x: bigint): Value => (dtype.endsWith('64') ? x : Number(x))
const error = (code: string): unknown => expect.objectContaining({ code })

describe.each(integerTypes)('%s', (dtype) => {
  const { min, max } = integerRange(dtype)
  const element = fc.oneof(
    fc.bigInt({ min, max }),
    fc.constantFrom(min, max, 0n, 1n, max - 1n),
    fc.bigInt({ min: min < 0n ? -9n : 0n, max: 9n }),
  )
  const apply = (operator: string, attributes: object, ...xs: bigint[]): Value =>
    scalar(operator, dtype, attributes)(...xs.map((x) => held(dtype, x)))
  const signed = min < 0n

  it('Add Sub Mul Neg Abs SquaredDifference wrap', () => {
    fc.assert(
      fc.property(element, element, (x, y) => {
        expect(apply('Add', {}, x, y)).toBe(wrap(dtype, x + y))
        expect(apply('Sub', {}, x, y)).toBe(wrap(dtype, x - y))
        expect(apply('Mul', {}, x, y)).toBe(wrap(dtype, x * y))
        expect(apply('Neg', {}, x)).toBe(wrap(dtype, -x))
        expect(apply('SquaredDifference', {}, x, y)).toBe(wrap(dtype, (x - y) ** 2n))
      }),
      { numRuns: 100 },
    )
    if (signed) expect([apply('Neg', {}, min), apply('Abs', {}, min)]).toEqual([held(dtype, min), held(dtype, min)])
  })
  it('Clip: max wins over a larger min, and bounds that are left out are those of the type', () => {
    fc.assert(
      fc.property(element, element, element, (x, low, high) => {
        const raised = x > low ? x : low
        expect(apply('Clip', {}, x, low, high)).toBe(held(dtype, raised < high ? raised : high))
        expect(apply('Clip', {}, x, low)).toBe(held(dtype, raised))
        expect(apply('Clip', {}, x)).toBe(held(dtype, x))
        expect(scalar('Clip', dtype)(held(dtype, x), undefined, held(dtype, high))).toBe(
          held(dtype, x < high ? x : high),
        )
      }),
      { numRuns: 100 },
    )
  })
  it('quotient and remainder belong together, truncated or floored', () => {
    fc.assert(
      fc.property(element, element, (x, y) => {
        if (y === 0n) return
        for (const [division, remainder] of [
          [{}, { fmod: true }],
          [{ pythondiv: true }, {}],
        ]) {
          const q = BigInt(apply('Div', division!, x, y) as bigint)
          const r = BigInt(apply('Mod', remainder!, x, y) as bigint)
          expect(wrap(dtype, q * y + r)).toBe(held(dtype, x))
          const follows = 'fmod' in remainder! ? x : y
          expect(r === 0n || r < 0n === follows < 0n).toBe(true)
          expect((r < 0n ? -r : r) < (y < 0n ? -y : y)).toBe(true)
        }
        expect(apply('FloorMod', {}, x, y)).toBe(apply('Mod', {}, x, y))
      }),
      { numRuns: 200 },
    )
    if (signed) {
      expect(apply('Div', {}, min, -1n)).toBe(held(dtype, min))
      expect(apply('Mod', {}, min, -1n)).toBe(held(dtype, 0n))
      expect(apply('Div', {}, -7n, 2n)).toBe(held(dtype, -3n))
      expect(apply('Div', { pythondiv: true }, -7n, 2n)).toBe(held(dtype, -4n))
      expect(apply('Mod', {}, -7n, 3n)).toBe(held(dtype, 2n))
      expect(apply('Mod', { fmod: 1 }, -7n, 3n)).toBe(held(dtype, -1n))
    }
  })
  it('division by zero is an error', () => {
    for (const [operator, attributes] of [
      ['Div', {}],
      ['Mod', {}],
      ['Mod', { fmod: true }],
      ['FloorMod', {}],
    ] as const) {
      expect(() => apply(operator, attributes, 1n, 0n)).toThrow(error('division-by-zero'))
    }
  })
  it('Pow is exact modulo 2^width, and a negative exponent leaves 0 or ±1', () => {
    fc.assert(
      fc.property(element, fc.bigInt({ min: 0n, max: 60n }), (x, y) => {
        expect(apply('Pow', {}, x, y)).toBe(wrap(dtype, x ** y))
      }),
      { numRuns: 100 },
    )
    const signedPower = scalar('Pow', dtype, { exponentType: 'int8' })
    const raise = (x: bigint, y: number): Value => signedPower(held(dtype, x), y)
    expect([raise(1n, -5), raise(2n, -1)]).toEqual([held(dtype, 1n), held(dtype, 0n)])
    expect(() => raise(0n, -1)).toThrow(error('division-by-zero'))
    expect(raise(0n, 0)).toBe(held(dtype, 1n))
    if (signed) expect([raise(-1n, -3), raise(-1n, -4)]).toEqual([held(dtype, -1n), held(dtype, 1n)])
  })
  it('Pow with a float exponent truncates and saturates', () => {
    const raise = (x: bigint, y: number): Value => scalar('Pow', dtype, { exponentType: 'float64' })(held(dtype, x), y)
    const table: [bigint, number, bigint][] = [
      [2n, 0.5, 1n],
      [9n, 0.5, 3n],
      [10n, 0.5, 3n],
      [3n, 4, 81n],
      [3n, 1.5, 5n],
      [15n, 1.25, 29n],
      [5n, 3, 125n],
      [2n, -1, 0n],
      [2n, 1000, max],
      [2n, 1e300, max],
      [0n, -1, max],
      [0n, Number.NaN, 0n],
      [7n, 0, 1n],
      [2n, -Infinity, 0n],
    ]
    for (const [x, y, expected] of table) expect([x, y, raise(x, y)]).toEqual([x, y, held(dtype, expected)])
    if (signed) {
      expect(raise(-2n, 1001)).toBe(held(dtype, min))
      expect(raise(-2n, 3)).toBe(held(dtype, -8n))
      expect(raise(-2n, 0.5)).toBe(held(dtype, 0n))
    }
  })
  it('BitShift shifts everything out at the width, arithmetically to the right', () => {
    const width = Number(dtype.match(/\d+/)![0])
    fc.assert(
      fc.property(element, fc.bigInt({ min: 0n, max: 100n }), (x, amount) => {
        expect(apply('BitShift', { direction: 'LEFT' }, x, amount)).toBe(wrap(dtype, x << amount))
        expect(apply('BitShift', { direction: 'RIGHT' }, x, amount)).toBe(held(dtype, x >> amount))
      }),
      { numRuns: 100 },
    )
    expect(apply('BitShift', { direction: 'LEFT' }, 1n, BigInt(width))).toBe(held(dtype, 0n))
    if (signed) {
      expect(apply('BitShift', { direction: 'RIGHT' }, -5n, BigInt(width))).toBe(held(dtype, -1n))
      expect(apply('BitShift', { direction: 'RIGHT' }, -5n, -1n)).toBe(held(dtype, -1n))
      expect(apply('BitShift', { direction: 'LEFT' }, -5n, -1n)).toBe(held(dtype, 0n))
    }
  })
  it('bitwise, order and sign', () => {
    fc.assert(
      fc.property(element, element, (x, y) => {
        expect(apply('BitwiseAnd', {}, x, y)).toBe(held(dtype, x & y))
        expect(apply('BitwiseOr', {}, x, y)).toBe(held(dtype, x | y))
        expect(apply('BitwiseXor', {}, x, y)).toBe(held(dtype, x ^ y))
        expect(apply('BitwiseNot', {}, x)).toBe(wrap(dtype, ~x))
        expect(apply('Max', {}, x, y)).toBe(held(dtype, x > y ? x : y))
        expect(apply('Min', {}, x, y)).toBe(held(dtype, x < y ? x : y))
        expect(apply('Greater', {}, x, y)).toBe(x > y)
        expect(apply('LessOrEqual', {}, x, y)).toBe(x <= y)
        expect(apply('Equal', {}, x, y)).toBe(x === y)
        expect(apply('Relu', {}, x)).toBe(held(dtype, x > 0n ? x : 0n))
        expect(apply('Sign', {}, x)).toBe(held(dtype, x > 0n ? 1n : x < 0n ? -1n : 0n))
        expect(apply('PRelu', {}, x, y)).toBe(x < 0n ? wrap(dtype, x * y) : held(dtype, x))
      }),
      { numRuns: 100 },
    )
  })
  it('has no Sum, Mean, Exp or Reciprocal, and refuses elements outside its range', () => {
    for (const operator of ['Sum', 'Mean', 'Exp', 'Reciprocal']) {
      expect(() => scalar(operator, dtype)).toThrow(error('type'))
    }
    expect(() => apply('Neg', {}, max + 1n)).toThrow(error('value'))
  })
})

describe('real', () => {
  const third = rational(1n, 3n)
  const apply = (operator: string, ...xs: Value[]): Value => scalar(operator, 'real')(...xs)
  it('computes exactly and in lowest terms', () => {
    expect(apply('Add', third, rational(1n, 6n))).toEqual(rational(1n, 2n))
    expect(apply('Sub', third, third)).toEqual({ n: 0n, d: 1n })
    expect(apply('Mul', third, rational(3n))).toEqual({ n: 1n, d: 1n })
    expect(apply('Div', third, rational(-2n))).toEqual({ n: -1n, d: 6n })
    expect(apply('Mean', third, rational(1n), rational(-1n))).toEqual({ n: 1n, d: 9n })
    expect(apply('SquaredDifference', third, rational(1n))).toEqual({ n: 4n, d: 9n })
    expect(apply('Max', third, rational(1n, 4n))).toEqual(third)
    expect(apply('Min', third, rational(1n, 4n), rational(-5n))).toEqual(rational(-5n))
    expect(apply('PRelu', rational(-3n), third)).toEqual(rational(-1n))
    expect(apply('Less', rational(1n, 4n), third)).toBe(true)
    expect(apply('Equal', { n: 2n, d: 6n }, third)).toBe(true)
  })
  it('rounds to integers', () => {
    const halves = [-5n, -3n, -1n, 1n, 3n, 5n].map((n) => rational(n, 2n))
    expect(halves.map((x) => apply('Round', x))).toEqual([-2n, -2n, 0n, 0n, 2n, 2n].map((n) => rational(n)))
    expect(halves.map((x) => apply('Floor', x))).toEqual([-3n, -2n, -1n, 0n, 1n, 2n].map((n) => rational(n)))
    expect(halves.map((x) => apply('Ceil', x))).toEqual([-2n, -1n, 0n, 1n, 2n, 3n].map((n) => rational(n)))
    expect(halves.map((x) => apply('Sign', x))).toEqual([-1n, -1n, -1n, 1n, 1n, 1n].map((n) => rational(n)))
  })
  it('has integer powers only', () => {
    expect(apply('Pow', rational(-2n, 3n), rational(-3n))).toEqual(rational(-27n, 8n))
    expect(scalar('Pow', 'real', { exponentType: 'int64' })(rational(2n), 3n)).toEqual(rational(8n))
    expect(scalar('Pow', 'real', { exponentType: 'float32' })(rational(2n), 3)).toEqual(rational(8n))
    expect(() => apply('Pow', rational(4n), rational(1n, 2n))).toThrow(error('type'))
    expect(() => apply('Pow', rational(0n), rational(-1n))).toThrow(error('division-by-zero'))
  })
  it('has no quotient by zero and no irrational functions', () => {
    expect(() => apply('Div', third, rational(0n))).toThrow(error('division-by-zero'))
    expect(() => apply('Reciprocal', rational(0n))).toThrow(error('division-by-zero'))
    for (const operator of ['Sqrt', 'Exp', 'Log', 'Tanh', 'Sigmoid']) {
      expect(() => scalar(operator, 'real')).toThrow(error('type'))
    }
  })
})

describe('bool and string', () => {
  it('bool has logic and equality', () => {
    const both = [false, true].flatMap((x) => [false, true].map((y) => [x, y] as const))
    const table = (operator: string): Value[] => both.map(([x, y]) => scalar(operator, 'bool')(x, y))
    expect(table('And')).toEqual([false, false, false, true])
    expect(table('BitwiseOr')).toEqual([false, true, true, true])
    expect(table('Xor')).toEqual([false, true, true, false])
    expect(table('Equal')).toEqual([true, false, false, true])
    expect(scalar('Not', 'bool')(true)).toBe(false)
    expect(() => scalar('Add', 'bool')).toThrow(error('type'))
    expect(() => scalar('And', 'bool')(1, true)).toThrow(error('value'))
  })
  it('string has equality and nothing else but moving', () => {
    expect(scalar('Equal', 'string')('a', 'a')).toBe(true)
    expect(scalar('NotEqual', 'string')('a', 'b')).toBe(true)
    expect(scalar('Where', 'string')(false, 'a', 'b')).toBe('b')
    expect(scalar('Identity', 'string')('a')).toBe('a')
    expect(() => scalar('Less', 'string')).toThrow(error('type'))
  })
})

describe('Cast', () => {
  const cast = (from: Parameters<typeof scalar>[1], to: Parameters<typeof scalar>[1], x: Value): Value =>
    scalar('Cast', from, { to })(x)
  it('float to integer truncates and saturates, NaN gives 0', () => {
    expect([-1.9, 300, -300, Number.NaN, Infinity, -Infinity].map((x) => cast('float32', 'int8', x))).toEqual([
      -1, 127, -128, 0, 127, -128,
    ])
    expect(cast('float64', 'uint64', 2 ** 64)).toBe(2n ** 64n - 1n)
    expect(cast('float64', 'int64', -(2 ** 63))).toBe(-(2n ** 63n))
    expect(Object.is(cast('float64', 'int8', -0.5), 0)).toBe(true)
  })
  it('integer to integer wraps', () => {
    expect(cast('int32', 'uint8', -1)).toBe(255)
    expect(cast('uint64', 'int64', 2n ** 63n)).toBe(-(2n ** 63n))
  })
  it('to float rounds once from the exact value', () => {
    expect(cast('int64', 'float32', 2n ** 24n + 1n)).toBe(2 ** 24)
    // Through float32 the last 1 would be lost and the tie would go down.
    expect(cast('int32', 'bfloat16', 2 ** 25 + 2 ** 17 + 1)).toBe(2 ** 25 + 2 ** 18)
    expect(cast('float64', 'float16', 1 + 2 ** -11 + 2 ** -40)).toBe(1 + 2 ** -10)
    expect(cast('float64', 'float16', 135424)).toBe(Infinity)
    expect(cast('float32', 'float16', -0)).toBe(-0)
    expect(cast('real', 'float64', rational(1n, 3n))).toBe(1 / 3)
  })
  it('to bool is x != 0, from bool 0 or 1', () => {
    expect([0, -0, 0.1, Number.NaN].map((x) => cast('float32', 'bool', x))).toEqual([false, false, true, true])
    expect(cast('bool', 'int64', true)).toBe(1n)
    expect(cast('bool', 'real', true)).toEqual(rational(1n))
    expect(cast('real', 'bool', rational(0n))).toBe(false)
  })
  it('real is exact, truncated toward integers; NaN is no real', () => {
    expect(cast('float64', 'real', 0.75)).toEqual(rational(3n, 4n))
    expect(cast('real', 'int8', rational(-7n, 2n))).toBe(-3)
    expect(cast('real', 'uint8', rational(1000n))).toBe(255)
    expect(() => cast('float32', 'real', Number.NaN)).toThrow(error('value'))
  })
  it('string casts to itself only', () => {
    expect(cast('string', 'string', 'a')).toBe('a')
    expect(() => cast('string', 'int8', '1')).toThrow(error('type'))
    expect(() => cast('int8', 'string', 1)).toThrow(error('type'))
  })
})
