// Gemm against the specification: ascending k, one accumulator, every step rounded, then alpha, then beta * C; integers
// modulo 2^n; rationals exactly. C in every shape that goes onto the product.
import { type GemmAttributes, SpecError, gemm as specGemm } from '@bcast/spec'
import { BroadcastError, type DType, DTypeError, gemm, OperandError, type Tensor } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementsOf, make, sameElement, show } from '../../../../testing/elements.ts'
import { type Sample, sample } from '../support/layouts.ts'
import { settings } from '../support/oracle.ts'

const TYPES: readonly DType[] = [
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'int32',
  'int64',
  'uint32',
  'uint64',
  'real',
]

interface Case {
  readonly a: Sample
  readonly b: Sample
  readonly c: Sample | undefined
  readonly attributes: GemmAttributes & { readonly alpha: number; readonly beta: number }
}

const sizes = fc.record({ m: fc.nat(4), n: fc.nat(4), k: fc.nat(5) })

const cShapes = (m: number, n: number): readonly (readonly number[] | undefined)[] => [
  undefined,
  [m, n],
  [1, n],
  [m, 1],
  [n],
  [1],
  [1, 1],
  [],
]

const coefficient = (dtype: DType): fc.Arbitrary<number> => {
  const whole = fc.constantFrom(1, 1, 0, -1, 2, 3, -7, 2 ** 31, 2 ** 33 + 1, -(2 ** 40))
  return dtype.includes('int') ? whole : fc.oneof(whole, fc.constantFrom(0.5, 0.1, -0.3, 1e-3))
}

const caseOf = (dtype: DType): fc.Arbitrary<Case> =>
  fc.tuple(sizes, fc.boolean(), fc.boolean(), fc.nat(7)).chain(([{ m, n, k }, transA, transB, c]) => {
    const shape = cShapes(m, n)[c]
    return fc
      .record({
        a: sample(dtype, transA ? [k, m] : [m, k]),
        b: sample(dtype, transB ? [n, k] : [k, n]),
        c: shape === undefined ? fc.constant(undefined) : sample(dtype, shape),
        alpha: coefficient(dtype),
        beta: coefficient(dtype),
      })
      .map(({ a, b, c: added, alpha, beta }) => ({ a, b, c: added, attributes: { alpha, beta, transA, transB } }))
  })

const loosely = gemm as (a: Tensor, b: Tensor, c?: Tensor, options?: object) => Tensor

describe('Gemm', () => {
  it.each(TYPES)('%s', (dtype) => {
    fc.assert(
      fc.property(caseOf(dtype), ({ a, b, c, attributes }) => {
        const wanted = specGemm(dtype, a.spec, b.spec, c?.spec, attributes)
        const result = loosely(a.tensor, b.tensor, c?.tensor, attributes)
        expect(result.shape).toEqual(wanted.shape)
        const got = elementsOf(result)
        const complaints = [...Array(got.length).keys()].flatMap((i) => {
          const index = [Math.floor(i / result.shape[1]!), i % result.shape[1]!]
          const value = wanted.at(index)
          return sameElement(got[i], value) ? [] : [`[${index.join(', ')}]: ${show(value)}, got ${show(got[i])}`]
        })
        expect(complaints).toEqual([])
      }),
      settings(120),
    )
  })

  it('[onnx.uni.op.gemm] C goes onto the product and never enlarges it', () => {
    const a = make('float32', [1, 2, 3, 4], [2, 2])
    const one = (shape: readonly number[]) =>
      make('float32', new Array<number>(shape.reduce((x, y) => x * y, 1)).fill(1), shape)
    expect(loosely(a, a, one([2, 1])).toArray()).toEqual([
      [8, 11],
      [16, 23],
    ])
    for (const shape of [[3, 2], [3], [1, 2, 2], [2, 3], [2, 2, 2]]) {
      expect(() => loosely(a, a, one(shape))).toThrow(BroadcastError)
      expect(() => loosely(a, a, one(shape))).toThrow('Gemm: C goes onto the product (A here), which keeps its shape')
    }
    // Onto a product of one row nothing of more rows goes, although under numpy it would.
    expect(() => loosely(one([1, 2]), a, one([3, 2]))).toThrow(BroadcastError)
  })

  it('the accumulator of float32 is rounded at every step', () => {
    const ones = [2 ** 24, 1, 1, 1]
    const sum = loosely(make('float32', ones, [1, 4]), make('float32', [1, 1, 1, 1], [4, 1]))
    expect(sum.toArray()).toEqual([[2 ** 24]])
  })

  it('writes into out, also when out is an operand', () => {
    const values = [1, 2, 3, 4]
    const a = make('int32', values, [2, 2])
    const wanted = loosely(a, a, a).toArray()
    const out = make('int32', [0, 0, 0, 0], [2, 2])
    expect(loosely(a, a, a, { out })).toBe(out)
    expect(out.toArray()).toEqual(wanted)
    const turned = make('int32', [0, 0, 0, 0], [2, 2]).transpose() as Tensor
    expect(loosely(a, a, a, { out: turned }).toArray()).toEqual(wanted)
    expect(loosely(a, a, a, { out: a })).toBe(a)
    expect(a.toArray()).toEqual(wanted)
  })
})

