// Methods of tensors have the shapes, types and sentences of their functions, and take nothing away from those.
import 'bcast/methods'
import { add, fuse, type Tensor, tensor, where } from 'bcast'
import { describe, expectTypeOf, it } from 'vitest'

declare const x: Tensor<'float32', [2, 3]>
declare const any: Tensor<'float32'>
declare const ints: Tensor<'int32', [3]>

describe('methods', () => {
  it('compute shapes and types', () => {
    expectTypeOf(x.add(1)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(x.add(tensor([1, 2, 3]))).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(x.greater(0)).toEqualTypeOf<Tensor<'bool', [2, 3]>>()
    expectTypeOf(x.greater(0).where(x, 0)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(x.pow(ints)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(x.max(tensor([1, 2, 3]), 0)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(x.clip(0, 1)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(x.exp()).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(x.astype('int8')).toEqualTypeOf<Tensor<'int8', [2, 3]>>()
    expectTypeOf(x.unsqueeze(0)).toEqualTypeOf<Tensor<'float32', [1, 2, 3]>>()
    expectTypeOf(any.sub(x)).toEqualTypeOf<Tensor<'float32', readonly number[]>>()
  })

  it('reduce and multiply', () => {
    expectTypeOf(x.sum()).toEqualTypeOf<Tensor<'float32', []>>()
    expectTypeOf(x.sum({ axes: 0 })).toEqualTypeOf<Tensor<'float32', [3]>>()
    expectTypeOf(x.max({ axes: -1, keepdims: true })).toEqualTypeOf<Tensor<'float32', [2, 1]>>()
    expectTypeOf(x.mean(x, { broadcast: 'numpy' })).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(x.prod({ axes: [0, 1] })).toEqualTypeOf<Tensor<'float32', []>>()
    expectTypeOf(x.norm({ ord: 1, axes: 1 })).toEqualTypeOf<Tensor<'float32', [2]>>()
    expectTypeOf(x.greater(0).any()).toEqualTypeOf<Tensor<'bool', []>>()
    expectTypeOf(x.argMax({ axis: 0 })).toEqualTypeOf<Tensor<'int64'>>()
    expectTypeOf(x.cumSum({ axis: 1 })).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(x.matmul(x.transpose())).toEqualTypeOf<Tensor<'float32', [2, 2]>>()
    expectTypeOf(x.matmul(tensor([1, 2, 3]))).toEqualTypeOf<Tensor<'float32', [2]>>()
    // @ts-expect-error A's columns (3) must be B's rows (2)
    x.matmul(x)
    // @ts-expect-error cannot broadcast axis -1: 3 vs 2
    x.max(tensor([1, 2]))
    // @ts-expect-error an option that does not exist
    x.prod({ axis: 0 })
  })

  it('refuse what does not fit', () => {
    // @ts-expect-error cannot broadcast axis -1: 3 vs 2
    x.add(tensor([1, 2]))
    // @ts-expect-error element types differ
    x.add(ints)
  })

  it('leave functions, fuse and assignment as they are', () => {
    expectTypeOf(add(x, 1)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(where(x.greater(0), x, 0)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(fuse((a, b) => a.sub(b).div(2))(x, ints as never as typeof x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    const wider: Tensor<'float32'> = x
    const widest: Tensor = wider
    expectTypeOf(widest).toEqualTypeOf<Tensor>()
    const captured = fuse((a) => a.add(x))
    expectTypeOf(captured(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
  })
})
