// Tensors made of one value, or of numbers by a rule, in every element type; each against what its name says.
import { roundNumber } from '@bcast/spec'
import {
  arange,
  DTypeError,
  dtypes,
  eye,
  full,
  linspace,
  OperandError,
  ones,
  ShapeError,
  type Tensor,
  ValueError,
  zeros,
} from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementsOf } from '../../../../../testing/elements.ts'
import { real } from '../../../src/real.ts'

const floats = ['float16', 'bfloat16', 'float32', 'float64'] as const
const integers = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'] as const
const numeric = [...floats, ...integers] as const

/** An integer as the elements of a type are. */
const held = (dtype: string, x: number): number | bigint =>
  dtype.endsWith('64') && dtype !== 'float64' ? BigInt(x) : x

describe('zeros, ones and full', () => {
  it.each(dtypes)('%s', (dtype) => {
    const zero = { string: '', real: real(0), bool: false }[dtype as string] ?? held(dtype, 0)
    expect(zeros([2, 2], { dtype }).toArray()).toEqual([
      [zero, zero],
      [zero, zero],
    ])
    if (dtype === 'string') {
      expect(() => ones([2], { dtype })).toThrow(ValueError)
      expect(full([2], 'ab').toArray()).toEqual(['ab', 'ab'])
      return
    }
    const one = { real: real(1), bool: true }[dtype as string] ?? held(dtype, 1)
    expect(ones([3], { dtype }).toArray()).toEqual([one, one, one])
    expect(full([1, 2], 1, { dtype }).toArray()).toEqual([[one, one]])
  })

  it('take the type of the value where none is said', () => {
    expect(zeros([1]).dtype).toBe('float32')
    expect(
      [full([], 1.5), full([], 2n), full([], true), full([], 'x'), full([], real(1, 3))].map((x) => x.dtype),
    ).toEqual(['float32', 'int64', 'bool', 'string', 'real'])
    expect(full([2], Number.NaN).toArray()).toEqual([Number.NaN, Number.NaN])
    expect(Object.is(full([2], -0).get(1), -0)).toBe(true)
  })

  it('write over memory that held something', () => {
    for (let i = 0; i < 40; i++) {
      const used = full([10], 7)
      expect(zeros([10]).toArray()).toEqual(new Array(10).fill(0))
      used.dispose()
    }
    for (let i = 0; i < 3; i++) {
      const used = full([5000], 7)
      used.dispose()
      expect((zeros([5000]).data as Float32Array).every((x) => x === 0)).toBe(true)
    }
  })

  it('refuse what they do not take', () => {
    expect(() => zeros(3 as never)).toThrow(ShapeError)
    expect(() => zeros([2], 'int32' as never)).toThrow('zeros: options are "int32"; they are an object with dtype.')
    expect(() => zeros([2], { type: 'int32' } as never)).toThrow('zeros has no option type; it has dtype.')
    expect(() => ones([-1])).toThrow(ShapeError)
    expect(() => full([2], [1, 2] as never)).toThrow(OperandError)
    expect(() => full([2], 300, { dtype: 'uint8' })).toThrow(ValueError)
    expect(() => full([2], 0, { dtype: 'float8' as never })).toThrow(DTypeError)
  })
})

describe('arange', () => {
  it.each(numeric)('counts in %s', (dtype) => {
    expect(arange(4, { dtype }).toArray()).toEqual([0, 1, 2, 3].map((x) => held(dtype, x)))
    expect(arange(9, 2, -3, { dtype }).toArray()).toEqual([9, 6, 3].map((x) => held(dtype, x)))
    expect(arange(5, 5, { dtype }).toArray()).toEqual([])
    expect(arange(5, 1, { dtype }).shape).toEqual([0])
  })

  it('counts integers exactly, to the ends of their types', () => {
    const most = 2n ** 64n - 1n
    expect(arange(most - 2n, most + 1n, 1n, { dtype: 'uint64' }).toArray()).toEqual([most - 2n, most - 1n, most])
    expect(arange(-128, 128, 255, { dtype: 'int8' }).toArray()).toEqual([-128, 127])
    expect(arange(3n).toArray()).toEqual([0n, 1n, 2n])
    expect(arange(0, 2.5, { dtype: 'int32' }).toArray()).toEqual([0, 1, 2])
    expect(arange(0, -2.5, -1, { dtype: 'int32' }).toArray()).toEqual([0, -1, -2])
  })

  it('is start + i * step, rounded once, as often as NumPy counts', () => {
    const number = fc.integer({ min: -400, max: 400 }).map((x) => x / 10)
    fc.assert(
      fc.property(fc.constantFrom(...floats), number, number, number, (dtype, start, stop, step) => {
        fc.pre(step !== 0)
        const count = Math.max(0, Math.ceil((stop - start) / step))
        const wanted = Array.from({ length: count }, (_, i) => roundNumber(dtype, start + i * step))
        const made = arange(start, stop, step, { dtype }) as Tensor
        expect(made.shape).toEqual([count])
        expect(elementsOf(made)).toEqual(wanted)
      }),
    )
  })

  it('counts rationals exactly', () => {
    expect(arange(real(0), real(1), real(1, 3)).toArray()).toEqual([real(0), real(1, 3), real(2, 3)])
    expect(arange(1, 0, real(-1, 2) as never, { dtype: 'real' }).toArray()).toEqual([real(1), real(1, 2)])
  })

  it('refuses what cannot be counted', () => {
    expect(() => arange(0, 1, 0)).toThrow('step is 0')
    expect(() => arange(0n, 1n, 0n)).toThrow('step is 0')
    expect(() => arange(Number.POSITIVE_INFINITY)).toThrow(ValueError)
    expect(() => arange(0, Number.POSITIVE_INFINITY, { dtype: 'int32' })).toThrow(ValueError)
    expect(() => arange(0.5, 3, { dtype: 'int32' })).toThrow('it is not an integer')
    expect(() => arange(257, { dtype: 'uint8' })).toThrow('256n cannot be an element of type uint8')
    expect(() => arange(3, { dtype: 'bool' })).toThrow(DTypeError)
    expect(() => arange('3' as never)).toThrow(ValueError)
    expect(() => (arange as (...args: unknown[]) => unknown)()).toThrow(OperandError)
    expect(() => (arange as (...args: unknown[]) => unknown)(1, 2, 3, 4)).toThrow(OperandError)
    expect(() => arange(3, { step: 2 } as never)).toThrow('arange has no option step')
  })
})

