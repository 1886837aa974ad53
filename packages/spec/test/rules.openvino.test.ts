// The OpenVINO document clause by clause: none, numpy, PDPD with the options that name its implementations, and
// bidirectional, with all of its examples; then the placements that come from OpenVINO's operation specifications.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bidirectional,
  broadcast,
  explicit,
  fromFlat,
  none,
  numpy,
  openvinoNumpy,
  openvinoPrelu,
  type PdpdOptions,
  pdpd,
  type RuleResult,
  type Shape,
  toFlat,
} from '../src/index.ts'

const shapeOf = (result: RuleResult): number[] | string => (result.ok ? result.shape : result.clause)
const smallShape = fc.array(fc.constantFrom(0, 1, 2, 3), { maxLength: 4 })

describe('none', () => {
  it('[openvino.none.1] dimensions must match', () => {
    expect(
      shapeOf(
        none([
          [2, 3],
          [2, 3],
          [2, 3],
        ]),
      ),
    ).toEqual([2, 3])
    expect(
      shapeOf(
        none([
          [2, 3],
          [2, 4],
        ]),
      ),
    ).toBe('openvino.none.1')
  })

  it('[openvino.none.2] nothing is implicit: neither a 1 nor a missing dimension', () => {
    expect(
      shapeOf(
        none([
          [2, 3],
          [2, 1],
        ]),
      ),
    ).toBe('openvino.none.1')
    expect(shapeOf(none([[1], []]))).toBe('openvino.none.1')
  })
})

describe('numpy', () => {
  it('[openvino.numpy.1] comparison goes from the right', () => {
    expect(
      openvinoNumpy([
        [2, 3, 4],
        [5, 6, 4],
      ]),
    ).toMatchObject({ ok: false, reason: expect.stringContaining('axis -2') })
  })
  it('[openvino.numpy.2] the smaller tensor is prepended with ones', () => {
    expect(shapeOf(openvinoNumpy([[4], [2, 3, 4]]))).toEqual([2, 3, 4])
  })
  it('[openvino.numpy.3] equal, or one of them is 1', () => {
    expect(shapeOf(openvinoNumpy([[2], [3]]))).toBe('openvino.numpy.3')
    expect(shapeOf(openvinoNumpy([[0], [1]]))).toEqual([0])
  })
  it('[openvino.numpy.4] a size of 1 takes the size of the other', () => {
    expect(
      shapeOf(
        openvinoNumpy([
          [1, 3],
          [2, 1],
        ]),
      ),
    ).toEqual([2, 3])
  })
  it('[openvino.numpy.5] two scalars give a scalar', () => {
    expect(shapeOf(openvinoNumpy([[], []]))).toEqual([])
  })

  it('[openvino.numpy.3] [onnx.multi.2] both documents describe one rule', () => {
    fc.assert(
      fc.property(smallShape, smallShape, (a, b) => {
        const [here, there] = [openvinoNumpy([a, b]), numpy([a, b])]
        expect(here.ok ? here.shape : null).toEqual(there.ok ? there.shape : null)
        if (!here.ok || !there.ok) return
        for (const [m, shape] of [a, b].entries()) {
          const numbered = fromFlat(
            shape,
            Array.from({ length: shape.reduce<number>((x, y) => x * y, 1) }, (_, i) => i),
          )
          const operands = [numbered, numbered]
          expect(toFlat(broadcast({ ...here, maps: [here.maps[m]!] }, operands.slice(1))[0]!)).toEqual(
            toFlat(broadcast({ ...there, maps: [there.maps[m]!] }, operands.slice(1))[0]!),
          )
        }
      }),
      { numRuns: 400 },
    )
  })

  const examples: [string, Shape, Shape, Shape | 'error'][] = [
    ['[openvino.numpy.example.1] two scalars', [], [], []],
    ['[openvino.numpy.example.2] a vector of one', [2, 3], [1], [2, 3]],
    ['[openvino.numpy.example.3] A has the smaller rank', [3], [2, 3], [2, 3]],
    ['[openvino.numpy.example.4] a scalar', [2, 3, 5], [], [2, 3, 5]],
    ['[openvino.numpy.example.5] both stretch', [2, 1, 5], [1, 4, 5], [2, 4, 5]],
    ['[openvino.numpy.example.6] A by rank, B by size', [6, 5], [2, 1, 5], [2, 6, 5]],
    ['[openvino.numpy.example.7] A by size, B by both', [2, 1, 5], [4, 1], [2, 4, 5]],
    ['[openvino.numpy.example.8] a one inside A', [3, 2, 1, 4], [5, 4], [3, 2, 5, 4]],
    ['[openvino.numpy.example.9] A by both, B by size', [1, 5, 3], [5, 2, 1, 3], [5, 2, 5, 3]],
    ['[openvino.numpy.example.10] two lengths', [3], [2], 'error'],
    ['[openvino.numpy.example.11] the leftmost axis', [3, 1, 5], [4, 4, 5], 'error'],
  ]
  for (const [title, a, b, expected] of examples) {
    it(`${title}: ${JSON.stringify(a)} with ${JSON.stringify(b)}`, () => {
      for (const result of [openvinoNumpy([a, b]), numpy([a, b])]) {
        expect(result.ok ? result.shape : 'error').toEqual(expected)
      }
    })
  }
  it('[openvino.numpy.example.11] the mismatch is on the leftmost axis', () => {
    expect(
      openvinoNumpy([
        [3, 1, 5],
        [4, 4, 5],
      ]),
    ).toMatchObject({ reason: expect.stringContaining('axis -3') })
  })
})

