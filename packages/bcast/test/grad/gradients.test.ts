// Gradients of whole functions: against central differences, over random expressions, rules, layouts and types; the same
// bits however they are asked for; in every order; and what is refused.
import {
  cast,
  configure,
  DTypeError,
  explicit,
  fuse,
  grad,
  identity,
  matmul,
  OperandError,
  onnxLegacy,
  paddle,
  pdpd,
  type Rule,
  type Tensor,
  tensor,
  unidirectional,
  valueAndGrad,
  vjp,
} from 'bcast'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type Body, bodyOf, float64, functions, type Value } from '../support/random-functions.ts'

afterEach(() => configure({ backend: 'auto', threads: 2 }))

type Loose = (...args: unknown[]) => Tensor
type Later<T> = ((...args: unknown[]) => T) & { async: (...args: unknown[]) => Promise<T> }
const gradients = grad as unknown as (fn: Body, options?: object) => Later<Tensor[]>
const pulling = vjp as unknown as (
  fn: Body,
) => Later<{ value: Tensor; pullback: Later<Tensor[]> & { dispose: () => void } }>
const fusing = fuse as unknown as (fn: Body) => Loose

const elementsOf = (x: Tensor): number[] => [...(identity(x).data as Float64Array)]

/** How far the gradients are from central differences, relative to the largest. */
function farthest(fn: Body, inputs: readonly Tensor[], given: readonly Tensor[]): number {
  const value = fusing(fn)
  const step = 1e-5
  let worst = 0
  inputs.forEach((input, k) => {
    const elements = elementsOf(input)
    const own = elementsOf(given[k]!)
    const at = (i: number, by: number): number => {
      const moved = Float64Array.from(elements, (x, j) => (j === i ? x + by : x))
      return value(...inputs.with(k, tensor(moved, { shape: [...input.shape] }) as Tensor)).item() as number
    }
    for (let i = 0; i < elements.length; i++) {
      const difference = (at(i, step) - at(i, -step)) / (2 * step)
      worst = Math.max(worst, Math.abs(difference - own[i]!) / (1 + Math.abs(difference)))
    }
  })
  return worst
}

describe('gradients of random functions', () => {
  it('are what central differences are', () => {
    const property = fc.property(functions, ([shape, other, steps, stream]) => {
      const inputs = [float64(shape, stream), float64(other, stream + 1)]
      const fn = bodyOf(steps)
      const given = gradients(fn)(...inputs)
      given.forEach((each, i) => {
        expect(each.shape).toEqual(inputs[i]!.shape)
        expect(each.dtype).toBe('float64')
      })
      // A function that is not finite there says nothing.
      if (!Number.isFinite(fusing(fn)(...inputs).item())) return
      expect(farthest(fn, inputs, given)).toBeLessThan(1e-5)
    })
    fc.assert(property, { numRuns: 20 })
  })

  it('have the same bits on every backend, in any layout, together with the value, pulled back, or asynchronous', async () => {
    const property = fc.asyncProperty(
      functions,
      fc.constantFrom(1, 2),
      async ([shape, other, steps, stream], threads) => {
        const turned = (own: readonly number[], i: number): Tensor =>
          cast(float64(own.toReversed(), stream + i), 'float32').transpose() as Tensor
        const inputs = [turned(shape, 0), turned(other, 1)]
        const fn = bodyOf(steps)
        configure({ backend: 'interpreter' })
        const wanted = gradients(fn)(...inputs)
        configure({ backend: 'auto', threads })
        expect(gradients(fn)(...inputs.map((each) => identity(each)))).toEqual(wanted)
        expect(await gradients(fn).async(...inputs)).toEqual(wanted)
        const { value, grads } = (
          valueAndGrad as unknown as (fn: Body) => (...all: Tensor[]) => { value: Tensor; grads: Tensor[] }
        )(fn)(...inputs)
        expect(grads).toEqual(wanted)
        const pulled = pulling(fn)(...inputs)
        expect(pulled.value).toEqual(value)
        expect(pulled.pullback(tensor(1))).toEqual(wanted)
        expect(await pulled.pullback.async(tensor(1))).toEqual(wanted)
        pulled.pullback.dispose()
      },
    )
    await fc.assert(property, { numRuns: 15 })
  })
})

