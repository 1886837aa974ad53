// Derivatives in a direction: against the gradients that they are the other side of, exactly where arithmetic is exact;
// however they are asked for; and what is refused.
import { configure, fuse, grad, identity, jvp, matmul, mul, OperandError, sum, type Tensor, tensor, vjp } from 'bcast'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type Body, bodyOf, float64, functions, type Value } from '../support/random-functions.ts'

afterEach(() => configure({ backend: 'auto', threads: 2 }))

type Both = { readonly value: Tensor; readonly tangent: Tensor }
type Pushing = ((inputs: unknown, direction: unknown) => Both) & {
  async: (inputs: unknown, direction: unknown) => Promise<Both>
  plan: (inputs: readonly Tensor[]) => { passes: number; text: string }
}
const pushing = jvp as unknown as (fn: Body, options?: object) => Pushing
const pulling = vjp as unknown as (fn: Body) => (...inputs: Tensor[]) => {
  value: Tensor
  pullback: (delta: Tensor) => Tensor[]
}
const product = (a: Tensor, b: Tensor): Tensor => sum(mul(a as never, b as never) as never) as Tensor
const number = (x: Tensor): number => x.item() as number

describe('derivatives in a direction', () => {
  it('are the other side of gradients', () => {
    const property = fc.property(functions, ([shape, other, steps, stream]) => {
      const inputs = [float64(shape, stream), float64(other, stream + 1)]
      const directions = [float64(shape, stream + 2), float64(other, stream + 3)]
      const fn = bodyOf(steps, true)
      const { value, tangent } = pushing(fn)(inputs, directions)
      const pulled = pulling(fn)(...inputs)
      expect(value).toEqual(pulled.value)
      expect([tangent.dtype, tangent.shape]).toEqual([value.dtype, value.shape])
      const delta = float64(value.shape, stream + 4)
      const [x, y] = pulled.pullback(delta) as [Tensor, Tensor]
      const wanted = number(product(x, directions[0]!)) + number(product(y, directions[1]!))
      if (!Number.isFinite(wanted)) return
      const scale = 1 + number(product(x, x)) ** 0.5 + number(product(y, y)) ** 0.5
      expect(Math.abs(number(product(tangent, delta)) - wanted) / scale).toBeLessThan(1e-11)
    })
    fc.assert(property, { numRuns: 20 })
  })

  it('have the same bits on every backend, in any layout, and asynchronous', async () => {
    const property = fc.asyncProperty(functions, async ([shape, other, steps, stream]) => {
      const turned = (own: readonly number[], i: number): Tensor =>
        float64(own.toReversed(), stream + i).transpose() as Tensor
      const [inputs, directions] = [
        [turned(shape, 0), turned(other, 1)],
        [turned(shape, 2), turned(other, 3)],
      ]
      const fn = bodyOf(steps, true)
      configure({ backend: 'interpreter' })
      const wanted = pushing(fn)(inputs, directions)
      configure({ backend: 'auto' })
      const whole = (all: readonly Tensor[]) => all.map((each) => identity(each))
      expect(pushing(fn)(whole(inputs), whole(directions))).toEqual(wanted)
      expect(await pushing(fn).async(inputs, directions)).toEqual(wanted)
    })
    await fc.assert(property, { numRuns: 8 })
  })

  it('are exact in exact arithmetic', async () => {
    const { real } = await import('bcast/real')
    const exact = (...all: readonly (readonly [number, number])[]) =>
      tensor(all.map(([n, d]) => real(n, d)) as never, { dtype: 'real' }) as Tensor
    const [x, y] = [exact([1, 3], [2, 7]), exact([5, 1])]
    const [dx, dy] = [exact([1, 2], [3, 1]), exact([1, 9])]
    const fn: Body = (a, b) => a!['mul']!(a)['div']!(b)['add']!(b)
    const { tangent } = pushing(fn)([x, y], [dx, dy])
    const delta = exact([2, 3], [-5, 11])
    const [gx, gy] = pulling(fn)(x, y).pullback(delta) as [Tensor, Tensor]
    const sides = [product(tangent, delta), identity(product(gx, dx))] as const
    expect(String(sides[0])).toBe(
      String((fuse((a, b) => a.add(b)) as never as (...all: Tensor[]) => Tensor)(sides[1], product(gy, dy))),
    )
  })

  it('of gradients are products with the matrix of second derivatives, inside fused functions too', () => {
    const x = tensor([0.5, 1, 2], { dtype: 'float64' }) as Tensor
    const v = tensor([1, 0, -1], { dtype: 'float64' }) as Tensor
    const cube: Body = (a) => a!['mul']!(a)['mul']!(a)['sum']!()
    const slope: Body = (a) =>
      (grad as unknown as (fn: Body, options: object) => (x: Value) => Value)(cube, { wrt: 0 })(a!)
    expect(pushing(slope)([x], [v]).tangent.toArray()).toEqual([3, 0, -12])
    const within = fuse(
      ((a: Value, b: Value) => (pushing(slope)([a], [b]) as unknown as { tangent: Value }).tangent) as never,
    )
    expect((within as unknown as (...all: Tensor[]) => Tensor)(x, v).toArray()).toEqual([3, 0, -12])
    const along = (fn: Body) => (a: Value) => (pushing(fn)([a], [v]) as unknown as { tangent: Value }).tangent
    // The derivative of the derivative along v.
    expect(pushing(along(cube) as Body)([x], [v]).tangent.item()).toBe(3 + 12)
  })

  it('are finite where gradients are: at the origin of a norm, beside zeros of a product', () => {
    const origin = tensor([0, 0], { dtype: 'float64' })
    const direction = tensor([1, 2], { dtype: 'float64' })
    expect(jvp((x) => x.norm())([origin], [direction]).tangent.item()).toBe(0)
    expect(jvp((x) => grad((y) => y.norm(), { wrt: 0 })(x))([origin], [direction]).tangent.toArray()).toEqual([0, 0])
    const zero = tensor([0, 3], { dtype: 'float64' })
    expect(jvp((x) => x.prod())([zero], [direction]).tangent.item()).toBe(3)
    expect(jvp((x) => grad((y) => y.prod(), { wrt: 0 })(x))([zero], [direction]).tangent.toArray()).toEqual([2, 1])
  })

  it('of products of matrices, of some operands, of constants', () => {
    const a = tensor([
      [1, 2],
      [3, 4],
    ])
    const b = tensor([[1], [1]])
    const { value, tangent } = jvp((x, y) => matmul(x, y), { wrt: 1 })([a, b], [tensor([[1], [-1]])])
    expect([value.toArray(), tangent.toArray()]).toEqual([
      [[3], [7]],
      [[-1], [-1]],
    ])
    const unused = pushing((x) => x!['mul']!(0)['add']!(1), { operands: 1 })([a], [a])
    expect(unused.tangent.toArray()).toEqual([
      [0, 0],
      [0, 0],
    ])
    expect(pushing((x) => x!['exp']!()).plan([a]).passes).toBeGreaterThan(0)
  })

  it('say what is wrong', () => {
    const x = tensor([1, 2])
    const refused = (work: () => unknown, words: string): void => {
      expect(work).toThrow(OperandError)
      expect(work).toThrow(words)
    }
    const square: Body = (a) => a!['mul']!(a)
    refused(() => pushing(square)(x, x), 'takes two arrays, operands and directions')
    refused(() => pushing(square)([x], []), 'the direction has 0 of 1 operand.')
    refused(() => pushing(square)([x], [1]), 'direction 0 is 1; it is float32 (2), as operand 0 is.')
    refused(
      () => pushing(square)([x], [tensor([1])]),
      'direction 0 is float32 (1); it has to be float32 (2), as operand 0 is.',
    )
    refused(() => pushing(5 as never), 'jvp takes a function')
  })
})
