// Float operators: float64 and float32 against the machine's IEEE arithmetic, 16-bit types against rounding float32,
// and the decided semantics (NaN, signed zero, remainders, powers) by hand.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type FloatType,
  floatTypes,
  functionCall,
  largest,
  roundNumber,
  SpecError,
  scalar,
  type Value,
} from '../src/index.ts'

const specials = [0, -0, 1, -1, 0.5, -2, Number.NaN, Infinity, -Infinity, Number.MIN_VALUE, Number.MAX_VALUE]
const number = fc.oneof(fc.double(), fc.constantFrom(...specials), fc.double({ min: -8, max: 8 }))
const machine: Record<string, (x: number, y: number) => number> = {
  Add: (x, y) => x + y,
  Sub: (x, y) => x - y,
  Mul: (x, y) => x * y,
  Div: (x, y) => x / y,
}

describe.each(floatTypes)('%s', (dtype) => {
  // Doubles hold every sum, product, quotient and root of floats closely enough that rounding twice rounds once.
  const rounded = (x: number): number => roundNumber(dtype, dtype === 'float64' ? x : Math.fround(x))
  const element = number.map((x) => roundNumber(dtype, x))

  it.each(Object.keys(machine))('%s is the machine’s, rounded to the format', (operator) => {
    fc.assert(
      fc.property(element, element, (x, y) => {
        expect(scalar(operator, dtype)(x, y)).toBe(rounded(machine[operator]!(x, y)))
      }),
      { numRuns: 400 },
    )
  })
  it('Sqrt, Reciprocal, Neg, Abs, Floor, Ceil are the machine’s', () => {
    fc.assert(
      fc.property(element, (x) => {
        expect(scalar('Sqrt', dtype)(x)).toBe(rounded(Math.sqrt(x)))
        expect(scalar('Reciprocal', dtype)(x)).toBe(rounded(1 / x))
        expect(scalar('Neg', dtype)(x)).toBe(-x)
        expect(scalar('Abs', dtype)(x)).toBe(Math.abs(x))
        expect(scalar('Floor', dtype)(x)).toBe(Math.floor(x))
        expect(scalar('Ceil', dtype)(x)).toBe(Math.ceil(x))
        expect(scalar('Sign', dtype)(x)).toBe(x === 0 ? 0 : Math.sign(x))
      }),
      { numRuns: 500 },
    )
  })
  it('Mod with fmod is C fmod, FloorMod is Python %', () => {
    fc.assert(
      fc.property(element, element, (x, y) => {
        const remainder = x % y
        expect(scalar('Mod', dtype, { fmod: true })(x, y)).toBe(remainder)
        const floored = scalar('FloorMod', dtype)(x, y) as number
        if (remainder === 0) expect(floored).toBe(y < 0 || Object.is(y, -0) ? -0 : 0)
        else expect(floored).toBe(remainder < 0 === y < 0 ? remainder : rounded(remainder + y))
      }),
      { numRuns: 500 },
    )
  })
  it('comparisons are the machine’s, so false with NaN but for NotEqual', () => {
    fc.assert(
      fc.property(element, element, (x, y) => {
        expect(scalar('Equal', dtype)(x, y)).toBe(x === y)
        expect(scalar('NotEqual', dtype)(x, y)).toBe(x !== y)
        expect(scalar('Greater', dtype)(x, y)).toBe(x > y)
        expect(scalar('Less', dtype)(x, y)).toBe(x < y)
        expect(scalar('GreaterOrEqual', dtype)(x, y)).toBe(x >= y)
        expect(scalar('LessOrEqual', dtype)(x, y)).toBe(x <= y)
      }),
      { numRuns: 300 },
    )
  })
  it('Max and Min: NaN if any is, +0 above -0, whatever the order; as Math.max and Math.min', () => {
    fc.assert(
      fc.property(fc.array(element, { minLength: 1, maxLength: 4 }), (xs) => {
        expect(scalar('Max', dtype)(...xs)).toBe(Math.max(...xs))
        expect(scalar('Min', dtype)(...xs)).toBe(Math.min(...xs))
      }),
      { numRuns: 300 },
    )
    expect(scalar('Max', dtype)(-0, 0)).toBe(0)
    expect(scalar('Max', dtype)(0, -0)).toBe(0)
    expect(scalar('Min', dtype)(0, -0)).toBe(-0)
    expect(scalar('Min', dtype)(1, Number.NaN, 0)).toBeNaN()
  })
  it('Relu is the maximum with +0, PRelu keeps what is not negative', () => {
    expect([-0, -3, 0, 2].map((x) => scalar('Relu', dtype)(x))).toEqual([0, 0, 0, 2])
    expect(scalar('Relu', dtype)(Number.NaN)).toBeNaN()
    const prelu = scalar('PRelu', dtype)
    expect([prelu(-0, -5), prelu(0, -5)]).toEqual([-0, 0])
    expect(prelu(Number.NaN, 5)).toBeNaN()
    expect(prelu(-3, 0.5)).toBe(-1.5)
    expect(prelu(-Infinity, 0)).toBeNaN()
    expect(prelu(3, Number.NaN)).toBe(3)
  })
  it('Round goes to even and keeps the sign of zero', () => {
    expect([0.5, 1.5, 2.5, -0.5, -1.5, -0.25, 3].map((x) => scalar('Round', dtype)(x))).toEqual([
      0, 2, 2, -0, -2, -0, 3,
    ])
    expect([Infinity, -0].map((x) => scalar('Round', dtype)(x))).toEqual([Infinity, -0])
  })
})

