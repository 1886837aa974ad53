// The two SONNX drafts clause by clause. They give no examples of their own, so each clause has one made by hand.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  broadcast,
  dtypes,
  fromFlat,
  numpy,
  type RuleResult,
  sonnx,
  sonnx1,
  sonnxRecursive,
  sonnxTypes,
  toFlat,
} from '../src/index.ts'
import { f } from '../src/rules/sonnx.ts'

const shapeOf = (result: RuleResult): number[] | string => (result.ok ? result.shape : result.clause)
const shapesArbitrary = fc.array(fc.array(fc.constantFrom(0, 1, 1, 2, 3), { maxLength: 4 }), {
  minLength: 1,
  maxLength: 4,
})
const X = fromFlat([3], ['p', 'q', 'r'])
const W = fromFlat([2, 1], ['u', 'v'])

describe('first draft', () => {
  it('[sonnx1.signature] N tensors in, N tensors of one shape out', () => {
    const Z = broadcast(sonnx1([[3], [2, 1], []]), [X, W, fromFlat([], ['s'])])
    expect(Z.map(({ shape }) => shape)).toEqual([
      [2, 3],
      [2, 3],
      [2, 3],
    ])
    expect(shapeOf(sonnx1([]))).toBe('sonnx1.signature')
  })
  it('[sonnx1.purpose.rank] the rank is the largest rank', () => {
    expect(shapeOf(sonnx1([[1], [1, 1, 1], [1, 1]]))).toEqual([1, 1, 1])
  })
  it('[sonnx1.purpose.size] [sonnx1.max] each size is the largest size', () => {
    expect(
      shapeOf(
        sonnx1([
          [1, 4],
          [3, 1],
          [1, 1],
        ]),
      ),
    ).toEqual([3, 4])
  })
  it('[sonnx1.pad] completed dimensions come first, have size 1 and shift the index', () => {
    const result = sonnx1([[3], [2, 3]])
    expect(result.ok && result.maps[0]!([1, 2])).toEqual([2])
    expect(shapeOf(sonnx1([[2], [2, 3]]))).toBe('sonnx1.c1')
  })
  it('[sonnx1.stretch] along an increased dimension stands the first element', () => {
    const [Z] = broadcast(
      sonnx1([
        [2, 1],
        [2, 3],
      ]),
      [W],
    )
    expect(toFlat(Z!)).toEqual([...'uuuvvv'])
  })
  it('[sonnx1.c1] every size is the maximum or 1', () => {
    expect(shapeOf(sonnx1([[2], [3]]))).toBe('sonnx1.c1')
    expect(shapeOf(sonnx1([[2], [1], [2]]))).toEqual([2])
  })
  it('[sonnx1.c1] read literally, 0 against 1 is a violation, for the maximum is 1', () => {
    expect(shapeOf(sonnx1([[0], [1]]))).toBe('sonnx1.c1')
    expect(shapeOf(sonnx1([[0], [0]]))).toEqual([0])
    expect(shapeOf(sonnx1([[], [0]]))).toBe('sonnx1.c1')
  })
  it('[sonnx1.f] f is the index where sizes agree and the first index where the size is 1', () => {
    expect(f(3, 5, 5)).toBe(3)
    expect(f(3, 1, 5)).toBe(1)
    expect(f(1, 1, 1)).toBe(1)
    expect(() => f(1, 2, 5)).toThrow(RangeError)
  })
  it('[sonnx1.relation] z at an index is x at f of each index', () => {
    const [Z0, Z1] = broadcast(sonnx1([[3], [2, 1]]), [X, W])
    expect(toFlat(Z0!)).toEqual([...'pqrpqr'])
    expect(toFlat(Z1!)).toEqual([...'uuuvvv'])
  })
})

