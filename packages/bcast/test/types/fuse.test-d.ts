// What the compiler knows of fused functions: results, refusals, options of methods, and chains of any length.
import { add, cast, castLike, explicit, fuse, max, numpy, pdpd, type Tensor, tensor, unidirectional, where } from 'bcast'
import { describe, expectTypeOf, it } from 'vitest'

const x = tensor([
  [1, 2, 3],
  [4, 5, 6],
])
const row = tensor([1, 2, 3])
const column = tensor([[1], [2]])
const ints = tensor([1, 2, 3], { dtype: 'int32' })
declare const image: Tensor<'float32', [2, 3, 4, 5]>

describe('methods inside fuse', () => {
  it('take the options that their functions take', () => {
    expectTypeOf(fuse((a) => a.mod(3, { fmod: true }))(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(fuse((a, b) => a.max(b, { broadcast: unidirectional }))(x, row)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(fuse((a, b) => a.min(b, 0, { broadcast: numpy }))(x, row)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(fuse((a, b) => a.less(b).where(a, b, { broadcast: 'numpy' }))(x, row)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(fuse((a) => a.elu({ alpha: 2 }))(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(fuse((a, b) => a.bitShift(b, { direction: 'LEFT' }))(ints, ints)).toEqualTypeOf<Tensor<'int32', [3]>>()
    expectTypeOf(fuse((a, b) => a.add(b, { broadcast: pdpd({ axis: 1 }) }))(image, row)).toEqualTypeOf<Tensor<'float32', [2, 3, 4, 5]>>()
    expectTypeOf(fuse((a, b) => a.clip(undefined, b))(x, row)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    // @ts-expect-error Mod has no such option
    fuse((a) => a.mod(3, { fmod: 'yes' }))
    // @ts-expect-error BitShift needs a direction
    fuse((a, b) => a.bitShift(b))
  })

  it('convert', () => {
    expectTypeOf(fuse((a) => cast(a, 'int8'))(x)).toEqualTypeOf<Tensor<'int8', [2, 3]>>()
    expectTypeOf(fuse((a, b) => castLike(a, b))(row, tensor([[1n], [2n]]))).toEqualTypeOf<Tensor<'int64', [3]>>()
    expectTypeOf(fuse((a, b) => a.cast('int32').add(b))(x, ints)).toEqualTypeOf<Tensor<'int32', [2, 3]>>()
  })

  it('mix with functions and tensors from around', () => {
    expectTypeOf(fuse((a) => add(a, column).mul(row))(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(fuse((a) => max(a, row, 0))(column)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(fuse((a, b) => a.pow(b))(x, ints)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(fuse((a, b) => where(a.less(b), a, 0).equal(b))(x, row)).toEqualTypeOf<Tensor<'bool', [2, 3]>>()
  })
})

describe('calls', () => {
  it('that fail at run time do not compile', () => {
    // @ts-expect-error types differ
    fuse((a, b) => a.add(b))(x, ints)
    // @ts-expect-error types differ where the result does not show it
    fuse((a, b) => a.less(b).not())(x, ints)
    // @ts-expect-error types differ where the result is converted
    fuse((a, b) => a.add(b).cast('int8'))(x, ints)
    // @ts-expect-error the condition is no bool
    fuse((a, b) => a.where(b, 0))(x, row)
    // @ts-expect-error the slope is larger than x
    fuse((a, b) => a.prelu(b).neg())(row, x)
    // @ts-expect-error shapes that meet in no order
    fuse((a, b, c) => a.mul(b).add(c))(x, row, tensor([1, 2]))
    // @ts-expect-error no such axis
    fuse((a, b) => a.add(b, { broadcast: explicit({ axesMapping: [4] }) }))(image, row)
    // @ts-expect-error a shape with a shape that it does not equal
    fuse((a, b) => a.add(b, { broadcast: 'none' }).neg())(x, row)
  })
})

describe('chains', () => {
  it('of 100 operators', () => {
    const long = fuse((a, b) => {
      const x4 = a.add(1).mul(b).sub(2).div(b)
      const x16 = x4.add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b)
      const x32 = x16.add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b)
      const x48 = x32.add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b)
      const x64 = x48.add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b)
      const x80 = x64.add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b)
      return x80.add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b).add(1).mul(b).sub(2).div(b).neg().abs().sqrt().exp()
    })
    expectTypeOf(long(x, row)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    // @ts-expect-error as short ones
    long(x, tensor([1, 2]))
  })

  it('of 32 that go onto the first and of squares of squares', () => {
    const ontoFirst = fuse((a, b) => {
      const x8 = a.prelu(b).prelu(b).prelu(b).prelu(b).prelu(b).prelu(b).prelu(b).prelu(b)
      const x16 = x8.prelu(b).prelu(b).prelu(b).prelu(b).prelu(b).prelu(b).prelu(b).prelu(b)
      const x24 = x16.prelu(b).prelu(b).prelu(b).prelu(b).prelu(b).prelu(b).prelu(b).prelu(b)
      return x24.prelu(b).prelu(b).prelu(b).prelu(b).prelu(b).prelu(b).prelu(b).prelu(b)
    })
    expectTypeOf(ontoFirst(x, row)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    const power = fuse((a) => {
      const [b, c] = [a.mul(a), a.mul(a).mul(a.mul(a))]
      const d = c.mul(c).prelu(b)
      const e = d.mul(d).prelu(d)
      const f = e.mul(e).prelu(e)
      return f.mul(f).prelu(f)
    })
    expectTypeOf(power(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
  })
})
