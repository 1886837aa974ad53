// Shapes and types that the compiler works out for functions that make, view, join and move.
import {
  arange,
  concat,
  empty,
  eye,
  flip,
  full,
  gather,
  linspace,
  meshgrid,
  ones,
  pad,
  type Shape,
  split,
  squeeze,
  stack,
  type Tensor,
  take,
  tensor,
  tile,
  unsqueeze,
  zeros,
} from 'bcast'
import { describe, expectTypeOf, it } from 'vitest'

declare const n: number
declare const x: Tensor<'float32', [2, 3]>
declare const y: Tensor<'float32', [2, 17]>
declare const batch: Tensor<'float32', [number, 3]>
declare const anyRank: Tensor<'int8'>

describe('creation', () => {
  it('keeps literal shapes and types', () => {
    expectTypeOf(zeros([2, 3])).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(ones([2], { dtype: 'int64' })).toEqualTypeOf<Tensor<'int64', [2]>>()
    expectTypeOf(empty([], { dtype: 'double' })).toEqualTypeOf<Tensor<'float64', []>>()
    expectTypeOf(full([2], 1n)).toEqualTypeOf<Tensor<'int64', [2]>>()
    expectTypeOf(full([2], 'a')).toEqualTypeOf<Tensor<'string', [2]>>()
    expectTypeOf(arange(5)).toEqualTypeOf<Tensor<'float32', [5]>>()
    expectTypeOf(arange(-1)).toEqualTypeOf<Tensor<'float32', [number]>>()
    expectTypeOf(arange(2.5, { dtype: 'int32' })).toEqualTypeOf<Tensor<'int32', [number]>>()
    expectTypeOf(arange(1, 5)).toEqualTypeOf<Tensor<'float32', [number]>>()
    expectTypeOf(arange(3n)).toEqualTypeOf<Tensor<'int64', [number]>>()
    expectTypeOf(linspace(0, 1, 5, { dtype: 'float64' })).toEqualTypeOf<Tensor<'float64', [5]>>()
    expectTypeOf(eye(3)).toEqualTypeOf<Tensor<'float32', [3, 3]>>()
    expectTypeOf(eye(3, 4, { k: 1 })).toEqualTypeOf<Tensor<'float32', [3, 4]>>()
    expectTypeOf(eye(n)).toEqualTypeOf<Tensor<'float32', [number, number]>>()
    // @ts-expect-error a shape is an array
    zeros(3)
  })
})

describe('views', () => {
  it('know which axes come and go', () => {
    expectTypeOf(squeeze(zeros([1, 3, 1]))).toEqualTypeOf<Tensor<'float32', [3]>>()
    expectTypeOf(squeeze(zeros([1, 3, 1]), -1)).toEqualTypeOf<Tensor<'float32', [1, 3]>>()
    expectTypeOf(squeeze(zeros([1, 3, 1]), [0, 2])).toEqualTypeOf<Tensor<'float32', [3]>>()
    expectTypeOf(squeeze(batch)).toEqualTypeOf<Tensor<'float32', readonly number[]>>()
    expectTypeOf(squeeze(anyRank, 0)).toEqualTypeOf<Tensor<'int8', readonly number[]>>()
    expectTypeOf(unsqueeze(x, 0)).toEqualTypeOf<Tensor<'float32', [1, 2, 3]>>()
    expectTypeOf(unsqueeze(x, [0, -1])).toEqualTypeOf<Tensor<'float32', [1, 2, 3, 1]>>()
    expectTypeOf(unsqueeze(batch, n)).toEqualTypeOf<Tensor<'float32', readonly number[]>>()
    expectTypeOf(flip(x, 1)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(split(x, [1, 2], { axis: 1 })).toEqualTypeOf<[Tensor<'float32', [2, 1]>, Tensor<'float32', [2, 2]>]>()
    expectTypeOf(split(x, 2)).toEqualTypeOf<Tensor<'float32', [number, 3]>[]>()
    expectTypeOf(meshgrid(arange(3), zeros([2], { dtype: 'int8' }))).toEqualTypeOf<
      [Tensor<'float32', [2, 3]>, Tensor<'int8', [2, 3]>]
    >()
    expectTypeOf(meshgrid(arange(3), arange(2), { indexing: 'ij' })).toEqualTypeOf<
      [Tensor<'float32', [3, 2]>, Tensor<'float32', [3, 2]>]
    >()
  })
})

describe('joins and moves', () => {
  it('add sizes', () => {
    expectTypeOf(concat([x, y], { axis: 1 })).toEqualTypeOf<Tensor<'float32', [2, 20]>>()
    expectTypeOf(concat([x, y], { axis: -1 })).toEqualTypeOf<Tensor<'float32', [2, 20]>>()
    expectTypeOf(concat([zeros([999, 2]), zeros([9001, 2])])).toEqualTypeOf<Tensor<'float32', [10000, 2]>>()
    expectTypeOf(concat([x, batch])).toEqualTypeOf<Tensor<'float32', [number, 3]>>()
    expectTypeOf(concat([anyRank, anyRank])).toEqualTypeOf<Tensor<'int8', readonly number[]>>()
    expectTypeOf(concat.async([x, x])).toEqualTypeOf<Promise<Tensor<'float32', [4, 3]>>>()
    expectTypeOf(stack([x, x, x])).toEqualTypeOf<Tensor<'float32', [3, 2, 3]>>()
    expectTypeOf(stack([x, x], { axis: -1 })).toEqualTypeOf<Tensor<'float32', [2, 3, 2]>>()
    expectTypeOf(pad(x, [[1, 1], [0, 7]])).toEqualTypeOf<Tensor<'float32', [4, 10]>>()
    expectTypeOf(pad(x, [[1, -1], [0, 0]])).toEqualTypeOf<Tensor<'float32', [number, 3]>>()
    expectTypeOf(tile(x, [1, 2])).toEqualTypeOf<Tensor<'float32', [2, number]>>()
    expectTypeOf(tile(x, [2])).toEqualTypeOf<Tensor<'float32', Shape>>()
    expectTypeOf(take(x, [0, 0, 1])).toEqualTypeOf<Tensor<'float32', [3, 3]>>()
    expectTypeOf(gather(x, tensor([[0], [1]], { dtype: 'int32' }), { axis: 1 })).toEqualTypeOf<Tensor<'float32', [2, 2, 1]>>()
    expectTypeOf(take(x, [0], { axis: n })).toEqualTypeOf<Tensor<'float32', Shape>>()
    // @ts-expect-error options are known
    concat([x, x], { dim: 1 })
    // @ts-expect-error modes are known
    pad(x, [[1, 1], [0, 0]], { mode: 'mirror' })
  })
})
