// Tensors as functions of indices: order, bounds, and where an element-wise error lies.
import { describe, expect, it } from 'vitest'
import { elementwise, fromFlat, fromNested, indices, SpecError, scalar, toFlat, type Value } from '../src/index.ts'

describe('tensors', () => {
  it('enumerates indices with the last axis fastest', () => {
    expect([...indices([2, 3])]).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 1],
      [1, 2],
    ])
    expect([...indices([])]).toEqual([[]])
    expect([...indices([2, 0])]).toEqual([])
  })
  it('reads nested arrays and flat ones alike', () => {
    const nested = fromNested<number>([
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    ])
    expect(nested.shape).toEqual([2, 2, 2])
    expect(nested.at([1, 0, 1])).toBe(6)
    expect(toFlat(nested)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(fromFlat([2, 3], [1, 2, 3, 4, 5, 6]).at([1, 2])).toBe(6)
    expect(fromNested([]).shape).toEqual([0])
    expect(fromNested<number>(5).shape).toEqual([])
  })
  it('refuses ragged nests, wrong counts and indices outside', () => {
    expect(() => fromNested<number>([[1, 2], [3]])).toThrow(SpecError)
    expect(() => fromNested<number>([[1], 2])).toThrow(SpecError)
    expect(() => fromFlat([2], [1])).toThrow(SpecError)
    expect(() => fromFlat([2], [1, 2]).at([2])).toThrow(RangeError)
    expect(() => fromFlat([2], [1, 2]).at([0, 0])).toThrow(RangeError)
  })
  it('names the lowest row-major index of an error', () => {
    const x = fromFlat<Value>([2, 2], [1, 2, 3, 4])
    const y = fromFlat<Value>([2, 2], [1, 0, 3, 0])
    try {
      elementwise(scalar('Div', 'int32'), [x, y])
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'division-by-zero', index: [0, 1] })
    }
  })
})
