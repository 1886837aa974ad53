// Values and nestings that no tensor can be made of: the error is a ValueError whose path and text show where.
import '../../src/real.ts'
import { ShapeError, type Tensor, tensor, ValueError } from 'bcast'
import { describe, expect, it } from 'vitest'
import { thrownBy } from '../support/thrown.ts'

/** Values the compiler would not let through. */
const loosely = tensor as unknown as (
  values: unknown,
  options?: { dtype?: string; shape?: readonly number[] },
) => Tensor

describe('values that do not fit', () => {
  const refusal = (make: () => unknown): { error: ValueError; path: readonly number[] } => {
    const error = thrownBy(make)
    expect(error).toBeInstanceOf(ValueError)
    expect((error as ValueError).code).toBe('BCAST_VALUE')
    return { error: error as ValueError, path: (error as ValueError).path }
  }

  it('ragged nesting shows where', () => {
    const short = refusal(() => loosely([[1, 2], [3]]))
    expect(short.path).toEqual([1])
    expect(short.error.message).toBe('ragged nesting at [1]: 1 entries where its neighbours have 2.')
    const flat = refusal(() => loosely([[1, 2], 3]))
    expect(flat.path).toEqual([1])
    expect(flat.error.message).toBe('ragged nesting at [1]: 3 where an array of 2 was expected, as in its neighbours.')
    const deep = refusal(() =>
      loosely([
        [1, 2],
        [3, [4]],
      ]),
    )
    expect(deep.path).toEqual([1, 1])
    expect(deep.error.message).toBe(
      'ragged nesting at [1, 1]: an array where an element was expected, as in its neighbours.',
    )
    expect(
      refusal(() =>
        loosely([
          [[1], [2]],
          [[3], [4, 5]],
        ]),
      ).path,
    ).toEqual([1, 1])
    expect(refusal(() => loosely([[], [1]])).path).toEqual([1])
    expect(refusal(() => loosely([1, []])).path).toEqual([1])
  })

  it('mixed kinds show where', () => {
    const mixed = refusal(() =>
      loosely([
        [1, 2],
        [3, 4n],
      ]),
    )
    expect(mixed.path).toEqual([1, 1])
    expect(mixed.error.message).toBe('mixed elements at [1, 1]: bigint 4 among numbers; give elements of one kind.')
    expect(refusal(() => loosely([true, 1])).path).toEqual([1])
    expect(refusal(() => loosely(['a', null])).path).toEqual([1])
    expect(refusal(() => loosely([1, undefined])).path).toEqual([1])
  })

  it('values of no kind show where', () => {
    expect(refusal(() => loosely([undefined])).path).toEqual([0])
    expect(refusal(() => loosely([null])).error.message).toBe(
      'null at [0] cannot be an element of type float32: it is not a number.',
    )
    expect(refusal(() => loosely(undefined)).error.message).toBe(
      'undefined cannot be an element of type float32: it is not a number.',
    )
    expect(refusal(() => loosely([Symbol('s')])).path).toEqual([0])
    expect(refusal(() => loosely([() => 1])).path).toEqual([0])
    expect(refusal(() => loosely([{}])).path).toEqual([0])
  })

  it.each([
    ['int8', -128, 127],
    ['uint8', 0, 255],
    ['int16', -32768, 32767],
    ['uint16', 0, 65535],
    ['int32', -(2 ** 31), 2 ** 31 - 1],
    ['uint32', 0, 2 ** 32 - 1],
  ] as const)('%s holds %d to %d', (dtype, low, high) => {
    expect(tensor([low, high], { dtype }).toArray()).toEqual([low, high])
    for (const value of [low - 1, high + 1]) {
      const { error, path } = refusal(() => tensor([[0, value]], { dtype }))
      expect(path).toEqual([0, 1])
      expect(error.value).toBe(value)
      expect(error.message).toBe(
        `${value} at [0, 1] cannot be an element of type ${dtype}: it lies outside ${low} to ${high}.`,
      )
    }
    for (const value of [0.5, Number.NaN, Infinity]) {
      expect(refusal(() => tensor([value], { dtype })).error.message).toBe(
        `${value} at [0] cannot be an element of type ${dtype}: it is not an integer.`,
      )
    }
  })

  it('64-bit types take what they hold, exactly', () => {
    expect(tensor([2n ** 63n - 1n, -(2n ** 63n)]).toArray()).toEqual([2n ** 63n - 1n, -(2n ** 63n)])
    expect(tensor([2n ** 64n - 1n], { dtype: 'uint64' }).get(0)).toBe(2n ** 64n - 1n)
    expect(refusal(() => tensor([2n ** 63n])).error.message).toBe(
      '9223372036854775808n at [0] cannot be an element of type int64: it lies outside -9223372036854775808 to 9223372036854775807.',
    )
    expect(refusal(() => tensor([-1n], { dtype: 'uint64' })).path).toEqual([0])
    expect(refusal(() => tensor([2 ** 64], { dtype: 'uint64' })).path).toEqual([0])
  })

  it('other kinds', () => {
    expect(refusal(() => tensor([2], { dtype: 'bool' })).error.message).toBe(
      '2 at [0] cannot be an element of type bool: it is not a boolean.',
    )
    expect(refusal(() => tensor([1], { dtype: 'string' })).error.message).toBe(
      '1 at [0] cannot be an element of type string: it is not a string.',
    )
    expect(refusal(() => tensor(['x'], { dtype: 'float32' })).error.message).toBe(
      '"x" at [0] cannot be an element of type float32: it is not a number.',
    )
    expect(refusal(() => tensor(['x'], { dtype: 'real' })).error.message).toContain(
      "it is not a number such as '1/3' or '0.25'",
    )
    expect(refusal(() => tensor([Number.NaN], { dtype: 'real' })).error.message).toContain('it is not a finite number')
  })

  it('wrong lengths name both numbers', () => {
    // @ts-expect-error the compiler sees it, too
    expect(refusal(() => tensor([1, 2, 3], { shape: [2, 2] })).error.message).toBe(
      '3 elements do not fill shape (2,2), which takes 4.',
    )
    expect(refusal(() => tensor(new Float32Array(3), { shape: [2] })).error.message).toBe(
      '3 elements do not fill shape (2), which takes 2.',
    )
    // @ts-expect-error the compiler sees it, too
    expect(refusal(() => tensor(5, { shape: [0] })).error.value).toBe(1)
  })

  it('a shape that is none', () => {
    expect(() => loosely([1], { shape: [-1] })).toThrow(ShapeError)
    expect(() => loosely([1], { shape: [0.5] })).toThrow('size 0.5 at position 0 is not an integer')
    expect(() => loosely([1], { shape: 1 as never })).toThrow('A shape is an array of sizes')
  })
})
