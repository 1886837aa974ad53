// Broadcasting in ONNX, clause by clause, on the library.
import {
  add,
  and,
  BroadcastError,
  broadcast,
  div,
  equal,
  gemm,
  greater,
  less,
  max,
  mean,
  min,
  mul,
  numpy,
  or,
  pow,
  prelu,
  sub,
  sum,
  tensor,
  unidirectional,
  where,
  xor,
} from 'bcast'
import { describe, expect, it } from 'vitest'
import { expectMeeting, expectRefused, numbered } from './support.ts'

describe('multidirectional', () => {
  it('[onnx.elementwise, onnx.multi.set] any number of tensors of different shapes meet', () => {
    expectMeeting([[2, 1, 1], [3, 1], [4], []], numpy, [2, 3, 4])
    expectMeeting([[5]], numpy, [5])
  })
  it('[onnx.multi.1] the same shape stays', () =>
    expectMeeting(
      [
        [2, 3],
        [2, 3],
      ],
      numpy,
      [2, 3],
    ))
  it('[onnx.multi.2] each size is common or 1', () => {
    expectMeeting(
      [
        [2, 1, 4],
        [1, 3, 4],
      ],
      numpy,
      [2, 3, 4],
    )
    expectRefused(
      [
        [2, 3],
        [2, 4],
      ],
      numpy,
      -1,
    )
  })
  it('[onnx.multi.3] fewer dimensions are padded with 1 in front', () => {
    expectMeeting([[3, 4], [4]], numpy, [3, 4])
    expectRefused([[3, 4], [3]], numpy, -1)
  })
  it('[onnx.numpy] elements land where NumPy puts them', () => {
    const [a, b] = broadcast(tensor([[1], [2]]), tensor([10, 20, 30]))
    expect(a.toArray()).toEqual([
      [1, 1, 1],
      [2, 2, 2],
    ])
    expect(b.toArray()).toEqual([
      [10, 20, 30],
      [10, 20, 30],
    ])
  })
  it('[onnx.multi.example.1] a scalar', () => expectMeeting([[2, 3, 4, 5], []], numpy, [2, 3, 4, 5]))
  it('[onnx.multi.example.2] a row', () => expectMeeting([[2, 3, 4, 5], [5]], numpy, [2, 3, 4, 5]))
  it('[onnx.multi.example.3] the first one smaller', () =>
    expectMeeting(
      [
        [4, 5],
        [2, 3, 4, 5],
      ],
      numpy,
      [2, 3, 4, 5],
    ))
  it('[onnx.multi.example.4] both stretch', () =>
    expectMeeting(
      [
        [1, 4, 5],
        [2, 3, 1, 1],
      ],
      numpy,
      [2, 3, 4, 5],
    ))
  it('[onnx.multi.example.5] both stretch again', () =>
    expectMeeting(
      [
        [3, 4, 5],
        [2, 1, 1, 1],
      ],
      numpy,
      [2, 3, 4, 5],
    ))
})