describe('second draft', () => {
  it('[sonnx2.types] fourteen type names', () => {
    expect(Object.keys(sonnxTypes)).toHaveLength(14)
    expect(sonnxTypes).toMatchObject({ float: 'float32', double: 'float64', boolean: 'bool' })
    expect(new Set(Object.values(sonnxTypes))).toEqual(new Set(dtypes.filter((dtype) => dtype !== 'bfloat16')))
  })
  it('[sonnx2.l] L is not negative: one tensor at least', () => {
    expect(shapeOf(sonnx([]))).toBe('sonnx2.l')
    expect(shapeOf(sonnx([[2, 3]]))).toEqual([2, 3])
  })
  it('[sonnx2.signature] L + 1 tensors in, L + 1 tensors of one shape out', () => {
    const Z = broadcast(sonnx([[3], [2, 1], []]), [X, W, fromFlat([], ['s'])])
    expect(Z.map(({ shape }) => shape)).toEqual([
      [2, 3],
      [2, 3],
      [2, 3],
    ])
  })
  it('[sonnx2.restrictions] no restriction against the ONNX rule but for sizes of 0', () => {
    fc.assert(
      fc.property(shapesArbitrary, (shapes) => {
        const literal = sonnx(shapes)
        const common = numpy(shapes)
        if (literal.ok) expect(common.ok && common.shape).toEqual(literal.shape)
        else expect(!common.ok || common.shape.includes(0)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
  it('[sonnx2.condition.1] [sonnx2.ny] the rank is the largest rank', () => {
    expect(shapeOf(sonnx([[], [1, 1], [1]]))).toEqual([1, 1])
  })
  it('[sonnx2.condition.2] [sonnx2.max] each size is the largest after expansion', () => {
    expect(shapeOf(sonnx([[4], [3, 1]]))).toEqual([3, 4])
  })
  it('[sonnx2.step.1] [sonnx2.pad] ones are prepended', () => {
    expect(shapeOf(sonnx([[2], [2, 3]]))).toBe('sonnx2.c1')
    expect(shapeOf(sonnx([[3], [2, 3]]))).toEqual([2, 3])
  })
  it('[sonnx2.index] the added indices vanish on the way to X', () => {
    const result = sonnx([[3], [2, 4, 3]])
    expect(result.ok && result.maps[0]!([1, 3, 2])).toEqual([2])
  })
  it('[sonnx2.step.2] [sonnx2.relation] increased dimensions read their first element', () => {
    const [Z0, Z1] = broadcast(sonnx([[3], [2, 1]]), [X, W])
    expect(toFlat(Z0!)).toEqual([...'pqrpqr'])
    expect(toFlat(Z1!)).toEqual([...'uuuvvv'])
  })
  it('[sonnx2.c1] every size is the maximum or 1; read literally 0 against 1 violates it', () => {
    expect(shapeOf(sonnx([[2], [3]]))).toBe('sonnx2.c1')
    expect(shapeOf(sonnx([[0], [1]]))).toBe('sonnx2.c1')
    expect(
      shapeOf(
        sonnx([
          [0, 1],
          [0, 2],
        ]),
      ),
    ).toEqual([0, 2])
  })
  it('[sonnx2.f] the first element has index 0 when counted from 0', () => {
    const result = sonnx([[1], [5]])
    expect(result.ok && result.maps.map((map) => map([4]))).toEqual([[0], [4]])
  })
  it('[sonnx2.commutative] permuting the inputs permutes the outputs', () => {
    fc.assert(
      fc.property(shapesArbitrary, (shapes) => {
        const [forward, backward] = [sonnx(shapes), sonnx([...shapes].reverse())]
        expect(backward.ok).toBe(forward.ok)
        if (!forward.ok || !backward.ok) return
        expect(backward.shape).toEqual(forward.shape)
        const last = forward.shape.map((size) => size - 1)
        expect(backward.maps.map((map) => map(last)).reverse()).toEqual(forward.maps.map((map) => map(last)))
      }),
      { numRuns: 300 },
    )
  })
  it('[sonnx2.recursive] [sonnx2.binary] [sonnx1.relation] both drafts and the recursion are one function', () => {
    fc.assert(
      fc.property(shapesArbitrary, (shapes) => {
        const results = [sonnx(shapes), sonnx1(shapes), sonnxRecursive(shapes)]
        const tensors = shapes.map((shape) =>
          fromFlat(
            shape,
            Array.from({ length: shape.reduce<number>((x, y) => x * y, 1) }, (_, i) => i),
          ),
        )
        const [expected, ...others] = results.map((result) =>
          result.ok ? broadcast(result, tensors).map((Z) => [Z.shape, toFlat(Z)]) : 'violated',
        )
        for (const other of others) expect(other).toEqual(expected)
      }),
      { numRuns: 200 },
    )
  })
})
