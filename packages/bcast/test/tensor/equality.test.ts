// Tensors in assertions: type, shape and elements count, where the elements lie does not. tools/ecosystem asks the same
// of test runners that are no part of this repository.
import assert from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import { chai, describe, expect, it } from 'vitest'
import { add, broadcastTo, div, empty, fromData, type Tensor, tensor } from '../../src/index.ts'
import { real } from '../../src/real.ts'
import { thrownBy } from '../support/thrown.ts'

function passes(assertion: () => unknown): boolean {
  try {
    assertion()
    return true
  } catch (error) {
    expect(error).toHaveProperty('name', expect.stringContaining('AssertionError'))
    return false
  }
}

/** Every way in which a runner asks whether two values are equal. */
const ways: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  'expect toEqual': (a, b) => passes(() => expect(a).toEqual(b)),
  'expect toStrictEqual': (a, b) => passes(() => expect(a).toStrictEqual(b)),
  'expect toMatchObject': (a, b) => passes(() => expect({ a }).toMatchObject({ a: b })),
  'node:assert deepStrictEqual': (a, b) => passes(() => assert.deepStrictEqual(a, b)),
  'node:assert deepEqual': (a, b) => passes(() => assert.deepEqual(a, b)),
  'node:util isDeepStrictEqual': isDeepStrictEqual,
  'chai deep equal': (a, b) => passes(() => chai.assert.deepEqual(a, b)),
  'chai eql': (a, b) => passes(() => chai.expect(a).eql(b)),
}

const otherNaN = new Float32Array(new Uint32Array([0xffc0_0001]).buffer)
const square = tensor([
  [1, 2],
  [3, 4],
])

const equal: Readonly<Record<string, readonly [Tensor, Tensor]>> = {
  'a result and what was expected': [add(tensor([1, 2]), 1), tensor([2, 3])],
  'results at different places': [add(tensor([1, 2]), 1), add(tensor([1, 2]), 1)],
  'a view and a tensor of its own': [square.transpose(), tensor([[1, 3], [2, 4]])], // biome-ignore format: one line
  'a broadcast view': [broadcastTo(tensor([1, 2]), [2, 2]), tensor([[1, 2], [1, 2]])], // biome-ignore format: one line
  'NaNs of different payloads': [fromData('float32', otherNaN, [1]), tensor([Number.NaN])],
  'a NaN that was computed': [div(tensor([0]), 0), tensor([Number.NaN])],
  'nothing in one shape': [empty([0, 3]), empty([0, 3])],
  scalars: [add(tensor(1), 1), tensor(2)],
  rationals: [add(tensor([real('1/3')]), tensor([real('1/6')])), tensor([real('1/2')])],
  strings: [tensor(['a', 'b']), tensor(['a', 'b'])],
}

const different: Readonly<Record<string, readonly [Tensor, Tensor]>> = {
  elements: [add(tensor([1, 2]), 1), tensor([9, 9])],
  'elements of a scalar': [tensor(1), tensor(2)],
  'the last of many elements': [tensor(new Float64Array(300)), tensor(new Float64Array(300).fill(1, 299))],
  types: [tensor([1, 2]), tensor([1, 2], { dtype: 'float64' })],
  shapes: [square, square.reshape(4)],
  'shapes that hold nothing': [empty([0, 3]), empty([3, 0])],
  'bits of half floats': [tensor([1], { dtype: 'float16' }), tensor([1.001], { dtype: 'float16' })],
  'large integers': [tensor([2n ** 62n]), tensor([2n ** 62n + 1n])],
  booleans: [tensor([true]), tensor([false])],
  strings: [tensor(['a']), tensor(['b'])],
  rationals: [tensor([real('1/3')]), tensor([real('1/2')])],
}

describe.each(Object.entries(ways))('%s', (_, isEqual) => {
  it.each(Object.entries(equal))('takes %s as equal', (_, [a, b]) => {
    expect(isEqual(a, b)).toBe(true)
    expect(isEqual({ nested: [a] }, { nested: [b] })).toBe(true)
  })

  it.each(Object.entries(different))('tells different %s apart', (_, [a, b]) => {
    expect(isEqual(a, b)).toBe(false)
    expect(isEqual({ nested: [a] }, { nested: [b] })).toBe(false)
  })

  it('sees what was written after the last look', () => {
    const x = tensor([1, 2])
    expect(isEqual(x, tensor([1, 2]))).toBe(true)
    add(tensor([1, 2]), 1, { out: x })
    expect(isEqual(x, tensor([1, 2]))).toBe(false)
    expect(isEqual(x, tensor([2, 3]))).toBe(true)
  })
})

it('zeros of different sign are not strictly equal', () => {
  for (const way of ['expect toEqual', 'node:assert deepStrictEqual', 'chai deep equal']) {
    expect(ways[way]!(tensor([0]), tensor([-0]))).toBe(false)
  }
})

describe('a failed assertion shows the elements', () => {
  const [a, b] = [add(tensor([1, 2]), 0.5), tensor([1.5, 9])]

  it('of node:assert', () => {
    const { message } = thrownBy(() => assert.deepStrictEqual(a, b)) as Error
    expect(message).toMatch(/\+ +2\.5/)
    expect(message).toMatch(/- +9/)
  })

  it('of expect, which shows what a snapshot would', () => {
    expect(a).toMatchInlineSnapshot(`
      {
        "data": [
          1.5,
          2.5,
        ],
        "dtype": "float32",
        "shape": [
          2,
        ],
      }
    `)
  })

  it('of chai', () => {
    expect((thrownBy(() => chai.assert.deepEqual(a, b)) as Error).message).toContain('[1.5 2.5]')
  })
})

describe('a tensor that was disposed', () => {
  it('is not compared silently', () => {
    const x = tensor([1, 2])
    x.dispose()
    expect(thrownBy(() => assert.deepStrictEqual(x, tensor([1, 2])))).toMatchObject({ code: 'BCAST_DISPOSED' })
  })
})
