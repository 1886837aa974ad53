// Blocks: the interpreter works on 1024 elements at a time, so every size around that, and every way of filling a block
// with short rows, must give what one element at a time gives. The first failing index is the lowest, in any block.
import { DivisionByZeroError, div, fuse, type Tensor, tensor } from 'bcast'
import 'bcast/real'
import { describe, expect, it } from 'vitest'
import { BLOCK } from '../../src/backend/interpreter/registers.ts'
import { loosely } from '../support/operators.ts'
import { thrownBy } from '../support/thrown.ts'

const INNER = [1, 2, 3, 7, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 3000]
const ROWS = [1, 2, 3, 1023, 1025]

const counting = (shape: readonly number[], from = 0): Tensor =>
  tensor(
    Int32Array.from({ length: shape.reduce((n, size) => n * size, 1) }, (_, i) => i + from),
    { share: true, shape },
  ) as Tensor

const difference = (got: Tensor, wanted: (index: number) => number): number =>
  (got.data as Int32Array).findIndex((value, i) => value !== wanted(i))

describe('blocks', () => {
  it('are of the size that these tests are about', () => {
    expect(BLOCK).toBe(1024)
  })

  const sizes = ROWS.flatMap((rows) => INNER.map((inner): [number, number] => [rows, inner])).filter(
    ([rows, inner]) => rows * inner < 700_000,
  )

  it.each(sizes)('%d rows of %d: a matrix, a row and a column', (rows, inner) => {
    const matrix = counting([rows, inner])
    const row = counting([inner], 1000)
    const column = counting([rows, 1], -7)
    const sum = loosely('sub')(loosely('sub')(matrix, row), column)
    expect(sum.shape).toEqual([rows, inner])
    expect(difference(sum, (i) => i - (1000 + (i % inner)) - (Math.floor(i / inner) - 7))).toBe(-1)
  })

  it.each(sizes)('%d rows of %d: transposed, backwards and with gaps', (rows, inner) => {
    const turned = counting([inner, rows]).transpose() as Tensor
    const back = counting([rows, inner]).slice([null, null, -1], [null, null, -1]) as Tensor
    const gaps = counting([rows, 2 * inner]).slice(null, [1, null, 2]) as Tensor
    const last = rows * inner - 1
    const turnedAt = (i: number) => (i % inner) * rows + Math.floor(i / inner)
    expect(difference(loosely('sub')(turned, back), (i) => turnedAt(i) - (last - i))).toBe(-1)
    expect(difference(loosely('sub')(gaps, turned), (i) => 2 * i + 1 - turnedAt(i))).toBe(-1)
  })

  it('several outer axes carry', () => {
    const shape = [2, 3, 4, 5, 6]
    const strided = counting([6, 5, 4, 3, 2]).transpose() as Tensor
    const wanted = strided.toArray()
    expect(loosely('add')(strided, tensor(Int32Array.of(0), { share: true, shape: [1] })).toArray()).toEqual(wanted)
    expect(loosely('add')(counting(shape), counting([2, 1, 4, 1, 1])).get(1, 2, 3, 4, 5)).toBe(719 + 7)
    const mixed = loosely('add')(counting(shape), counting([3, 1, 5, 1]))
    expect(difference(mixed, (i) => i + 5 * (Math.floor(i / 120) % 3) + (Math.floor(i / 6) % 5))).toBe(-1)
  })

  it('one after another in one program leave nothing behind', () => {
    // The same compiled block serves calls of different sizes.
    for (const n of [3000, 1, 1025, 5, 1024])
      expect(difference(loosely('neg')(counting([n], 1)), (i) => -(i + 1))).toBe(-1)
    const strings = (n: number): Tensor => tensor(Array.from({ length: n }, (_, i) => `s${i}`)) as Tensor
    for (const n of [2000, 3, 1024])
      expect((loosely('identity')(strings(n)).data as unknown as string[]).at(-1)).toBe(`s${n - 1}`)
  })

  it('of every type', () => {
    const n = 2500
    for (const dtype of [
      'float16',
      'bfloat16',
      'float32',
      'float64',
      'int8',
      'int16',
      'int64',
      'uint8',
      'uint16',
      'uint32',
      'uint64',
    ] as const) {
      const x = loosely('cast')(
        tensor(
          Float64Array.from({ length: n }, (_, i) => i % 60),
          { share: true },
        ),
        dtype,
      )
      const sum = loosely('cast')(loosely('add')(x, x), 'float64').data as unknown as Float64Array
      expect(sum.findIndex((value, i) => value !== 2 * (i % 60))).toBe(-1)
    }
  })
})

