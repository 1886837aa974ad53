// Loop nests: ones are dropped, axes that all operands cross evenly are joined, nothing else changes. The order of
// visits is row-major whatever was joined, since the first failing position is reported as the lowest index.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rowMajorLoops } from '../../src/plan/loops.ts'
import type { Shape } from '../../src/shape/dim.ts'
import { settings } from '../support/oracle.ts'

/** Nothing is turned round. */
function makeNest(shape: Shape, operands: readonly (readonly number[])[]) {
  const { shifts, ...nest } = rowMajorLoops(shape, operands)
  expect(shifts).toEqual(operands.map(() => 0))
  return nest
}

describe('row-major loops', () => {
  it('joins a row-major nest into one loop', () => {
    expect(
      makeNest(
        [2, 3, 4],
        [
          [12, 4, 1],
          [12, 4, 1],
        ],
      ),
    ).toEqual({ sizes: [24], strides: [[1], [1]] })
  })

  it('drops ones wherever they stand, whatever their strides', () => {
    expect(makeNest([1, 2, 1, 3, 1], [[99, 3, 7, 1, 0]])).toEqual({ sizes: [6], strides: [[1]] })
    expect(makeNest([1, 2, 1, 3], [[5, 1, 5, 2]])).toEqual({ sizes: [2, 3], strides: [[1, 2]] })
  })

  it('keeps an axis that one operand stretches', () => {
    // (2,3,4) + (3,1): no pair of axes is even for both.
    expect(
      makeNest(
        [2, 3, 4],
        [
          [12, 4, 1],
          [0, 1, 0],
        ],
      ),
    ).toEqual({
      sizes: [2, 3, 4],
      strides: [
        [12, 4, 1],
        [0, 1, 0],
      ],
    })
    // (2,3,4) + (4): the two outer axes repeat together.
    expect(
      makeNest(
        [2, 3, 4],
        [
          [12, 4, 1],
          [0, 0, 1],
        ],
      ),
    ).toEqual({
      sizes: [6, 4],
      strides: [
        [4, 1],
        [0, 1],
      ],
    })
    // (2,3,4) + (2,1,1): the two inner axes repeat together.
    expect(
      makeNest(
        [2, 3, 4],
        [
          [12, 4, 1],
          [1, 0, 0],
        ],
      ),
    ).toEqual({
      sizes: [2, 12],
      strides: [
        [12, 1],
        [1, 0],
      ],
    })
    // A scalar follows anything.
    expect(
      makeNest(
        [2, 3, 4],
        [
          [12, 4, 1],
          [0, 0, 0],
        ],
      ),
    ).toEqual({ sizes: [24], strides: [[1], [0]] })
  })

  it('joins backwards and stepped layouts that are even', () => {
    expect(makeNest([3, 4], [[-4, -1]])).toEqual({ sizes: [12], strides: [[-1]] })
    expect(makeNest([3, 4], [[8, 2]])).toEqual({ sizes: [12], strides: [[2]] })
    expect(makeNest([3, 4], [[5, 1]])).toEqual({ sizes: [3, 4], strides: [[5, 1]] })
    expect(makeNest([3, 4], [[1, 3]])).toEqual({ sizes: [3, 4], strides: [[1, 3]] })
  })

  it('has one loop at least', () => {
    expect(makeNest([], [[], []])).toEqual({ sizes: [1], strides: [[0], [0]] })
    expect(makeNest([1, 1], [[3, 4]])).toEqual({ sizes: [1], strides: [[0]] })
    expect(makeNest([2, 3], [])).toEqual({ sizes: [6], strides: [] })
  })

  /** The positions of all operands, visit by visit. */
  const visits = (sizes: readonly number[], strides: readonly (readonly number[])[]): number[][] =>
    sizes.reduce<number[][]>(
      (outer, size, axis) =>
        outer.flatMap((at) =>
          Array.from({ length: size }, (_, i) =>
            at.map((position, operand) => position + i * strides[operand]![axis]!),
          ),
        ),
      [strides.map(() => 0)],
    )

  const stride = fc.constantFrom(0, 0, 1, 1, 2, 3, 4, 6, 12, 24, -1, -2, -4)
  const cases = fc
    .tuple(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 }), fc.integer({ min: 1, max: 4 }))
    .chain(([shape, operands]) =>
      fc.tuple(
        fc.constant(shape),
        fc.array(fc.array(stride, { minLength: shape.length, maxLength: shape.length }), {
          minLength: operands,
          maxLength: operands,
        }),
      ),
    )

  it('visits the same positions in the same order', () => {
    fc.assert(
      fc.property(cases, ([shape, strides]) => {
        const nest = makeNest(shape, strides)
        expect(visits(nest.sizes, nest.strides)).toEqual(visits(shape, strides))
      }),
      settings(800),
    )
  })

  it('leaves no loop of one beside others, and no pair that could be joined', () => {
    fc.assert(
      fc.property(cases, ([shape, strides]) => {
        const { sizes, strides: joined } = makeNest(shape, strides)
        if (sizes.length > 1) expect(sizes).not.toContain(1)
        for (let i = 0; i + 1 < sizes.length; i++) {
          expect(joined.every((own) => own[i] === own[i + 1]! * sizes[i + 1]!)).toBe(false)
        }
      }),
      settings(400),
    )
  })
})