describe('rules', () => {
  const rules: readonly (readonly [name: string, rule: Rule, a: readonly number[], b: readonly number[]])[] = [
    ['numpy', 'numpy' as unknown as Rule, [2, 3, 4], [3, 1]],
    ['unidirectional', unidirectional, [2, 3, 4], [3, 1]],
    ['pdpd', pdpd({ axis: 1 }), [2, 3, 4], [3]],
    ['pdpd with trailing ones', pdpd({ axis: 0 }), [2, 3, 4], [2, 1]],
    ['paddle', paddle({ axis: 1 }), [2, 3, 4], [3, 4]],
    ['legacy', onnxLegacy({ broadcast: true, axis: 1 }), [2, 3, 4], [3]],
    ['none', 'none' as unknown as Rule, [2, 3], [2, 3]],
  ]

  it.each(rules)('%s: sums over the axes along which an operand was repeated', (_, broadcast, a, b) => {
    const fn: Body = (x, y) => x!['mul']!(y, { broadcast })['sin']!()['sum']!()
    const inputs = [float64(a, 1), float64(b, 2)]
    expect(farthest(fn, inputs, gradients(fn)(...inputs))).toBeLessThan(1e-6)
  })

  it('explicit axes of an expression', () => {
    const fn: Body = (x, y) => x!['add']!(y, { broadcast: explicit({ axesMapping: [1] }) })['exp']!()['sum']!()
    const inputs = [float64([2, 3], 1), float64([3], 2)]
    expect(farthest(fn, inputs, gradients(fn)(...inputs))).toBeLessThan(1e-6)
  })
})

describe('products of matrices', () => {
  const product = matmul as unknown as (a: unknown, b: unknown) => Value
  const shapes: readonly (readonly [a: readonly number[], b: readonly number[]])[] = [
    [
      [2, 3],
      [3, 4],
    ],
    [[3], [3, 4]],
    [[2, 3], [3]],
    [[3], [3]],
    [
      [5, 2, 3],
      [3, 4],
    ],
    [
      [2, 3],
      [5, 3, 4],
    ],
    [
      [5, 1, 2, 3],
      [4, 3, 2],
    ],
    [[4, 2, 3], [3]],
    [[3], [4, 3, 2]],
    [
      [1, 2, 3],
      [5, 3, 1],
    ],
  ]

  it.each(shapes)('of %j and %j, also turned, computed first, and with a tensor from around', (a, b) => {
    const fn: Body = (x, y) => product(x, y)['sin']!()['sum']!()
    const inputs = [float64(a, 1), float64(b, 2)]
    const given = gradients(fn)(...inputs)
    expect(farthest(fn, inputs, given)).toBeLessThan(1e-6)
    const { value, pullback } = pulling((x, y) => product(x, y))(...inputs)
    expect(value).toEqual(matmul(inputs[0] as never, inputs[1] as never))
    const wanted = pulling((x, y) => product(x!['tanh']!(), y!['exp']!()))(...inputs)
    const delta = float64(value.shape, 5)
    expect(pullback(delta).map(({ shape }) => shape)).toEqual(inputs.map(({ shape }) => shape))
    const turned = inputs.map((each) => identity(each.transpose() as Tensor).transpose() as Tensor)
    expect(gradients(fn)(...turned)).toEqual(given)
    const later: Body = (x, y) => product(x!['tanh']!(), y!['exp']!())['sum']!()
    expect(farthest(later, inputs, gradients(later)(...inputs))).toBeLessThan(1e-6)
    expect(wanted.value.shape).toEqual(value.shape)
    const around: Body = (x) => product(x, inputs[1])['sum']!()
    expect(farthest(around, [inputs[0]!], gradients(around)(inputs[0]))).toBeLessThan(1e-6)
  })

  it('of turned operands', () => {
    const fn: Body = (x) => product(x, x!['T'])['sin']!()['mean']!({ axes: 0 })['prod']!()
    const inputs = [float64([2, 3], 1)]
    expect(farthest(fn, inputs, gradients(fn)(...inputs))).toBeLessThan(1e-6)
    const second: Body = (x) => (gradients(fn)(x) as unknown as Value[])[0]!['transpose']!(1, 0)['sumSquare']!()
    expect(farthest(second, inputs, gradients(second)(...inputs))).toBeLessThan(1e-6)
  })

  it('train a network of two layers', () => {
    const net: Body = (x, w, c, v, t) => {
      const hidden = product(x, w)['add']!(c)['tanh']!()
      return product(hidden, v)['sub']!(t)['sumSquare']!()
    }
    const inputs = [[6, 2], [2, 5], [5], [5, 1], [6, 1]].map((shape, i) => float64(shape, i))
    expect(farthest(net, inputs, gradients(net)(...inputs))).toBeLessThan(1e-6)
    const step = gradients(net, { wrt: [1, 2, 3] })
    const loss = fusing(net)
    const before = loss(...inputs).item() as number
    let parameters = inputs.slice(1, 4)
    const update = fuse((p, g) => p.sub(g.mul(0.01)))
    for (let i = 0; i < 50; i++) {
      const grads = step(inputs[0], ...parameters, inputs[4])
      parameters = parameters.map((p, k) => update(p as never, grads[k] as never) as Tensor)
    }
    expect(loss(inputs[0], ...parameters, inputs[4]).item()).toBeLessThan(before / 10)
  })

  it('say what is wrong inside a function', () => {
    const x = tensor([[1, 2]])
    expect(() => fusing((a) => product(a, a))(x)).toThrow(/A's columns \(2\) must be B's rows \(1\)/)
    expect(() => fusing((a) => product(a, 2))(x)).toThrow(/mul\(a, b\) multiplies by a number/)
    expect(() => fusing((a) => a!['matmul']!(a))(x)).toThrow(
      'inside fuse a product of matrices is written matmul(a, b).',
    )
    expect(() => fusing((a) => product(a, tensor([1n])))(x)).toThrow(DTypeError)
  })
})