describe('division by zero', () => {
  const failing = (compute: () => unknown): readonly number[] => {
    const error = thrownBy(compute)
    expect(error).toBeInstanceOf(DivisionByZeroError)
    return (error as DivisionByZeroError).index
  }

  const withZeros = (shape: readonly number[], zeros: readonly number[]): Tensor => {
    const array = new Int32Array(shape.reduce((n, size) => n * size, 1)).fill(3)
    for (const position of zeros) array[position] = 0
    return tensor(array, { share: true, shape }) as Tensor
  }

  it.each([0, 1, 1023, 1024, 1025, 2048, 4999])('at position %d of one axis', (position) => {
    expect(failing(() => loosely('div')(counting([5000]), withZeros([5000], [position, 4999])))).toEqual([position])
  })

  it.each([
    [3, 1000],
    [7, 300],
    [2000, 3],
    [3, 1500],
    [40, 64],
  ])('in %d rows of %d, the first in row-major order', (rows, inner) => {
    for (const position of [0, inner - 1, inner, rows * inner - 1, Math.floor((rows * inner) / 2)]) {
      const zeros = withZeros([rows, inner], [position, rows * inner - 1])
      expect(failing(() => loosely('mod')(counting([rows, inner]), zeros))).toEqual([
        Math.floor(position / inner),
        position % inner,
      ])
    }
  })

  it('of a divisor that is transposed, so that memory order differs', () => {
    const divisor = withZeros([50, 40], [1, 39 * 40]).transpose() as Tensor
    // Memory position 1 is index (1, 0); position 39 * 40 is (0, 39), which comes first.
    expect(failing(() => loosely('div')(counting([40, 50]), divisor))).toEqual([0, 39])
  })

  it('of rationals, whose quotient is computed with', () => {
    const exact = (values: number[]) => tensor(values, { dtype: 'real' })
    const [x, y] = [exact([1, 0, 3]), exact([1, 1, 0])]
    expect(failing(() => fuse((a, b) => a.div(b).add(1))(x, y))).toEqual([2])
    expect(failing(() => fuse((a, b) => a.div(b).less(1))(x, y))).toEqual([2])
    expect(failing(() => fuse((a, b) => a.div(b).cast('float32'))(x, y))).toEqual([2])
    expect(failing(() => fuse((a, b) => a.div(b).add(a.div(a)))(x, y))).toEqual([1])
    const out = exact([7, 7, 7])
    expect(failing(() => div(x, y, { out }))).toEqual([2])
    expect(out.toArray()).not.toContain(undefined)
  })

  it('of a divisor that is stretched', () => {
    expect(failing(() => loosely('div')(counting([30, 100]), withZeros([30, 1], [11, 12])))).toEqual([11, 0])
    expect(failing(() => loosely('div')(counting([30, 100]), withZeros([100], [60, 70])))).toEqual([0, 60])
    expect(failing(() => loosely('div')(counting([4, 5, 6, 1]), withZeros([5, 1, 7], [8])))).toEqual([0, 1, 0, 1])
    expect(failing(() => loosely('div')(counting([]), withZeros([], [0])))).toEqual([])
  })

  it('of 64-bit integers and rationals too', () => {
    const wide = BigInt64Array.from({ length: 3000 }, () => 1n)
    wide[2999] = 0n
    expect(failing(() => loosely('floorMod')(tensor(5n), tensor(wide)))).toEqual([2999])
  })

  it('says which operator, where, and what to do', () => {
    expect(() => loosely('div')(tensor([1n, 2n]), tensor([1n, 0n]))).toThrow(
      'Div: division by zero at index [1] of the result. Make the divisor there nonzero: where(equal(y, 0), 1, y) in the place of y. A where around the quotient comes too late.',
    )
    expect(thrownBy(() => loosely('mod')(tensor([1n]), tensor([0n])))).toMatchObject({
      code: 'BCAST_DIVISION_BY_ZERO',
      operator: 'Mod',
      index: [0],
    })
  })

  it('does not concern results without elements', () => {
    expect(loosely('div')(counting([0, 1]), withZeros([3], [0, 1, 2])).shape).toEqual([0, 3])
  })
})
