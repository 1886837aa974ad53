// Plans of calls as they are: which loops, copies, kernels and parts. A change here is a change of how fast something is,
// made on purpose.
import { describe, expect, it } from 'vitest'
import { bitsOf, type DType } from '../../src/dtype/dtype.ts'
import type { Program } from '../../src/expr/ir.ts'
import { lower } from '../../src/expr/lower.ts'
import type { Row } from '../../src/expr/row.ts'
import * as rows from '../../src/expr/rows/index.ts'
import type { Call } from '../../src/plan/call.ts'
import { formatPlan } from '../../src/plan/format.ts'
import { planWithPasses } from '../../src/plan/multipass.ts'
import { type Plan, type PlanOptions, planCall } from '../../src/plan/plan.ts'
import { rowMajorStrides, spread } from '../../src/tensor/layout.ts'

interface Given {
  readonly shape: readonly number[]
  /** In elements; row-major unless said. */
  readonly strides?: readonly number[]
  /** Lies in an array of the caller. */
  readonly outside?: true
}

const NOW: PlanOptions = { threads: 2, now: true, unshared: true }

/** A call of operands that meet by NumPy's rule; the result lies in the kernels' memory unless said. */
function callOf(
  program: Program,
  shape: readonly number[],
  operands: readonly Given[],
  result: Given = { shape },
): Call {
  const types = [...program.inputs, program.code.at(-1)!.dtype]
  return {
    program,
    shape,
    operands: [...operands, result].map((given, i) => {
      const strides = given.strides ?? rowMajorStrides(given.shape)
      const axes = given.shape.map((_, axis) => axis + shape.length - given.shape.length)
      const seen = spread({ shape: given.shape, strides, offset: 0 }, shape, axes)
      return { strides: seen.strides, width: bitsOf(types[i]!) / 8, resident: given.outside !== true }
    }),
  }
}

const of = (row: Row, ...dtypes: DType[]): Program => lower(row, dtypes, {})
const ADD = of(rows.add, 'float32', 'float32')

const planned = (call: Call, options: Partial<PlanOptions> = {}): string =>
  formatPlan(planCall(call, { ...NOW, ...options }))

