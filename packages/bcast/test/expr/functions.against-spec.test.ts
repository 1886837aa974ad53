// Functions of one operand on numbers, held to the proved bounds of the specification: special
// values, any bit pattern, the arguments that are hardest to reduce, and the values of the 16-bit types.
import { bitsToNumber, enclose, type FloatType, type FunctionName, roundNumber, ulpError } from '@bcast/spec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seed } from '../../../../testing/seed.ts'
import type { Float32Algebra, Float64Algebra } from '../../src/expr/functions/algebra.ts'
import { irAlgebra } from '../../src/expr/functions/algebra-ir.ts'
import { atan } from '../../src/expr/functions/atan.ts'
import { cos, narrowCos } from '../../src/expr/functions/cos.ts'
import { elu } from '../../src/expr/functions/elu.ts'
import { erf } from '../../src/expr/functions/erf.ts'
import { exp } from '../../src/expr/functions/exp.ts'
import { gelu } from '../../src/expr/functions/gelu.ts'
import { geluTanh } from '../../src/expr/functions/gelu-tanh.ts'
import { narrowExp } from '../../src/expr/functions/narrow-exp.ts'
import { scalarAlgebra, scalarAlgebra32 } from '../../src/expr/functions/scalar.ts'
import { narrowSigmoid, sigmoid } from '../../src/expr/functions/sigmoid.ts'
import { narrowSin, sin } from '../../src/expr/functions/sin.ts'
import { softplus } from '../../src/expr/functions/softplus.ts'
import { narrowTanh, tanh } from '../../src/expr/functions/tanh.ts'
import { NARROW, WIDE } from '../../src/expr/functions/two-over-pi.ts'
import { Builder } from '../../src/expr/ir.ts'
import { verify } from '../../src/expr/verify.ts'
import { MAX_WEIGHT, weightOf } from '../../src/plan/fits.ts'

const ALPHA = 1.6732631921768188

interface Case {
  readonly fn: FunctionName
  readonly compute: <T, B>(m: Float64Algebra<T, B>, x: T) => T
  /** What computes it for float32 and narrower types, where that is another sequence. */
  readonly narrow?: <T, B>(m: Float64Algebra<T, B>, x: T) => T
  /** The same where it computes in float32, and its largest error of all float32, rounded up; 1 is promised. */
  readonly float32?: { readonly compute: <T, B>(m: Float32Algebra<T, B>, x: T) => T; readonly ulps: number }
  /** The largest error in float64 that a search over millions of arguments found, rounded up; 2 are promised. */
  readonly ulps: number
  readonly symmetry: 'odd' | 'even' | undefined
  /** Where the value is neither nearly constant nor nearly x. */
  readonly ranges: readonly (readonly [number, number])[]
}

const CASES: readonly Case[] = [
  {
    fn: 'Exp',
    compute: exp,
    float32: { compute: narrowExp, ulps: 0.93 },
    ulps: 0.8,
    symmetry: undefined,
    ranges: [[-104, 89]],
  },
  { fn: 'Tanh', compute: tanh, narrow: narrowTanh, ulps: 0.9, symmetry: 'odd', ranges: [[-10, 10]] },
  { fn: 'Sigmoid', compute: sigmoid, narrow: narrowSigmoid, ulps: 0.8, symmetry: undefined, ranges: [[-104, 20]] },
  { fn: 'Sin', compute: sin, narrow: narrowSin, ulps: 0.9, symmetry: 'odd', ranges: [[-100, 100]] },
  { fn: 'Cos', compute: cos, narrow: narrowCos, ulps: 0.9, symmetry: 'even', ranges: [[-100, 100]] },
  { fn: 'Atan', compute: atan, ulps: 0.9, symmetry: 'odd', ranges: [[-8, 8]] },
  { fn: 'Erf', compute: erf, ulps: 1.5, symmetry: 'odd', ranges: [[-6, 6]] },
  {
    fn: 'Softplus',
    compute: softplus,
    ulps: 1.2,
    symmetry: undefined,
    ranges: [
      [-746, 40],
      [-3, 1],
    ],
  },
  {
    fn: 'Elu',
    compute: (m, x) => elu(m, x, ALPHA),
    ulps: 1.5,
    symmetry: undefined,
    ranges: [
      [-40, 0],
      [-1, 0],
    ],
  },
  {
    fn: 'Gelu',
    compute: gelu,
    ulps: 1.3,
    symmetry: undefined,
    ranges: [
      [-39, 9],
      [-3, 3],
    ],
  },
  {
    fn: 'GeluTanh',
    compute: geluTanh,
    ulps: 0.8,
    symmetry: undefined,
    ranges: [
      [-22, 9],
      [-3, 3],
    ],
  },
]