describe('pdpd', () => {
  const a: Shape = [2, 3, 4, 5]
  const examples: [string, Shape, Shape, PdpdOptions, boolean][] = [
    ['[openvino.pdpd.example.1]', a, [3, 4], { axis: 1 }, true],
    ['[openvino.pdpd.example.2]', a, [3, 1], { axis: 1 }, true],
    ['[openvino.pdpd.example.3a]', a, [4, 5], { axis: -1 }, true],
    ['[openvino.pdpd.example.3b]', a, [4, 5], { axis: 2 }, true],
    ['[openvino.pdpd.example.4]', a, [1, 3], { axis: 0 }, true],
    ['[openvino.pdpd.example.5]', a, [], {}, true],
    ['[openvino.pdpd.example.6a]', a, [5], {}, true],
    ['[openvino.pdpd.example.6b]', a, [5], { axis: 3 }, true],
    ['[openvino.pdpd.example.7]', [8, 1, 6, 1], [7, 1, 5], { axis: 1 }, false],
  ]
  for (const [clause, first, second, options, holds] of examples) {
    it(`${clause} ${JSON.stringify(second)} onto ${JSON.stringify(first)}`, () => {
      const result = pdpd([first, second], options)
      expect(result.ok ? result.shape : 'error').toEqual(holds ? first : 'error')
    })
  }

  it('[openvino.pdpd.1] B has at most the rank of A', () => {
    expect(shapeOf(pdpd([[3], [1, 3]]))).toBe('openvino.pdpd.1')
    expect(shapeOf(pdpd([[], []]))).toEqual([])
  })
  it('[openvino.pdpd.2] B follows A from the axis on, and A never grows', () => {
    expect(shapeOf(pdpd([a, [4]], { axis: 1 }))).toBe('openvino.pdpd.2')
    expect(
      shapeOf(
        pdpd([
          [2, 1],
          [2, 3],
        ]),
      ),
    ).toBe('openvino.pdpd.2')
    expect(shapeOf(pdpd([[1], [0]]))).toBe('openvino.pdpd.2')
    expect(shapeOf(pdpd([[0], [1]]))).toEqual([0])
  })
  it('[openvino.pdpd.3] the axis is where B starts', () => {
    const b = fromFlat([3], ['p', 'q', 'r'])
    const result = pdpd([[3, 3], [3]], { axis: 0 })
    expect(toFlat(broadcast(result, [fromFlat([3, 3], [...'123456789']), b])[1]!)).toEqual([...'pppqqqrrr'])
    expect(shapeOf(pdpd([a, [5]], { axis: 4 }))).toBe('openvino.pdpd.3')
    expect(shapeOf(pdpd([a, [4, 5]], { axis: 3 }))).toBe('openvino.pdpd.3')
  })
  it('[openvino.pdpd.4] -1 means rank(A) - rank(B), before trailing ones are ignored; no other negative axis', () => {
    // Trimming first would put 3 on the last axis, where it fits.
    expect(
      shapeOf(
        pdpd([
          [2, 3, 4, 3],
          [3, 1],
        ]),
      ),
    ).toBe('openvino.pdpd.2')
    expect(
      shapeOf(
        pdpd([
          [2, 4, 3, 5],
          [3, 1],
        ]),
      ),
    ).toEqual([2, 4, 3, 5])
    expect(shapeOf(pdpd([a, [5]], { axis: -2 }))).toBe('openvino.pdpd.4')
  })
  it('[openvino.pdpd.5] trailing ones of B are ignored, also for the fit', () => {
    expect(
      shapeOf(
        pdpd(
          [
            [2, 4, 5, 3],
            [3, 1],
          ],
          { axis: 3 },
        ),
      ),
    ).toEqual([2, 4, 5, 3])
    expect(shapeOf(pdpd([a, [1, 1]], { axis: 4 }))).toEqual(a)
    expect(shapeOf(pdpd([a, [1, 1]], { axis: 5 }))).toBe('openvino.pdpd.3')
  })
  it('[openvino.pdpd.5] the option `untrimmed` checks the fit as OpenVINO does', () => {
    expect(
      shapeOf(
        pdpd(
          [
            [2, 4, 5, 3],
            [3, 1],
          ],
          { axis: 3, untrimmed: true },
        ),
      ),
    ).toBe('openvino.pdpd.3')
    expect(shapeOf(pdpd([a, [3, 1]], { axis: 1, untrimmed: true }))).toEqual(a)
  })
  it('[openvino.pdpd.2] the option innerOnes error is Paddle 1.5: ones inside B do not stretch', () => {
    expect(shapeOf(pdpd([a, [1, 3]], { axis: 0, innerOnes: 'error' }))).toBe('openvino.pdpd.2')
    expect(shapeOf(pdpd([a, [3, 1]], { axis: 1, innerOnes: 'error' }))).toEqual(a)
    expect(
      shapeOf(
        pdpd(
          [
            [1, 3],
            [1, 3],
          ],
          { axis: 1, innerOnes: 'error' },
        ),
      ),
    ).toEqual([1, 3])
    expect(
      shapeOf(
        pdpd(
          [
            [1, 3],
            [1, 3],
          ],
          { axis: 1 },
        ),
      ),
    ).toBe('openvino.pdpd.3')
  })
  it('[openvino.pdpd.3] every operand after the first is placed on its own', () => {
    const result = pdpd([[2, 3], [2, 1], [3]])
    expect(result.ok && result.maps.map((map) => map([1, 2]))).toEqual([[1, 2], [1, 0], [2]])
  })
})

