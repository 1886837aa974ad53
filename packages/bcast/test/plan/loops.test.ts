// The loops of kernels: in the order of the result's memory, forwards in it, joined where every operand allows. The
// plan is looked at before any value: how many loops, how long the inner one, who moves how.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planLoops } from '../../src/plan/loops.ts'
import { rowMajorStrides } from '../../src/tensor/layout.ts'
import { settings } from '../support/oracle.ts'
import { inOrder, visits } from '../support/visits.ts'

describe('planLoops', () => {
  it('joins operands of one layout into one loop, whatever the rank', () => {
    const own = [60, 20, 5, 1]
    expect(planLoops([2, 3, 4, 5], [own, own, own])).toEqual({
      sizes: [120],
      strides: [[1], [1], [1]],
      shifts: [0, 0, 0],
    })
    const columns = [1, 2, 6, 24]
    expect(planLoops([2, 3, 4, 5], [columns, columns])).toEqual({ sizes: [120], strides: [[1], [1]], shifts: [0, 0] })
  })

  it('keeps rows apart for an operand that repeats on them', () => {
    const matrix = [4096, 1]
    expect(planLoops([3, 4096], [matrix, [0, 1], matrix]).sizes).toEqual([3, 4096])
    expect(planLoops([3, 4096], [matrix, [1, 0], matrix]).strides[1]).toEqual([1, 0])
    // (32,256,28,28) + (256,1,1): the last two axes are one.
    const image = rowMajorStrides([32, 256, 28, 28])
    expect(planLoops([32, 256, 28, 28], [image, [0, 1, 0, 0], image])).toEqual({
      sizes: [32, 256, 784],
      strides: [
        [200_704, 784, 1],
        [0, 1, 0],
        [200_704, 784, 1],
      ],
      shifts: [0, 0, 0],
    })
    // A scalar keeps nothing apart.
    expect(planLoops([3, 4096], [matrix, [0, 0], matrix]).sizes).toEqual([12_288])
  })

  it('runs along the result, also where it is transposed', () => {
    // The result's fast axis is the first: it becomes the inner loop.
    expect(
      planLoops(
        [4, 6],
        [
          [6, 1],
          [1, 4],
        ],
      ),
    ).toEqual({
      sizes: [6, 4],
      strides: [
        [1, 6],
        [4, 1],
      ],
      shifts: [0, 0],
    })
  })

  it('drops ones, whatever their strides', () => {
    expect(
      planLoops(
        [1, 5, 1],
        [
          [99, 1, 7],
          [5, 1, -3],
        ],
      ),
    ).toEqual({ sizes: [5], strides: [[1], [1]], shifts: [0, 0] })
    expect(planLoops([], [[], []])).toEqual({ sizes: [1], strides: [[0], [0]], shifts: [0, 0] })
    expect(
      planLoops(
        [1, 1],
        [
          [0, 0],
          [1, 1],
        ],
      ),
    ).toEqual({ sizes: [1], strides: [[0], [0]], shifts: [0, 0] })
  })

  it('turns axes round that the result runs backwards on, for all operands', () => {
    expect(
      planLoops(
        [3, 4],
        [
          [4, 1],
          [-4, -1],
        ],
      ),
    ).toEqual({ sizes: [12], strides: [[-1], [1]], shifts: [11, -11] })
    // One axis only: rows backwards, columns forwards.
    expect(
      planLoops(
        [3, 4],
        [
          [4, 1],
          [-4, 1],
        ],
      ),
    ).toEqual({
      sizes: [3, 4],
      strides: [
        [-4, 1],
        [4, 1],
      ],
      shifts: [8, -8],
    })
    // An operand that alone runs backwards stays so.
    expect(
      planLoops(
        [3, 4],
        [
          [-4, -1],
          [4, 1],
        ],
      ),
    ).toEqual({ sizes: [12], strides: [[-1], [1]], shifts: [0, 0] })
  })

  const stride = fc.constantFrom(0, 0, 1, 1, 2, 3, 4, 6, 12, 24, -1, -2, -4)
  const cases = fc
    .record({
      shape: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 5 }),
      inputs: fc.integer({ min: 0, max: 3 }),
      keys: fc.array(fc.nat(99), { minLength: 5, maxLength: 5 }),
      turned: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      gap: fc.integer({ min: 1, max: 3 }),
    })
    .chain(({ shape, inputs, keys, turned, gap }) => {
      // A result never has two positions on one element: its strides are those of some order of the axes.
      const result = new Array<number>(shape.length)
      let next = gap
      for (const axis of shape.map((_, i) => i).sort((a, b) => keys[a]! - keys[b]!)) {
        result[axis] = turned[axis] ? -next : next
        next *= shape[axis]!
      }
      const own = fc.array(stride, { minLength: shape.length, maxLength: shape.length })
      return fc
        .array(own, { minLength: inputs, maxLength: inputs })
        .map((strides): { shape: number[]; strides: number[][] } => ({ shape, strides: [...strides, result] }))
    })

  it('visit exactly the positions of the plain loops', () => {
    fc.assert(
      fc.property(cases, ({ shape, strides }) => {
        const loops = planLoops(shape, strides)
        expect(inOrder(visits(loops.sizes, loops.strides, loops.shifts))).toEqual(inOrder(visits(shape, strides)))
      }),
      settings(500),
    )
  })

  it('step forwards through the result, in ever smaller steps, and join what can be joined', () => {
    fc.assert(
      fc.property(cases, ({ shape, strides }) => {
        const { sizes, strides: planned } = planLoops(shape, strides)
        const result = planned.at(-1)!
        if (sizes.length > 1 || sizes[0] !== 1) expect(result.every((step) => step > 0)).toBe(true)
        expect(result).toEqual([...result].sort((a, b) => b - a))
        if (sizes.length > 1) expect(sizes).not.toContain(1)
        for (let i = 0; i + 1 < sizes.length; i++)
          expect(planned.every((own) => own[i] === own[i + 1]! * sizes[i + 1]!)).toBe(false)
      }),
      settings(300),
    )
  })
})
