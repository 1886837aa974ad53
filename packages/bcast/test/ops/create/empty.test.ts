// Tensors to write into: where they lie, what may be done with them.

import { add, DTypeError, empty, ShapeError, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { real } from '../../../src/real.ts'

describe('empty', () => {
  it('has a type and a shape, and takes a result', () => {
    const out = empty([2, 3])
    expect([out.dtype, out.shape, out.isRowMajor, out.readOnly]).toEqual(['float32', [2, 3], true, false])
    expect(add(tensor([1, 2, 3]), tensor([[10], [20]]), { out })).toBe(out)
    expect(out.toArray()).toEqual([
      [11, 12, 13],
      [21, 22, 23],
    ])
  })

  it('is written through data', () => {
    const made = empty([4], { dtype: 'int8' })
    made.data.set([1, 2, 3, 4])
    expect(made.toArray()).toEqual([1, 2, 3, 4])
  })

  it('may have no elements, or one', () => {
    expect(empty([0, 5], { dtype: 'float64' }).toArray()).toEqual([])
    expect(empty([], { dtype: 'bool' }).size).toBe(1)
  })

  it('holds empty strings and zeros where elements are JavaScript values', () => {
    expect(empty([2], { dtype: 'string' }).toArray()).toEqual(['', ''])
    expect(empty([2], { dtype: 'real' }).toArray()).toEqual([real(0), real(0)])
  })

  it('keeps its shape when the array it was given changes', () => {
    const shape = [2, 2]
    const made = empty(shape, { dtype: 'uint8' })
    shape[0] = 9
    expect(made.shape).toEqual([2, 2])
  })

  it('refuses what is no type and no shape', () => {
    expect(() => empty([1], { dtype: 'float8' as never })).toThrow(DTypeError)
    expect(() => empty([-1])).toThrow(ShapeError)
    expect(() => empty(3 as never)).toThrow(ShapeError)
  })
})
