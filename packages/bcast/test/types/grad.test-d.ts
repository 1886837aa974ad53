// What the compiler knows of gradients: each has the shape and type of its operand.
import { fuse, grad, jvp, matmul, type Shape, type Tensor, tensor, valueAndGrad, vjp } from 'bcast'
import { describe, expectTypeOf, it } from 'vitest'

const x = tensor([
  [1, 2, 3],
  [4, 5, 6],
])
const row = tensor([1, 2, 3])
type X = Tensor<'float32', [2, 3]>
type Row = Tensor<'float32', [3]>

describe('gradients', () => {
  it('have the shapes and types of the operands', () => {
    expectTypeOf(grad((a, b) => a.mul(b).sum())(x, row)).toEqualTypeOf<[X, Row]>()
    expectTypeOf(grad((a, b) => a.mul(b).sum(), { wrt: 1 })(x, row)).toEqualTypeOf<Row>()
    expectTypeOf(grad((a, b) => a.mul(b).sum(), { wrt: [1, 0] })(x, row)).toEqualTypeOf<[Row, X]>()
    expectTypeOf(grad((a) => a.sum()).async(x)).toEqualTypeOf<Promise<[X]>>()
    const { value, grads } = valueAndGrad((a, b) => a.sub(b).mean())(x, row)
    expectTypeOf(value).toEqualTypeOf<Tensor<'float32', []>>()
    expectTypeOf(grads).toEqualTypeOf<[X, Row]>()
  })

  it('are pulled back from what the function gives', () => {
    const { value, pullback } = vjp((a, b) => a.mul(b))(x, row)
    expectTypeOf(value).toEqualTypeOf<X>()
    expectTypeOf(pullback(x)).toEqualTypeOf<[X, Row]>()
    // @ts-expect-error the value has another shape
    pullback(row)
  })

  it('go along a direction that has the shapes of the operands', () => {
    const { value, tangent } = jvp((a, b) => a.mul(b))([x, row], [x, row])
    expectTypeOf(value).toEqualTypeOf<X>()
    expectTypeOf(tangent).toEqualTypeOf<X>()
    expectTypeOf(jvp((a, b) => a.mul(b).sum(), { wrt: 1 })([x, row], [row]).tangent).toEqualTypeOf<
      Tensor<'float32', []>
    >()
    // @ts-expect-error a direction of another shape
    jvp((a) => a.sum())([x], [row])
    // @ts-expect-error shapes that do not meet
    jvp((a, b) => a.mul(b))([x, tensor([1, 2])], [x, tensor([1, 2])])
  })

  it('are of operands that meet', () => {
    // @ts-expect-error shapes that do not meet
    grad((a, b) => a.mul(b).sum())(x, tensor([1, 2]))
    // @ts-expect-error one operand is missing
    grad((a, b) => a.mul(b).sum())(x)
    // @ts-expect-error no such option
    grad((a) => a.sum(), { with: 0 })
  })

  it('go through products of matrices', () => {
    const weights = tensor([[1], [2], [3]])
    expectTypeOf(grad((a, w) => matmul(a, w).sum())(x, weights)).toEqualTypeOf<[X, Tensor<'float32', [3, 1]>]>()
    expectTypeOf(fuse((a) => matmul(a, weights).tanh())(x)).toEqualTypeOf<Tensor<'float32', Shape>>()
    // @ts-expect-error columns are no rows
    matmul(x, row.reshape([1, 3]))
  })

  it('stand for tensors inside other functions', () => {
    const second = grad((a) => grad((b) => b.mul(b).sum())(a)[0].sum())
    expectTypeOf(second(x)).toEqualTypeOf<[X]>()
    expectTypeOf(fuse((a) => grad((b) => b.sum(), { wrt: 0 })(a))(x)).toEqualTypeOf<X>()
  })
})
