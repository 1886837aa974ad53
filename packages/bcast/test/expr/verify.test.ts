// The verifier accepts what rows and conversions make, and refuses each way a program can be malformed.
import { describe, expect, it } from 'vitest'
import { type DType, dtypes } from '../../src/dtype/dtype.ts'
import type { Instruction, Program } from '../../src/expr/ir.ts'
import { lower, lowerCast } from '../../src/expr/lower.ts'
import { allowedTypes } from '../../src/expr/row.ts'
import * as rows from '../../src/expr/rows/index.ts'
import { verify } from '../../src/expr/verify.ts'
import { operators } from '../support/operators.ts'

const input = (value: number, dtype: DType): Instruction => ({ op: 'input', dtype, args: [], value })
const program = (inputs: readonly DType[], ...code: Instruction[]): Program => ({ inputs, code })
const f32 = [input(0, 'float32'), input(1, 'float32')] as const

describe('verify', () => {
  it('finds nothing wrong with what operators make, which is not looked at again when they run', () => {
    for (const { row, types, operands, attributes } of operators) {
      for (const dtype of types) verify(lower(row, new Array<DType>(operands).fill(dtype), { ...attributes }))
    }
    for (const dtype of allowedTypes(rows.where.types)) verify(lower(rows.where, ['bool', dtype, dtype], {}))
    for (const base of allowedTypes(rows.pow.types)) {
      for (const exponent of allowedTypes(rows.pow.own!.types)) {
        if ((base === 'real') === (exponent === 'real')) verify(lower(rows.pow, [base, exponent], {}))
      }
    }
    for (const from of dtypes) for (const to of dtypes) verify(lowerCast(from, to))
  })

  it('gives a well-formed program back', () => {
    const sum = program(['float32', 'float32'], ...f32, { op: 'add', dtype: 'float32', args: [0, 1] })
    expect(verify(sum)).toBe(sum)
  })

  it.each<[string, Program]>([
    ['computes something', program([])],
    ['names instruction 2', program(['float32', 'float32'], ...f32, { op: 'add', dtype: 'float32', args: [0, 2] })],
    ['names instruction -1', program(['float32', 'float32'], ...f32, { op: 'add', dtype: 'float32', args: [-1, 0] })],
    ['the operand is float32', program(['float32'], input(0, 'float64'))],
    [
      'does not compute float64 from float32, float32',
      program(['float32', 'float32'], ...f32, { op: 'add', dtype: 'float64', args: [0, 1] }),
    ],
    [
      'does not compute float32 from float32',
      program(['float32'], input(0, 'float32'), { op: 'add', dtype: 'float32', args: [0] }),
    ],
    [
      'does not compute float16 from float16, float16',
      program(['float16'], input(0, 'float16'), { op: 'add', dtype: 'float16', args: [0, 0] }),
    ],
    [
      'does not compute float32 from float32, float32',
      program(['float32', 'float32'], ...f32, { op: 'and', dtype: 'float32', args: [0, 1] }),
    ],
    [
      'does not compute float32 from float32',
      program(['float32'], input(0, 'float32'), { op: 'exponent', dtype: 'float32', args: [0] }),
    ],
    [
      'takes bool, float32, float32',
      program(['float32', 'float32'], ...f32, { op: 'select', dtype: 'float32', args: [0, 0, 1] }),
    ],
    [
      'compares two of one type',
      program(['float32', 'int8'], input(0, 'float32'), input(1, 'int8'), { op: 'less', dtype: 'bool', args: [0, 1] }),
    ],
    [
      'compares two of one type',
      program(['float32', 'float32'], ...f32, { op: 'less', dtype: 'float32', args: [0, 1] }),
    ],
    [
      'raises integers to integers',
      program(['int32', 'float32'], input(0, 'int32'), input(1, 'float32'), {
        op: 'power',
        dtype: 'int32',
        args: [0, 1],
      }),
    ],
    ['is no element of float16: 1', program([], { op: 'constant', dtype: 'float16', args: [], value: 1 })],
    ['is no element of float32: 0.1', program([], { op: 'constant', dtype: 'float32', args: [], value: 0.1 })],
    ['is no element of int8: 0.5', program([], { op: 'constant', dtype: 'int8', args: [], value: 0.5 })],
    ['is no element of int64: 1', program([], { op: 'constant', dtype: 'int64', args: [], value: 1 })],
    ['is no element of bool: 2', program([], { op: 'constant', dtype: 'bool', args: [], value: 2 })],
    ['takes one operand', program(['float32', 'float32'], ...f32, { op: 'cast', dtype: 'int8', args: [0, 1] })],
  ])('refuses: %s', (message, malformed) => {
    expect(() => verify(malformed)).toThrow(message)
  })
})