describe('activations', () => {
  it.each(floatTypes)('%s: HardSigmoid rounds the product, then the sum, then to the type', (dtype) => {
    const inner = (x: number): number => (dtype === 'float64' ? x : Math.fround(x))
    fc.assert(
      fc.property(number, number, number, (value, a, b) => {
        const x = roundNumber(dtype, value)
        const line = inner(inner(inner(a) * x) + inner(b))
        const expected = roundNumber(dtype, Math.max(0, Math.min(1, line)))
        expect(scalar('HardSigmoid', dtype, { alpha: a, beta: b })(x)).toBe(expected)
      }),
      { numRuns: 300 },
    )
    expect([-3, 3, 0, Infinity, -Infinity].map((x) => scalar('HardSigmoid', dtype)(x))).toEqual([0, 1, 0.5, 1, 0])
    expect(scalar('HardSigmoid', dtype)(1)).toBe(roundNumber(dtype, inner(inner(0.2) + 0.5)))
    expect(scalar('HardSigmoid', dtype)(Number.NaN)).toBeNaN()
  })
  it.each(floatTypes)(
    '%s: LeakyRelu is PRelu with the slope alpha, which is rounded to the computing type',
    (dtype) => {
      const compute: FloatType = dtype === 'float64' ? 'float64' : 'float32'
      fc.assert(
        fc.property(number, number, (value, alpha) => {
          const x = roundNumber(dtype, value)
          const expected =
            x < 0 ? roundNumber(dtype, scalar('Mul', compute)(roundNumber(compute, alpha), x) as number) : x
          expect(scalar('LeakyRelu', dtype, { alpha })(x)).toBe(expected)
        }),
        { numRuns: 300 },
      )
      expect([-0, 0, 5].map((x) => scalar('LeakyRelu', dtype)(x))).toEqual([-0, 0, 5])
      expect(scalar('LeakyRelu', dtype)(-2)).toBe(roundNumber(dtype, -2 * roundNumber(compute, 0.01)))
    },
  )
  it.each(floatTypes)('%s: Clip is Min of Max, where max wins, and left-out bounds are finite', (dtype) => {
    const clip = scalar('Clip', dtype)
    fc.assert(
      fc.property(number, number, number, (a, b, c) => {
        const [x, low, high] = [a, b, c].map((value) => roundNumber(dtype, value))
        expect(clip(x!, low!, high!)).toBe(Math.min(Math.max(x!, low!), high!))
      }),
      { numRuns: 300 },
    )
    expect([clip(-Infinity), clip(Infinity), clip(-Infinity, 2), clip(Infinity, 2)]).toEqual([
      ...[-largest(dtype), largest(dtype), 2, largest(dtype)],
    ])
    expect([clip(5, undefined, 3), clip(-5, undefined, 3), clip(4, 7, 3), clip(-0, 0, 1)]).toEqual([3, -5, 3, 0])
    expect([clip(Number.NaN, 0, 1), clip(1, Number.NaN)]).toEqual([Number.NaN, Number.NaN])
  })
  it('Elu and Gelu take their attributes; alpha is a float32 number unless the type is float64', () => {
    const alpha = 1.1
    expect(scalar('Elu', 'float64', { alpha })(-Infinity)).toBe(-alpha)
    expect(scalar('Elu', 'float32', { alpha })(-Infinity)).toBe(-Math.fround(alpha))
    expect(scalar('Elu', 'float16', { alpha })(-Infinity)).toBe(roundNumber('float16', -alpha))
    expect(scalar('Elu', 'float32')(-1)).toBe(Math.fround(Math.expm1(-1)))
    expect(scalar('Gelu', 'float32')(1)).toBe(Math.fround(0.8413447460685429))
    expect(scalar('Gelu', 'float32', { approximate: 'tanh' })(1)).toBe(Math.fround(0.8411919906082768))
    expect(functionCall('Gelu', 'float32', { approximate: 'tanh' }, [1])).toEqual({ fn: 'GeluTanh', args: [1] })
    expect(functionCall('Elu', 'bfloat16', { alpha }, [-1])).toEqual({ fn: 'Elu', args: [-1, Math.fround(alpha)] })
    expect(functionCall('Add', 'float32', {}, [1, 2])).toBeUndefined()
    expect(() => scalar('Gelu', 'int32')).toThrow(SpecError)
  })
})

