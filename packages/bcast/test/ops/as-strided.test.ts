// Strides of one's own over a tensor: every element is the one that arithmetic says, and none of another tensor.
import { add, asStrided, IndexError, identity, OperandError, ReadOnlyError, type Tensor, tensor, zeros } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settings } from '../support/oracle.ts'
import { thrownBy } from '../support/thrown.ts'

const numbers = (count: number): Tensor<'float32', [number]> =>
  tensor(
    Float32Array.from({ length: count }, (_, i) => i),
    { shape: [count] },
  )

describe('asStrided', () => {
  it('gives the elements that strides lead to, or refuses what lies outside', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(4), fc.integer({ min: -3, max: 6 })), { maxLength: 3 }),
        fc.integer({ min: -2, max: 30 }),
        (axes, offset) => {
          const [shape, strides] = [axes.map(([size]) => size), axes.map(([, stride]) => stride)]
          let places: number[] = [offset]
          for (const [axis, size] of shape.entries()) {
            places = places.flatMap((place) => Array.from({ length: size }, (_, i) => place + i * strides[axis]!))
          }
          const x = numbers(24)
          const view = (): Tensor => asStrided(x, { shape, strides, offset }) as Tensor
          if (places.some((place) => place < 0 || place >= 24)) return thrownBy(view) instanceof IndexError
          const made = view()
          const seen = [made.toArray()].flat(4)
          // Writing is only for those whose positions are different elements; it may be refused to more.
          const repeats = new Set(places).size < places.length
          return (
            seen.length === places.length && seen.every((each, i) => each === places[i]) && (!repeats || made.readOnly)
          )
        },
      ),
      settings(1000),
    )
  })

  it('writes into the tensor, where positions are different elements', () => {
    const x = zeros([6])
    add(
      tensor([
        [1, 2],
        [3, 4],
        [5, 6],
      ]),
      0,
      { out: asStrided(x, { shape: [3, 2], strides: [1, 3] }) },
    )
    expect(x.toArray()).toEqual([1, 3, 5, 2, 4, 6])
    const repeated = asStrided(x, { shape: [2, 6], strides: [0, 1] })
    expect(() => add(repeated, 1, { out: repeated })).toThrow(ReadOnlyError)
  })

  it('counts from the first element of a view, and reaches none beyond it', () => {
    const rows = numbers(12).reshape(4, 3).slice([1, 3])
    expect(asStrided(rows, { shape: [3, 2], strides: [1, 3] }).toArray()).toEqual([
      [3, 6],
      [4, 7],
      [5, 8],
    ])
    expect(() => asStrided(rows, { shape: [7], strides: [1] })).toThrow('reaches element 6 of 6')
    expect(() => asStrided(rows, { shape: [1], strides: [1], offset: -1 })).toThrow(IndexError)
    const across = numbers(12).reshape(4, 3).T
    expect(() => asStrided(across, { shape: [2], strides: [1] })).toThrow('make a copy with identity(x) first')
    expect(asStrided(identity(across), { shape: [2], strides: [1] }).toArray()).toEqual([0, 3])
  })

  it.each([
    ['nothing', [numbers(4)]],
    ['a shape alone', [numbers(4), [2, 2]]],
    ['too few strides', [numbers(4), { shape: [2, 2], strides: [1] }]],
    ['a stride that is no integer', [numbers(4), { shape: [2], strides: [0.5] }]],
    ['an offset that is no integer', [numbers(4), { shape: [2], strides: [1], offset: '1' }]],
    ['another name', [numbers(4), { shape: [2], stride: [1] }]],
    ['shape, strides and offset one by one, as PyTorch has them', [numbers(4), [2], [1], 0]],
    ['something behind it', [numbers(4), { shape: [2], strides: [1] }, 0]],
    ['no tensor', [[1, 2], { shape: [2], strides: [1] }]],
  ])('refuses %s', (_, args) => {
    expect(() => (asStrided as (...given: unknown[]) => unknown)(...args)).toThrow(OperandError)
  })
})
