// Tensors share the arrays that callers give them. Where the buffer under one was transferred or made smaller, every
// use of the elements is an error that says so: never `undefined`, never the platform's own TypeError.
import { inspect } from 'node:util'
import { configure, fuse, OperandError, type Tensor, tensor } from 'bcast'
import { afterEach, describe, expect, it } from 'vitest'
import { loosely, looselyLater } from '../support/operators.ts'

afterEach(() => configure({ backend: 'auto' }))

type Resizable = ArrayBuffer & { resize(bytes: number): void }
type Elements = {
  new (buffer: ArrayBuffer, offset?: number, length?: number): ArrayBufferView
  BYTES_PER_ELEMENT: number
}

const resizable = (bytes: number): Resizable =>
  new (ArrayBuffer as unknown as new (bytes: number, options: object) => Resizable)(bytes, { maxByteLength: bytes })

/** An array of so many elements, and what takes them away. */
interface Given {
  readonly array: ArrayBufferView
  readonly lose: () => void
}

const ways: Readonly<Record<string, (Array_: Elements, count: number) => Given>> = {
  transferred: (Array_, count) => {
    const buffer = new ArrayBuffer(count * Array_.BYTES_PER_ELEMENT)
    return { array: new Array_(buffer), lose: () => structuredClone(buffer, { transfer: [buffer] }) }
  },
  'made smaller under a view that follows': (Array_, count) => {
    const buffer = resizable(count * Array_.BYTES_PER_ELEMENT)
    return { array: new Array_(buffer), lose: () => buffer.resize((count - 1) * Array_.BYTES_PER_ELEMENT) }
  },
  'made smaller under a view of fixed length': (Array_, count) => {
    const buffer = resizable(count * Array_.BYTES_PER_ELEMENT)
    return { array: new Array_(buffer, 0, count), lose: () => buffer.resize((count - 1) * Array_.BYTES_PER_ELEMENT) }
  },
  'made smaller by part of an element': (Array_, count) => {
    const buffer = resizable(count * Array_.BYTES_PER_ELEMENT)
    return { array: new Array_(buffer), lose: () => buffer.resize(count * Array_.BYTES_PER_ELEMENT - 1) }
  },
  'made empty': (Array_, count) => {
    const buffer = resizable(count * Array_.BYTES_PER_ELEMENT)
    return { array: new Array_(buffer), lose: () => buffer.resize(0) }
  },
}

const arrays = { Float32Array, Float64Array, Uint8Array, Uint8ClampedArray, Int16Array, BigInt64Array } as unknown as {
  readonly [name: string]: Elements
}

const cases = Object.keys(ways).flatMap((way) => Object.keys(arrays).map((name): [string, string] => [way, name]))
const given = (way: string, name: string, count: number): Given => ways[way]!(arrays[name]!, count)

const reads: Readonly<Record<string, (x: Tensor) => unknown>> = {
  get: (x) => x.get(-1, -1),
  'get of what is still there': (x) => x.get(0, 0),
  toArray: (x) => x.toArray(),
  data: (x) => x.data,
  'data of a part': (x) => x.slice(1).data,
  'data of a transpose': (x) => x.transpose().data,
  toString: (x: Tensor) => String(x),
  'a reshape that copies': (x) => x.transpose().reshape(6),
  'an element of a view': (x) => x.reshape(6).slice([5]).get(0),
  'data of a broadcast view': (x) => x.broadcastTo([2, 2, 3] as never).data,
}

const fused = fuse((a) => a.add(a)) as unknown as ((...args: unknown[]) => Tensor) & {
  async(...args: unknown[]): Promise<Tensor>
}

const calls: Readonly<Record<string, (x: Tensor, other: Tensor) => unknown>> = {
  add: (x) => loosely('add')(x, x),
  'add beside another': (x, other) => loosely('add')(other, x),
  'add of a view': (x) => loosely('add')(x.transpose(), 1),
  identity: (x) => loosely('identity')(x),
  expand: (x) => loosely('expand')(x, [2, 2, 3]),
  where: (x, other) => loosely('where')(tensor([[true], [false]]), other, x),
  cast: (x) => loosely('cast')(x, 'float16'),
  'a fused function': (x) => fused(x),
  'as out': (x, other) => loosely('add')(other, other, { out: x }),
  'as out of what moves elements': (x, other) => loosely('identity')(other, { out: x }),
  'as out beside which it is computed': (x) => loosely('add')(x.slice([null, null, -1]), x, { out: x }),
  'as out of a fused function': (x, other) => fused(other, { out: x }),
  gemm: (x) => loosely('gemm')(x, x, undefined, { transB: true }),
}

