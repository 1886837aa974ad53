// Reading a tensor the short ways: T, at, item, iteration over the first axis.
import * as spec from '@bcast/spec'
import { broadcastTo, dtypes, IndexError, ShapeError, type Tensor, tensor, zeros } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementsOf } from '../../../../testing/elements.ts'
import { sample } from '../support/layouts.ts'

const any = fc
  .tuple(fc.constantFrom(...dtypes), fc.array(fc.constantFrom(0, 1, 2, 3), { minLength: 1, maxLength: 4 }))
  .chain(([dtype, shape]) => sample(dtype, shape))

describe('T', () => {
  it('turns the order of axes around, without moving anything', () => {
    fc.assert(
      fc.property(any, ({ tensor: x, spec: meant }) => {
        const turned = spec.define(meant.shape.toReversed(), (index) => meant.at(index.toReversed()))
        expect(x.T.shape).toEqual(turned.shape)
        expect(elementsOf(x.T)).toEqual(spec.toFlat(turned))
        expect(x.T.storage).toBe(x.storage)
      }),
    )
    expect(tensor(1).T.shape).toEqual([])
  })
})

describe('at and iteration', () => {
  it('are views of what lies at an index', () => {
    fc.assert(
      fc.property(any, ({ tensor: x, spec: meant }) => {
        const rows = [...x]
        expect(rows.length).toBe(x.shape[0])
        for (const [i, row] of rows.entries()) {
          const wanted = spec.toFlat(spec.define(meant.shape.slice(1), (index) => meant.at([i, ...index])))
          expect(row.shape).toEqual(meant.shape.slice(1))
          expect(elementsOf(row)).toEqual(wanted)
          expect(elementsOf(x.at(i - rows.length) as Tensor)).toEqual(wanted)
          expect(row.storage).toBe(x.storage)
        }
      }),
    )
  })

  it('take several indices, none, or all', () => {
    const x = tensor([
      [1, 2],
      [3, 4],
    ])
    expect(x.at(1, 0).toArray()).toBe(3)
    expect(x.at().toArray()).toEqual(x.toArray())
    expect([...tensor([5, 6])].map((scalar) => scalar.item())).toEqual([5, 6])
    expect([...tensor(5)]).toEqual([])
  })

  it('write through, unless the tensor is read-only', () => {
    const x = zeros([2, 2])
    x.at(1).data.set([7, 8])
    expect(x.toArray()).toEqual([
      [0, 0],
      [7, 8],
    ])
    expect(broadcastTo(x, [3, 2, 2]).at(0).readOnly).toBe(true)
  })

  it('refuse what is no index', () => {
    const x = zeros([2, 3])
    // @ts-expect-error the compiler sees it, too
    expect(() => x.at(2)).toThrow('index 2 on axis 0 of size 2: indices are -2 to 1.')
    // @ts-expect-error the compiler sees it, too
    expect(() => x.at(0, 0, 0)).toThrow(IndexError)
    expect(() => x.at([0, 1] as never)).toThrow(IndexError)
    expect(() => x.at(null as never)).toThrow(IndexError)
    expect(() => x.at('1' as never)).toThrow(IndexError)
  })
})

describe('item', () => {
  it('is the only element, whatever the rank', () => {
    expect([tensor(7).item(), tensor([[8]]).item(), tensor([9n]).item(), tensor([true]).item()]).toEqual([
      7,
      8,
      9n,
      true,
    ])
    expect(() => zeros([2, 3]).item()).toThrow('item() of shape (2,3): it has 6 elements, not 1.')
    expect(() => zeros([0]).item()).toThrow(ShapeError)
  })
})
