// The rules that come from implementations: Paddle since 1.7, ONNX before opset 7, and the batches of MatMul.
import { describe, expect, it } from 'vitest'
import { matmulBatch, onnxLegacy, paddle, type RuleResult } from '../src/index.ts'

const shapeOf = (result: RuleResult): number[] | string => (result.ok ? result.shape : result.clause)

describe('paddle', () => {
  it('places the operand of smaller rank, whichever it is', () => {
    expect(
      shapeOf(
        paddle(
          [
            [10, 12],
            [2, 2, 10, 12],
          ],
          { axis: 2 },
        ),
      ),
    ).toEqual([2, 2, 10, 12])
    expect(
      shapeOf(
        paddle(
          [
            [2, 10, 12, 5],
            [10, 12],
          ],
          { axis: 1 },
        ),
      ),
    ).toEqual([2, 10, 12, 5])
    expect(shapeOf(paddle([[], [13, 17]]))).toEqual([13, 17])
    const result = paddle([[2], [2, 3]], { axis: 0 })
    expect(result.ok && result.maps.map((map) => map([1, 2]))).toEqual([[1], [1, 2]])
  })
  it('starts at the difference of the ranks by default', () => {
    expect(
      shapeOf(
        paddle([
          [13, 17, 1],
          [17, 17],
        ]),
      ),
    ).toEqual([13, 17, 17])
    expect(shapeOf(paddle([[2, 3], [2]]))).toBe('paddle.size')
  })
  it('stretches ones on both sides, and 0 against 1 gives 0', () => {
    expect(
      shapeOf(
        paddle([
          [10, 3, 1, 4],
          [10, 1, 12, 1],
        ]),
      ),
    ).toEqual([10, 3, 12, 4])
    expect(shapeOf(paddle([[0], [1]]))).toEqual([0])
    expect(shapeOf(paddle([[0], [2]]))).toBe('paddle.size')
  })
  it('allows only the axes -1 and 0 for different shapes of equal rank, and only what fits', () => {
    expect(
      shapeOf(
        paddle(
          [
            [10, 1, 12],
            [10, 2, 12],
          ],
          { axis: 0 },
        ),
      ),
    ).toEqual([10, 2, 12])
    expect(
      shapeOf(
        paddle(
          [
            [2, 3],
            [2, 1],
          ],
          { axis: 1 },
        ),
      ),
    ).toBe('paddle.axis')
    expect(
      shapeOf(
        paddle(
          [
            [2, 3],
            [2, 3],
          ],
          { axis: 1 },
        ),
      ),
    ).toEqual([2, 3])
    expect(shapeOf(paddle([[5], []], { axis: 1 }))).toBe('paddle.axis')
    expect(shapeOf(paddle([[2, 3], [3]], { axis: 2 }))).toBe('paddle.axis')
    expect(shapeOf(paddle([[2, 3], [3]], { axis: -2 }))).toBe('paddle.axis')
  })
})

describe('onnx legacy', () => {
  const a = [2, 3, 4, 5]
  it('accepts the shapes that its documentation lists', () => {
    for (const [b, axis] of [[[]], [[1, 1]], [[5]], [[4, 5]], [[3, 4], 1], [[2], 0]] as [number[], number?][]) {
      const options = axis === undefined ? { broadcast: true } : { broadcast: true, axis }
      expect(shapeOf(onnxLegacy([a, b], options))).toEqual(a)
    }
  })
  it('needs the attribute broadcast', () => {
    expect(shapeOf(onnxLegacy([a, [5]]))).toBe('onnx.legacy.broadcast')
    expect(shapeOf(onnxLegacy([a, a], { axis: 2 }))).toEqual(a)
  })
  it('stretches no one inside B, trims nothing, and never stretches A', () => {
    expect(shapeOf(onnxLegacy([a, [1, 5]], { broadcast: true }))).toBe('onnx.legacy.run')
    expect(shapeOf(onnxLegacy([a, [3, 1]], { broadcast: true, axis: 1 }))).toBe('onnx.legacy.run')
    expect(shapeOf(onnxLegacy([[1], [3]], { broadcast: true }))).toBe('onnx.legacy.run')
    expect(shapeOf(onnxLegacy([[3], [1, 1]], { broadcast: true }))).toBe('onnx.legacy.rank')
  })
  it('has no negative axis, and a run must fit', () => {
    expect(shapeOf(onnxLegacy([a, [5]], { broadcast: true, axis: -1 }))).toBe('onnx.legacy.axis')
    expect(shapeOf(onnxLegacy([a, [4, 5]], { broadcast: true, axis: 3 }))).toBe('onnx.legacy.run')
  })
  it('reads B along the run', () => {
    const result = onnxLegacy([a, [3, 4]], { broadcast: true, axis: 1 })
    expect(result.ok && result.maps[1]!([1, 2, 3, 4])).toEqual([2, 3])
    const one = onnxLegacy([a, [1, 1]], { broadcast: true })
    expect(one.ok && one.maps[1]!([1, 2, 3, 4])).toEqual([0, 0])
  })
})

describe('the batches of MatMul', () => {
  it('broadcasts all but the last two dimensions', () => {
    const result = matmulBatch([
      [3, 1, 4, 6],
      [2, 6, 5],
    ])
    expect(shapeOf(result)).toEqual([3, 2])
    expect(result.ok && result.maps.map((map) => map([2, 1]))).toEqual([[2, 0], [1]])
    expect(
      shapeOf(
        matmulBatch([
          [3, 4, 6],
          [2, 6, 5],
        ]),
      ),
    ).toBe('matmul.batch')
  })
  it('gives vectors and matrices an empty batch, and a scalar none', () => {
    expect(shapeOf(matmulBatch([[7, 4, 6], [6]]))).toEqual([7])
    expect(shapeOf(matmulBatch([[6], [6, 5]]))).toEqual([])
    expect(shapeOf(matmulBatch([[], [6, 5]]))).toBe('matmul.rank')
  })
})