describe('bidirectional', () => {
  it('[openvino.bidirectional.1] dimensions are aligned at the right', () => {
    expect(shapeOf(bidirectional([[3], [2, 3]]))).toEqual([2, 3])
    expect(shapeOf(bidirectional([[2], [2, 3]]))).toBe('openvino.bidirectional.3')
  })
  it('[openvino.bidirectional.2] it is the shape of data times ones', () => {
    const result = bidirectional([
      [2, 1],
      [1, 3],
    ])
    expect(toFlat(broadcast(result, [fromFlat([2, 1], [7, 8]), fromFlat([1, 3], [1, 1, 1])])[0]!)).toEqual([
      7, 7, 7, 8, 8, 8,
    ])
  })
  it('[openvino.bidirectional.3] equal, or one of them is 1; so 0 meets 1', () => {
    expect(shapeOf(bidirectional([[2], [3]]))).toBe('openvino.bidirectional.3')
    expect(shapeOf(bidirectional([[1], [0]]))).toEqual([0])
    expect(shapeOf(bidirectional([[0], [1]]))).toEqual([0])
    expect(shapeOf(bidirectional([[0], [2]]))).toBe('openvino.bidirectional.3')
  })
  it('[openvino.bidirectional.4] the output can exceed the target in size and in rank', () => {
    expect(
      shapeOf(
        bidirectional([
          [3, 4],
          [3, 1],
        ]),
      ),
    ).toEqual([3, 4])
    expect(shapeOf(bidirectional([[2, 3, 4], [4]]))).toEqual([2, 3, 4])
  })
  const examples: [string, Shape, Shape, Shape][] = [
    ['[openvino.bidirectional.example.1] a target of one', [5], [1], [5]],
    ['[openvino.bidirectional.example.2] a target of smaller rank', [2, 3], [3], [2, 3]],
    ['[openvino.bidirectional.example.3] the data stretches', [3, 1], [3, 4], [3, 4]],
    ['[openvino.bidirectional.example.4] a scalar target', [3, 4], [], [3, 4]],
    ['[openvino.bidirectional.example.5] both stretch', [3, 1], [2, 1, 6], [2, 3, 6]],
  ]
  for (const [title, data, target, expected] of examples) {
    it(`${title}: ${JSON.stringify(data)} to ${JSON.stringify(target)}`, () => {
      expect(shapeOf(bidirectional([data, target]))).toEqual(expected)
    })
  }
})

