// More elements than can be counted exactly are no shape, and every entry that takes or makes shapes says so alike:
// with the same limit, the same class of error, and the position at which the product passes it.
import {
  bidirectional,
  broadcast,
  broadcastShapes,
  broadcastTo,
  explain,
  explicit,
  fromData,
  fuse,
  none,
  numpy,
  pdpd,
  type Rule,
  ShapeError,
  type SymbolicShape,
  sonnx,
  type Tensor,
  tensor,
  unidirectional,
} from 'bcast'
import { describe, expect, it } from 'vitest'
import { loosely, looselyLater } from '../support/operators.ts'
import { thrownBy } from '../support/thrown.ts'

const HUGE = 2 ** 52
const shapesOf = broadcastShapes as unknown as (...args: unknown[]) => readonly number[]
const viewsOf = broadcast as unknown as (...args: unknown[]) => Tensor[]
const viewOf = broadcastTo as unknown as (x: Tensor, shape: readonly number[], options?: object) => Tensor
const one = tensor([1]) as Tensor
const tall = viewOf(one, [HUGE, 1])
const wide = viewOf(one, [1, HUGE])

/** Entries that are given a shape of too many elements. */
const taking: Readonly<Record<string, (shape: readonly number[]) => unknown>> = {
  tensor: (shape) => tensor([1], { shape }),
  'tensor over an array': (shape) => tensor(new Float32Array(1), { shape }),
  fromData: (shape) => fromData('float32', new Float32Array(1), shape),
  broadcastTo: (shape) => viewOf(one, shape),
  'the method broadcastTo': (shape) => one.broadcastTo(shape as never),
  'broadcastTo under another rule': (shape) => viewOf(one, shape, { broadcast: bidirectional }),
  reshape: (shape) => one.reshape(shape),
  'reshape beside -1': (shape) => one.reshape(-1, ...shape),
  expand: (shape) => loosely('expand')(one, shape),
  broadcastShapes: (shape) => shapesOf(shape, [1]),
  'broadcastShapes of one': (shape) => shapesOf([shape]),
  explain: (shape) => explain([shape, [1]]),
  'explain beside an open size': (shape) => explain([shape, ['N']]),
}

/** Entries that make one from shapes that are none too large by themselves. */
const making: Readonly<Record<string, () => unknown>> = {
  broadcastShapes: () => shapesOf([HUGE, 1], [1, HUGE]),
  'broadcastShapes of an array': () => shapesOf([[HUGE, 1], [1, HUGE], [1]]),
  'broadcastShapes of a target': () => shapesOf([HUGE, 1], [1, HUGE], { broadcast: bidirectional }),
  explain: () =>
    explain([
      [HUGE, 1],
      [1, HUGE],
    ]),
  'explain where an open size settles': () =>
    explain([
      [HUGE, 1],
      ['N', HUGE],
    ]),
  broadcast: () => viewsOf(tall, wide),
  'broadcastTo that grows both': () => viewOf(tall, [1, HUGE], { broadcast: bidirectional }),
  add: () => loosely('add')(tall, wide),
  'add into out': () => loosely('add')(tall, wide, { out: one }),
  where: () => loosely('where')(viewOf(tensor([true]) as Tensor, [HUGE, 1]), wide, one),
  expand: () => loosely('expand')(tall, [1, HUGE]),
  'a fused function': () => (fuse((a, b) => a.add(b)) as unknown as (...x: Tensor[]) => Tensor)(tall, wide),
  gemm: () => loosely('gemm')(tall, wide),
}

