// Large arrays of the caller: computed in a memory of their own, with the same bits as tensors in the arena.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebAssemblyBackend } from '../../../src/backend/webassembly/backend.ts'
import { add, div, fromData, greater, identity, mul, type Tensor, where } from '../../../src/index.ts'

const ROWS = 1100
const COLUMNS = 1003
const COUNT = ROWS * COLUMNS

const wave = (i: number): number => ((i * 7919) % 2003) / 8 - 100
const floats = (step = 1): Float32Array => Float32Array.from({ length: COUNT }, (_, i) => wave(i * step))
const matrix = (array: Float32Array): Tensor<'float32', [number, number]> =>
  fromData('float32', array, [ROWS, COLUMNS]) as Tensor<'float32', [number, number]>

const unshared = vi.spyOn(WebAssemblyBackend.prototype, 'unshared')
afterEach(() => unshared.mockClear())

/** What a call gives, and whether it was computed in that memory. */
function watched<T>(call: () => T): { readonly result: T; readonly there: boolean } {
  unshared.mockClear()
  const result = call()
  return { result, there: unshared.mock.calls.length > 0 }
}

/** Calls with tensors over the caller's arrays, there, and with copies of them in the arena. */
function same(call: (...operands: never[]) => Tensor, ...operands: readonly Tensor[]): void {
  const { result: foreign, there } = watched(() => call(...(operands as never[])))
  const held = operands.map((operand) => identity(operand as never) as Tensor)
  const { result: expected, there: neither } = watched(() => call(...(held as never[])))
  expect([there, neither]).toEqual([true, false])
  expect(foreign.shape).toEqual(expected.shape)
  expectSame(foreign.data as unknown as Uint8Array, expected.data as unknown as Uint8Array)
  for (const tensor of [...held, foreign, expected]) tensor.dispose()
}

/** Compares bytes, because a million elements are too many for messages. */
function expectSame(a: ArrayBufferView, b: ArrayBufferView): void {
  const [left, right] = [a, b].map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength))
  expect(left!.equals(right!)).toBe(true)
}

describe('large arrays of the caller', () => {
  it('of equal shape, as rows and columns, and of a few elements', () => {
    const [x, y] = [matrix(floats()), matrix(floats(3))]
    const row = fromData('float32', floats().slice(0, COLUMNS), [COLUMNS])
    const column = fromData('float32', floats().slice(0, ROWS), [ROWS, 1])
    same(add as never, x, y)
    same(mul as never, x, row)
    same(mul as never, column, x)
    same(add as never, x, fromData('float32', new Float32Array([0.1]), [1]))
  })

  it('in other orders and with other types', () => {
    const [x, y] = [matrix(floats()), matrix(floats(3))]
    const backward = (tensor: Tensor): Tensor => tensor.slice([null, null, -1], [null, null, -1]) as Tensor
    same(((a: never, b: never) => add(a, backward(b) as never)) as never, x, y)
    same(((a: Tensor, b: Tensor) => add(a.transpose() as never, b.transpose() as never)) as never, x, y)
    same(greater as never, x, y)
    const condition = fromData(
      'bool',
      Uint8Array.from({ length: COUNT }, (_, i) => (i * 5) & 1),
      [ROWS, COLUMNS],
    )
    same(where as never, condition as Tensor, x, y)
    const halves = fromData(
      'float16',
      Uint16Array.from({ length: 2 * COUNT }, (_, i) => i % 0x7c00),
      [2 * ROWS, COLUMNS],
    )
    same(add as never, halves as Tensor, halves as Tensor)
    const longs = fromData(
      'int64',
      BigInt64Array.from({ length: COUNT }, (_, i) => BigInt(i) ** 3n),
      [ROWS, COLUMNS],
    )
    same(mul as never, longs as Tensor, longs as Tensor)
  })

  it('into an array of the caller, into the arena, and into a part of it', () => {
    const [left, right] = [floats(), floats(3)]
    const [x, y] = [matrix(left.slice()), matrix(right)]
    const expected = left.map((value, i) => value + right[i]!)
    const place = new Float32Array(COUNT)
    const into = (out: Tensor): Tensor => {
      const { result, there } = watched(() => add(x, y, { out: out as never }))
      expect(there).toBe(true)
      return result
    }
    into(matrix(place))
    expectSame(place, expected)
    const held = identity(matrix(new Float32Array(COUNT)))
    expectSame(into(held as Tensor).data as Float32Array, expected)
    const wide = new Float32Array(2 * COUNT).fill(7)
    into((fromData('float32', wide, [ROWS, 2 * COLUMNS]) as Tensor).slice([null], [0, null, 2]) as Tensor)
    expectSame(
      wide.filter((_, i) => i % 2 === 0),
      expected,
    )
    expect(wide.every((value, i) => i % 2 === 0 || value === 7)).toBe(true)
    // The result over an operand: each tile is read before it is written.
    into(x)
    expectSame(x.data, expected)
  })

  it('say where a division has no value', () => {
    const numbers = Int32Array.from({ length: COUNT }, (_, i) => i + 1)
    const divisors = numbers.slice()
    divisors[COUNT - 5] = 0
    const [a, b] = [numbers, divisors].map((array) => fromData('int32', array, [ROWS, COLUMNS]))
    const refused = watched(() => expect(() => div(a as never, b as never)).toThrow(`[${ROWS - 1}, ${COLUMNS - 5}]`))
    expect(refused.there).toBe(true)
  })
})