describe('a plan', () => {
  it('of equal shapes is one loop in parts', () => {
    const matrix = { shape: [4096, 4096] }
    expect(planned(callOf(ADD, [4096, 4096], [matrix, matrix]))).toMatchInlineSnapshot(`
      "chunk (4096,4096)
        add of 3 instructions: operand 0, operand 1 -> the result
          loops 16777216: [1], [1] -> [1]
            kernel 1 unit,unit, 16 lanes, over 16777216: [1], [1] -> [1]; 16 parts, 1048576 of loop 0 each"
    `)
  })

  it('of a matrix and a row takes four rows at once', () => {
    expect(planned(callOf(ADD, [4098, 4096], [{ shape: [4098, 4096] }, { shape: [4096] }]))).toMatchInlineSnapshot(`
      "chunk (4098,4096)
        add of 3 instructions: operand 0, operand 1 -> the result
          loops 4098 x 4096: [4096 1], [0 1] -> [4096 1]
            kernel 4 unit,unit=, 8 lanes, over 4096 x 4096: [4096 1], [0 1] -> [4096 1]; 16 parts, 256 of loop 0 each
            kernel 1 unit,unit, 16 lanes, over 2 x 4096: [4096 1] from 16777216, [0 1] -> [4096 1] from 16777216; one part"
    `)
  })

  it('of a column and a row is outer loops with a splat', () => {
    expect(planned(callOf(ADD, [64, 1], [{ shape: [64, 1] }, { shape: [1] }]))).toMatchInlineSnapshot(`
      "chunk (64,1)
        add of 3 instructions: operand 0, operand 1 -> the result
          loops 64: [1], [0] -> [1]
            kernel 1 unit,splat, 16 lanes, over 64: [1], [0] -> [1]; one part"
    `)
    expect(planned(callOf(ADD, [64, 48], [{ shape: [64, 1] }, { shape: [48] }]))).toMatchInlineSnapshot(`
      "chunk (64,48)
        add of 3 instructions: operand 0, operand 1 -> the result
          loops 64 x 48: [1 0], [0 1] -> [48 1]
            kernel 1 splat,unit, 16 lanes, over 64 x 48: [1 0], [0 1] -> [48 1]; one part"
    `)
  })

  it('of pixels repeats the short row', () => {
    expect(planned(callOf(ADD, [100_000, 3], [{ shape: [100_000, 3] }, { shape: [3] }]))).toMatchInlineSnapshot(`
      "chunk (100000,3)
        add of 3 instructions: operand 0, operand 1 -> the result
          loops 146 x 2046: [2046 1], [0 1] -> [2046 1]
            copies in shared memory, 8440 bytes
              operand 1: its 3 elements over and over, 2046
            kernel 1 unit,unit, 16 lanes, over 146 x 2046: [2046 1], [0 1] -> [2046 1]; 8 parts, 19 of loop 0 each
          loops 1284: [1] from 298716, [1] -> [1] from 298716
            copies in shared memory, 8440 bytes
              operand 1: its 3 elements over and over, 2046
            kernel 1 unit,unit, 16 lanes, over 1284: [1], [1] -> [1]; one part"
    `)
  })

  it('of a transposed operand goes in strips', () => {
    const transposed = { shape: [1000, 1000], strides: [1, 1000] }
    expect(planned(callOf(ADD, [1000, 1000], [{ shape: [1000, 1000] }, transposed]))).toMatchInlineSnapshot(`
      "chunk (1000,1000)
        add of 3 instructions: operand 0, operand 1 -> the result
          loops 1000 x 1000: [1000 1], [1 1000] -> [1000 1]
            kernel 1 unit,strided, 16 lanes, over 7 x 62 x 128 x 16: [128000 16 1000 1], [128 16000 1 1000] -> [128000 16 1000 1]; 8 parts, 8 of loop 1 each
            kernel 1 unit,strided, 16 lanes, over 7 x 1 x 128 x 8: [128000 8 1000 1] from 992, [128 8000 1 1000] from 992000 -> [128000 8 1000 1] from 992; one part
            kernel 1 unit,strided, 16 lanes, over 1 x 62 x 104 x 16: [104000 16 1000 1] from 896000, [104 16000 1 1000] from 896 -> [104000 16 1000 1] from 896000; 4 parts, 16 of loop 1 each
            kernel 1 unit,strided, 16 lanes, over 1 x 1 x 104 x 8: [104000 8 1000 1] from 896992, [104 8000 1 1000] from 992896 -> [104000 8 1000 1] from 896992; one part"
    `)
  })

  it('of arrays of the caller copies small ones whole and large ones in tiles', () => {
    const row = { shape: [500], outside: true } as const
    const matrix = { shape: [300, 500], outside: true } as const
    expect(planned(callOf(ADD, [300, 500], [{ shape: [300, 500] }, row]))).toMatchInlineSnapshot(`
      "chunk (300,500)
        add of 3 instructions: operand 0, operand 1 -> the result
          loops 300 x 500: [500 1], [0 1] -> [500 1]
            copies in shared memory, 2256 bytes
              operand 1: whole, 500 as [0 1]
            kernel 1 unit,unit, 16 lanes, over 300 x 500: [500 1], [0 1] -> [500 1]; 5 parts, 60 of loop 0 each"
    `)
    expect(planned(callOf(ADD, [300, 500], [matrix, row]))).toMatchInlineSnapshot(`
      "chunk (300,500)
        add of 3 instructions: operand 0, operand 1 -> the result
          loops 300 x 500: [500 1], [0 1] -> [500 1]
            copies in shared memory, 264656 bytes
              operand 1: whole, 500 as [0 1]
              in tiles of 32 x 500: operand 0
            kernel 1 unit,unit, 16 lanes, over each tile"
    `)
  })

  it('of large arrays of the caller computes in memory that threads do not share, where there is such', () => {
    const large = { shape: [2000, 1000], outside: true } as const
    const call = callOf(ADD, [2000, 1000], [large, large], large)
    expect(planned(call)).toMatchInlineSnapshot(`
      "chunk (2000,1000)
        add of 3 instructions: operand 0, operand 1 -> the result
          loops 2000000: [1], [1] -> [1]
            copies in unshared memory, 787200 bytes
              in tiles of 16384: operand 0, operand 1, the result
            kernel 1 unit,unit, 16 lanes, over each tile"
    `)
    expect(planned(call, { unshared: false })).toMatchInlineSnapshot(`
      "chunk (2000,1000)
        add of 3 instructions: operand 0, operand 1 -> the result
          loops 2000000: [1], [1] -> [1]
            copies in shared memory, 787200 bytes
              in tiles of 16384: operand 0, operand 1, the result
            kernel 1 unit,unit, 16 lanes, over each tile"
    `)
  })

  it('that nobody waits for is cut so that copies stay small', () => {
    const large = { shape: [3000, 1000], outside: true } as const
    const call = callOf(ADD, [3000, 1000], [large, { shape: [1000] }])
    expect(planned(call, { now: false })).toMatchInlineSnapshot(`
      "chunk (1500,1000)
        add of 3 instructions: operand 0, operand 1 -> the result
          loops 1500 x 1000: [1000 1], [0 1] -> [1000 1]
            copies in shared memory, 6000256 bytes
              operand 0: whole, 1500000 as [1000 1]
            kernel 1 unit,unit, 16 lanes, over 1500 x 1000: [1000 1], [0 1] -> [1000 1]; 8 parts, 188 of loop 0 each
      chunk (1500,1000) from [1500000 0 1500000]
        add of 3 instructions: operand 0, operand 1 -> the result
          loops 1500 x 1000: [1000 1], [0 1] -> [1000 1]
            copies in shared memory, 6000256 bytes
              operand 0: whole, 1500000 as [1000 1]
            kernel 1 unit,unit, 16 lanes, over 1500 x 1000: [1000 1], [0 1] -> [1000 1]; 8 parts, 188 of loop 0 each"
    `)
  })

  it('of a result whose elements lie apart computes it side by side', () => {
    const gaps = { shape: [40, 50], strides: [200, 2] }
    expect(planned(callOf(ADD, [40, 50], [{ shape: [40, 50] }, { shape: [50] }], gaps))).toMatchInlineSnapshot(`
      "chunk (40,50)
        add of 3 instructions: operand 0, operand 1 -> the result
          loops 40 x 50: [50 1], [0 1] -> [200 2]
            copies in shared memory, 8256 bytes
              the result: whole, 2000 as [50 1]
            kernel 1 unit,unit, 16 lanes, over 40 x 50: [50 1], [0 1] -> [50 1]; one part"
    `)
  })

  it('of no elements is nothing', () => {
    expect(planned(callOf(ADD, [0, 5], [{ shape: [0, 5] }, { shape: [5] }]))).toMatchInlineSnapshot(`
      "chunk (0,5)
        add of 3 instructions: operand 0, operand 1 -> the result"
    `)
  })

  it('of more operands than a kernel takes goes in passes', () => {
    const sum = of(rows.sum, ...new Array<DType>(40).fill('float32'))
    const operand = { shape: [600, 700] }
    const call = callOf(sum, [600, 700], new Array<Given>(40).fill(operand))
    const plan: Plan = planWithPasses(call, NOW)
    expect(plan.rooms).toEqual([{ dtype: 'float32', count: 262_144 }])
    const [first, last] = plan.chunks[0]!.passes
    expect([first!.sources.length, first!.room, last!.sources.length, last!.room]).toEqual([32, 0, 9, undefined])
    expect(last!.sources[0]).toEqual({ room: 0 })
    expect(plan.chunks.map(({ shape }) => shape.join())).toEqual(['300,700', '300,700'])
  })

  it('is plain data', () => {
    const call = callOf(ADD, [300, 500], [{ shape: [300, 500], outside: true }, { shape: [500] }])
    expect(structuredClone(planCall(call, NOW))).toEqual(planCall(call, NOW))
  })
})