const argumentsOf = (fn: FunctionName, x: number): number[] => (fn === 'Elu' ? [x, ALPHA] : [x])

/** Fails unless the value, rounded once to the type, is within the bound. */
function hold({ fn, compute, narrow = compute, float32, ulps }: Case, x: number, dtype: FloatType): void {
  const exact = (): number => {
    if (dtype === 'float64') return compute(scalarAlgebra, x)
    return float32 === undefined ? narrow(scalarAlgebra, x) : float32.compute(scalarAlgebra32, x)
  }
  const y = roundNumber(dtype, exact())
  const error = ulpError(fn, argumentsOf(fn, x), dtype, y)
  // A float64 result that is off by some units is hardly off before it is rounded to a narrower type.
  const bound = dtype === 'float64' ? ulps : dtype === 'float32' ? (float32?.ulps ?? 0.501) : 0.501
  if (!(error <= bound)) expect.unreachable(`${fn}(${x}) = ${y} in ${dtype}, ${error} ulp`)
}

const pattern = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const anyDouble = pattern.map((bits) => bitsToNumber('float64', bits))
const anyFloat32 = fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((bits) => bitsToNumber('float32', bits))

const SPECIALS = [
  0,
  5e-324,
  2 ** -1022,
  1e-310,
  1e-300,
  1e-20,
  2 ** -27,
  1e-5,
  0.1,
  0.5,
  1,
  1.125,
  2,
  3,
  5.92,
  6,
  22,
  38,
]
  .concat([38.6, 39, 40, 700, 708.4, 710, 745.13, 746, 1000, 1e10, 2 ** 53, 1e22, 1e100, 1e300, 1e308])
  .concat([Math.PI / 4, Math.PI / 2, Math.PI, 2 * Math.PI, 7 / 16, 11 / 16, 19 / 16, 39 / 16, Math.LN2, 21.3, 21.6])
  .concat([Number.MAX_VALUE, Infinity, Number.NaN])