describe('what Gemm refuses', () => {
  const a = make('float32', [1, 2, 3, 4, 5, 6], [2, 3])

  it('matrices that do not meet', () => {
    expect(() => loosely(a, a)).toThrow("Gemm: A is (2,3) and B is (2,3); A's columns (3) must be B's rows (2).")
    expect(() => loosely(a, a, undefined, { transA: true, transB: true })).toThrow(
      'A transposed is (3,2) and B transposed is (3,2)',
    )
    expect(loosely(a, a, undefined, { transB: true }).shape).toEqual([2, 2])
  })

  it('operands that are no matrices', () => {
    expect(() => loosely(make('float32', [1, 2]), a)).toThrow(OperandError)
    expect(() => loosely(make('float32', [1, 2]), a)).toThrow('Gemm: A has shape (2); it must be a matrix.')
    expect(() => loosely(a, [[1]] as never)).toThrow('Gemm: B is an array; wrap it with tensor(…).')
  })

  it.each<DType>(['int8', 'uint16', 'bool', 'string'])('%s', (dtype) => {
    const x = make(dtype, dtype === 'string' ? ['a'] : dtype === 'bool' ? [true] : [1], [1, 1])
    expect(() => loosely(x, x)).toThrow(DTypeError)
    expect(() => loosely(x, x)).toThrow(
      `Gemm does not take ${dtype} for A; it takes float16, bfloat16, float32, float64, int32, int64, uint32, uint64, real.`,
    )
  })

  it('operands of different types', () => {
    expect(() => loosely(a, make('float64', [1], [1, 1]))).toThrow(
      'Gemm: element types differ: A is float32, B is float64.',
    )
  })

  it.each<DType>(['int32', 'uint64'])('a fractional alpha or beta for %s, as the specification does', (dtype) => {
    const x = make(dtype, [dtype === 'uint64' ? 1n : 1], [1, 1])
    expect(() => loosely(x, x, x, { alpha: 0.5 })).toThrow(OperandError)
    expect(() => loosely(x, x, x, { beta: Number.NaN })).toThrow(
      `Gemm: beta is NaN; for ${dtype} it must be an integer.`,
    )
    const spec = { shape: [1, 1], at: () => (dtype === 'uint64' ? 1n : 1) }
    expect(() => specGemm(dtype, spec, spec, spec, { alpha: 0.5 })).toThrow(SpecError)
  })

  it('an infinite alpha for real, and coefficients that are no numbers', () => {
    const x = make('real', [{ n: 1n, d: 3n }], [1, 1])
    expect(() => loosely(x, x, x, { alpha: Infinity })).toThrow(
      'Gemm: alpha is Infinity; for real it must be a finite number.',
    )
    expect(() => loosely(a, a, a, { beta: '2', transB: true })).toThrow(
      'Gemm: beta is "2"; for float32 it must be a number.',
    )
  })
})