describe('16-bit types compute in float32', () => {
  it('and round once at the end of Sum and Mean', () => {
    // 2048 + 1 is not a float16; kept in float32, the two ones count.
    expect(scalar('Sum', 'float16')(2048, 1, 1)).toBe(2050)
    expect(scalar('Sum', 'bfloat16')(256, 1, 1)).toBe(258)
    expect(scalar('Mean', 'float16')(65504, 65504)).toBe(65504)
    expect(scalar('Sum', 'float16')(65504, 65504, -65504)).toBe(65504)
    expect(scalar('Sum', 'float16')(-0)).toBe(-0)
    expect(scalar('Sum', 'float32')(16777216, 1, 1)).toBe(16777216)
    expect(scalar('Mean', 'float32')(1, 2, 4)).toBe(Math.fround(7 / 3))
  })
  it('SquaredDifference rounds the difference, then the square', () => {
    const [x, y] = [Math.fround(1 / 3), Math.fround(1e-5)]
    const difference = Math.fround(x - y)
    expect(scalar('SquaredDifference', 'float32')(x, y)).toBe(Math.fround(difference * difference))
    // 199.90625 is no float16; had it been rounded to one, the square would be 39936.
    expect(scalar('SquaredDifference', 'float16')(200, 0.09375)).toBe(39968)
  })
})

describe('remainders by hand', () => {
  it('FloorMod follows the divisor, also for infinities', () => {
    const mod = scalar('FloorMod', 'float64')
    const table: [number, number, number][] = [
      [-7, 3, 2],
      [7, -3, -2],
      [-1, Infinity, Infinity],
      [1, -Infinity, -Infinity],
      [1, Infinity, 1],
      [-0, 3, 0],
      [6, -3, -0],
      [1, 0, Number.NaN],
      [Infinity, 2, Number.NaN],
      [-1e-20, 3, 3],
    ]
    for (const [x, y, expected] of table) expect(mod(x, y)).toBe(expected)
  })
  it('Mod with fmod=0 is for integers', () => {
    expect(() => scalar('Mod', 'float32')).toThrow(SpecError)
  })
})

describe('Pow of floats', () => {
  const table: [Value, Value, number][] = [
    [Number.NaN, 0, 1],
    [Number.NaN, -0, 1],
    [1, Number.NaN, 1],
    [1, Infinity, 1],
    [-1, Infinity, 1],
    [-1, -Infinity, 1],
    [2, Infinity, Infinity],
    [0.5, Infinity, 0],
    [2, -Infinity, 0],
    [-0.5, -Infinity, Infinity],
    [0, -3, Infinity],
    [-0, -3, -Infinity],
    [-0, -2, Infinity],
    [-0, 3, -0],
    [-0, 2, 0],
    [-0, 0.5, 0],
    [0, -Infinity, Infinity],
    [-Infinity, 3, -Infinity],
    [-Infinity, -3, -0],
    [-Infinity, 2, Infinity],
    [-Infinity, 0.5, Infinity],
    [-8, 1 / 3, Number.NaN],
    [-2, 3, -8],
    [9, 0.5, 3],
    [16, -0.25, 0.5],
    [2, -3, 0.125],
    [1e300, 2, Infinity],
    [-1e300, 3, -Infinity],
    [1e-300, 2, 0],
    [-1e-300, 3, -0],
    [Number.NaN, 1, Number.NaN],
    [2, Number.NaN, Number.NaN],
  ]
  it('follows IEEE 754', () => {
    for (const [x, y, expected] of table) expect([x, y, scalar('Pow', 'float64')(x, y)]).toEqual([x, y, expected])
  })
  it('takes an integer exponent exactly, however large', () => {
    const attributes = { exponentType: 'int64' } as const
    expect(scalar('Pow', 'float32', attributes)(-1, 2n ** 62n + 1n)).toBe(-1)
    expect(scalar('Pow', 'float32', attributes)(-1, 2n ** 62n)).toBe(1)
    expect(scalar('Pow', 'float64', attributes)(-2, -(2n ** 60n) - 1n)).toBe(-0)
    expect(scalar('Pow', 'float64', attributes)(-0, -(2n ** 53n) - 1n)).toBe(-Infinity)
    expect(scalar('Pow', 'float32', { exponentType: 'int32' })(1.5, 2)).toBe(2.25)
    expect(scalar('Pow', 'float16', { exponentType: 'float32' })(4, 0.5)).toBe(2)
  })
  it('has no exponent of another kind', () => {
    expect(() => scalar('Pow', 'float32', { exponentType: 'bool' })(2, true)).toThrow(SpecError)
    expect(() => scalar('Pow', 'float32', { exponentType: 'int64' })(2, 3)).toThrow(SpecError)
  })
})

it('operators that are not for floats are refused by type', () => {
  for (const operator of ['And', 'Not', 'BitShift', 'BitwiseAnd', 'Nonsense']) {
    for (const dtype of floatTypes satisfies readonly FloatType[]) {
      expect(() => scalar(operator, dtype)).toThrow(expect.objectContaining({ code: 'type' }))
    }
  }
})