describe.each(CASES.map((c) => [c.fn, c] as const))('%s', (_, c) => {
  it('special values and their neighbours', () => {
    for (const x of SPECIALS) {
      for (const factor of [1, 1 + 2 ** -52, 1 - 2 ** -53]) {
        hold(c, x * factor, 'float64')
        hold(c, -x * factor, 'float64')
      }
    }
  })

  it('any bit pattern', () => {
    fc.assert(
      fc.property(anyDouble, (x) => hold(c, x, 'float64')),
      { numRuns: 700 },
    )
    fc.assert(
      fc.property(anyFloat32, (x) => hold(c, x, 'float32')),
      { numRuns: 700 },
    )
  })

  it.each(c.float32 === undefined ? [] : c.ranges)('float32 from %s to %s, and nearer to 0', (min, max) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 24 }), fc.integer({ min: -12, max: 0 }), (i, exponent) => {
        const x = Math.fround(min + ((max - min) * i) / 2 ** 24)
        hold(c, x, 'float32')
        hold(c, x * 2 ** exponent, 'float32')
      }),
      { numRuns: 700 },
    )
  })

  it.each(c.ranges)('from %s to %s, and nearer to 0', (min, max) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: -12, max: 0 }), (i, exponent) => {
        const x = min + ((max - min) * i) / 2 ** 31
        hold(c, x, 'float64')
        hold(c, x * 2 ** exponent, 'float64')
      }),
      { numRuns: 700 },
    )
  })

  it.each(['float16', 'bfloat16'] as const)('every sixteenth %s: sixteen seeds in turn measure all', (dtype) => {
    // A function that is exactly odd or even is measured for positive arguments.
    const end = c.symmetry ? 0x8000 : 0x10000
    for (let bits = seed & 15; bits < end; bits += 16) hold(c, bitsToNumber(dtype, bits), dtype)
  })

  it('one kernel holds five of it', () => {
    const builder = new Builder(['float64'])
    const program = builder.program(c.compute(irAlgebra(builder), builder.input(0)))
    expect(() => verify(program)).not.toThrow()
    expect(program.code.reduce((sum, instruction) => sum + weightOf(instruction), 0)).toBeLessThan(MAX_WEIGHT / 5)
  })
})

describe('angles that are hard to reduce', () => {
  it.each(Object.entries({ WIDE, NARROW }))('the digits of %s are those of 2/pi', (_, { width, digits }) => {
    // The sum of all digits, in units of the last, times pi/2.
    const sum = digits.reduce((total, digit) => (total << BigInt(width)) + BigInt(digit), 0n)
    const bits = width * (digits.length - 1)
    const scale = 2n ** BigInt(bits + 100)
    const { lo } = enclose('Atan', [Infinity], bits + 100)
    const difference = ((sum * ((lo.n * scale) / lo.d)) >> BigInt(bits)) - scale
    expect(difference < 0n ? -difference : difference).toBeLessThan(2n ** 100n)
    for (const digit of digits) expect(Math.abs(digit)).toBeLessThanOrEqual(2 ** (width - 1))
  })

  const trigonometric = CASES.filter(({ fn }) => fn === 'Sin' || fn === 'Cos')

  /** The float64 values nearest to multiples of pi/2, from convergents of 2^e * 2/pi for every e. */
  const NEAR_QUARTERS = [
    5.319372648326541e255, 45.553093477052, 1.0638745296653083e256, 91.106186954104, 14461176.67027838,
    3.576149729694266e39, 3.924293714572882e298, 182.212373908208, 6.426511099577231e173, 1.3930726336834465e259,
    9.312926614229972e204, 3.8281827772588983e59, 28922353.34055676, 1.1248520745804428e89, 7.152299459388533e39,
    1.02775842605251e185, 2.4543579181664426e76, 1.5986289000543612e74, 364.424747816416, 1.2853022199154463e174,
    2.1684714451092387e20, 1.7347580914897774e27, 5.828466862870158e282, 3.104181269033855e307, 1.8204477481560787e167,
    57844706.68111352, 1.4304598918777065e40, 4.908715836332885e76, 1.510677598022888e43, 4.812381517305709e207,
  ]

  it.each(trigonometric.map((c) => [c.fn, c] as const))('%s near multiples of pi/2', (_, c) => {
    for (const x of [...NEAR_QUARTERS, 6381956970095103 * 2 ** 797, 22, 355, 11, 103993, 833719, 5419351, 80143857]) {
      hold(c, x, 'float64')
    }
    for (let k = 1; k <= 1000; k++) hold(c, (k * Math.PI) / 2, 'float64')
  })

  it.each(trigonometric.map((c) => [c.fn, c] as const))('%s of float32 near multiples of pi/2', (_, c) => {
    const near = [7.729178919452902e28, 21999384576, 252.89820861816406, 4.638183382783466e25, 1522788990976]
    for (const x of [...near, 8.11762663906456e22, 4.3865578967101227e33, 22, 355]) hold(c, x, 'float32')
    for (let k = 1; k <= 1000; k++) hold(c, Math.fround((k * Math.PI) / 2), 'float32')
    for (let e = -149; e <= 127; e++) {
      for (const mantissa of [1, 1.25, 2 - 2 ** -23]) hold(c, Math.fround(mantissa * 2 ** e), 'float32')
    }
  })

  it.each(trigonometric.map((c) => [c.fn, c] as const))('%s of every power of two and of its neighbours', (_, c) => {
    for (let e = -10; e <= 1023; e++) {
      for (const mantissa of [1, 2 - 2 ** -52, 1.25, 1 + 2 ** -52]) hold(c, mantissa * 2 ** e, 'float64')
    }
  })
})

