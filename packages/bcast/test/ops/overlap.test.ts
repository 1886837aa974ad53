// `{ out }` over the memory of an operand. The result must be what it would have been in memory of its own, whether the
// computation fits in one block or has written a thousand elements before it reads the next.
import { add, cast, type DType, fromData, type Tensor, tensor } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onEveryBackend } from '../../../../testing/backends.ts'
import { elementsOf, make, specials, type Value } from '../../../../testing/elements.ts'
import { loosely } from '../support/operators.ts'
import { settings } from '../support/oracle.ts'

const asNumbers = (x: Tensor): number[] => Array.from(x.data as ArrayLike<number>)
/** Elements that differ from their neighbours in every way a shift could hide. */
const scattered = (n: number): number[] => Array.from({ length: n }, (_, i) => (i * 7919) % 1009)
const reversed = (x: Tensor): Tensor => x.slice([null, null, -1]) as Tensor

onEveryBackend(() => {
  describe.each([5, 3000])('out over an operand of %d elements', (n) => {
    it('in place, element by element', () => {
      const x = make('float32', scattered(n))
      expect(add(x, x, { out: x })).toBe(x)
      expect(asNumbers(x)).toEqual(scattered(n).map((value) => 2 * value))
    })

    it('reversed', () => {
      const x = make('float64', scattered(n))
      loosely('add')(x, make('float64', [0.5]), { out: reversed(x) })
      expect(asNumbers(x)).toEqual(
        scattered(n)
          .map((value) => value + 0.5)
          .toReversed(),
      )
    })

    it('shifted, as a running copy would go wrong', () => {
      const values = scattered(n)
      const up = make('uint16', values)
      loosely('identity')(up.slice([0, n - 1]), { out: up.slice([1, n]) })
      expect(asNumbers(up)).toEqual([values[0], ...values.slice(0, -1)])
      const down = make('uint16', values)
      loosely('identity')(down.slice([1, n]), { out: down.slice([0, n - 1]) })
      expect(asNumbers(down)).toEqual([...values.slice(1), values.at(-1)])
    })

    it('of strings', () => {
      const words = scattered(n).map(String)
      const x = make('string', words)
      loosely('identity')(reversed(x), { out: x })
      expect(x.toArray()).toEqual(words.toReversed())
    })

    it('through another typed array of one buffer', () => {
      const buffer = new ArrayBuffer(8 * n + 8)
      const values = scattered(n)
      const words = new Int32Array(buffer, 0, n)
      words.set(values)
      const later = tensor(new Int32Array(buffer, 4, n), { share: true }) as Tensor
      loosely('identity')(tensor(words, { share: true }), { out: later })
      expect(asNumbers(later)).toEqual(values)
    })

    it('of another type over the same bytes', () => {
      const buffer = new ArrayBuffer(8 * n)
      const values = scattered(n)
      const floats = tensor(new Float32Array(buffer, 0, n), { share: true })
      floats.data.set(values)
      expect(
        asNumbers(cast(floats, 'int32', { out: tensor(new Int32Array(buffer, 0, n), { share: true }) }) as Tensor),
      ).toEqual(values)

      const wide = tensor(new Float64Array(buffer), { share: true })
      wide.data.set(values)
      expect(
        asNumbers(
          cast(wide, 'float32', { out: tensor(new Float32Array(buffer, 4 * n, n), { share: true }) }) as Tensor,
        ),
      ).toEqual(values)
    })

    it('of bools over the floats they compare', () => {
      const buffer = new ArrayBuffer(4 * n)
      const bits = fromData('bool', new Uint8Array(buffer, n, n), [n])
      const floats = tensor(new Float32Array(buffer), { share: true })
      floats.data.set(scattered(n))
      loosely('less')(floats, make('float32', [500]), { out: bits })
      expect(bits.toArray()).toEqual(scattered(n).map((value) => value < 500))
    })
  })

  describe.each([3, 60])('out over an operand of %d by itself', (side) => {
    const values = scattered(side * side)
    const at = (i: number, j: number): number => values[i * side + j]!
    const table = (value: (i: number, j: number) => number): number[] =>
      Array.from({ length: side * side }, (_, k) => value(Math.floor(k / side), k % side))

    it('transposed', () => {
      const x = make('int16', values, [side, side])
      loosely('identity')(x.transpose(), { out: x })
      expect(asNumbers(x)).toEqual(table((i, j) => at(j, i)))
    })

    it('stretched: out covers the row or column that is read again and again', () => {
      const rows = make('int32', values, [side, side])
      loosely('add')(rows, rows.slice([0, 1]), { out: rows })
      expect(asNumbers(rows)).toEqual(table((i, j) => at(i, j) + at(0, j)))
      const columns = make('int32', values, [side, side])
      loosely('mul')(columns, columns.slice(null, [1, 2]), { out: columns })
      expect(asNumbers(columns)).toEqual(table((i, j) => at(i, j) * at(i, 1)))
      const last = make('int32', values, [side, side])
      loosely('add')(last, last.slice(-1, -1), { out: last })
      expect(asNumbers(last)).toEqual(table((i, j) => at(i, j) + at(side - 1, side - 1)))
    })

    it('whatever views of it the operands are', () => {
      const matrixView = fc.constantFrom<(x: Tensor) => Tensor>(
        (x) => x,
        (x) => x.transpose() as Tensor,
        reversed,
        (x) => x.slice(null, [null, null, -1]) as Tensor,
        (x) => (x.transpose() as Tensor).slice([null, null, -1], [null, null, -1]) as Tensor,
      )
      const line = fc.nat(side - 1)
      const operandView = fc.oneof(
        matrixView,
        line.map((row) => (x: Tensor) => x.slice([row, row + 1]) as Tensor),
        line.map((column) => (x: Tensor) => x.slice(null, [column, column + 1]) as Tensor),
        line.map((row) => (x: Tensor) => x.slice(row) as Tensor),
      )
      fc.assert(
        fc.property(matrixView, operandView, operandView, fc.nat(1000), (target, left, right, seed) => {
          const start = values.map((value) => (value * 31 + seed) % 997)
          const shared = make('int32', start, [side, side])
          const apart = make('int32', start, [side, side])
          const wanted = asNumbers(loosely('max')(apart, left(apart), right(apart)))
          const out = target(shared)
          expect(loosely('max')(shared, left(shared), right(shared), { out })).toBe(out)
          expect(asNumbers(out)).toEqual(wanted)
        }),
        settings(150),
      )
    })
  })

  describe.each([12, 5000])('views of one storage of %d', (size) => {
    const range = fc.record({ from: fc.nat(6), step: fc.constantFrom(1, 2, -1, -2) })
    const count = Math.floor(size / 2)

    const view = (x: Tensor, { from, step }: { from: number; step: number }): Tensor => {
      const reach = (count - 1) * Math.abs(step)
      const start = Math.min(from, size - 1 - reach)
      const first = step > 0 ? start : start + reach
      const stop = first + count * step
      return x.slice([first, stop < 0 ? null : stop, step]) as Tensor
    }

    it('give the result of separate memory', () => {
      const types = fc.constantFrom<DType>('float32', 'int64', 'string', 'bool', 'float16')
      fc.assert(
        fc.property(types, fc.nat(1000), fc.tuple(range, range, range), (dtype, seed, [a, b, c]) => {
          const pool = specials(dtype)
          const values = Array.from({ length: size }, (_, i): Value => pool[(i * 7919 + seed) % pool.length]!)
          const shared = make(dtype, values)
          const apart = make(dtype, values)
          const condition = make(
            'bool',
            Array.from({ length: count }, (_, i) => (i * 31 + seed) % 3 === 0),
          )
          const wanted = loosely('where')(condition, view(apart, a), view(apart, b))
          const out = view(shared, c)
          expect(loosely('where')(condition, view(shared, a), view(shared, b), { out })).toBe(out)
          expect(elementsOf(out)).toEqual(elementsOf(wanted))
        }),
        settings(size < 100 ? 300 : 40),
      )
    })
  })
})
