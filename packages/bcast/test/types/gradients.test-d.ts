// Gradients have the shapes of their operands, and what was never broadcast is refused.
import { bidirectional, broadcastBackprop, explicit, pdpd, sumTo, sumToEach, type Tensor, tensor } from 'bcast'
import { describe, expectTypeOf, it } from 'vitest'

const delta = tensor([
  [1, 2, 3],
  [4, 5, 6],
])
const column = tensor([[1n], [2n]])

describe('sumTo', () => {
  it('has the shape that it is given', () => {
    expectTypeOf(sumTo(delta, [3])).toEqualTypeOf<Tensor<'float32', [3]>>()
    expectTypeOf(sumTo(delta, [])).toEqualTypeOf<Tensor<'float32', []>>()
    expectTypeOf(sumTo(column, [2, 1])).toEqualTypeOf<Tensor<'int64', [2, 1]>>()
    expectTypeOf(sumTo.async(delta, [2, 1])).toEqualTypeOf<Promise<Tensor<'float32', [2, 1]>>>()
    expectTypeOf(sumTo(delta, [2], { broadcast: pdpd({ axis: 0 }) })).toEqualTypeOf<Tensor<'float32', [2]>>()
    expectTypeOf(sumTo(delta, [1], { broadcast: 'numpy' })).toEqualTypeOf<Tensor<'float32', [1]>>()
  })

  it('is open where shapes are', () => {
    const shape = [3] as number[]
    expectTypeOf(sumTo(delta, shape)).toEqualTypeOf<Tensor<'float32', number[]>>()
    expectTypeOf(sumTo(delta as Tensor<'float32'>, [3])).toEqualTypeOf<Tensor<'float32', [3]>>()
    const generic = <S extends readonly number[]>(x: Tensor<'float64', S>) => sumTo(x, [3])
    expectTypeOf(generic(tensor([1, 2, 3], { dtype: 'float64' }))).toEqualTypeOf<Tensor<'float64', [3]>>()
  })

  it('refuses what is not broadcast to the shape of delta', () => {
    // @ts-expect-error cannot broadcast axis -1: 3 vs 2 (shapes [2,3] and [2])
    sumTo(delta, [2])
    // @ts-expect-error B has rank 3, more than A's 2
    sumTo.async(delta, [1, 2, 3])
    // @ts-expect-error the result would be larger
    sumTo(column, [2, 3], { broadcast: bidirectional })
    // @ts-expect-error axesMapping names axis 2
    sumTo(delta, [3], { broadcast: explicit({ axesMapping: [2] }) })
    // @ts-expect-error an option that does not exist
    sumTo(delta, [3], { axes: 0 })
  })
})

describe('backwards in one call', () => {
  it('of Broadcast', () => {
    expectTypeOf(broadcastBackprop(delta, { broadcastAxes: [0] })).toEqualTypeOf<Tensor<'float32', [3]>>()
    expectTypeOf(broadcastBackprop.async(delta, { broadcastAxes: [1, 0] })).toEqualTypeOf<Promise<Tensor<'float32', []>>>()
    // @ts-expect-error broadcastAxes names axis 2, and A has rank 2
    broadcastBackprop(delta, { broadcastAxes: [2] })
  })

  it('of broadcast', () => {
    const gradients = sumToEach([delta, tensor([[1n, 2n, 3n], [4n, 5n, 6n]])], [[2, 1], [3]])
    expectTypeOf(gradients).toEqualTypeOf<[Tensor<'float32', [2, 1]>, Tensor<'int64', [3]>]>()
    // @ts-expect-error cannot broadcast axis -1: 2 vs 3 (shapes [2] and [3])
    sumToEach([delta, delta], [[2], [3]])
  })
})
