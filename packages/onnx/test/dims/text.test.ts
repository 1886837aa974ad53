// Texts that are no expressions, names that need quotes, and the errors of everything else.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  constant,
  DimError,
  evaluate,
  evaluateSize,
  floorDiv,
  floorMod,
  format,
  max,
  parse,
  sub,
  symbol,
  symbolsOf,
  truncDiv,
} from '../../src/dims/index.ts'

const codeOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof DimError) return error.code
    throw error
  }
  return 'nothing thrown'
}

describe('texts that are no expressions', () => {
  it.each([
    ['', 'should be a number, a name or ('],
    ['N +', 'should be a number, a name or ('],
    ['N M', 'is not expected here'],
    ['(N', 'should be )'],
    ['N ? 2', 'is no part of an expression'],
    ['N/2', 'may not be whole'],
    ['N/0', 'divides by zero'],
    ['mod(N, 0)', 'divides by zero'],
    ['mod(N)', 'takes 2'],
    ['abs(N, 1)', 'takes 1'],
    ['max(N/2, 1)', 'may not be whole'],
    ['N^M', 'should be a power'],
    ['N^65', 'should be a power'],
    ['floor N', 'should be ('],
    ['"a\\q"', 'is no text in quotes'],
    [`${'('.repeat(5000)}N`, 'is nested deeper'],
  ])('%s', (text, problem) => {
    expect(() => parse(text)).toThrow(problem)
    expect(codeOf(() => parse(text))).toBe('DIM_SYNTAX')
  })

  it('throw nothing but DimErrors, whatever they are', () => {
    const part = fc.constantFrom(
      'N',
      '2',
      '0',
      '1.5',
      '+',
      '-',
      '*',
      '/',
      '//',
      '%',
      '^',
      '(',
      ')',
      ',',
      'max',
      'floor',
      '"',
      ' ',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part, { maxLength: 12 }).map((parts) => parts.join(' ')),
        ),
        (text) => {
          const code = codeOf(() => parse(text))
          expect(['nothing thrown', 'DIM_SYNTAX', 'DIM_DIVISION_BY_ZERO', 'DIM_VALUE']).toContain(code)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('names', () => {
  it('of any kind survive printing and parsing', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), (name) => {
        const dim = max(floorDiv(symbol(name), 2), sub(symbol(name), 3))
        expect(parse(format(dim)).key).toBe(dim.key)
        expect(symbolsOf(parse(format(dim)))).toEqual([name])
      }),
    )
  })

  it('that look like something else are quoted', () => {
    expect(format(symbol('max'))).toBe('"max"')
    expect(format(symbol('past + 1'))).toBe('"past + 1"')
    expect(format(symbol('unk__12'))).toBe('unk__12')
    expect(format(symbol('größe'))).toBe('größe')
  })
})

describe('errors', () => {
  const N = symbol('N')

  it.each<[string, () => unknown]>([
    ['DIM_VALUE', () => constant(0.5)],
    ['DIM_VALUE', () => constant(2 ** 53)],
    ['DIM_VALUE', () => symbol('')],
    ['DIM_VALUE', () => symbol('N', { min: 3, max: 2 })],
    ['DIM_VALUE', () => symbol('N', { max: 1.5 })],
    ['DIM_VALUE', () => max()],
    ['DIM_VALUE', () => evaluate(N, { N: 0.5 })],
    ['DIM_UNBOUND', () => evaluate(N, { M: 1 })],
    ['DIM_UNBOUND', () => evaluate(symbol('toString'), {})],
    ['DIM_SIZE', () => evaluateSize(sub(N, 3), { N: 2 })],
    ['DIM_SIZE', () => evaluateSize(N, { N: 2n ** 53n })],
    ['DIM_DIVISION_BY_ZERO', () => floorDiv(N, 0)],
    ['DIM_DIVISION_BY_ZERO', () => truncDiv(N, 0)],
    ['DIM_DIVISION_BY_ZERO', () => floorMod(N, sub(N, N))],
    ['DIM_DIVISION_BY_ZERO', () => evaluate(floorDiv(7, N), { N: 0 })],
  ])('%s', (code, act) => {
    expect(codeOf(act)).toBe(code)
  })

  it('a size is a number', () => {
    expect(evaluateSize(sub(N, 3), new Map([['N', 5n]]))).toBe(2)
  })
})