it.each(CASES.filter(({ symmetry }) => symmetry).map((c) => [c.fn, c] as const))('%s: symmetry is exact', (_, c) => {
  const factor = c.symmetry === 'odd' ? -1 : 1
  for (const f of [c.compute, c.narrow ?? c.compute]) {
    fc.assert(
      fc.property(anyFloat32, (x) => Object.is(f(scalarAlgebra, -x), factor * f(scalarAlgebra, x))),
      { numRuns: 700 },
    )
  }
})

describe('exact values', () => {
  const on =
    (compute: (m: typeof scalarAlgebra, x: number) => number) =>
    (...xs: number[]): number[] =>
      xs.map((x) => compute(scalarAlgebra, x))

  it('at zeros and infinities', () => {
    expect(on(sin)(0, -0, Infinity, -Infinity, Number.NaN)).toEqual([0, -0, NaN, NaN, NaN])
    expect(on(narrowSin)(0, -0, Infinity, -Infinity, Number.NaN)).toEqual([0, -0, NaN, NaN, NaN])
    expect(on(narrowCos)(0, -0, Infinity, -Infinity, Number.NaN)).toEqual([1, 1, NaN, NaN, NaN])
    expect(on(cos)(0, -0, Infinity, -Infinity, Number.NaN)).toEqual([1, 1, NaN, NaN, NaN])
    expect(on(atan)(0, -0, Infinity, -Infinity, 1)).toEqual([0, -0, Math.PI / 2, -Math.PI / 2, Math.PI / 4])
    expect(on(erf)(0, -0, Infinity, -Infinity, 6, -1e300)).toEqual([0, -0, 1, -1, 1, -1])
    expect(on(softplus)(Infinity, -Infinity, -1e300, 1e300, 0)).toEqual([Infinity, 0, 0, 1e300, Math.LN2])
    for (const f of [on(gelu), on(geluTanh)]) {
      expect(f(0, -0, Infinity, -Infinity, -1e300, 1e300)).toEqual([0, -0, Infinity, -0, -0, 1e300])
    }
  })

  it('Elu is x above 0, -alpha at -infinity, and follows IEEE multiplication for any alpha', () => {
    const at = (alpha: number, ...xs: number[]) => xs.map((x) => elu(scalarAlgebra, x, alpha))
    expect(at(2, 0, -0, 3, 1e300, Infinity)).toEqual([0, -0, 3, 1e300, Infinity])
    expect(at(2, -Infinity, -50, -5e-324, Number.NaN)).toEqual([-2, -2, -1e-323, NaN])
    expect([at(0, -1), at(-0, -1), at(Infinity, -1, -5e-324), at(Number.NaN, -1, 1)].flat()).toEqual([
      ...[-0, 0, -Infinity, -Infinity, NaN, 1],
    ])
  })

  it('the identity where x is tiny', () => {
    const tiny = fc.double({ min: -(2 ** -30), max: 2 ** -30, noNaN: true })
    fc.assert(fc.property(tiny, (x) => Object.is(sin(scalarAlgebra, x), x)))
    fc.assert(fc.property(tiny, (x) => Object.is(atan(scalarAlgebra, x), x)))
  })
})
