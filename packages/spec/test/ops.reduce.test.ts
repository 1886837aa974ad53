// Reductions, by hand: which elements meet in which order, what is rounded when, and what nothing gives.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argReduce, cumSum, fromFlat, inTree, logSumExp, reduce, toFlat, type Value } from '../src/index.ts'

const letters = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}`)
const order = (count: number): string => inTree((x, y) => `(${x} ${y})`, letters(count))
const counted = (...shape: number[]) =>
  fromFlat<Value>(
    shape,
    Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i),
  )

describe('the tree', () => {
  it('is in pairs up to eight', () => {
    expect([1, 2, 3, 5, 8].map(order)).toEqual([
      '0',
      '(0 1)',
      '((0 1) 2)',
      '(((0 1) (2 3)) 4)',
      '(((0 1) (2 3)) ((4 5) (6 7)))',
    ])
  })

  it('deals to eight lanes beyond', () => {
    expect(order(11)).toBe('((((0 8) (1 9)) ((2 10) 3)) ((4 5) (6 7)))')
  })

  it('takes sixteen of a lane one after the other, and those blocks in pairs', () => {
    const first = inTree((x, y) => `(${x} ${y})`, letters(137)).split(' 1 ')[0]!
    const block = Array.from({ length: 15 }, (_, i) => 8 * (i + 1)).reduce((x, i) => `(${x} ${i})`, '0')
    // Elements 128 and 136 are the second block of lane 0.
    expect(first.replace(/^\(+/, '')).toMatch(/^0 8\).* 120\) \(128 136\)\)/)
    expect(first).toContain(`(${block} (128 136))`)
    const depth = (count: number): number =>
      inTree(
        (x, y) => Math.max(x, y) + 1,
        letters(count).map(() => 0),
      )
    expect([128, 129, 256, 257, 1024].map(depth)).toEqual([18, 19, 19, 20, 21])
  })

  it('loses little: eight thousand tenths', () => {
    const tenth = Math.fround(0.1)
    const x = fromFlat<Value>(
      [8192],
      Array.from({ length: 8192 }, () => tenth),
    )
    expect(Math.abs(Number(toFlat(reduce('Sum', 'float32', x))[0]) / (8192 * tenth) - 1)).toBeLessThan(2e-7)
  })
})

describe('axes', () => {
  it('any set, kept or not, from the end too', () => {
    const x = counted(2, 3, 2)
    expect(toFlat(reduce('Sum', 'int32', x))).toEqual([66])
    expect(reduce('Sum', 'int32', x, { axes: [1] }).shape).toEqual([2, 2])
    expect(reduce('Sum', 'int32', x, { axes: [-2], keepdims: true }).shape).toEqual([2, 1, 2])
    expect(toFlat(reduce('Sum', 'int32', x, { axes: [0, 2] }))).toEqual([14, 22, 30])
    expect(toFlat(reduce('Max', 'int32', x, { axes: [] }))).toEqual(toFlat(x))
    expect(() => reduce('Sum', 'int32', x, { axes: [3] })).toThrow('axes')
    expect(() => reduce('Sum', 'int32', x, { axes: [1, -2] })).toThrow('axes')
  })

  it('side by side are one run, also around a size of 1; others are reduced the last first', () => {
    // 2^24 swallows a 1 that meets it alone.
    const big = 2 ** 24
    const values = [big, 1, 1, 1, 1, 1, 1, 1, 1]
    const sum = (shape: number[], axes: number[]) =>
      toFlat(reduce('Sum', 'float32', fromFlat<Value>(shape, values), { axes }))
    const flat = sum([9], [0])
    expect(sum([3, 3], [0, 1])).toEqual(flat)
    expect(sum([3, 1, 3], [0, 2])).toEqual(flat)
    expect(flat).toEqual([big + 6])
    // Rows first where a kept axis parts them: (2^24 + 1) + 1 is 2^24, and then both threes are rounded up.
    const twice = [0, 3, 6].flatMap((row) => [...values.slice(row, row + 3), ...values.slice(row, row + 3)])
    const parted = reduce('Sum', 'float32', fromFlat<Value>([3, 2, 3], twice), { axes: [0, 2] })
    expect(toFlat(parted)).toEqual([big + 8, big + 8])
  })
})

describe('types', () => {
  it('16-bit floats are float32 until the end', () => {
    const x = fromFlat<Value>([3], [60000, 60000, -60000])
    expect(toFlat(reduce('Sum', 'float16', x))).toEqual([60000])
    expect(toFlat(reduce('Mean', 'float16', x))).toEqual([20000])
    expect(toFlat(reduce('SumSquare', 'float16', x))).toEqual([Infinity])
    expect(toFlat(reduce('L2', 'float16', fromFlat<Value>([2], [300, 400])))).toEqual([500])
  })

  it('integers wrap', () => {
    expect(toFlat(reduce('Sum', 'int8', fromFlat<Value>([3], [100, 100, 100])))).toEqual([44])
    expect(toFlat(reduce('Prod', 'uint64', fromFlat<Value>([2], [2n ** 63n, 2n])))).toEqual([0n])
    expect(toFlat(reduce('L1', 'int8', fromFlat<Value>([2], [-128, 1])))).toEqual([-127])
  })

  it('NaN and signed zeros are those of the operators', () => {
    expect(toFlat(reduce('Max', 'float32', fromFlat<Value>([3], [1, NaN, 3])))).toEqual([NaN])
    expect(toFlat(reduce('Max', 'float32', fromFlat<Value>([2], [-0, 0])))).toEqual([0])
    expect(toFlat(reduce('Sum', 'float32', fromFlat<Value>([2], [-0, -0])))).toEqual([-0])
  })

  it('nothing gives what ONNX says', () => {
    const of = (operator: string, dtype: 'float32' | 'int8' | 'int64' | 'bool') =>
      toFlat(reduce(operator, dtype, fromFlat<Value>([2, 0], []), { axes: [1] }))
    expect(of('Sum', 'float32')).toEqual([0, 0])
    expect(of('Prod', 'int64')).toEqual([1n, 1n])
    expect(of('Max', 'float32')).toEqual([-Infinity, -Infinity])
    expect(of('Max', 'int8')).toEqual([-128, -128])
    expect(of('Min', 'int64')).toEqual([2n ** 63n - 1n, 2n ** 63n - 1n])
    expect(of('Mean', 'float32')).toEqual([NaN, NaN])
    expect([of('Any', 'bool'), of('All', 'bool')]).toEqual([
      [false, false],
      [true, true],
    ])
    expect(() => reduce('Max', 'real', fromFlat<Value>([0], []))).toThrow('no elements')
    expect(() => reduce('Mean', 'int32', counted(3))).toThrow('not defined')
  })

  it('sums of rationals are exact', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 40 }), (denominators) => {
        const values = denominators.map((d) => ({ n: 1n, d: BigInt(d) }))
        const [sum] = toFlat(reduce('Sum', 'real', fromFlat<Value>([values.length], values))) as [
          { n: bigint; d: bigint },
        ]
        const product = denominators.reduce((all, d) => all * BigInt(d), 1n)
        expect(sum.n * product).toBe(sum.d * denominators.reduce((all, d) => all + product / BigInt(d), 0n))
      }),
    )
  })
})

it('logSumExp neither overflows nor loses what is small', () => {
  const of = (...values: number[]) => toFlat(logSumExp('float64', fromFlat<Value>([values.length], values)))[0]
  expect(of(1000, 1000)).toBe(1000 + Math.LN2)
  expect(of(-1000)).toBe(-1000)
  expect([of(-Infinity, -Infinity), of(Infinity, 1), of(NaN, 1)]).toEqual([-Infinity, Infinity, NaN])
  const x = fromFlat<Value>([2, 2], [0, 0, 1, 1])
  expect(logSumExp('float32', x, { axes: [0], keepdims: true }).shape).toEqual([1, 2])
})

it('argMax and argMin find the first or the last, and NaN', () => {
  const x = fromFlat<Value>([2, 4], [1, 3, 3, 2, 5, NaN, 9, NaN])
  expect(toFlat(argReduce('ArgMax', 'float32', x, { axis: 1 }))).toEqual([1n, 1n])
  expect(toFlat(argReduce('ArgMax', 'float32', x, { axis: -1, last: true }))).toEqual([2n, 3n])
  expect(toFlat(argReduce('ArgMin', 'float32', x, { axis: 0 }))).toEqual([0n, 1n, 0n, 1n])
  expect(argReduce('ArgMin', 'float32', x, { axis: 0, keepdims: true }).shape).toEqual([1, 4])
  expect(() => argReduce('ArgMax', 'float32', fromFlat<Value>([0], []), { axis: 0 })).toThrow('no elements')
})

it('cumSum runs one way or the other, with or without the place itself', () => {
  const x = fromFlat<Value>([4], [1, 2, 3, 4])
  expect(toFlat(cumSum('int32', x, 0))).toEqual([1, 3, 6, 10])
  expect(toFlat(cumSum('int32', x, 0, { exclusive: true }))).toEqual([0, 1, 3, 6])
  expect(toFlat(cumSum('int32', x, 0, { reverse: true }))).toEqual([10, 9, 7, 4])
  expect(toFlat(cumSum('int32', x, -1, { reverse: true, exclusive: true }))).toEqual([9, 7, 4, 0])
  // Each sum goes on from the last in float32, and is rounded by itself.
  expect(toFlat(cumSum('float16', fromFlat<Value>([3], [2048, 1, 1]), 0))).toEqual([2048, 2048, 2050])
})