describe('linspace', () => {
  it('has both ends, or leaves the last out', () => {
    expect(linspace(0, 1, 5).toArray()).toEqual([0, 0.25, 0.5, 0.75, 1])
    expect(linspace(0, 1, 4, { endpoint: false }).toArray()).toEqual([0, 0.25, 0.5, 0.75])
    expect(linspace(3, 9, 1).toArray()).toEqual([3])
    expect(linspace(3, 9, 0).toArray()).toEqual([])
  })

  it('ends where it is told to, in every float', () => {
    const number = fc.double({ noNaN: true, min: -1e6, max: 1e6 })
    fc.assert(
      fc.property(fc.constantFrom(...floats), number, number, fc.integer({ min: 2, max: 40 }), (dtype, from, to, n) => {
        const made = elementsOf(linspace(from, to, n, { dtype }) as Tensor)
        // The beginning is what NumPy's steps make of it: -0 may become 0.
        expect(made.at(-1)).toBe(roundNumber(dtype, to))
        const step = (to - from) / (n - 1)
        const wanted = (i: number): number => (step === 0 ? (i / (n - 1)) * (to - from) : i * step) + from
        expect(made.slice(0, -1)).toEqual(made.slice(0, -1).map((_, i) => roundNumber(dtype, wanted(i))))
      }),
    )
  })

  it('is exact in real', () => {
    expect(linspace(0, 1, 4, { dtype: 'real' }).toArray()).toEqual([real(0), real(1, 3), real(2, 3), real(1)])
  })

  it('refuses what it does not take', () => {
    expect(() => linspace(0, 1, -1)).toThrow(ShapeError)
    expect(() => linspace(0, 1, 2.5)).toThrow(ShapeError)
    expect(() => linspace(0, Number.NaN, 3)).toThrow(ValueError)
    expect(() => linspace(0, 1, 3, { dtype: 'int32' })).toThrow("cast(linspace(…), 'int32')")
    expect(() => linspace(0, 1, 3, { endpoint: 1 as never })).toThrow(OperandError)
    expect(() => linspace(0, 1, 3, { num: 1 } as never)).toThrow('linspace has no option num')
  })
})

describe('eye', () => {
  it('has ones where column - row is k', () => {
    const size = fc.integer({ min: 0, max: 5 })
    fc.assert(
      fc.property(
        fc.constantFrom(...numeric),
        size,
        size,
        fc.integer({ min: -7, max: 7 }),
        (dtype, rows, columns, k) => {
          const wanted = Array.from({ length: rows }, (_, i) =>
            Array.from({ length: columns }, (_, j) => held(dtype, j - i === k ? 1 : 0)),
          )
          const made = eye(rows, columns, { k, dtype })
          expect(made.toArray()).toEqual(wanted)
          expect(made.shape).toEqual([rows, columns])
        },
      ),
    )
  })

  it('is square unless said, and float32', () => {
    expect([eye(2).dtype, eye(2).toArray()]).toEqual([
      'float32',
      [
        [1, 0],
        [0, 1],
      ],
    ])
    expect(eye(2, { dtype: 'bool' }).toArray()).toEqual([
      [true, false],
      [false, true],
    ])
    expect(eye(1, { dtype: 'real' }).toArray()).toEqual([[real(1)]])
  })

  it('refuses what it does not take', () => {
    expect(() => eye(-1)).toThrow(ShapeError)
    expect(() => eye(2, { k: 0.5 })).toThrow(OperandError)
    expect(() => eye(2, { dtype: 'string' })).toThrow(ValueError)
    expect(() => eye(2, 3, { diagonal: 1 } as never)).toThrow('eye has no option diagonal')
  })
})
