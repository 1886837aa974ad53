// The rules that align the ends of shapes, by their documents' examples and by the corners where they part.
import { describe, expect, it } from 'vitest'
import type { Shape } from '../../src/shape/dim.ts'
import { resolve } from '../../src/shape/resolve.ts'
import {
  bidirectional,
  matmulBatch,
  none,
  numpy,
  openvinoPrelu,
  sonnx,
  unidirectional,
} from '../../src/shape/rules/index.ts'
import { accepts, places, result, shapesIn } from './support/outcome.ts'

const A = [2, 3, 4, 5]

describe('numpy', () => {
  it('[onnx.multi.1] equal shapes are kept', () => {
    expect(result(numpy, [A, A])).toEqual(A)
  })

  it('[onnx.multi.2] a size of 1 stretches to the common size, and other sizes do not', () => {
    expect(result(numpy, '(2,1) (1,3)')).toEqual([2, 3])
    expect(result(numpy, '(2,3) (2)')).toBe('cannot broadcast axis -1: 3 vs 2 (shapes [2,3] and [2])')
  })

  it('[onnx.multi.3] [onnx.multi.set] shapes of lower rank get ones in front, any number of shapes together', () => {
    expect(result(numpy, '(5) (4,1) (3,1,1) ()')).toEqual([3, 4, 5])
    expect(places(numpy, A, [4, 5])).toEqual([2, 3])
  })

  it('[onnx.multi.example.1] [onnx.multi.example.2] [onnx.multi.example.3] [onnx.multi.example.4] [onnx.multi.example.5] [onnx.numpy] the document', () => {
    const examples = [
      [A, []],
      [A, [5]],
      [[4, 5], A],
      [
        [1, 4, 5],
        [2, 3, 1, 1],
      ],
      [
        [3, 4, 5],
        [2, 1, 1, 1],
      ],
    ]
    for (const shapes of examples) expect(result(numpy, shapes)).toEqual(A)
  })

  it('[openvino.numpy.1] [openvino.numpy.2] [openvino.numpy.3] [openvino.numpy.4] [openvino.numpy.5] the OpenVINO document', () => {
    const examples: readonly (readonly [Shape, Shape, Shape])[] = [
      [[], [], []],
      [[2, 3], [1], [2, 3]],
      [[3], [2, 3], [2, 3]],
      [[2, 3, 5], [], [2, 3, 5]],
      [
        [2, 1, 5],
        [1, 4, 5],
        [2, 4, 5],
      ],
      [
        [6, 5],
        [2, 1, 5],
        [2, 6, 5],
      ],
      [
        [2, 1, 5],
        [4, 1],
        [2, 4, 5],
      ],
      [
        [3, 2, 1, 4],
        [5, 4],
        [3, 2, 5, 4],
      ],
      [
        [1, 5, 3],
        [5, 2, 1, 3],
        [5, 2, 5, 3],
      ],
    ]
    for (const [a, b, expected] of examples) expect(result(numpy, [a, b])).toEqual(expected)
    expect(result(numpy, '(3) (2)')).toBe('cannot broadcast axis -1: 3 vs 2 (shapes [3] and [2])')
    expect(result(numpy, '(3,1,5) (4,4,5)')).toMatch(/^cannot broadcast axis -3: 3 vs 4/)
  })

  it('the failure nearest the right is told, with the first operands that disagree', () => {
    expect(resolve(numpy, shapesIn('(2,3) (1,1) (4,5) (4,6)'))).toMatchObject({ operands: [0, 2], axis: -1 })
  })
})

describe('bidirectional', () => {
  it('[openvino.bidirectional.1] [openvino.bidirectional.2] [openvino.bidirectional.3] [openvino.bidirectional.4] the document', () => {
    expect(result(bidirectional, '(5) (1)')).toEqual([5])
    expect(result(bidirectional, '(2,3) (3)')).toEqual([2, 3])
    expect(result(bidirectional, '(3,1) (3,4)')).toEqual([3, 4])
    expect(result(bidirectional, '(3,4) ()')).toEqual([3, 4])
    expect(result(bidirectional, '(3,1) (2,1,6)')).toEqual([2, 3, 6])
    expect(accepts(bidirectional, [3], [2])).toBe(false)
  })
})

