// What a tensor shows: data, get, toArray.
import { broadcast, dtypes, IndexError, type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { elementsOf, make, specials } from '../../../../testing/elements.ts'

describe('data', () => {
  it('is the storage itself where the elements lie in order', () => {
    const array = Float32Array.of(0, 1, 2, 3, 4, 5)
    const x = tensor(array, { share: true, shape: [2, 3] })
    expect(x.data).toBe(array)
    expect(x.reshape(3, 2).data).toBe(array)
    expect(x.data).toBe(x.data)
  })

  it('is the part of the storage where only a part is meant, shared', () => {
    const array = Float32Array.of(0, 1, 2, 3, 4, 5)
    const row = tensor(array, { share: true, shape: [2, 3] }).slice(1)
    expect(row.data).toEqual(Float32Array.of(3, 4, 5))
    expect(row.data.buffer).toBe(array.buffer)
    row.data[0] = 30
    expect(array[3]).toBe(30)
  })

  it('is a packed copy elsewhere', () => {
    const array = Float32Array.of(0, 1, 2, 3, 4, 5)
    const turned = tensor(array, { share: true, shape: [2, 3] }).transpose()
    expect(turned.data).toEqual(Float32Array.of(0, 3, 1, 4, 2, 5))
    expect(turned.data.buffer).not.toBe(array.buffer)
    expect(tensor(array, { share: true }).slice([null, null, -1]).data).toEqual(Float32Array.of(5, 4, 3, 2, 1, 0))
  })

  it('of strings is the array, or a copy of a part', () => {
    const words = ['a', 'b', 'c']
    const x = tensor(words)
    expect(x.data).toEqual(words)
    expect(x.slice([1]).data).toEqual(['b', 'c'])
    expect(x.slice([null, null, -1]).data).toEqual(['c', 'b', 'a'])
  })

  it.each(dtypes)('%s has one array class', (dtype) => {
    const x = make(dtype, specials(dtype).slice(0, 2))
    const reversed = x.slice([null, null, -1])
    expect(Object.getPrototypeOf(reversed.data)).toBe(Object.getPrototypeOf(x.data))
    expect(elementsOf(reversed as Tensor)).toEqual(elementsOf(x).toReversed())
  })
})

describe('get', () => {
  const x = tensor([
    [1, 2, 3],
    [4, 5, 6],
  ])

  it('counts from either end', () => {
    expect(x.get(0, 0)).toBe(1)
    expect(x.get(1, 2)).toBe(6)
    expect(x.get(-1, -3)).toBe(4)
    expect(tensor(7).get()).toBe(7)
  })

  it('refuses wrong numbers of indices and indices outside', () => {
    // @ts-expect-error the compiler sees it, too
    expect(() => x.get(1)).toThrow(IndexError)
    // @ts-expect-error the compiler sees it, too
    expect(() => x.get(1)).toThrow('get(1) of shape (2,3): give 2 indices, not 1.')
    // @ts-expect-error the compiler sees it, too
    expect(() => x.get(0, 3)).toThrow('index 3 on axis 1 of size 3: indices are -3 to 2.')
    // @ts-expect-error the compiler sees it, too
    expect(() => x.get(-3, 0)).toThrow('index -3 on axis 0 of size 2: indices are -2 to 1.')
    expect(() => x.get(0.5, 0)).toThrow('index 0.5 on axis 0')
    expect(() => x.get(Number.NaN, 0)).toThrow(IndexError)
  })

  it.each(dtypes)('%s gives the value that toArray gives', (dtype) => {
    const values = make(dtype, specials(dtype))
    const array = values.toArray() as unknown[]
    for (let i = 0; i < array.length; i++) expect(values.get(i)).toEqual(array[i])
  })
})

describe('toArray', () => {
  it('nests to any depth, and keeps empty axes', () => {
    expect(tensor([[[1], [2]]]).toArray()).toEqual([[[1], [2]]])
    expect(tensor([[], []]).toArray()).toEqual([[], []])
    expect(tensor([], { shape: [0, 2] }).toArray()).toEqual([])
    expect(tensor(1n).toArray()).toBe(1n)
  })

  it('keeps -0 and NaN', () => {
    const [zero, nan] = tensor([-0, Number.NaN]).toArray() as number[]
    expect(Object.is(zero, -0)).toBe(true)
    expect(nan).toBeNaN()
  })
})

describe('sizes no memory holds', () => {
  it('[sonnx1.purpose.size] a broadcast to a million by a million costs nothing', () => {
    const x = tensor([1])
    const huge = x.broadcastTo([1_000_000, 1_000_000]) as Tensor
    expect(huge.storage).toBe(x.storage)
    expect(huge.size).toBe(1e12)
    expect(huge.get(999_999, 999_999)).toBe(1)
    expect((huge.slice([null, null, 500_000], [0, 2]) as Tensor).toArray()).toEqual([
      [1, 1],
      [1, 1],
    ])
    const [a, b] = broadcast(tensor(new Float32Array(2), { share: true, shape: [2, 1] }), x.broadcastTo([1_000_000]))
    expect(a.shape).toEqual([2, 1_000_000])
    expect(b.storage).toBe(x.storage)
  })
})
