// Strips for operands that lie across the result: the same positions, in an order that uses cache lines up.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Loops } from '../../src/plan/loops.ts'
import { tileLoops } from '../../src/plan/tiles.ts'
import { settings } from '../support/oracle.ts'
import { inOrder, visits } from '../support/visits.ts'

const loops = (sizes: readonly number[], ...strides: (readonly number[])[]): Loops => ({
  sizes,
  strides,
  shifts: strides.map(() => 0),
})

describe('tileLoops', () => {
  it('leaves loops alone that no operand lies across', () => {
    const plain = loops([64, 100], [100, 1], [0, 1], [1, 0], [100, 1])
    expect(tileLoops(plain, 4)).toEqual([plain])
    const steps = loops([64, 100], [200, 2], [100, 1])
    expect(tileLoops(steps, 4)).toEqual([steps])
  })

  it('leaves loops alone that are too small to gain', () => {
    const few = loops([7, 100], [1, 7], [100, 1])
    expect(tileLoops(few, 4)).toEqual([few])
    const narrow = loops([100, 4], [1, 100], [4, 1])
    expect(tileLoops(narrow, 4)).toEqual([narrow])
    const flat = loops([100], [5], [1])
    expect(tileLoops(flat, 4)).toEqual([flat])
  })

  it('cuts a transposed operand into strips of one vector', () => {
    const [whole, ...rest] = tileLoops(loops([256, 512], [1, 256], [512, 1]), 16)
    expect(rest).toEqual([])
    expect(whole).toEqual({
      sizes: [2, 32, 128, 16],
      strides: [
        [128, 4096, 1, 256],
        [65_536, 16, 512, 1],
      ],
      shifts: [0, 0],
    })
  })

  it('takes what is left of rows and columns apart', () => {
    const pieces = tileLoops(loops([130, 21], [1, 130], [21, 1]), 16)
    expect(pieces.map(({ sizes }) => sizes)).toEqual([
      [1, 1, 128, 16],
      [1, 1, 128, 5],
      [1, 1, 2, 16],
      [1, 1, 2, 5],
    ])
    expect(pieces.map(({ shifts }) => shifts)).toEqual([
      [0, 0],
      [2080, 16],
      [128, 2688],
      [2208, 2704],
    ])
  })

  it('visits exactly the positions of the loops', () => {
    const sizes = fc.tuple(
      fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
      fc.integer({ min: 1, max: 140 }),
      fc.integer({ min: 1, max: 40 }),
    )
    fc.assert(
      fc.property(sizes, fc.constantFrom(4, 8, 16, 64), fc.boolean(), ([outer, rows, columns], lanes, back) => {
        const given = [...outer, rows, columns]
        const around = outer.map((_, i) => 10_000 * (i + 1))
        const across = [...around, back ? -1 : 1, rows]
        const own: Loops = {
          sizes: given,
          strides: [across, [...outer.map(() => 0), 3, 0], [...around, columns, 1]],
          shifts: [back ? rows - 1 : 0, 7, 1],
        }
        const all = tileLoops(own, lanes).flatMap((piece) => visits(piece.sizes, piece.strides, piece.shifts))
        expect(inOrder(all)).toEqual(inOrder(visits(own.sizes, own.strides, own.shifts)))
      }),
      settings(60),
    )
  })
})