describe('unidirectional', () => {
  it('[onnx.uni.1] [onnx.uni.2] [onnx.uni.3] [onnx.uni.shape] the document', () => {
    for (const b of [[], [5], [2, 1, 1, 5], [1, 3, 1, 5], A]) expect(result(unidirectional, [A, b])).toEqual(A)
  })

  it('[onnx.uni.shape] A never changes, in size or in rank', () => {
    expect(result(unidirectional, '(2,1) (2,3)')).toBe('cannot broadcast axis -1: 1 vs 3 (shapes [2,1] and [2,3])')
    expect(result(unidirectional, '(3) (1,3)')).toBe(
      "B has rank 2, more than A's 1, and A keeps its shape (shapes [3] and [1,3])",
    )
  })

  it('all other operands go onto A, or onto the one that is named', () => {
    expect(result(unidirectional, [A, [5], [4, 1], []])).toEqual(A)
    expect(result(unidirectional, [A, [5], [3]])).toBe('cannot broadcast axis -1: 5 vs 3 (shapes [2,3,4,5] and [3])')
    expect(result(unidirectional, [[5], A], 1)).toEqual(A)
  })
})

describe('none', () => {
  it('[openvino.none.1] [openvino.none.2] shapes are equal, ones included', () => {
    expect(result(none, [A, A, A])).toEqual(A)
    expect(result(none, '(2,3) (1,3)')).toBe('cannot broadcast axis -2: 2 vs 1 (shapes [2,3] and [1,3])')
    expect(result(none, '(3) ()')).toBe('B has rank 0 and A has 1; shapes must be equal (shapes [3] and [])')
  })
})

describe('sonnx', () => {
  it('[sonnx1.pad] [sonnx2.pad] [sonnx2.ny] ones come in front up to the largest rank', () => {
    expect(result(sonnx, '(4,5) (2,1,1)')).toEqual([2, 4, 5])
    expect(places(sonnx, A, [4, 5])).toEqual([2, 3])
  })

  it('[sonnx1.max] [sonnx2.max] [sonnx1.c1] [sonnx2.c1] every size is 1 or the largest', () => {
    expect(result(sonnx, '(1,3) (2,1)')).toEqual([2, 3])
    expect(result(sonnx, '(2) (3)')).toBe('cannot broadcast axis -1: 2 vs 3 (shapes [2] and [3])')
  })

  it('[sonnx1.c1] [sonnx2.c1] read literally, 0 stands only beside 0: a given 1 and a padded 1 violate it', () => {
    expect(result(sonnx, '(0) (0)')).toEqual([0])
    expect(result(sonnx, '(1) (0)')).toBe('cannot broadcast axis -1: 0 vs 1 (shapes [0] and [1])')
    expect(result(sonnx, '(0) ()')).toBe('cannot broadcast axis -1: 0 vs 1 (shapes [0] and [])')
    expect(result(sonnx, '(0,3) (3)')).toMatch(/^cannot broadcast axis -2: 0 vs 1/)
  })
})

describe('openvinoPrelu', () => {
  it('a 1-D slope goes to axis 1 when it has that length, also where it would fit the end', () => {
    expect(places(openvinoPrelu, [2, 3, 4, 5], [3])).toEqual([1])
    expect(places(openvinoPrelu, [2, 3, 4, 3], [3])).toEqual([1])
    expect(places(openvinoPrelu, [2, 3, 4, 5], [5])).toEqual([3])
    expect(accepts(openvinoPrelu, [2, 3, 4, 5], [4])).toBe(false)
    expect(places(openvinoPrelu, [3], [3])).toEqual([0])
  })

  it('one slope serves any X, and other slopes are right-aligned', () => {
    expect(accepts(openvinoPrelu, [2, 3], [1])).toBe(true)
    expect(result(openvinoPrelu, '() (1)')).toEqual([])
    expect(accepts(openvinoPrelu, [], [2])).toBe(false)
    expect(places(openvinoPrelu, [2, 3, 4], [3, 1])).toEqual([1, 2])
  })
})

describe('matmulBatch', () => {
  it('broadcasts all axes but the last two', () => {
    expect(result(matmulBatch, '(3,1,4,6) (2,6,5)')).toEqual([3, 2])
    expect(places(matmulBatch, [3, 1, 4, 6], [2, 6, 5])).toEqual([1, -2, -2])
    expect(result(matmulBatch, '(4,6) (6)')).toEqual([])
    expect(result(matmulBatch, '(2,4,6) (3,6,5)')).toMatch(/^cannot broadcast axis -1: 2 vs 3/)
    expect(result(matmulBatch, '(4,6) ()')).toBe('B is a scalar and has no matrices (shape [])')
  })
})