describe('an element count beyond 2^53 - 1', () => {
  it.each(Object.entries(taking))('is refused by %s', (_, take) => {
    const error = thrownBy(() => take([HUGE, 2, 3])) as ShapeError
    expect(error).toBeInstanceOf(ShapeError)
    expect([error.code, error.value, error.position]).toEqual(['BCAST_SHAPE', 2, 1])
    expect(error.message).toMatch(
      /^(reshape to|shape\b.*) \[.*\]: the product of the sizes passes 2\^53 - 1 at position 1/,
    )
  })

  it.each(Object.entries(making))('is refused as the result of %s', (_, make) => {
    const error = thrownBy(make) as ShapeError
    expect(error).toBeInstanceOf(ShapeError)
    expect([error.code, error.value, error.position]).toEqual(['BCAST_SHAPE', HUGE, 1])
    expect(error.message).toBe(
      `shape of the result [${HUGE}, ${HUGE}]: the product of the sizes passes 2^53 - 1 at position 1. Elements are counted exactly up to 2^53 - 1.`,
    )
  })

  it('is refused by what computes later', async () => {
    await expect(looselyLater('add')(tall, wide)).rejects.toThrow(ShapeError)
    await expect(looselyLater('expand')(one, [HUGE, 2])).rejects.toThrow(ShapeError)
  })

  it.each([
    ['numpy', numpy, [HUGE, 1], [1, HUGE]],
    ['bidirectional', bidirectional, [HUGE, 1], [1, HUGE]],
    ['sonnx', sonnx, [HUGE, 1], [1, HUGE]],
    ['unidirectional', unidirectional, [HUGE, 2], [1, 2]],
    ['none', none, [HUGE, 2], [HUGE, 2]],
    ['pdpd', pdpd({ axis: 0 }), [HUGE, 2], [HUGE]],
    ['explicit', explicit({ axesMapping: [1] }), [HUGE, 2], [2]],
  ] as [string, Rule, number[], number[]][])('under rule %s', (_, rule, a, b) => {
    expect(() => shapesOf(a, b, { broadcast: rule })).toThrow(ShapeError)
    expect(() => explain([a, b], { broadcast: rule })).toThrow(ShapeError)
  })
})

describe('the limit itself', () => {
  const [a, b] = [6361, 69431 * 20394401]

  it('is met exactly', () => {
    expect(a * b).toBe(2 ** 53 - 1)
    expect(shapesOf([a, 1], [1, b])).toEqual([a, b])
    expect(explain([[a, 1], [b]]).shape).toEqual([a, b])
    expect(viewOf(one, [a, b]).size).toBe(2 ** 53 - 1)
    expect(viewsOf(viewOf(one, [a, 1]), viewOf(one, [b]))[0]!.size).toBe(2 ** 53 - 1)
    expect(() => shapesOf([a, 1], [1, b + 1])).toThrow(ShapeError)
  })

  it('is far for a shape that holds a zero', () => {
    expect(shapesOf([HUGE, 1, 0], [1, HUGE, 1])).toEqual([HUGE, HUGE, 0])
    expect(
      explain([
        [HUGE, 1, 0],
        [HUGE, 1],
      ]).shape,
    ).toEqual([HUGE, HUGE, 0])
    expect(viewOf(tensor([], { shape: [1, 1, 0] }) as Tensor, [HUGE, HUGE, 0]).size).toBe(0)
  })

  const open: readonly (readonly [boolean, SymbolicShape])[] = [
    // An open size may be 0.
    [true, [HUGE, HUGE, 'N']],
    [true, [HUGE, HUGE, null]],
    [true, [HUGE, HUGE, { min: 0, max: 4 }]],
    [true, [HUGE, { min: 1, max: null }]],
    [false, [HUGE, { min: 2, max: null }]],
    [false, [HUGE, HUGE, { min: 1, max: 4 }]],
  ]
  it.each(open)('%s for %o, whose open sizes are as small as they may be', (countable, shape) => {
    const call = () => explain([shape, [1]])
    if (countable) expect(call().verdict).toBe('ok')
    else expect(call).toThrow(ShapeError)
  })

  it('is kept by what is suggested', () => {
    const { verdict, fixes } = explain([[2 ** 40], [2 ** 41]])
    expect([verdict, fixes]).toEqual(['error', []])
    expect(explain([[2 ** 20], [2 ** 21]]).fixes.length).toBeGreaterThan(0)
  })
})
