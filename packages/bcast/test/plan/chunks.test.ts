// Chunks: together they are the whole computation, each element once, and each fits.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunks } from '../../src/plan/chunks.ts'
import { rowMajorStrides } from '../../src/tensor/layout.ts'
import { settings } from '../support/oracle.ts'

const elementsOf = (shape: readonly number[]): number => shape.reduce((n, size) => n * size, 1)
const firstAxis = (shape: readonly number[]): number => shape.findIndex((size) => size > 1)

/** Positions of an operand in the order of the shape's elements. */
function positions(shape: readonly number[], strides: readonly number[], shift: number): number[] {
  const walk = (axis: number, at: number): number[] =>
    axis === shape.length
      ? [at]
      : Array.from({ length: shape[axis]! }, (_, i) => walk(axis + 1, at + i * strides[axis]!)).flat()
  return walk(0, shift)
}

describe('chunks', () => {
  const cases = fc.record({
    shape: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }),
    strides: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 4, maxLength: 4 }),
    most: fc.integer({ min: 1, max: 40 }),
  })

  it('along the first axis are the computation in its order', () => {
    fc.assert(
      fc.property(cases, ({ shape, strides, most }) => {
        const operands = [strides.slice(0, shape.length), rowMajorStrides(shape)]
        const parts = [...chunks(shape, operands, (part) => elementsOf(part) <= most, firstAxis)]
        expect(parts.every((part) => elementsOf(part.shape) <= most)).toBe(true)
        operands.forEach((own, i) => {
          const visited = parts.flatMap((part) => positions(part.shape, own, part.shifts[i]!))
          expect(visited).toEqual(positions(shape, own, 0))
        })
      }),
      settings(300),
    )
  })

  it('along another axis visit every element once', () => {
    const shape = [3, 50, 2]
    const parts = [
      ...chunks(
        shape,
        [rowMajorStrides(shape)],
        (part) => elementsOf(part) <= 40,
        () => 1,
      ),
    ]
    expect(parts.map((part) => part.shape)).toEqual(parts.map((part) => [3, part.shape[1], 2]))
    const visited = parts.flatMap((part) => positions(part.shape, rowMajorStrides(shape), part.shifts[0]!))
    expect(visited.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, i) => i))
  })
})
