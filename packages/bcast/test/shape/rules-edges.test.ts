// What holds for every rule at the edges: sizes of 0, one operand, ten thousand, rank 0 and high rank.
import { describe, expect, it } from 'vitest'
import { bestTime } from '../../../../testing/processor-time.ts'
import type { Shape } from '../../src/shape/dim.ts'
import { isFailure, resolve } from '../../src/shape/resolve.ts'
import { rightAligned } from '../../src/shape/rule.ts'
import {
  bidirectional,
  explicit,
  matmulBatch,
  none,
  numpy,
  onnxLegacy,
  openvinoPrelu,
  paddle,
  pdpd,
  sonnx,
  unidirectional,
} from '../../src/shape/rules/index.ts'
import { accepts, places, result } from './support/outcome.ts'

const onto0 = [unidirectional, pdpd(), pdpd({ axis: 0 }), explicit({ axesMapping: [0] }), openvinoPrelu]
const together = [numpy, bidirectional, paddle()]
const rules = [
  ...together,
  ...onto0,
  sonnx,
  none,
  matmulBatch,
  pdpd({ axis: 1, innerOnes: 'error' }),
  onnxLegacy({ broadcast: true, axis: 1 }),
  explicit({ broadcastAxes: [1] }),
]

describe('zero', () => {
  it.each(together)('$label: 0 against 1 gives 0, and against more is an error', (rule) => {
    expect(result(rule, '(0) (1)')).toEqual([0])
    expect(result(rule, '(1) (0)')).toEqual([0])
    expect(result(rule, '(0) (0)')).toEqual([0])
    expect(result(rule, '(0) (2)')).toBe('cannot broadcast axis -1: 0 vs 2 (shapes [0] and [2])')
  })

  it.each(onto0)("$label: B's 1 onto A's 0 gives 0, and B's 0 onto A's 1 is an error", (rule) => {
    expect(result(rule, '(0) (1)')).toEqual([0])
    expect(result(rule, '(0) (0)')).toEqual([0])
    expect(accepts(rule, [1], [0])).toBe(false)
    expect(accepts(rule, [2], [0])).toBe(false)
  })

  it('is a size like any other where sizes must be equal', () => {
    expect(accepts(none, [0], [0])).toBe(true)
    expect(accepts(none, [0], [1])).toBe(false)
    expect(result(onnxLegacy({ broadcast: true }), '(2,0) (0)')).toEqual([2, 0])
    expect(result(onnxLegacy({ broadcast: true }), '(2,0) (1)')).toEqual([2, 0])
    expect(accepts(onnxLegacy({ broadcast: true }), [2, 1], [0])).toBe(false)
    expect(result(explicit({ broadcastAxes: [0] }), '(0,3) (3)')).toEqual([0, 3])
  })
})

describe('any number of operands and any rank', () => {
  it.each(rules)('$label: one operand is its own result', (rule) => {
    for (const shape of [[3], [2, 3], [0, 1, 2]]) {
      expect(result(rule, [shape])).toEqual(rule === matmulBatch ? shape.slice(0, -2) : shape)
    }
  })

  it('no operand at all gives a scalar', () => {
    expect(resolve(numpy, [])).toEqual({ shape: [], axes: [] })
  })

  it('scalars meet under every rule that aligns the ends', () => {
    for (const rule of [numpy, bidirectional, unidirectional, sonnx, none, pdpd(), paddle(), openvinoPrelu]) {
      expect(result(rule, '() () ()')).toEqual([])
    }
  })

  it('rank 64', () => {
    const wide = Array.from({ length: 64 }, (_, axis) => (axis % 3) + 1)
    const thin = wide.map((size, axis) => (axis % 2 ? 1 : size))
    expect(result(numpy, [wide, thin, thin.slice(10)])).toEqual(wide)
    expect(places(pdpd({ axis: 7 }), wide, wide.slice(7, 40))).toEqual(rightAligned(33, 40))
  })

  it('10,000 operands take time in proportion', () => {
    const shapes = Array.from({ length: 10_000 }, (_, i) => [2, i % 2 ? 3 : 1, 4])
    const ask = (): void => {
      for (const rule of [numpy, sonnx, paddle(), matmulBatch]) expect(accepts(rule, ...shapes)).toBe(true)
      for (const rule of [unidirectional, pdpd()]) expect(accepts(rule, [2, 3, 4], ...shapes)).toBe(true)
    }
    expect(bestTime(ask, 2000)).toBeLessThan(2000)
    expect(isFailure(resolve(numpy, [...new Array<Shape>(10_000).fill([3]), [2]]))).toBe(true)
  })
})
