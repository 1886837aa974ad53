// isClose, allClose and arrayEqual against their definitions, in every type and layout, on every backend.
import { type Rational, rational } from '@bcast/spec'
import {
  allClose,
  arrayEqual,
  type DType,
  DTypeError,
  dtypes,
  isClose,
  OperandError,
  type Tensor,
  tensor,
  zeros,
} from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onEveryBackend } from '../../../../testing/backends.ts'
import { elementsOf, make, sameElement, type Value } from '../../../../testing/elements.ts'
import { sample } from '../support/layouts.ts'

type Loose = (...args: unknown[]) => Tensor
const numeric = dtypes.filter((dtype) => dtype !== 'string')

const exact = (x: number): Rational => {
  let [n, d] = [x, 1n]
  while (!Number.isInteger(n)) [n, d] = [n * 2, d * 2n]
  return rational(BigInt(n), d)
}
const magnitude = (x: bigint): bigint => (x < 0n ? -x : x)

/** Read literally: |a - b| ≤ atol + rtol * |b|. */
function close(a: Value, b: Value, rtol: number, atol: number, equalNan: boolean): boolean {
  if (typeof a === 'object' && typeof b === 'object') {
    const [r, t] = [exact(rtol), exact(atol)]
    const distance = rational(magnitude(a.n * b.d - b.n * a.d), a.d * b.d)
    const allowed = rational(t.n * r.d * b.d + r.n * magnitude(b.n) * t.d, t.d * r.d * b.d)
    return distance.n * allowed.d <= allowed.n * distance.d
  }
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    return Number(magnitude(a - b)) <= atol + rtol * Math.abs(Number(b))
  }
  const [x, y] = [Number(a), Number(b)]
  if (equalNan && Number.isNaN(x) && Number.isNaN(y)) return true
  return x === y || (Math.abs(y) < Number.POSITIVE_INFINITY && Math.abs(x - y) <= atol + rtol * Math.abs(y))
}

const tolerance = fc.constantFrom(0, 1e-8, 1e-5, 0.125, 0.5, 1, 3)

onEveryBackend(() => {
  it('isClose, in every type', () => {
    const asked = fc
      .constantFrom<DType>(...numeric)
      .chain((dtype) => fc.tuple(sample(dtype, [4, 3]), sample(dtype, [3]), tolerance, tolerance, fc.boolean()))
    fc.assert(
      fc.property(asked, ([a, b, rtol, atol, equalNan]) => {
        const [x, y] = [elementsOf(a.tensor), elementsOf(b.tensor)]
        const made = (isClose as unknown as Loose)(a.tensor, b.tensor, { rtol, atol, equalNan })
        const wanted = x.map((value, i) => close(value, y[i % 3]!, rtol, atol, equalNan))
        expect(elementsOf(made)).toEqual(wanted)
        expect((allClose as unknown as Loose)(a.tensor, b.tensor, { rtol, atol, equalNan })).toBe(
          !wanted.includes(false),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('arrayEqual, in every type', () => {
    const asked = fc
      .constantFrom<DType>(...dtypes)
      .chain((dtype) => fc.tuple(sample(dtype, [2, 2]), sample(dtype, [2, 2]), fc.boolean()))
    fc.assert(
      fc.property(asked, ([a, b, equalNan]) => {
        const [x, y] = [elementsOf(a.tensor), elementsOf(b.tensor)]
        const same = (p: Value, q: Value): boolean =>
          p === q || (equalNan && sameElement(p, q)) || (typeof p === 'object' && sameElement(p, q))
        const equal = arrayEqual as unknown as (...args: unknown[]) => boolean
        expect(equal(a.tensor, b.tensor, { equalNan })).toBe(x.every((value, i) => same(value, y[i]!)))
        const copy = make(a.tensor.dtype, x, [2, 2])
        expect(equal(a.tensor, copy, { equalNan })).toBe(equalNan || !x.some(Number.isNaN))
      }),
      { numRuns: 60 },
    )
  })
})

describe('closeness', () => {
  it('sees the difference of large integers', () => {
    const [a, b] = [tensor([2n ** 62n, -(2n ** 63n)]), tensor([2n ** 62n + 1n, 2n ** 63n - 1n])]
    expect(isClose(a, b, { rtol: 0, atol: 0 }).toArray()).toEqual([false, false])
    expect(isClose(a, b, { rtol: 0, atol: 1 }).toArray()).toEqual([true, false])
  })

  it('takes a number beside a tensor, and writes into out', () => {
    const out = zeros([2], { dtype: 'bool' })
    expect(isClose(tensor([1, 2]), 1, { out })).toBe(out)
    expect(out.toArray()).toEqual([true, false])
    expect(allClose(tensor([1, 1.000001]), 1)).toBe(true)
  })

  it('computes asynchronously', async () => {
    expect((await isClose.async(tensor([1, 2]), tensor([1, 3]))).toArray()).toEqual([true, false])
  })

  it('of shapes that differ: broadcast, or unequal', () => {
    expect(allClose(tensor([1, 1]), tensor([[1], [1]]))).toBe(true)
    expect(arrayEqual(tensor([1, 1]), tensor([[1], [1]]))).toBe(false)
    expect(arrayEqual(tensor([0]), tensor([-0]))).toBe(true)
    expect(arrayEqual(tensor([]), tensor([]))).toBe(true)
  })

  it('refuses what it does not compare', () => {
    const loose = isClose as unknown as Loose
    expect(() => loose(tensor(['a']), tensor(['a']))).toThrow('use equal, or arrayEqual')
    expect(() => loose(tensor([1]), tensor([1n]))).toThrow(DTypeError)
    expect(() => (arrayEqual as unknown as Loose)(tensor([1]), tensor([1n]))).toThrow(DTypeError)
    expect(() => isClose(tensor([1]), 1, { rtol: -1 })).toThrow(
      'isClose: rtol is -1; it is a finite number, and not below 0.',
    )
    expect(() => isClose(tensor([1]), 1, { tol: 1 } as never)).toThrow(OperandError)
    expect(() => allClose(tensor([1]), 1, { out: tensor([1]) } as never)).toThrow('allClose has no option out')
    expect(() => arrayEqual(tensor([1]), 1 as never)).toThrow('arrayEqual: B is 1; wrap it with tensor(…).')
  })
})
