// What the compiler knows of reductions inside fused functions.
import { fuse, logSumExp, mean, type Shape, sum, type Tensor, tensor } from 'bcast'
import { describe, expectTypeOf, it } from 'vitest'

const x = tensor([
  [1, 2, 3],
  [4, 5, 6],
])
const row = tensor([1, 2, 3])
declare const axis: number

describe('reductions inside fuse', () => {
  it('have the shape that is left', () => {
    expectTypeOf(fuse((a) => a.mul(2).sum())(x)).toEqualTypeOf<Tensor<'float32', []>>()
    expectTypeOf(fuse((a, b) => a.mul(b).mean({ axes: 1 }))(x, row)).toEqualTypeOf<Tensor<'float32', [2]>>()
    expectTypeOf(fuse((a) => a.prod({ axes: -1, keepdims: true }))(x)).toEqualTypeOf<Tensor<'float32', [2, 1]>>()
    expectTypeOf(fuse((a) => sum(a, { axes: 0 }).add(row))(x)).toEqualTypeOf<Tensor<'float32', [3]>>()
    expectTypeOf(fuse((a) => logSumExp(a, { axes: 1 }))(x)).toEqualTypeOf<Tensor<'float32', [2]>>()
    expectTypeOf(fuse((a) => a.sum({ axes: axis }))(x)).toEqualTypeOf<Tensor<'float32', Shape>>()
  })

  it('leave the shape of what they are used with again', () => {
    const softmax = fuse((a) => {
      const e = a.sub(a.max({ axes: -1, keepdims: true })).exp()
      return e.div(e.sum({ axes: -1, keepdims: true }))
    })
    expectTypeOf(softmax(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(fuse((a) => mean(a, { axes: 0, keepdims: true }).sub(a))(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(fuse((a, b) => a.sum({ axes: 1, keepdims: true }).mul(b))(x, row)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
  })

  it('refuse what the function around them refuses', () => {
    // @ts-expect-error shapes that do not meet
    fuse((a, b) => a.sum({ axes: 1, keepdims: true }).sub(b).add(a))(x, tensor([1, 2]))
  })
})