describe('orders', () => {
  const x = tensor([0.5, 1, 2], { dtype: 'float64' }) as Tensor
  const cube: Body = (a) => a!['mul']!(a)['mul']!(a)['sum']!()

  it('follow from each other', () => {
    const second: Body = (a) => (gradients(cube)(a) as unknown as Value[])[0]!['sum']!()
    const third: Body = (a) => (gradients(second)(a) as unknown as Value[])[0]!['sum']!()
    expect(gradients(second)(x)[0]!.toArray()).toEqual([3, 6, 12])
    expect(gradients(third)(x)[0]!.toArray()).toEqual([6, 6, 6])
    const swish: Body = (a) => a!['mul']!(a!['sigmoid']!())['logSumExp']!()
    const slope: Body = (a) => (gradients(swish)(a) as unknown as Value[])[0]!['sumSquare']!()
    expect(farthest(slope, [x], gradients(slope)(x))).toBeLessThan(1e-6)
  })

  it('inside a fused function of any shapes', () => {
    const slope = fusing((a) => (gradients(cube)(a) as unknown as Value[])[0]!)
    expect(slope(x).toArray()).toEqual([0.75, 3, 12])
    expect(slope(tensor([[1], [2]], { dtype: 'float64' })).toArray()).toEqual([[3], [12]])
  })

  it('of operands that are the same, or of an expression', () => {
    const product: Body = (a, b) => a!['mul']!(b)['sum']!()
    expect(gradients(product)(x, x).map((each) => each.toArray())).toEqual([x.toArray(), x.toArray()])
    const within = fusing((a) => (gradients(cube)(a!['mul']!(2)) as unknown as Value[])[0]!)
    expect(within(x).toArray()).toEqual([3, 12, 48])
  })
})

describe('ties and special values', () => {
  it('of reductions share, and nothing is lost beside zeros', () => {
    const of = (name: string, elements: number[]) => gradients((a) => a![name]!())(tensor(elements))[0]!.toArray()
    expect(of('max', [1, 3, 3])).toEqual([0, 0.5, 0.5])
    expect(of('min', [1, 1, 1, 2])).toEqual([1 / 3, 1 / 3, 1 / 3, 0].map(Math.fround))
    expect(of('max', [-Infinity, -Infinity])).toEqual([0.5, 0.5])
    expect(of('prod', [2, 0, 3])).toEqual([0, 6, 0])
    expect(of('prod', [0, 0, 3])).toEqual([0, 0, 0])
    expect(of('prod', [2, 5, 3])).toEqual([15, 6, 10])
    expect(of('norm', [0, 0])).toEqual([0, 0])
    expect(of('norm', [3, 4])).toEqual([0.6, 0.8].map(Math.fround))
  })

  it('of reductions that are NaN are those of as many operands', () => {
    const x = tensor(
      [
        [1, Number.NaN],
        [4, 3],
      ],
      { dtype: 'float64' },
    ) as Tensor
    for (const name of ['max', 'min']) {
      const [given] = gradients((v) => v[name]!({ axes: 1 })['sum']!())(x)
      const few = name === 'max' ? [1, 0] : [0, 1]
      expect(given!.toArray()).toEqual([[1, 1], few])
    }
  })

  it('of sums of magnitudes are those of magnitudes', () => {
    const { pullback } = pulling((v) => v!['norm']!({ ord: 1 }))(tensor([-2, 0, 3, Number.NaN]))
    expect(pullback(tensor(2))[0]!.toArray()).toEqual([-2, 0, 2, 0])
    expect(pullback(tensor(Infinity))[0]!.toArray()).toEqual([-Infinity, 0, Infinity, 0])
  })

  it('of logSumExp are the shares of the exponentials, whatever the gradient of the result', () => {
    const { pullback } = pulling((v) => v['logSumExp']!())(
      tensor([1, 1, Number.NEGATIVE_INFINITY], { dtype: 'float64' }),
    )
    const one = (value: number): Tensor => tensor(value, { dtype: 'float64' }) as Tensor
    expect(pullback(one(3))[0]!.toArray()).toEqual([1.5, 1.5, 0])
    expect(pullback(one(Number.POSITIVE_INFINITY))[0]!.toArray()).toEqual([Infinity, Infinity, Number.NaN])
  })

  it('do not leak through what where leaves out', () => {
    const fn: Body = (a) => a!['greater']!(0)['where']!(a!['log']!(), a!['mul']!(2))['sum']!()
    expect(gradients(fn)(tensor([-1, 2]))[0]!.toArray()).toEqual([2, 0.5])
  })
})

