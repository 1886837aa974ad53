// Which loops compute several rows at once, and that rows are neither lost nor computed twice.
import { describe, expect, it } from 'vitest'
import { lower } from '../../src/expr/lower.ts'
import * as rows from '../../src/expr/rows/index.ts'
import type { Loops } from '../../src/plan/loops.ts'
import { planRows, ROWS_AT_ONCE } from '../../src/plan/rows.ts'
import { formatSignature, signatureOf } from '../../src/plan/signature.ts'
import { inOrder, visits } from '../support/visits.ts'

const SUM = lower(rows.add, ['float32', 'float32'], {})

const loops = (sizes: readonly number[], ...strides: (readonly number[])[]): Loops => ({
  sizes,
  strides,
  shifts: strides.map(() => 0),
})
const plan = (given: Loops, width = 4): string[] =>
  planRows(
    given,
    given.strides.map(() => width),
  ).map((piece) => `${piece.loops.sizes} as ${formatSignature(signatureOf(SUM, piece.loops, piece.rows))}`)

describe('planRows', () => {
  it('takes a row beside a matrix too large for the caches once for several rows', () => {
    expect(plan(loops([4096, 4096], [4096, 1], [0, 1], [4096, 1]))).toEqual(['4096,4096 as 4 unit,unit='])
    expect(plan(loops([4098, 4096], [4096, 1], [0, 1], [4096, 1]))).toEqual([
      '4096,4096 as 4 unit,unit=',
      '2,4096 as 1 unit,unit',
    ])
  })

  it('takes several long rows beside a matrix of any size so, and leaves one beside a small matrix alone', () => {
    expect(plan(loops([64, 2048], [2048, 1], [0, 1], [0, 1], [2048, 1]))).toEqual(['64,2048 as 4 unit,unit=,unit='])
    expect(plan(loops([64, 2048], [2048, 1], [0, 1], [2048, 1]))).toEqual(['64,2048 as 1 unit,unit'])
  })

  it('leaves rows alone that stay in the cache', () => {
    expect(plan(loops([5864, 2046], [2046, 1], [0, 1], [2046, 1]))).toEqual(['5864,2046 as 1 unit,unit'])
    expect(plan(loops([4096, 256], [256, 1], [0, 1], [0, 1], [256, 1]))).toEqual(['4096,256 as 1 unit,unit,unit'])
  })

  it('leaves columns, equal shapes, transposed operands and little work alone', () => {
    expect(plan(loops([4096, 4096], [4096, 1], [1, 4096], [4096, 1]))).toEqual(['4096,4096 as 1 unit,strided'])
    expect(plan(loops([4096, 4096], [4096, 1], [1, 0], [4096, 1]))).toEqual(['4096,4096 as 1 unit,splat'])
    expect(plan(loops([1 << 24], [1], [1], [1]))).toEqual([`${1 << 24} as 1 unit,unit`])
    expect(plan(loops([64, 64], [64, 1], [0, 1], [0, 1], [64, 1]))).toEqual(['64,64 as 1 unit,unit,unit'])
    expect(plan(loops([3, 1 << 20], [1 << 20, 1], [0, 1], [0, 1], [1 << 20, 1]))).toEqual([
      `3,${1 << 20} as 1 unit,unit,unit`,
    ])
  })

  it('visits the same positions', () => {
    const given = loops([2, 131, 300], [0, 300, 1], [0, 0, 1], [7, 0, 2], [39_300, 300, 1])
    const pieces = planRows(given, [8, 16, 16, 8])
    expect(pieces.map(({ rows }) => rows)).toEqual([ROWS_AT_ONCE, 1])
    expect(
      inOrder(pieces.flatMap((piece) => visits(piece.loops.sizes, piece.loops.strides, piece.loops.shifts))),
    ).toEqual(inOrder(visits(given.sizes, given.strides)))
  })
})