const later: Readonly<Record<string, (x: Tensor, other: Tensor) => Promise<unknown>>> = {
  add: (x) => looselyLater('add')(x, x),
  identity: (x) => looselyLater('identity')(x),
  'a fused function': (x) => fused.async(x),
  'as out': (x, other) => looselyLater('add')(other, other, { out: x }),
  'as out of what moves elements': (x, other) => looselyLater('identity')(other, { out: x }),
}

const SAID = /resized or transferred after the tensor was made/
/** Of types that an operator does not take, nothing else is asked. */
const takes = (name: string, array: string): boolean => name !== 'gemm' || /Float|BigInt/.test(array)

describe.each(cases)('a buffer %s under a %s', (way, name) => {
  it('is noticed by whatever reads', () => {
    const { array, lose } = given(way, name, 6)
    const x = tensor(array, { share: true, shape: [2, 3] }) as Tensor
    lose()
    for (const [use, read] of Object.entries(reads)) {
      expect(() => read(x), use).toThrow(OperandError)
      expect(() => read(x), use).toThrow(SAID)
    }
    expect(inspect(x)).toMatch(SAID)
    expect([x.shape, x.size, x.rank]).toEqual([[2, 3], 6, 2])
  })

  it.each(['auto', 'interpreter'] as const)('is noticed by whatever computes, on the %s backend', async (backend) => {
    configure({ backend })
    for (const [use, call] of Object.entries(calls)) {
      if (!takes(use, name)) continue
      const { array, lose } = given(way, name, 6)
      const x = tensor(array, { share: true, shape: [2, 3] }) as Tensor
      const other = tensor(given(way, name, 6).array, { shape: [2, 3] }) as Tensor
      // Calls that are known from before take a shorter way.
      for (let i = 0; i < 2; i++) call(x, other)
      lose()
      expect(() => call(x, other), use).toThrow(OperandError)
      expect(() => call(x, other), use).toThrow(SAID)
    }
  })

  it.each([6, 90_000])('of %i elements is noticed by what is asked for or waits', async (count) => {
    for (const [use, call] of Object.entries(later)) {
      for (const waits of [false, true]) {
        const { array, lose } = given(way, name, count)
        const x = tensor(array, { share: true, shape: [count / 3, 3] }) as Tensor
        const other = tensor(given(way, name, count).array, { shape: [count / 3, 3] }) as Tensor
        if (!waits) lose()
        const called = call(x, other)
        if (waits) lose()
        await expect(called, use).rejects.toThrow(OperandError)
      }
    }
  })

  it('matters to nobody who has no elements', () => {
    const { array, lose } = given(way, name, 6)
    const whole = tensor(array, { share: true, shape: [2, 3] }) as Tensor
    const empties = [whole.slice([0, 0]), whole.slice(1).slice([2, 2]), whole.slice(1, [1, 1])] as Tensor[]
    lose()
    for (const empty of empties) {
      expect(empty.data).toHaveLength(0)
      expect(empty.toArray()).toEqual([])
      expect(String(empty)).toBe('[]')
      expect(loosely('identity')(empty).size).toBe(0)
      expect(loosely('add')(empty, empty).size).toBe(0)
    }
  })
})

describe('an array whose buffer is gone already', () => {
  it.each(Object.keys(arrays))('%s holds nothing', (name) => {
    const { array, lose } = given('transferred', name, 6)
    lose()
    expect((tensor(array, { share: true }) as Tensor).shape).toEqual([0])
    expect((tensor(array, { share: true }) as Tensor).toArray()).toEqual([])
    expect(() => tensor(array, { share: true, shape: [6] })).toThrow('0 elements do not fill shape (6), which takes 6.')
  })
})

it('a fault that is looked for while the array shrinks is an error of the array', async () => {
  const count = 2 ** 21
  const divisor = new BigInt64Array(count).fill(1n)
  divisor[count - 1] = 0n
  const code = async (buffer: Resizable): Promise<unknown> =>
    looselyLater('div')(tensor(new BigInt64Array(buffer), { share: true }), tensor(divisor, { share: true })).catch(
      (error) => error.code ?? error,
    )
  let begun = 0
  for (let i = 0; i < 2; i++) {
    begun = performance.now()
    expect(await code(resizable(8 * count))).toBe('BCAST_DIVISION_BY_ZERO')
  }
  // The threads are quick to see that there is a fault; the interpreter looks for it most of the time, with pauses.
  const elapsed = performance.now() - begun
  const buffer = resizable(8 * count)
  const shrinks = setTimeout(() => buffer.resize(8), 0.6 * elapsed)
  // On a busy machine it may be found before.
  expect(await code(buffer)).toMatch(/^BCAST_(OPERAND|DIVISION_BY_ZERO)$/)
  clearTimeout(shrinks)
})