describe('calls', () => {
  const x = tensor([1, 2])
  const ints = tensor([1, 2], { dtype: 'int32' })
  const product: Body = (a, b) => a!['mul']!(b)['sum']!()

  it('name the operands whose gradients are wanted', () => {
    const y = tensor([3, 4])
    expect((gradients(product, { wrt: 1 })(x, y) as unknown as Tensor).toArray()).toEqual([1, 2])
    expect(gradients(product, { wrt: [1, 0] })(x, y).map((each) => each.toArray())).toEqual([
      [1, 2],
      [3, 4],
    ])
    const picked: Body = (a, b) => a!['mul']!(b!['cast']!('float32'))['sum']!()
    expect((gradients(picked, { wrt: 0 })(x, ints) as unknown as Tensor).toArray()).toEqual([1, 2])
    expect(gradients((a) => a!['sum']!())(tensor([[1]]) as Tensor)[0]!.toArray()).toEqual([[1]])
  })

  it('give zeros for an operand that has no part in it, and tensors of their own', () => {
    const [first, second] = gradients((a) => a!['sum']!(), { operands: 2 })(x, tensor([[5, 6]])) as [Tensor, Tensor]
    expect([first.toArray(), second.toArray()]).toEqual([[1, 1], [[0, 0]]])
    const { value, pullback } = pulling((a, b) => a!['add']!(b))(x, x)
    const delta = tensor([1, 1])
    const [one, other] = pullback(delta) as [Tensor, Tensor]
    expect(one.data === other.data || one.data === delta.data || value.data === x.data).toBe(false)
  })

  it('are exact in exact arithmetic', async () => {
    const { real } = await import('bcast/real')
    const exact = (...numbers: readonly (readonly [number, number])[]) =>
      tensor(numbers.map(([n, d]) => real(n, d)) as never, { dtype: 'real' }) as Tensor
    const fn: Body = (a, b) => a!['div']!(b)['mul']!(a)['sum']!()
    const [da, db] = gradients(fn)(exact([1, 3], [2, 7]), exact([5, 1], [1, 9])) as [Tensor, Tensor]
    const unused = gradients((a) => a!['sum']!(), { operands: 2 })(exact([1, 3]), exact([1, 7], [2, 7]))
    const text = (x: Tensor): string => String(x)
    expect([da, db].map(text)).toEqual([exact([2, 15], [36, 7]), exact([-1, 225], [-324, 49])].map(text))
    expect(text(unused[1]!)).toBe(text(exact([0, 1], [0, 1])))
  })

  it('take fused functions, and tensors from around', () => {
    const weights = tensor([10, 20])
    const fused = fuse((a) => a.mul(weights).sum())
    expect(gradients(fused as unknown as Body)(x)[0]!.toArray()).toEqual([10, 20])
  })

  it('say what is wrong', () => {
    const refused = (work: () => unknown, kind: new (...args: never[]) => Error, words: string): void => {
      expect(work).toThrow(kind)
      expect(work).toThrow(words)
    }
    refused(() => gradients((a) => a!)(x), OperandError, 'the function gives shape (2); it has to give one element.')
    refused(() => gradients(product)(x, ints), DTypeError, 'operand 1 is int32, which has no gradient')
    refused(() => gradients(product)(x), OperandError, 'the function takes 2 operands, not 1')
    refused(() => gradients(5 as never), OperandError, 'grad takes a function')
    refused(() => gradients(product, { wrt: 2 }), OperandError, 'wrt is [2]; it is a number from 0 to 1')
    refused(() => gradients(product, { wrt: [0, 0] }), OperandError, 'each once')
    refused(() => gradients(product, { with: 0 }), OperandError, 'with')
    refused(() => gradients((a) => a!['less']!(1)['all']!())(x), DTypeError, 'the function gives bool')
    refused(() => gradients(() => x as never, { operands: 1 })(x), OperandError, 'the function returned a tensor')
    refused(() => pulling((a) => a!)(x).pullback(tensor([1])), OperandError, 'the value is float32 (2)')
    refused(() => pulling((a) => a!)(x).pullback(1), OperandError, 'the gradient is 1')
    refused(() => fusing((a) => pulling((b) => b!)(a).value as never)(x), OperandError, 'use grad or valueAndGrad')
    expect(gradients((a) => a!['less']!(1)['where']!(0, 0)['sum']!())(x)[0]!.toArray()).toEqual([0, 0])
  })
})
