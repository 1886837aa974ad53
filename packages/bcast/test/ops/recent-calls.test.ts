// Calls that repeat take a short way; whatever changes from call to call, they give what a first call gives.
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cores } from '../../src/backend/platform.ts'
import { WebAssemblyBackend } from '../../src/backend/webassembly/backend.ts'
import { machine } from '../../src/backend/webassembly/machine/seam.ts'
import { ThreadPool } from '../../src/backend/webassembly/threads/pool.ts'
import {
  add,
  arrayEqual,
  cast,
  configure,
  div,
  fromData,
  fuse,
  identity,
  max,
  mul,
  pdpd,
  pow,
  sub,
  type Tensor,
  tensor,
} from '../../src/index.ts'
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

  it('say nothing of others when their owner changes the shape of an operand', () => {
    const of = (...values: number[]): Tensor<'float32', number[]> => tensor(Float32Array.from(values)) as never
    const [x, y] = [of(0, 1, 2, 3, 4, 5, 6, 7), of(1, 2, 3, 4)]
    for (let i = 0; i < 2 * REPEATS; i++) sub(x, x)
    ;(x.shape as number[])[0] = 4
    expect(sub(y, y).toArray()).toEqual([0, 0, 0, 0])
  })

  it('write into arrays of a class that has a method `set` of its own', () => {
    class Vector extends Float32Array {
      // biome-ignore lint/suspicious/noExplicitAny: it takes other arguments than the method it hides
      override set(x: any, y: any): void {
        throw new Error(`set(${x}, ${y})`)
      }
    }
    const out = fromData('float32', new Vector(3), [3])
    for (let i = 0; i < 2 * REPEATS; i++) {
      expect(add(numbers([1, 2, 3]), numbers([i, i, i]), { out }).toArray()).toEqual([1 + i, 2 + i, 3 + i])
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

describe('calls of many elements that repeat', () => {
  afterEach(() => configure({ threads: cores(), backend: 'auto' }))

  /** Elements from `offset` of a storage of their own on, in the kernels' memory. */
  const spread = (shape: readonly number[], step: number, offset = 0): Tensor => {
    const count = shape.reduce((product, size) => product * size, 1)
    const all = Float32Array.from({ length: offset + count }, (_, i) => Math.fround((i % 1009) * step) - 3)
    return tensor(all)
      .slice([offset, offset + count])
      .reshape(shape as number[]) as Tensor
  }

  const bytesOf = ({ data }: Tensor): Uint8Array => {
    const { buffer, byteOffset, byteLength } = data as Float32Array
    return new Uint8Array(buffer, byteOffset, byteLength).slice()
  }

  const cases: readonly (readonly [string, readonly number[], readonly number[]])[] = [
    ['of one axis', [100_003], [100_003]],
    ['and a row', [331, 333], [333]],
    ['and a column', [331, 333], [331, 1]],
    ['and what stands still in the middle', [7, 11, 1301], [7, 1, 1301]],
  ]

  it.each(cases)('%s are parts that threads take, as many as there are from call to call', async (_, shape, other) => {
    const operands = [0, 5].map((offset) => [spread(shape, 0.5, offset), spread(other, 0.25, offset)] as const)
    configure({ backend: 'interpreter' })
    const wanted = operands.map(([x, y]) => bytesOf(add(x, y)))
    configure({ backend: 'auto', threads: 2 })
    // Their code is there from the first call on that could use it.
    await add.async(operands[0]![0], operands[0]![1])
    const out = spread(shape, 1)
    const call = (into: boolean): void => {
      operands.forEach(([x, y], i) => {
        const result = into ? add(x, y, { out: out as never }) : add(x, y)
        expect(Buffer.compare(bytesOf(result), wanted[i]!)).toBe(0)
      })
    }
    for (let i = 0; i < REPEATS; i++) for (const into of [false, true]) call(into)
    const [general, shared] = [vi.spyOn(WebAssemblyBackend.prototype, 'plan'), vi.spyOn(ThreadPool.prototype, 'share')]
    try {
      for (const threads of [2, 1, 3, 2]) {
        shared.mockClear()
        configure({ threads })
        for (const into of [false, true]) call(into)
        // Machine code has threads of its own.
        if (machine === undefined) expect(shared).toHaveBeenCalledTimes(threads === 1 ? 0 : 4)
      }
      expect(general).not.toHaveBeenCalled()
    } finally {
      general.mockRestore()
      shared.mockRestore()
    }
  })

  it('say where an element has no value, whichever part it is in, and go on', async () => {
    configure({ threads: 2 })
    const x = cast(spread([200_000], 1), 'int32')
    const divisor = cast(add(spread([200_000], 0), 5), 'int32')
    await div.async(x, divisor)
    for (const index of [199_999, 3, 100_000]) {
      for (let i = 0; i < REPEATS; i++) expect(div(x, divisor).get(7)).toBe(2)
      ;(divisor.data as Int32Array)[index] = 0
      expect(() => div(x, divisor)).toThrow(`[${index}]`)
      ;(divisor.data as Int32Array)[index] = 2
    }
  })

  it('compute alone while the threads are at something else', async () => {
    configure({ threads: 2 })
    const [x, y] = [spread([150_000], 0.5), spread([150_000], 2)]
    const wanted = await add.async(x, y)
    for (let i = 0; i < REPEATS; i++) add(x, y)
    const large = spread([3000, 1000], 1)
    const later = add.async(large, large)
    await Promise.resolve()
    for (let i = 0; i < 20; i++) expect(arrayEqual(add(x, y), wanted)).toBe(true)
    expect((await later).get(0, 1)).toBe(-4)
  })
})