describe('operators that broadcast both ways', () => {
  const column = tensor([[1], [2]])
  const row = tensor([1, 2, 3])
  const [yes, no] = [tensor([[true], [false]]), tensor([true, false])]

  it('[onnx.multi.op.add] Add', () =>
    expect(add(column, row).toArray()).toEqual([
      [2, 3, 4],
      [3, 4, 5],
    ]))
  it('[onnx.multi.op.sub] Sub', () =>
    expect(sub(column, row).toArray()).toEqual([
      [0, -1, -2],
      [1, 0, -1],
    ]))
  it('[onnx.multi.op.mul] Mul', () =>
    expect(mul(column, row).toArray()).toEqual([
      [1, 2, 3],
      [2, 4, 6],
    ]))
  it('[onnx.multi.op.div] Div', () =>
    expect(div(row, tensor([[1], [4]])).toArray()).toEqual([
      [1, 2, 3],
      [0.25, 0.5, 0.75],
    ]))
  it('[onnx.multi.op.pow] Pow', () =>
    expect(pow(row, column).toArray()).toEqual([
      [1, 2, 3],
      [1, 4, 9],
    ]))
  it('[onnx.multi.op.max] Max', () =>
    expect(max(column, row, tensor(2)).toArray()).toEqual([
      [2, 2, 3],
      [2, 2, 3],
    ]))
  it('[onnx.multi.op.min] Min', () =>
    expect(min(column, row, tensor(2)).toArray()).toEqual([
      [1, 1, 1],
      [1, 2, 2],
    ]))
  it('[onnx.multi.op.sum] Sum', () =>
    expect(sum(column, row, tensor(10)).toArray()).toEqual([
      [12, 13, 14],
      [13, 14, 15],
    ]))
  it('[onnx.multi.op.mean] Mean', () =>
    expect(mean(column, row).toArray()).toEqual([
      [1, 1.5, 2],
      [1.5, 2, 2.5],
    ]))
  it('[onnx.multi.op.and] And', () =>
    expect(and(yes, no).toArray()).toEqual([
      [true, false],
      [false, false],
    ]))
  it('[onnx.multi.op.or] Or', () =>
    expect(or(yes, no).toArray()).toEqual([
      [true, true],
      [true, false],
    ]))
  it('[onnx.multi.op.xor] Xor', () =>
    expect(xor(yes, no).toArray()).toEqual([
      [false, true],
      [true, false],
    ]))
  it('[onnx.multi.op.equal] Equal', () =>
    expect(equal(column, row).toArray()).toEqual([
      [true, false, false],
      [false, true, false],
    ]))
  it('[onnx.multi.op.greater] Greater', () =>
    expect(greater(column, row).toArray()).toEqual([
      [false, false, false],
      [true, false, false],
    ]))
  it('[onnx.multi.op.less] Less', () =>
    expect(less(column, row).toArray()).toEqual([
      [false, true, true],
      [false, false, true],
    ]))
  it('[onnx.multi.op.where] Where', () =>
    expect(where(yes, row, tensor(0)).toArray()).toEqual([
      [1, 2, 3],
      [0, 0, 0],
    ]))
})

describe('unidirectional', () => {
  it('[onnx.uni.1] the same shape stays', () =>
    expectMeeting(
      [
        [2, 3],
        [2, 3],
      ],
      unidirectional,
      [2, 3],
    ))
  it("[onnx.uni.2] B's sizes are A's or 1", () => {
    expectMeeting(
      [
        [2, 3],
        [1, 3],
      ],
      unidirectional,
      [2, 3],
    )
    expectRefused(
      [
        [1, 3],
        [2, 3],
      ],
      unidirectional,
      -2,
    )
  })
  it('[onnx.uni.3] B is padded with 1 in front, A never', () => {
    expectMeeting([[2, 3], [3]], unidirectional, [2, 3])
    expectRefused([[3], [2, 3]], unidirectional)
  })
  it("[onnx.uni.shape] the result has A's shape", () =>
    expectMeeting(
      [
        [0, 3],
        [1, 1],
      ],
      unidirectional,
      [0, 3],
    ))
  it('[onnx.uni.example.1] a scalar', () => expectMeeting([[2, 3, 4, 5], []], unidirectional, [2, 3, 4, 5]))
  it('[onnx.uni.example.2] a row', () => expectMeeting([[2, 3, 4, 5], [5]], unidirectional, [2, 3, 4, 5]))
  it('[onnx.uni.example.3] ones in the middle', () =>
    expectMeeting(
      [
        [2, 3, 4, 5],
        [2, 1, 1, 5],
      ],
      unidirectional,
      [2, 3, 4, 5],
    ))
  it('[onnx.uni.example.4] ones spread', () =>
    expectMeeting(
      [
        [2, 3, 4, 5],
        [1, 3, 1, 5],
      ],
      unidirectional,
      [2, 3, 4, 5],
    ))
  it('[onnx.uni.op.gemm] Gemm stretches C onto the product and never the product onto C', () => {
    const identity = tensor([
      [1, 0],
      [0, 1],
    ])
    expect(gemm(identity, identity, tensor([[10], [20]])).toArray()).toEqual([
      [11, 10],
      [20, 21],
    ])
    expect(() => gemm(identity, identity, numbered([1, 2, 2]))).toThrow(BroadcastError)
  })
  it('[onnx.uni.op.prelu] PRelu stretches the slope onto X and never X', () => {
    expect(
      prelu(
        tensor([
          [-1, 2],
          [-3, -4],
        ]),
        tensor([10, 100]),
      ).toArray(),
    ).toEqual([
      [-10, 2],
      [-30, -400],
    ])
    expect(() => prelu(numbered([1, 2]), numbered([3, 2]))).toThrow(BroadcastError)
  })
})
