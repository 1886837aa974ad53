// Shapes of reductions where shape and axes are literal, and what is refused.
import { argMax, max, mean, norm, prod, sum, type Tensor, tensor } from 'bcast'
import { describe, expectTypeOf, it } from 'vitest'

const x = tensor([
  [1, 2, 3],
  [4, 5, 6],
])

describe('reductions', () => {
  it('leave the other axes, or ones in place of theirs', () => {
    expectTypeOf(sum(x)).toEqualTypeOf<Tensor<'float32', []>>()
    expectTypeOf(sum(x, { axes: 0 })).toEqualTypeOf<Tensor<'float32', [3]>>()
    expectTypeOf(max(x, { axes: [-1], keepdims: true })).toEqualTypeOf<Tensor<'float32', [2, 1]>>()
    expectTypeOf(mean(x, { keepdims: true })).toEqualTypeOf<Tensor<'float32', [1, 1]>>()
    expectTypeOf(prod.async(x, { axes: [0, 1] })).toEqualTypeOf<Promise<Tensor<'float32', []>>>()
    expectTypeOf(norm(x, { axes: 1, ord: 1 })).toEqualTypeOf<Tensor<'float32', [2]>>()
    expectTypeOf(argMax(x).dtype).toEqualTypeOf<'int64'>()
  })

  it('are open where axes or ranks are', () => {
    const axes = [0] as number[]
    expectTypeOf(sum(x, { axes })).toEqualTypeOf<Tensor<'float32', readonly number[]>>()
    expectTypeOf(sum(x as Tensor<'float32'>)).toEqualTypeOf<Tensor<'float32', []>>()
  })

  it('are not operators of several operands', () => {
    expectTypeOf(sum(x, x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(sum([x])).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    // @ts-expect-error an option that does not exist
    prod(x, { axis: 0 })
  })
})
