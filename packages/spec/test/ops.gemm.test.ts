// Gemm: the order of its roundings, transposition, empty products and integer factors. MatMul: vectors and batches.
import { describe, expect, it } from 'vitest'
import { fromFlat, fromNested, gemm, matmul, rational, toFlat, type Value } from '../src/index.ts'

const m = (rows: Value[][]): ReturnType<typeof fromFlat<Value>> =>
  fromFlat<Value>([rows.length, rows[0]!.length], rows.flat())

describe('Gemm', () => {
  it('multiplies, transposes, scales and adds', () => {
    const a = m([
      [1, 2, 3],
      [4, 5, 6],
    ])
    const b = m([
      [1, 0],
      [2, 1],
      [0, 3],
    ])
    expect(toFlat(gemm('float32', a, b))).toEqual([5, 11, 14, 23])
    const at = m([
      [1, 4],
      [2, 5],
      [3, 6],
    ])
    const bt = m([
      [1, 2, 0],
      [0, 1, 3],
    ])
    expect(toFlat(gemm('float64', at, bt, undefined, { transA: true, transB: true }))).toEqual([5, 11, 14, 23])
    const c = fromNested<Value>([1, 2])
    expect(toFlat(gemm('float32', a, b, c, { alpha: 2, beta: 0.5 }))).toEqual([10.5, 23, 28.5, 47])
  })
  it('accumulates ascending k and rounds each step', () => {
    expect(toFlat(gemm('float32', m([[2 ** 24, 1, 1]]), m([[1], [1], [1]])))).toEqual([2 ** 24])
    expect(toFlat(gemm('float32', m([[1, 1, 2 ** 24]]), m([[1], [1], [1]])))).toEqual([2 ** 24 + 2])
    const third = Math.fround(1 / 3)
    const product = Math.fround(third * third)
    expect(toFlat(gemm('float32', m([[third, third]]), m([[third], [-third]])))).toEqual([0])
    expect(toFlat(gemm('float32', m([[third, 1]]), m([[third], [1]])))).toEqual([Math.fround(product + 1)])
  })
  it('16-bit types accumulate in float32 and round once, after alpha and beta', () => {
    expect(toFlat(gemm('float16', m([[2048, 1, 1]]), m([[1], [1], [1]])))).toEqual([2050])
    const a = m([[256, 256]])
    const b = m([[256], [256]])
    expect(toFlat(gemm('float16', a, b, undefined, { alpha: 0.25 }))).toEqual([32768])
    // 65536 is beyond float16, 65536 - 1024 is not.
    expect(toFlat(gemm('float16', a, b, fromNested<Value>(-1024), { alpha: 0.5 }))).toEqual([64512])
  })
  it('an empty product is +0, and a zero sum of negative zeros is +0', () => {
    expect(toFlat(gemm('float32', fromFlat<Value>([1, 0], []), fromFlat<Value>([0, 2], [])))).toEqual([0, 0])
    expect(toFlat(gemm('float32', m([[-0]]), m([[1]])))).toEqual([0])
    expect(toFlat(gemm('float32', m([[-0]]), m([[1]]), undefined, { alpha: -1 }))).toEqual([-0])
    expect(toFlat(gemm('float32', m([[1]]), m([[1]]), fromNested<Value>(Infinity), { beta: 0 }))).toEqual([Number.NaN])
  })
  it('integers wrap and need integral factors', () => {
    expect(toFlat(gemm('int8', m([[100, 100]]), m([[1], [1]]), fromNested<Value>(1), { alpha: 1, beta: 2 }))).toEqual([
      -54,
    ])
    expect(toFlat(gemm('uint64', m([[3n]]), m([[5n]]), undefined, { alpha: -1 }))).toEqual([2n ** 64n - 15n])
    expect(() => gemm('int32', m([[1]]), m([[1]]), undefined, { alpha: 0.5 })).toThrow(
      expect.objectContaining({ code: 'value' }),
    )
  })
  it('real is exact', () => {
    const third = rational(1n, 3n)
    expect(toFlat(gemm('real', m([[third]]), m([[third]]), fromNested<Value>(third), { alpha: third }))).toEqual([
      rational(10n, 27n),
    ])
  })
  it('refuses what is no product', () => {
    expect(() => gemm('float32', m([[1, 2]]), m([[1, 2]]))).toThrow(expect.objectContaining({ code: 'shape' }))
    expect(() => gemm('float32', fromNested<Value>([1]), m([[1]]))).toThrow(expect.objectContaining({ code: 'shape' }))
    expect(() => gemm('bool', m([[true]]), m([[true]]))).toThrow(expect.objectContaining({ code: 'type' }))
  })
})

describe('MatMul', () => {
  const counted = (...shape: number[]) =>
    fromFlat<Value>(
      shape,
      Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i),
    )

  it('takes vectors as rows and columns, which go again', () => {
    expect(toFlat(matmul('int32', counted(3), counted(3)))).toEqual([5])
    expect(matmul('int32', counted(3), counted(3)).shape).toEqual([])
    expect(toFlat(matmul('int32', counted(2), counted(2, 3)))).toEqual([3, 4, 5])
    expect(toFlat(matmul('int32', counted(2, 3), counted(3)))).toEqual([5, 14])
    expect(matmul('int32', counted(5, 2, 3), counted(3)).shape).toEqual([5, 2])
  })

  it('brings batches together as numpy does', () => {
    const product = matmul('int32', counted(2, 1, 1, 2), counted(3, 2, 1))
    expect(product.shape).toEqual([2, 3, 1, 1])
    expect(toFlat(product)).toEqual([1, 3, 5, 3, 13, 23])
    expect(toFlat(matmul('float32', counted(2, 2, 0), counted(0, 1)))).toEqual([0, 0, 0, 0])
    expect(matmul('float32', counted(0, 2, 3), counted(3, 1)).shape).toEqual([0, 2, 1])
  })

  it('refuses scalars, batches and sizes that do not meet', () => {
    expect(() => matmul('int32', counted(), counted(1))).toThrow('matmul.rank')
    expect(() => matmul('int32', counted(2, 2, 3), counted(3, 3, 2))).toThrow('matmul.batch')
    expect(() => matmul('int32', counted(0, 3), counted(2, 0))).toThrow('3 columns against 2 rows')
  })
})
