// What is no shape is refused with its value and position; what is one passes, however odd.
import { describe, expect, it } from 'vitest'
import { ShapeError } from '../../src/errors/index.ts'
import {
  checkShape,
  checkSymbolicShape,
  elementCount,
  formatDim,
  formatShape,
  isConcrete,
  type SymbolicShape,
} from '../../src/shape/dim.ts'
import { explain } from '../../src/shape/explain.ts'

function refusal(check: (shape: unknown, label?: string) => void, shape: unknown): ShapeError {
  try {
    check(shape)
  } catch (error) {
    if (error instanceof ShapeError) return error
    throw error
  }
  throw new Error(`accepted ${String(shape)}`)
}

const holes = [2, 3, 4]
delete holes[1]
const cycle: unknown[] = [2]
cycle.push({ self: cycle })

const bad: readonly (readonly [unknown, number, string])[] = [
  [[2, -1], 1, 'size -1 at position 1 is negative'],
  [[2.5], 0, 'size 2.5 at position 0 is not an integer'],
  [[2, Number.NaN], 1, 'size NaN at position 1 is not a number'],
  [[Number.POSITIVE_INFINITY], 0, 'size Infinity at position 0 is not finite'],
  [[1, 2 ** 53], 1, 'size 9007199254740992 at position 1 is above 2^53 - 1'],
  [[2, 3n], 1, 'size 3n at position 1 is not a number'],
  [holes, 1, 'size undefined at position 1 is not a number'],
  [[true], 0, 'size true at position 0 is not a number'],
  [[[2]], 0, 'size [2] at position 0'],
  [[2, { min: 1n, max: 2 }], 1, 'size { min: 1n, max: 2 } at position 1'],
  [cycle, 1, 'at position 1'],
]

describe('checkShape', () => {
  it.each(bad)('refuses %o', (shape, position, text) => {
    for (const check of [checkShape, checkSymbolicShape]) {
      const error = refusal(check, shape)
      expect(error.code).toBe('BCAST_SHAPE')
      expect(error.position).toBe(position)
      expect(error.value).toBe((shape as readonly unknown[])[position])
      expect(error.message).toContain(text)
    }
  })

  it.each([null, 'N', { min: 1, max: 2 }])('refuses the symbolic size %o', (dim) => {
    const error = refusal(checkShape, [2, dim])
    expect([error.position, error.value]).toEqual([1, dim])
    expect(() => checkSymbolicShape([2, dim])).not.toThrow()
  })

  it.each([undefined, 3, '2,3', { length: 2 }, new Int32Array([2, 3]), () => [2]])(
    'refuses %o, which is no array',
    (shape) => {
      const error = refusal(checkShape, shape)
      expect(error.position).toBeUndefined()
      expect(error.value).toBe(shape)
      expect(error.message).toMatch(/is not an array: got .*\. A shape is an array of sizes, such as \[2, 3\]\.$/)
      expect(refusal(checkSymbolicShape, shape).value).toBe(shape)
    },
  )

  it('names the operand it was told of', () => {
    expect(() => checkShape([-1], 'shape of B')).toThrow(
      'shape of B [-1]: size -1 at position 0 is negative. Sizes are integers from 0 to 2^53 - 1.',
    )
    expect(() => explain([[2], [-1]])).toThrow('shape of B [-1]')
  })

  it('counts elements exactly, up to 2^53 - 1 of them', () => {
    expect(() => checkShape([2 ** 53 - 1])).not.toThrow()
    expect(() => checkShape([2 ** 26, 2 ** 26, 1])).not.toThrow()
    const error = refusal(checkShape, [2, 2 ** 30, 2 ** 22, 3])
    expect([error.position, error.value]).toEqual([2, 2 ** 22])
    expect(error.message).toContain('the product of the sizes passes 2^53 - 1 at position 2')
    expect(refusal(checkSymbolicShape, [2 ** 30, 2 ** 30]).position).toBe(1)
  })

  it('a zero makes the product zero, wherever it stands and however large the rest', () => {
    for (const shape of [[0], [0, 2 ** 52, 2 ** 52], [2 ** 52, 2 ** 52, 0], new Array(40).fill(2 ** 52).with(7, 0)]) {
      expect(() => checkShape(shape)).not.toThrow()
    }
  })

  it('accepts a scalar and ones', () => {
    for (const shape of [[], [1], [1, 1, 1]]) expect(() => checkShape(shape)).not.toThrow()
  })
})

describe('checkSymbolicShape', () => {
  it('accepts every kind of dimension, and no rank at all', () => {
    const shapes: readonly SymbolicShape[] = [null, [], [0, 'N', null, { min: 0, max: null }, { min: 3, max: 3 }]]
    for (const shape of shapes) expect(() => checkSymbolicShape(shape)).not.toThrow()
  })

  it.each([
    [[''], 'is an empty name'],
    [[{ min: 3, max: 2 }], 'is an empty interval'],
    [[{ min: -1, max: 2 }], 'is not an interval { min, max } of sizes'],
    [[{ min: 0, max: 1.5 }], 'is not an interval'],
    [[{ max: 2 }], 'is not an interval'],
    [[{ min: 2 }], 'is not an interval'],
    [[{}], 'size {} at position 0 is not an interval'],
    [[undefined], 'is not a number'],
  ])('refuses %o', (shape, text) => {
    const error = refusal(checkSymbolicShape, shape)
    expect(error.position).toBe(0)
    expect(error.message).toContain(text)
  })
})

describe('shapes as text and number', () => {
  it('prints', () => {
    expect(formatShape([2, 'N', null, { min: 2, max: 8 }, { min: 4, max: null }])).toBe('(2,N,?,2..8,4..)')
    expect([formatShape([]), formatShape(null)]).toEqual(['()', '(?…)'])
    expect(formatDim(0)).toBe('0')
  })

  it('counts', () => {
    expect([[], [0], [2, 3, 4], [2, 0]].map(elementCount)).toEqual([1, 0, 24, 0])
  })

  it('tells concrete from symbolic', () => {
    expect([[], [2], ['N'], [null], null].map((shape) => isConcrete(shape as SymbolicShape))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
