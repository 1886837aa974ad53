// Calls that repeat take a short way; whatever changes from call to call, they give what a first call gives.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { WebAssemblyBackend } from '../../src/backend/webassembly/backend.ts'
import { add, configure, div, fuse, identity, max, mul, pdpd, pow, type Tensor, tensor } from '../../src/index.ts'
import { settings } from '../support/oracle.ts'

const REPEATS = 3
const numbers = (values: readonly number[]): Tensor<'float32', number[]> =>
  tensor(Float32Array.from(values), { share: true, shape: [values.length] }) as Tensor<'float32', number[]>

describe('calls that repeat', () => {
  it('take the short way, whether options are left out, undefined, or only say where the result goes', () => {
    const general = vi.spyOn(WebAssemblyBackend.prototype, 'plan')
    try {
      const [x, y] = [numbers([1, 2, 3]), numbers([4])]
      const out = identity(x)
      const fused = fuse((a, b) => a.mul(b))
      const calls = [
        () => add(x, y),
        () => add(x, y, undefined),
        () => add(x, 2, { out }),
        () => (fused as (...args: unknown[]) => unknown)(x, y, undefined),
      ]
      for (const call of calls) {
        call()
        call()
        general.mockClear()
        call()
        expect(general).not.toHaveBeenCalled()
      }
    } finally {
      general.mockRestore()
    }
  })

  it('take the short way of the backend that computes now, whoever computed before', () => {
    const [x, y] = [numbers([1, 2, 3, 4, 5]), numbers([6])]
    const call = (): unknown => add(x, y)
    configure({ backend: 'interpreter' })
    for (let i = 0; i < REPEATS; i++) call()
    configure({ backend: 'auto' })
    const general = vi.spyOn(WebAssemblyBackend.prototype, 'plan')
    try {
      call()
      call()
      general.mockClear()
      call()
      expect(general).not.toHaveBeenCalled()
    } finally {
      general.mockRestore()
    }
  })

  it('write over their operands only where that is safe', () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.record({ x: fc.nat(8), y: fc.nat(8), out: fc.nat(8), backward: fc.boolean() }), {
        minLength: 1,
        maxLength: 4,
      }),
      (count, places) => {
        // All three are windows of one storage in the kernels' memory, wherever they fall.
        const storage = identity(numbers(Array.from({ length: 60 }, (_, i) => i * i)))
        const window = (begin: number, backward: boolean) => {
          const part = storage.slice([begin, begin + count])
          return (backward ? part.slice([null, null, -1]) : part) as Tensor<'float32', number[]>
        }
        for (let i = 0; i < REPEATS; i++) {
          for (const place of places) {
            const [x, y] = [window(place.x, false), window(place.y, place.backward)]
            const out = window(place.out, place.backward && i === 1)
            const [left, right] = [x.toArray() as number[], y.toArray() as number[]]
            expect(add(x, y, { out })).toBe(out)
            expect(out.toArray()).toEqual(left.map((value, k) => Math.fround(value + right[k]!)))
          }
        }
      },
    )
    fc.assert(property, settings(150))
  })

  it('take another number each time', () => {
    const x = numbers([1, 2, 3])
    for (const n of [1, 0.1, -0, Number.NaN, 5]) {
      expect(mul(x, n).toArray()).toEqual([1, 2, 3].map((value) => Math.fround(value * Math.fround(n))))
      expect(mul(n, x).toArray()).toEqual(mul(x, n).toArray())
    }
    const halves = tensor([1, 2], { dtype: 'float16' })
    for (const n of [0.1, 0.3, 7])
      expect(mul(halves, n).toArray()).toEqual(mul(halves, tensor(n, { dtype: 'float16' })).toArray())
  })

  it('check numbers that the type may not hold, and types that follow the number, each time', () => {
    const integers = tensor([1, 2, 3], { dtype: 'int32' })
    for (const n of [1, 2]) expect(add(integers, n).toArray()).toEqual([1 + n, 2 + n, 3 + n])
    expect(() => add(integers, 0.5)).toThrow('0.5')
    const x = numbers([1, 4, 9])
    for (const n of [2, 0.5, 2, 0.5]) expect(pow(x, n).toArray()).toEqual([1, 4 ** n, 9 ** n])
  })

  it('keep two results apart and a number out of the results before', () => {
    const x = numbers([1, 2, 3])
    const results = [1, 2, 3].map((n) => add(x, n))
    expect(results.map((result) => result.toArray())).toEqual([
      [2, 3, 4],
      [3, 4, 5],
      [4, 5, 6],
    ])
  })

  it('still refuse an out that does not fit, and say where a division has no value', () => {
    const [x, out] = [numbers([1, 2, 3]), numbers([0, 0, 0])]
    for (let i = 0; i < REPEATS; i++) add(x, x, { out })
    expect(() => add(x, x, { out: tensor([1, 2]) as never })).toThrow('out has shape (2)')
    expect(() => add(x, x, { out: tensor([1, 2, 3], { dtype: 'int32' }) })).toThrow('out is int32')
    expect(() => add(x, x, { out: tensor([0]).broadcastTo([3]) as never })).toThrow('read-only')
    out.dispose()
    expect(() => add(x, x, { out })).toThrow('disposed')

    const [a, b] = [tensor([6, 6], { dtype: 'int32' }), tensor([2, 3], { dtype: 'int32' })]
    const target = tensor([0, 0], { dtype: 'int32' })
    for (let i = 0; i < REPEATS; i++) expect(div(a, b, { out: target }).toArray()).toEqual([3, 2])
    expect(() => div(a, tensor([2, 0], { dtype: 'int32' }), { out: target })).toThrow('[1]')
    // Division reads its operands again when it fails, so they are not written over meanwhile.
    const divisor = tensor([2, 0], { dtype: 'int32' })
    for (let i = 0; i < REPEATS; i++) {
      expect(() => div(a, divisor, { out: divisor })).toThrow('[1]')
      expect(divisor.toArray()).toEqual([2, 0])
    }
  })

  it('go on when another rule or attribute comes between', () => {
    const [x, y] = [tensor([7, -7], { dtype: 'int32' }), tensor([2, 2], { dtype: 'int32' })]
    for (let i = 0; i < REPEATS; i++) {
      expect(div(x, y).toArray()).toEqual([3, -3])
      expect(div(x, y, { pythondiv: true }).toArray()).toEqual([3, -4])
      expect(() => add(x, tensor([1], { dtype: 'int32' }), { broadcast: 'none' } as never)).toThrow()
      expect(add(x, tensor([1], { dtype: 'int32' })).toArray()).toEqual([8, -6])
    }
  })

  it('of any number of operands keep rules, lists and places apart', () => {
    const square = tensor([
      [1, 5],
      [3, 2],
    ])
    const row = tensor([4, 0])
    const out = tensor([
      [0, 0],
      [0, 0],
    ])
    const [across, down] = [
      [
        [4, 5],
        [4, 2],
      ],
      [
        [4, 5],
        [3, 2],
      ],
    ]
    for (let i = 0; i < REPEATS; i++) {
      expect(max(square, row, { broadcast: pdpd({ axis: 0 }) }).toArray()).toEqual(down)
      expect(max(square, row).toArray()).toEqual(across)
      expect(max([square, row], { broadcast: pdpd({ axis: 0 }) }).toArray()).toEqual(down)
      expect(max([square, row]).toArray()).toEqual(across)
      expect(max(square, row, { out })).toBe(out)
      expect(out.toArray()).toEqual(across)
      expect(max(square, row, { out, broadcast: pdpd({ axis: 0 }) }).toArray()).toEqual(down)
    }
  })

  it('of fused functions do the same, tensors from outside included', () => {
    const scale = numbers([10, 20, 30])
    const f = fuse((x, y) => x.mul(y).add(x))
    const g = fuse((x) => x.mul(scale))
    const [x, y] = [numbers([1, 2, 3]), numbers([4, 5, 6])]
    for (let i = 0; i < REPEATS; i++) {
      expect(f(x, y).toArray()).toEqual([5, 12, 21])
      expect(f(y, x).toArray()).toEqual([8, 15, 24])
      expect(g(x).toArray()).toEqual([10, 40, 90])
    }
    for (let i = 0; i < REPEATS; i++) f(x, y, { out: x })
    expect(x.toArray()).toEqual([125, 432, 1029])
  })

  it('of a fused function tell its operands apart, though an earlier call had one tensor for several', () => {
    const [x, y] = [numbers([1, 2, 3]), numbers([10, 20, 30])]
    const backward = fuse((a, b) => b.sub(a))
    const withY = fuse((a, _) => a.add(y))
    for (let i = 0; i < REPEATS; i++) {
      expect(backward(x, x).toArray()).toEqual([0, 0, 0])
      expect(withY(x, y).toArray()).toEqual([11, 22, 33])
    }
    expect(backward(x, y).toArray()).toEqual([9, 18, 27])
    expect(withY(x, x).toArray()).toEqual([11, 22, 33])
  })

  it('refuse what a first call refuses behind the operands', () => {
    const x = numbers([1, 2, 3])
    const loose = add as unknown as (...args: unknown[]) => Tensor
    for (let i = 0; i < REPEATS; i++) loose(x, x)
    for (const behind of [[[]], [new Map()], [new Date()], [{}, 5], [{}, x], [undefined, 5]]) {
      expect(() => loose(x, x, ...behind)).toThrow('Add takes 2 operands')
    }
  })
})