describe('explicit with an axes mapping', () => {
  const clause = 'openvino.broadcast.explicit'
  it('maps data axis i to output axis axesMapping[i]', () => {
    const result = explicit(
      [
        [2, 3, 2],
        [2, 2],
      ],
      { axesMapping: [0, 2] },
    )
    expect(
      toFlat(broadcast(result, [fromFlat([2, 3, 2], [...'abcdefghijkl']), fromFlat([2, 2], [...'1234'])])[1]!),
    ).toEqual([...'121212343434'])
    expect(shapeOf(explicit([[1, 16, 50, 50], [16]], { axesMapping: [1] }))).toEqual([1, 16, 50, 50])
  })
  it('refuses a mapping that descends, repeats, leaves the target or has another length', () => {
    expect(
      shapeOf(
        explicit(
          [
            [2, 2],
            [2, 2],
          ],
          { axesMapping: [1, 0] },
        ),
      ),
    ).toBe(clause)
    expect(
      shapeOf(
        explicit(
          [
            [2, 2],
            [2, 2],
          ],
          { axesMapping: [1, 1] },
        ),
      ),
    ).toBe(clause)
    expect(shapeOf(explicit([[2, 2], [2]], { axesMapping: [2] }))).toBe(clause)
    expect(shapeOf(explicit([[2, 2], [2]], { axesMapping: [-1] }))).toBe(clause)
    expect(
      shapeOf(
        explicit(
          [
            [2, 3, 1],
            [3, 1],
          ],
          { axesMapping: [1] },
        ),
      ),
    ).toBe(clause)
    expect(shapeOf(explicit([[2, 3], [2]], { axesMapping: [1] }))).toBe(clause)
  })
  it('stretches a data size of 1, but not when strict', () => {
    expect(
      shapeOf(
        explicit(
          [
            [2, 3, 3],
            [3, 1],
          ],
          { axesMapping: [1, 2] },
        ),
      ),
    ).toEqual([2, 3, 3])
    expect(
      shapeOf(
        explicit(
          [
            [2, 3, 3],
            [3, 1],
          ],
          { axesMapping: [1, 2], strict: true },
        ),
      ),
    ).toBe(clause)
    expect(shapeOf(explicit([[1], [0]], { axesMapping: [0] }))).toBe(clause)
    expect(shapeOf(explicit([[0], [1]], { axesMapping: [0] }))).toEqual([0])
  })
  it('lets a scalar name one axis of size 1', () => {
    expect(shapeOf(explicit([[1, 2], []], { axesMapping: [0] }))).toEqual([1, 2])
    expect(shapeOf(explicit([[1, 2], []], { axesMapping: [1] }))).toBe(clause)
    expect(shapeOf(explicit([[2, 2], []], { axesMapping: [] }))).toEqual([2, 2])
  })
})

describe('the slope of PRelu', () => {
  it('belongs to axis 1 when its length fits there, even where the last axis fits too', () => {
    const result = openvinoPrelu([[1, 2, 1, 2], [2]])
    expect(result.ok && result.maps[1]!([0, 1, 0, 0])).toEqual([1])
    const last = openvinoPrelu([[2, 1, 2], [2]])
    expect(last.ok && last.maps[1]!([0, 0, 1])).toEqual([1])
  })
  it('is otherwise aligned at the right and one-way', () => {
    expect(
      shapeOf(
        openvinoPrelu([
          [2, 2, 6],
          [2, 1, 6],
        ]),
      ),
    ).toEqual([2, 2, 6])
    expect(shapeOf(openvinoPrelu([[6], [6]]))).toEqual([6])
    expect(
      shapeOf(
        openvinoPrelu([
          [1, 2],
          [3, 2],
        ]),
      ),
    ).toBe('openvino.prelu')
    expect(shapeOf(openvinoPrelu([[], [1]]))).toEqual([])
    expect(shapeOf(openvinoPrelu([[], [2]]))).toBe('openvino.prelu')
  })
})
