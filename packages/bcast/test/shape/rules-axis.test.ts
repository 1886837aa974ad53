// The rules with a start axis: which axis is counted before trimming, which ones stretch, and who may grow.
import { describe, expect, it } from 'vitest'
import type { Shape } from '../../src/shape/dim.ts'
import { resolve } from '../../src/shape/resolve.ts'
import { onnxLegacy, paddle, pdpd } from '../../src/shape/rules/index.ts'
import { accepts, places, result } from './support/outcome.ts'

const A = [2, 3, 4, 5]

describe('pdpd', () => {
  it('[openvino.pdpd.1] B has at most the rank of A, trailing ones or not', () => {
    expect(accepts(pdpd(), [3], [3, 1])).toBe(false)
    expect(accepts(pdpd({ axis: 0 }), [3], [3, 1])).toBe(false)
  })

  it('[openvino.pdpd.example.1] [openvino.pdpd.example.2] [openvino.pdpd.example.3a] [openvino.pdpd.example.3b] [openvino.pdpd.example.4] [openvino.pdpd.example.5] [openvino.pdpd.example.6a] [openvino.pdpd.example.6b] [openvino.pdpd.example.7] the document', () => {
    const examples: readonly (readonly [Shape, number, Shape])[] = [
      [[3, 4], 1, [1, 2]],
      [[3, 1], 1, [1, 2]],
      [[4, 5], -1, [2, 3]],
      [[4, 5], 2, [2, 3]],
      [[1, 3], 0, [0, 1]],
      [[], -1, []],
      [[5], -1, [3]],
      [[5], 3, [3]],
    ]
    for (const [b, axis, expected] of examples) {
      expect(result(pdpd({ axis }), [A, b])).toEqual(A)
      expect(places(pdpd({ axis }), A, b)).toEqual(expected)
    }
    expect(accepts(pdpd({ axis: 1 }), [8, 1, 6, 1], [7, 1, 5])).toBe(false)
  })

  it('[openvino.pdpd.3] the axis is one of A: (3) does not start at axis 2 of (4,3), nor beyond', () => {
    for (const axis of [2, 3, 5]) {
      expect(accepts(pdpd({ axis }), [4, 3], [3])).toBe(false)
      expect(accepts(pdpd({ axis }), [4, 3], [4, 3])).toBe(false)
    }
    // What is left of B without its trailing ones has no first axis: it may lie right behind A's last.
    expect(accepts(pdpd({ axis: 2 }), [4, 3], [1])).toBe(true)
    expect(accepts(pdpd({ axis: 3 }), [4, 3], [1])).toBe(false)
  })

  it('[openvino.pdpd.2] [openvino.pdpd.3] ones inside B stretch, other sizes are those of A, and A never grows', () => {
    expect(accepts(pdpd({ axis: 1 }), A, [3, 1, 5])).toBe(true)
    expect(result(pdpd({ axis: 1 }), [A, [4, 4]])).toMatch(/^cannot broadcast axis -3: 3 vs 4/)
    expect(result(pdpd({ axis: 0 }), '(1,3) (2)')).toMatch(/^cannot broadcast axis -2: 1 vs 2/)
  })

  it('[openvino.pdpd.4] the default axis comes from the untrimmed rank: (3,1) meets axis 2, not axis 3', () => {
    expect(result(pdpd(), '(2,3,4,3) (3,1)')).toBe('cannot broadcast axis -2: 4 vs 3 (shapes [2,3,4,3] and [3,1])')
    expect(places(pdpd(), [2, 4, 3, 5], [3, 1])).toEqual([2, 3])
  })

  it("[openvino.pdpd.5] trailing ones pass A's end, other sizes do not", () => {
    expect(places(pdpd({ axis: 3 }), [2, 4, 5, 3], [3, 1])).toEqual([3, -1])
    expect(accepts(pdpd({ axis: 3 }), [2, 4, 5, 3], [3, 1, 1])).toBe(true)
    expect(result(pdpd({ axis: 3 }), '(2,4,5,3) (3,2)')).toBe(
      'axis -1 of B lies outside the result and must be 1, not 2 (shapes [2,4,5,3] and [3,2])',
    )
    expect(accepts(pdpd({ axis: 4 }), [2, 4, 5, 3], [1, 1])).toBe(true)
    expect(result(pdpd({ axis: 5 }), '(2,4,5,3) (1)')).toBe(
      "B does not fit: axis 5 passes A's rank 4 (shapes [2,4,5,3] and [1])",
    )
  })

  it("untrimmed is OpenVINO's check: the ones count before they are trimmed", () => {
    expect(result(pdpd({ axis: 3, untrimmed: true }), '(2,4,5,3) (3,1)')).toBe(
      "B does not fit: axis 3 + rank 2 passes A's rank 4 (shapes [2,4,5,3] and [3,1])",
    )
    expect(accepts(pdpd({ axis: 2, untrimmed: true }), [2, 4, 3, 5], [3, 1])).toBe(true)
  })

  it('innerOnes error is Paddle 1.5: only trailing ones of B stretch', () => {
    const paddle15 = (axis: number) => pdpd({ axis, innerOnes: 'error' })
    expect(accepts(paddle15(1), A, [3, 1])).toBe(true)
    expect(accepts(paddle15(1), A, [3, 1, 1])).toBe(true)
    expect(result(paddle15(0), [A, [1, 3]])).toMatch(/^cannot broadcast axis -4: 2 vs 1/)
    expect(result(paddle15(1), [A, [3, 1, 5]])).toMatch(/^cannot broadcast axis -2: 4 vs 1/)
    expect(accepts(paddle15(1), [2, 1, 5], [1, 5])).toBe(true)
    expect(result(paddle15(1), [A, [7, 1]])).toMatch(/^cannot broadcast axis -3: 3 vs 7/)
  })

  it('Paddle 1.5 takes equal shapes as they are, whatever the axis', () => {
    const rule = pdpd({ axis: 2, innerOnes: 'error', untrimmed: true })
    expect(places(rule, [2, 3], [2, 3])).toEqual([0, 1])
    expect(accepts(rule, [2, 3], [2, 1])).toBe(false)
    expect(accepts(pdpd({ axis: 2 }), [2, 3], [2, 3])).toBe(false)
  })

  it('Select goes onto its second operand', () => {
    expect(result(pdpd({ axis: 1 }), [[3], A, [3, 4]], 1)).toEqual(A)
    expect(resolve(pdpd({ axis: 1 }), [[3], A, [4]], 1)).toMatchObject({ operands: [1, 2], axis: -3 })
  })
})

