// Code that does not know the shapes and types it works on: parameters of a function, and `any`.
import { add, type DType, equal, fuse, max, mul, type Shape, sub, type Tensor, tensor, where } from 'bcast'
import { describe, expectTypeOf, it } from 'vitest'

const x = tensor([
  [1, 2, 3],
  [4, 5, 6],
])

describe('generic code', () => {
  it('keeps the shape beside a number', () => {
    const next = <S extends Shape>(x: Tensor<'float32', S>) => add(x, 1)
    expectTypeOf(next(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    const previous = <S extends Shape>(x: Tensor<'float32', S>) => sub(10, x)
    expectTypeOf(previous(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    const positive = <S extends Shape>(x: Tensor<'float32', S>) => max(x, 0)
    expectTypeOf(positive(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
  })

  it('takes operands of one shape', () => {
    const twice = <S extends Shape>(x: Tensor<'float32', S>) => add(x, x)
    expectTypeOf(twice(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    const largest = <S extends Shape>(x: Tensor<'float32', S>, y: Tensor<'float32', S>) => max(x, y)
    expectTypeOf(largest(x, x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    const mean = <S extends Shape>(x: Tensor<'float32', S>, y: Tensor<'float32', S>) => mul(add(x, y), 0.5)
    expectTypeOf(mean(x, x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    const same = <S extends Shape>(x: Tensor<'float32', S>, y: Tensor<'float32', S>) => equal(x, y)
    expectTypeOf(same(x, x)).toEqualTypeOf<Tensor<'bool', [2, 3]>>()
    const clamp = <S extends Shape>(c: Tensor<'bool', S>, x: Tensor<'float32', S>) => where(c, x, 0)
    expectTypeOf(clamp(equal(x, x), x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
  })

  it('lets the runtime decide about others', () => {
    const bias = tensor([1, 2, 3])
    const shifted = <S extends Shape>(x: Tensor<'float32', S>) => add(x, bias)
    expectTypeOf(shifted(x)).toExtend<Tensor<'float32'>>()
    const both = <A extends Shape, B extends Shape>(x: Tensor<'float32', A>, y: Tensor<'float32', B>) => add(x, y)
    expectTypeOf(both(x, bias)).toExtend<Tensor<'float32'>>()
    const many = <A extends Shape, B extends Shape>(x: Tensor<'float32', A>, y: Tensor<'float32', B>) => max(x, y, 1)
    expectTypeOf(many(x, bias)).toExtend<Tensor<'float32'>>()
  })

  it('follows a size', () => {
    const shifted = <N extends number>(x: Tensor<'float32', [N, 3]>) => add(x, tensor([1, 2, 3]))
    expectTypeOf(shifted(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    const paired = <N extends number>(x: Tensor<'float32', [N, 3]>, y: Tensor<'float32', [N, 1]>) => add(x, y)
    expectTypeOf(paired(x, tensor([[1], [2]]))).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    // @ts-expect-error what is known does not meet
    const wrong = <N extends number>(x: Tensor<'float32', [N, 3]>) => add(x, tensor([1, 2]))
    expectTypeOf(wrong).toBeFunction()
  })

  it('takes any type', () => {
    const next = <D extends DType>(x: Tensor<D, [2, 3]>) => add(x, 1)
    expectTypeOf(next(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    const twice = <D extends DType, S extends Shape>(x: Tensor<D, S>) => add(x, x)
    expectTypeOf(twice(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    const whole = <X extends Tensor>(x: X) => add(x, 1)
    expectTypeOf(whole(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
  })

  it('calls fused functions', () => {
    const scaled = fuse((x, y) => x.mul(2).add(y))
    const of = <S extends Shape>(x: Tensor<'float32', S>) => scaled(x, x)
    expectTypeOf(of(x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    const beside = <S extends Shape>(x: Tensor<'float32', S>) => scaled(x, tensor([1, 2, 3]))
    expectTypeOf(beside(x)).toExtend<Tensor<'float32'>>()
  })
})

describe('any', () => {
  // biome-ignore lint/suspicious/noExplicitAny: that is what it is about
  const unknown = null as any

  it('gives a tensor', () => {
    expectTypeOf(add(unknown, 1)).toEqualTypeOf<Tensor<DType, Shape>>()
    expectTypeOf(add(unknown, unknown)).toEqualTypeOf<Tensor<DType, Shape>>()
    expectTypeOf(add(x, unknown).shape).toExtend<Shape>()
    expectTypeOf(max(unknown, x).dtype).toExtend<DType>()
  })

  it('stays an operand inside fuse beside one', () => {
    expectTypeOf(fuse((a) => add(unknown, a).mul(2))(x)).toExtend<Tensor>()
  })
})
