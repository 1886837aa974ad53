// Integers written in an expression keep every digit, or are refused: compared with plain bigint arithmetic.
import type { Tensor } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import { Composer } from '../../src/expression/compose.ts'
import { EvaluationError } from '../../src/expression/expression-error.ts'
import { parseExpression } from '../../src/expression/parse.ts'

const evaluated = (expression: string): unknown => {
  const valueNamed = (): never => expect.fail('there are no names')
  const root = parseExpression(expression)
  return (new Composer({ expression, valueNamed }).compose(root, undefined) as Tensor).toArray()
}

const floor = (a: bigint, b: bigint): bigint => (a % b !== 0n && a < 0n !== b < 0n ? a / b - 1n : a / b)

/** What the reference says; undefined where there is no integer. */
const meanings: Readonly<Record<string, (a: bigint, b: bigint) => bigint | undefined>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b !== 0n && a % b === 0n ? a / b : undefined),
  '//': (a, b) => (b === 0n ? undefined : floor(a, b)),
  '%': (a, b) => (b === 0n ? undefined : a - b * floor(a, b)),
  '**': (a, b) => (b >= 0n && b < 200n ? a ** b : undefined),
}

interface Written {
  readonly text: string
  readonly value: bigint | undefined
}

const literal: fc.Arbitrary<Written> = fc
  .oneof(fc.bigInt({ min: 0n, max: 70n }), fc.bigInt({ min: 0n, max: 2n ** 64n }))
  .map((value) => ({ text: String(value), value }))

const { written } = fc.letrec<{ written: Written }>((tie) => ({
  written: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    literal,
    fc.tuple(fc.constantFrom(...Object.keys(meanings)), tie('written'), tie('written')).map(([sign, a, b]) => ({
      text: `(${a.text} ${sign} ${b.text})`,
      value: a.value === undefined || b.value === undefined ? undefined : meanings[sign]!(a.value, b.value),
    })),
    tie('written').map(({ text, value }) => ({ text: `(-${text})`, value: value === undefined ? undefined : -value })),
  ),
}))

describe('integers in an expression', () => {
  it('are never another integer than the one that is written', () => {
    let exact = 0
    fc.assert(
      fc.property(written, fc.constantFrom('int64', 'uint64'), ({ text, value }, dtype) => {
        let found: unknown
        try {
          found = evaluated(`${dtype}(${text})`)
        } catch (error) {
          expect(error).toBeInstanceOf(EvaluationError)
          return
        }
        // A fraction on the way may have become an integer again: only what was one throughout is compared.
        if (value === undefined) return
        expect(found).toBe(value)
        exact++
      }),
      { numRuns: 3000 },
    )
    onDefaultSeed(() => expect(exact).toBeGreaterThan(300))
  })

  it.each([
    ['int64(2**53 + 1)', 2n ** 53n + 1n],
    ['int64(3 ** 39)', 3n ** 39n],
    ['int64(10**18 // 3)', 333333333333333333n],
    ['int64(1e18 + 1)', 10n ** 18n + 1n],
    ['uint64(2 ** 64 - 1)', 2n ** 64n - 1n],
    ['(2**53 + 1) & 1', 1n],
    ['2**53 + 1 == 2**53', false],
    ['10**30', 1e30],
    ['10**18 / 3', 10 ** 18 / 3],
    ['7 % 0.5', 0],
  ])('%s', (expression, value) => {
    expect(evaluated(expression)).toBe(value)
  })

  it('are refused where float64 has rounded them', () => {
    expect(() => evaluated('int64(10**18 / 3)')).toThrow(
      '333333333333333300 was computed in float64, which rounds integers beyond 2^53; int64 takes exact ones. A whole quotient is written //.',
    )
    expect(() => evaluated('int64(10**18 / 3 + 1)')).toThrow('was computed in float64')
  })
})