describe('paddle', () => {
  it('either operand may have the smaller rank, and either may stretch', () => {
    expect(result(paddle({ axis: 1 }), [[3, 4], A])).toEqual(A)
    expect(result(paddle(), '(20,5,1,1) (1,1,20,5)')).toEqual([20, 5, 20, 5])
    expect(result(paddle({ axis: 1 }), '(2,1,4) (3)')).toEqual([2, 3, 4])
    expect(accepts(pdpd({ axis: 1 }), [2, 1, 4], [3])).toBe(false)
  })

  it('inner ones stretch, where Paddle 1.5 refuses them', () => {
    expect(accepts(paddle({ axis: 1 }), A, [3, 1, 5])).toBe(true)
    expect(accepts(pdpd({ axis: 1, innerOnes: 'error' }), A, [3, 1, 5])).toBe(false)
  })

  it('different shapes of equal rank leave no axis to choose; equal shapes are taken as they are', () => {
    expect(accepts(paddle({ axis: 0 }), [2, 3], [2, 1])).toBe(true)
    expect(result(paddle({ axis: 1 }), '(2,3) (2,3)')).toEqual([2, 3])
    expect(result(paddle({ axis: 1 }), '(2,3) (2,1)')).toBe(
      'shapes of equal rank differ, so axis must be -1 or 0 and not 1 (shapes [2,3] and [2,1])',
    )
  })
  it('the axis is one of the larger operand, also for a scalar', () => {
    expect(accepts(paddle({ axis: 0 }), [5], [])).toBe(true)
    expect(accepts(paddle({ axis: 1 }), [5], [])).toBe(false)
  })
  it('all of the smaller shape must fit, trailing ones too', () => {
    expect(result(paddle({ axis: 2 }), '(2,3,4) (4,1)')).toBe(
      'B does not fit: axis 2 + rank 2 passes rank 3 (shapes [2,3,4] and [4,1])',
    )
  })
})

describe('onnxLegacy', () => {
  const legacy = (axis?: number) => onnxLegacy({ broadcast: true, ...(axis === undefined ? {} : { axis }) })

  it('demands equal shapes without broadcast', () => {
    expect(accepts(onnxLegacy(), A, A)).toBe(true)
    expect(accepts(onnxLegacy({ axis: 1 }), A, [3, 4])).toBe(false)
    expect(accepts(onnxLegacy(), A, [])).toBe(false)
  })

  it('takes a run of sizes from axis on, or from the end', () => {
    expect(places(legacy(), A, [5])).toEqual([3])
    expect(places(legacy(), A, [4, 5])).toEqual([2, 3])
    expect(places(legacy(1), A, [3, 4])).toEqual([1, 2])
    expect(places(legacy(0), A, [2])).toEqual([0])
    expect(accepts(legacy(), A, [3, 4])).toBe(false)
  })

  it('takes one element of any rank up to that of A, wherever axis points', () => {
    for (const axis of [undefined, 0, 3, 9]) {
      for (const b of [[], [1], [1, 1], [1, 1, 1, 1]]) expect(accepts(legacy(axis), A, b)).toBe(true)
    }
    expect(accepts(legacy(), A, [1, 1, 1, 1, 1])).toBe(false)
  })

  it('stretches no other ones, and trims none', () => {
    expect(accepts(legacy(), A, [1, 5])).toBe(false)
    expect(accepts(legacy(1), A, [3, 1])).toBe(false)
    expect(result(legacy(1), '(2,3) (3,1)')).toBe('axis -1 of B lies outside the result (shapes [2,3] and [3,1])')
    expect(accepts(legacy(1), [2, 1, 3], [1, 3])).toBe(true)
  })
})
