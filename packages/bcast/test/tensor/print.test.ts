// The texts in print-cases.json are NumPy's own: version 2.4.6, str(np.resize(values, shape)) with default options.
// What NumPy has no word on (bfloat16, real, views beyond memory) is checked by what makes a decimal the right one.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bfloat16ToNumber, roundToBfloat16 } from '../../src/dtype/bfloat16.ts'
import { float16ToNumber, roundToFloat16 } from '../../src/dtype/float16.ts'
import { printElements } from '../../src/tensor/print.ts'
import cases from './print-cases.json' with { type: 'json' }

type Value = number | boolean | string

/** JSON has no NaN, infinity, -0 or 64-bit integer: those stand as text. */
function element(dtype: string, value: Value): unknown {
  if (dtype.startsWith('float')) return value === 'nan' ? NaN : Number(String(value).replace('inf', 'Infinity'))
  return dtype.endsWith('int64') ? BigInt(value) : value
}

const position = (shape: readonly number[], index: readonly number[]): number =>
  index.reduce((sum, i, axis) => sum * shape[axis]! + i, 0)

function print(dtype: string, shape: readonly number[], elements: readonly unknown[]): string {
  return printElements(dtype, shape, (index) => elements[position(shape, index) % elements.length])
}

const scalar = (dtype: string, value: unknown): string => printElements(dtype, [], () => value)

describe('as NumPy prints', () => {
  it.each(
    (cases as { dtype: string; shape: number[]; values: Value[]; text: string[] }[]).map(
      (row, i) => [i, row.dtype, JSON.stringify(row.shape), row] as const,
    ),
  )('case %i: %s %s', (_i, _dtype, _shape, { dtype, shape, values, text }) => {
    const elements = values.map((value) => element(dtype, value))
    expect(print(dtype, shape, elements).split('\n')).toEqual(text)
  })
})

describe('digits', () => {
  const significant = (text: string): number =>
    text
      .replace(/e.*|[-.]/g, '')
      .replace(/^0+/, '')
      .replace(/0+$/, '').length

  /** The decimals of so many digits next to x, on both sides. */
  function decimalsNear(x: number, digits: number): string[] {
    const [coefficient, exponent] = x.toExponential(digits - 1).split('e') as [string, string]
    const integer = BigInt(coefficient.replace('.', ''))
    return [integer - 1n, integer, integer + 1n].map((n) => `${n}e${Number(exponent) - (digits - 1)}`)
  }

  /** Reads back; nothing shorter does; nothing of its length that does is nearer. */
  function expectShortest(dtype: string, round: (x: number) => number, x: number): void {
    const text = scalar(dtype, x)
    const count = significant(text)
    const reads = (decimal: string) => round(Number(decimal)) === x
    const shorter = count > 1 ? decimalsNear(x, count - 1).filter(reads) : []
    // Less what float64 loses of the decimals, so that a tie is a tie.
    const distance = Math.abs(Number(text) - x) - x * 2 ** -50
    const nearer = decimalsNear(x, count).filter(
      (decimal) => reads(decimal) && Math.abs(Number(decimal) - x) < distance,
    )
    if (!reads(text) || shorter.length > 0 || nearer.length > 0) {
      expect.fail(`${dtype} ${x} prints ${text}; shorter: ${shorter}; nearer: ${nearer}`)
    }
  }

  it('are the shortest for every bfloat16 and float16', () => {
    for (let bits = 1; bits < 0x7f80; bits++) expectShortest('bfloat16', roundToBfloat16, bfloat16ToNumber(bits))
    for (let bits = 1; bits < 0x7c00; bits++) expectShortest('float16', roundToFloat16, float16ToNumber(bits))
  })

  it('are the shortest for float32, powers of two included', () => {
    for (let e = -149; e < 128; e++) expectShortest('float32', Math.fround, 2 ** e)
    const float32 = fc.float({ noNaN: true, noDefaultInfinity: true }).map(Math.abs)
    fc.assert(
      fc.property(float32, (x) => x === 0 || expectShortest('float32', Math.fround, x)),
      { numRuns: 2000 },
    )
  })

  it('of float64 are as many as JavaScript needs, and read back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const text = scalar('float64', x)
        expect(Number(text)).toBe(x)
        expect(significant(text)).toBe(significant(String(x)))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('what NumPy lacks', () => {
  it('bfloat16 follows the other float types with its own digits', () => {
    const third = roundToBfloat16(1 / 3)
    expect(scalar('bfloat16', third)).toBe('0.334')
    expect(scalar('bfloat16', 99.5)).toBe('99.5')
    expect(scalar('bfloat16', 100)).toBe('1e+02')
    expect(print('bfloat16', [2, 2], [1, -2.5, third, 0])).toBe('[[ 1.    -2.5  ]\n [ 0.334  0.   ]]')
    expect(print('bfloat16', [3], [1, 128, NaN])).toBe('[1.00e+00 1.28e+02      nan]')
    expect(print('bfloat16', [2], [roundToBfloat16(1e38), -Infinity])).toBe('[1.e+38   -inf]')
  })

  it('real elements align to the right', () => {
    const real = (text: string) => ({ toString: () => text })
    expect(scalar('real', real('1/3'))).toBe('1/3')
    expect(print('real', [2, 2], ['1/3', '-2', '0', '355/113'].map(real))).toBe(
      '[[    1/3      -2]\n [      0 355/113]]',
    )
  })

  it('a string keeps NULs at its end', () => {
    expect(print('string', [1], ['a\0'])).toBe("['a\\x00']")
  })
})

describe('elision', () => {
  function visited(shape: readonly number[]): { text: string; indices: string[] } {
    const indices: string[] = []
    const text = printElements('int32', shape, (index) => {
      indices.push(index.join())
      return index.reduce((a, b) => a + b, 0) % 10
    })
    return { text, indices }
  }

  it('visits the corners of a view larger than memory, each once', () => {
    const { text, indices } = visited([1_000_000, 1_000_000])
    const ends = [0, 1, 2, 999_997, 999_998, 999_999]
    expect(indices).toEqual(ends.flatMap((i) => ends.map((j) => `${i},${j}`)))
    const row = (first: number) => `[${[0, 1, 2].map((j) => (first + j) % 10).join(' ')} ... `
    expect(text.split('\n').map((line) => line.trimStart().slice(0, 11))).toEqual(
      [`[${row(0)}`, row(1), row(2), '...', row(7), row(8), row(9)].map((line) => line.slice(0, 11)),
    )
  })

  it('copes with sizes beyond exact integers', () => {
    expect(visited([2 ** 40, 2 ** 40, 2]).indices).toHaveLength(6 * 6 * 2)
    expect(visited(Array(3).fill(2 ** 52)).indices).toHaveLength(6 ** 3)
    expect(visited([2 ** 52, 0, 2 ** 52])).toEqual({ text: '[]', indices: [] })
  })

  it('begins above a thousand elements', () => {
    expect(visited([10, 100]).indices).toHaveLength(1000)
    expect(visited([7, 143]).indices).toHaveLength(36)
  })
})

it('copes with a rank of thousands', () => {
  const rank = 5000
  expect(print('int32', Array<number>(rank).fill(1), [7])).toBe(`${'['.repeat(rank)}7${']'.repeat(rank)}`)
})
