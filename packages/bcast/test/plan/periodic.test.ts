// Tiny inner axes: rows of three become rows of two thousand, over a small operand repeated as often. Positions are
// the same; those of a repeated operand are taken modulo its row.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Loops } from '../../src/plan/loops.ts'
import { type Periodic, planPeriodic } from '../../src/plan/periodic.ts'
import { settings } from '../support/oracle.ts'
import { inOrder, visits } from '../support/visits.ts'

const loops = (sizes: readonly number[], ...strides: (readonly number[])[]): Loops => ({
  sizes,
  strides,
  shifts: strides.map(() => 0),
})

describe('planPeriodic', () => {
  it('makes long rows of short ones', () => {
    expect(planPeriodic(loops([4_000_000, 3], [3, 1], [0, 1], [3, 1]))).toEqual({
      repeat: 682,
      period: 3,
      repeated: [1],
      pieces: [
        {
          sizes: [5865, 2046],
          strides: [
            [2046, 1],
            [0, 1],
            [2046, 1],
          ],
          shifts: [0, 0, 0],
        },
        { sizes: [210], strides: [[1], [1], [1]], shifts: [11_999_790, 0, 11_999_790] },
      ],
    })
  })

  it('gives one piece where rows come out even, and one loop where they make one row', () => {
    expect(planPeriodic(loops([128, 32], [0, -1], [32, 1]))!.pieces).toEqual([
      {
        sizes: [2, 2048],
        strides: [
          [0, 1],
          [2048, 1],
        ],
        shifts: [0, 0],
      },
    ])
    expect(planPeriodic(loops([64, 3], [0, 1], [3, 1]))!.pieces).toEqual([
      { sizes: [192], strides: [[1], [1]], shifts: [0, 0] },
    ])
  })

  it('leaves a scalar beside it as it is', () => {
    const plan = planPeriodic(loops([100, 3], [0, 0], [0, 1], [3, 1]))!
    expect(plan.repeated).toEqual([1])
    expect(plan.pieces[0]!.strides[0]).toEqual([0])
  })

  it.each([
    ['long rows', loops([100, 48], [0, 1], [48, 1])],
    ['few rows', loops([63, 3], [0, 1], [3, 1])],
    ['a column', loops([100, 3], [1, 0], [3, 1])],
    ['a result with gaps', loops([100, 3], [0, 1], [4, 1])],
    ['an operand with gaps', loops([100, 3], [4, 1], [0, 1], [3, 1])],
    ['nothing that repeats', loops([100, 3], [0, 0], [3, 1])],
    ['one loop', loops([300], [1], [1])],
    ['three loops', loops([2, 100, 3], [300, 3, 1], [0, 0, 1], [300, 3, 1])],
  ])('is not for %s', (_, given) => {
    expect(planPeriodic(given)).toBeUndefined()
  })

  /** Visits of the pieces, with positions in a repeated row as positions in the operand. */
  const unfolded = (plan: Periodic, { strides, shifts }: Loops): number[][] =>
    plan.pieces.flatMap((piece) => {
      const own = piece.shifts.map((shift, i) => (plan.repeated.includes(i) ? 0 : shift))
      return visits(piece.sizes, piece.strides, own).map((at) =>
        at.map((position, i) =>
          plan.repeated.includes(i) ? shifts[i]! + (position % plan.period) * strides[i]![1]! : position,
        ),
      )
    })

  it('visits exactly the positions of the loops', () => {
    const motion = fc.constantFrom<readonly [number, number]>([1, 1], [0, 0], [0, 1], [0, 2], [0, -1])
    fc.assert(
      fc.property(
        fc.integer({ min: 64, max: 1500 }),
        fc.integer({ min: 2, max: 47 }),
        fc.array(motion, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 0, max: 50 }),
        (rows, period, motions, shift) => {
          const strides = [...motions.map(([row, column]) => [row * period, column]), [period, 1]]
          const given: Loops = { sizes: [rows, period], strides, shifts: strides.map((_, i) => shift + i) }
          const plan = planPeriodic(given)
          const repeats = motions.some(([row, column]) => row === 0 && column !== 0)
          expect(plan !== undefined).toBe(repeats)
          if (plan === undefined) return
          expect(plan.repeat * plan.period).toBeLessThanOrEqual(2048)
          expect(inOrder(unfolded(plan, given))).toEqual(inOrder(visits(given.sizes, given.strides, given.shifts)))
        },
      ),
      settings(25),
    )
  })
})
