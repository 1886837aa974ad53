// `{ out }`: the result is written into a tensor that is there already. Where out shares memory with an operand, the
// result must be what it would have been in memory of its own; what cannot be written must be refused before writing.
import {
  add,
  cast,
  DisposedError,
  DTypeError,
  equal,
  expand,
  OperandError,
  ReadOnlyError,
  type Tensor,
  tensor,
  where,
} from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onEveryBackend } from '../../../../testing/backends.ts'
import { elementsOf, make } from '../../../../testing/elements.ts'
import { sample } from '../support/layouts.ts'
import { loosely } from '../support/operators.ts'
import { settings } from '../support/oracle.ts'
import { numpyShapes } from '../support/shapes.ts'

const asNumbers = (x: Tensor): number[] => Array.from(x.data as ArrayLike<number>)

onEveryBackend(() => {
  describe('out', () => {
    it('is written and returned', () => {
      const out = make('float32', [9, 9])
      expect(add(make('float32', [1, 2]), make('float32', [10]), { out })).toBe(out)
      expect(asNumbers(out)).toEqual([11, 12])
    })

    it('may be a view with any strides; what lies between stays', () => {
      const storage = new Int32Array(12).fill(7)
      const out = tensor(storage, { shape: [3, 4], share: true })
        .transpose()
        .slice([3, null, -2], [0, 2])
      loosely('add')(make('int32', [1, 2], [2, 1]), make('int32', [10, 20]), { out })
      expect(out.toArray()).toEqual([
        [11, 21],
        [12, 22],
      ])
      expect([...storage]).toEqual([7, 12, 7, 11, 7, 22, 7, 21, 7, 7, 7, 7])
    })

    it('serves every kind of operator', () => {
      const x = make('float32', [1.5, -2.5])
      const bool = make('bool', [false, false])
      expect(equal(x, x, { out: bool })).toBe(bool)
      expect(bool.toArray()).toEqual([true, true])
      const int = make('int8', [0, 0])
      expect(cast(x, 'int8', { out: int })).toBe(int)
      expect(int.toArray()).toEqual([1, -2])
      const matrix = make('float32', [0, 0, 0, 0], [2, 2])
      expect(expand(x, [2, 2], { out: matrix })).toBe(matrix)
      expect(matrix.toArray()).toEqual([
        [1.5, -2.5],
        [1.5, -2.5],
      ])
      const chosen = make('float32', [0, 0])
      expect(where(make('bool', [true, false]), x, make('float32', [8, 9]), { out: chosen })).toBe(chosen)
      expect(chosen.toArray()).toEqual([1.5, 9])
      const largest = make('float32', [0, 0])
      expect(loosely('max')(x, make('float32', [0, 0]), x, { out: largest })).toBe(largest)
      expect(largest.toArray()).toEqual([1.5, 0])
    })

    it('of no elements is returned as it is', () => {
      const out = make('float32', [], [0, 3])
      expect(loosely('add')(make('float32', [], [0, 1]), make('float32', [1, 2, 3]), { out })).toBe(out)
    })
  })

  describe('out of any layout', () => {
    it('random operands and a random layout of out', () => {
      fc.assert(
        fc.property(
          numpyShapes(2)
            .chain(([a, b]) => fc.tuple(sample('int16', a!), sample('int16', b!)))
            .chain(([x, y]) => {
              const fresh = loosely('sub')(x.tensor, y.tensor)
              return sample('int16', fresh.shape).map((target) => ({ x, y, fresh, target }))
            }),
          ({ x, y, fresh, target }) => {
            if (target.tensor.readOnly) {
              expect(() => loosely('sub')(x.tensor, y.tensor, { out: target.tensor })).toThrow(ReadOnlyError)
              return
            }
            loosely('sub')(x.tensor, y.tensor, { out: target.tensor })
            expect(elementsOf(target.tensor)).toEqual(elementsOf(fresh))
          },
        ),
        settings(200),
      )
    })
  })

  describe('an out that is refused', () => {
    const x = make('int32', [1, 2])
    const untouched = (
      out: Tensor,
      call: () => unknown,
      error: new (...args: never) => Error,
      message: string,
    ): void => {
      const before = elementsOf(out)
      expect(call).toThrow(error)
      expect(call).toThrow(message)
      expect(elementsOf(out)).toEqual(before)
    }

    it('of another type', () => {
      const out = make('float32', [5, 5])
      untouched(out, () => add(x, x, { out }), DTypeError, 'Add: out is float32 and the result is int32.')
      untouched(x, () => equal(x, x, { out: x }), DTypeError, 'Equal: out is int32 and the result is bool.')
      untouched(x, () => cast(x, 'int64', { out: x }), DTypeError, 'Cast: out is int32 and the result is int64.')
    })

    it('of another shape, even one that would hold the elements', () => {
      for (const shape of [[3], [1, 2], [2, 1], []]) {
        const out = make('int32', new Array<number>(shape.reduce((a, b) => a * b, 1)).fill(5), shape)
        untouched(
          out,
          () => add(x, x, { out }),
          OperandError,
          `Add: out has shape (${shape.join(',')}) and the result has (2); they must be equal.`,
        )
      }
    })

    it.each([
      ['repeats elements', make('int32', [5]).broadcastTo([2])],
      ['was broadcast to the shape that it had', make('int32', [5, 6]).broadcastTo([2])],
    ])('that %s', (_, out) => {
      untouched(
        out,
        () => add(x, x, { out }),
        ReadOnlyError,
        'Add: out is a view of shape (2) made by broadcasting, so it is read-only: several of its positions may be one element.',
      )
    })

    it('that is no tensor, or one given back', () => {
      expect(() => add(x, x, { out: new Int32Array(2) as never })).toThrow(OperandError)
      expect(() => add(x, x, { out: [0, 0] as never })).toThrow('Add: out is not a tensor.')
      const gone = make('int32', [0, 0])
      gone.dispose()
      expect(() => add(x, x, { out: gone })).toThrow(DisposedError)
    })

    it('is not written when operands are refused', () => {
      const out = make('int32', [5, 5])
      untouched(out, () => loosely('add')(x, make('float32', [1, 2]), { out }), DTypeError, 'element types differ')
      untouched(out, () => loosely('add')(x, make('int32', [1, 2, 3]), { out }), Error, 'axis -1')
      untouched(out, () => loosely('sqrt')(x, { out }), DTypeError, 'Sqrt does not take int32')
    })
  })
})
