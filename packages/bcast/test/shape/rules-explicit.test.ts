// The rule that names its axes: by mapping, as OpenVINO does, or by the set of new axes, as nGraph does.
import { describe, expect, it } from 'vitest'
import { explicit } from '../../src/shape/rules/index.ts'
import { accepts, places, result } from './support/outcome.ts'

describe('explicit by mapping', () => {
  const by = (...axesMapping: number[]) => explicit({ axesMapping })

  it('puts each axis where the mapping says; a size of 1 stretches unless strict', () => {
    expect(places(by(0, 2), [2, 3, 4], [2, 4])).toEqual([0, 2])
    expect(result(by(0, 2), '(2,3,4) (2,1)')).toEqual([2, 3, 4])
    expect(accepts(explicit({ axesMapping: [0, 2], strict: true }), [2, 3, 4], [2, 1])).toBe(false)
    expect(accepts(explicit({ axesMapping: [0, 2], strict: true }), [2, 3, 4], [2, 4])).toBe(true)
    expect(result(by(0, 2), '(2,3,4) (2,3)')).toMatch(/^cannot broadcast axis -1: 4 vs 3/)
  })

  it('has one entry for each axis, inside A', () => {
    expect(result(by(0), '(2,3) (2,3)')).toBe(
      'axesMapping has 1 entries and B has rank 2; each axis needs one (shapes [2,3] and [2,3])',
    )
    expect(result(by(2), '(2,3) (2)')).toBe('axesMapping names axis 2, and A has rank 2 (shapes [2,3] and [2])')
  })

  it('lets a scalar name one axis, where A has size 1', () => {
    expect(result(by(1), '(2,1) ()')).toEqual([2, 1])
    expect(result(by(1), '(2,3) ()')).toBe('axis -1 of A must be 1, not 3 (shape [2,3])')
    expect(accepts(by(), [2, 3], [])).toBe(true)
    expect(accepts(by(0, 1), [1, 1], [])).toBe(false)
  })
})

describe('explicit by set', () => {
  const by = (...broadcastAxes: number[]) => explicit({ broadcastAxes })

  it('[ngraph.example.1] [ngraph.example.2] the document', () => {
    expect(places(by(0), [2, 3], [3])).toEqual([1])
    expect(places(by(1), [3, 2], [3])).toEqual([0])
  })

  it('[ngraph.axisset] the set has no order', () => {
    expect(places(by(3, 1), [2, 3, 4, 5, 6], [2, 4, 6])).toEqual([0, 2, 4])
    expect(places(by(1, 3), [2, 3, 4, 5, 6], [2, 4, 6])).toEqual([0, 2, 4])
    expect(result(by(2), '(2,3) (2,3)')).toBe('broadcastAxes names axis 2, and A has rank 2 (shape [2,3])')
  })

  it('[ngraph.match] the argument is the shape without the set, exactly', () => {
    expect(accepts(by(0), [2, 1], [1])).toBe(true)
    expect(accepts(by(0), [2, 3], [1])).toBe(false)
    expect(result(by(0), '(2,3) (2,3)')).toBe(
      'A without the axes {0} has rank 1, and B has rank 2 (shapes [2,3] and [2,3])',
    )
  })

  it('[ngraph.p] a set is the complement of a mapping', () => {
    for (const [set, mapping] of [
      [[1], [0, 2]],
      [[2, 0], [1]],
      [[], [0, 1, 2]],
    ] as const) {
      const b = mapping.map((axis) => [2, 3, 4][axis]!)
      expect(places(by(...set), [2, 3, 4], b)).toEqual(places(explicit({ axesMapping: mapping }), [2, 3, 4], b))
    }
  })
})
