// The operator rows against the standard's tables, restated here: which types each operator takes since which opset.
// Every row has one name and one public function, and a type it does not take is refused with the list of those it does.
import '../../src/real.ts'
import * as bcastModule from 'bcast'
import { type DType, DTypeError, dtypes, type Tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { choicesOf } from '../../../../testing/attributes.ts'
import { make, specials } from '../../../../testing/elements.ts'
import { allowedTypes, onnxTypes, type Row, type Types } from '../../src/expr/row.ts'
import { gemm } from '../../src/expr/rows/gemm.ts'
import * as rowModule from '../../src/expr/rows/index.ts'
import { thrownBy } from '../support/thrown.ts'

const bcast = { ...bcastModule }
const rows = { ...rowModule }

type RowName = keyof typeof rows

const set = (text: string): DType[] => text.split(' ').filter(Boolean) as DType[]

const f3 = set('float16 float32 float64')
const f4 = [...f3, 'bfloat16' as const]
const high = set('int32 int64 uint32 uint64')
const signed = set('int8 int16 int32 int64')
const unsigned = set('uint8 uint16 uint32 uint64')
const integers = [...signed, ...unsigned]
const bool = set('bool')
/** All but the complex types, which bcast leaves out. */
const all = [...integers, ...f3, ...set('string bool')]

const arithmetic = { 1: f3, 6: [...high, ...f3], 7: [...high, ...f3], 13: [...high, ...f4], 14: [...integers, ...f4] }
const logical = { 1: bool, 7: bool }
const order = { 1: f3, 7: f3, 9: [...integers, ...f3], 13: [...integers, ...f4] }
const orderOrEqual = { 12: [...integers, ...f3], 16: [...integers, ...f4] }
const extreme = { 1: f3, 6: f3, 8: f3, 12: [...integers, ...f3], 13: [...integers, ...f4] }
const sum = { 1: f3, 6: f3, 8: f3, 13: f4 }
const bitwise = { 18: integers }
const floats = { 1: f3, 6: f3, 13: f4 }

/** The types of the operands that share one, by the version that introduced them. */
const TABLE: Partial<Record<RowName, Readonly<Record<number, readonly DType[]>>>> = {
  add: arithmetic,
  sub: arithmetic,
  mul: arithmetic,
  div: arithmetic,
  and: logical,
  or: logical,
  xor: logical,
  not: { 1: bool },
  equal: {
    1: set('bool int32 int64'),
    7: set('bool int32 int64'),
    11: [...bool, ...integers, ...f3],
    13: [...bool, ...integers, ...f4],
    19: [...bool, ...integers, ...f4, 'string'],
  },
  greater: order,
  less: order,
  greaterOrEqual: orderOrEqual,
  lessOrEqual: orderOrEqual,
  max: extreme,
  min: extreme,
  mean: sum,
  sum,
  pow: {
    1: f3,
    7: f3,
    12: [...set('int32 int64'), ...f3],
    13: [...set('int32 int64'), ...f4],
    15: [...set('int32 int64'), ...f4],
  },
  where: { 9: all, 16: [...all, 'bfloat16'] },
  mod: { 10: [...integers, ...f3], 13: [...integers, ...f4] },
  bitShift: { 11: unsigned },
  bitwiseAnd: bitwise,
  bitwiseOr: bitwise,
  bitwiseXor: bitwise,
  bitwiseNot: bitwise,
  prelu: { 1: f3, 6: f3, 7: f3, 9: [...f3, ...high], 16: [...f4, ...high] },
  neg: { 1: f3, 6: [...f3, ...signed], 13: [...f4, ...signed] },
  abs: { 1: f3, 6: [...f3, ...integers], 13: [...f4, ...integers] },
  sign: { 9: [...f3, ...integers], 13: [...f4, ...integers] },
  sqrt: floats,
  exp: floats,
  log: floats,
  tanh: floats,
  sigmoid: floats,
  floor: floats,
  ceil: floats,
  reciprocal: floats,
  round: { 11: f3, 22: f4 },
  relu: { 1: f3, 6: f3, 13: f4, 14: [...f4, ...signed] },
  leakyRelu: { 1: f3, 6: f3, 16: f4 },
  hardSigmoid: { 1: f3, 6: f3, 22: f4 },
  clip: { 1: f3, 6: f3, 11: f3, 12: [...integers, ...f3], 13: [...integers, ...f4] },
  sin: { 7: f3, 22: f4 },
  cos: { 7: f3, 22: f4 },
  atan: { 7: f3, 22: f4 },
  erf: { 9: [...integers, ...f3], 13: [...integers, ...f4] },
  softplus: { 1: f3, 22: f4 },
  elu: { 1: f3, 6: f3, 22: f4 },
  gelu: { 20: f4 },
  identity: { 1: all, 13: [...all, 'bfloat16'] },
}

/** Rows that only OpenVINO has. */
const OPENVINO_ONLY: readonly RowName[] = ['floorMod', 'squaredDifference', 'notEqual', 'leftShift', 'rightShift']

const sorted = (types: readonly DType[] | undefined): string[] | undefined => types && [...types].sort()

function expectTable(types: Types, table: Readonly<Record<number, readonly DType[]>>): void {
  const versions = Object.keys(table).map(Number)
  for (let opset = 1; opset <= 25; opset++) {
    const since = versions.filter((version) => version <= opset).at(-1)
    expect(sorted(onnxTypes(types, opset)), `opset ${opset}`).toEqual(
      since === undefined ? undefined : sorted(table[since]),
    )
  }
}

const names = Object.keys(rows) as RowName[]

describe('types by opset', () => {
  it.each(names)('%s', (name) => {
    const table = TABLE[name]
    if (table === undefined) {
      expect(OPENVINO_ONLY).toContain(name)
      expect(rows[name].types.onnx).toBeUndefined()
    } else expectTable(rows[name].types, table)
  })

  it('Gemm, which is not element-wise', () => {
    expectTable(gemm.types, { 1: f3, 6: f3, 7: f3, 9: [...f3, ...high], 11: [...f3, ...high], 13: [...f4, ...high] })
    expect(allowedTypes(gemm.types)).toContain('real')
  })

  it('the exponent of Pow has its own', () => {
    expect(rows.pow.own?.operand).toBe(1)
    expectTable(rows.pow.own!.types, {
      1: f3,
      7: f3,
      12: [...integers, ...f3],
      13: [...integers, ...f3],
      15: [...integers, ...f4],
    })
  })

  it('the condition of Where is bool', () => {
    expect(rows.where.own).toMatchObject({ operand: 0, types: { onnx: [[9, ['bool']]], openvino: ['bool'] } })
  })

  it('a type once allowed stays allowed, so the library takes the union of all sources', () => {
    for (const name of names) {
      const { types } = rows[name]
      const versions = types.onnx ?? []
      for (const [i, [, later]] of versions.slice(1).entries()) {
        expect(later).toEqual(expect.arrayContaining([...versions[i]![1]]))
      }
      const union = new Set([...(versions.at(-1)?.[1] ?? []), ...(types.openvino ?? []), ...(types.other ?? [])])
      expect(sorted(allowedTypes(types))).toEqual([...union].sort())
    }
  })

  it('lists types in the one order that messages use', () => {
    for (const name of names) {
      const allowed = allowedTypes(rows[name].types)
      expect(allowed).toEqual(dtypes.filter((dtype) => allowed.includes(dtype)))
    }
  })

  it('exact rationals go with exact operators only', () => {
    for (const name of ['sqrt', 'exp', 'log', 'tanh', 'sigmoid'] as const)
      expect(allowedTypes(rows[name].types)).not.toContain('real')
    for (const name of ['add', 'sub', 'mul', 'div', 'max', 'min', 'where', 'pow', 'equal', 'less'] as const)
      expect(allowedTypes(rows[name].types)).toContain('real')
  })
})

describe('names', () => {
  it('are unique', () => {
    const all = names.map((name) => rows[name].name)
    expect(new Set(all).size).toBe(all.length)
  })

  it('are those of the constants, and OpenVINO has types for what it has a name for', () => {
    for (const name of names) {
      const row: Row = rows[name]
      expect(row.call).toBe(name)
      if (row.openvino !== undefined) expect(row.types.openvino).toBeDefined()
      if (row.types.onnx === undefined) expect(row.openvino).toBe(row.name)
    }
  })

  const call = (name: RowName, ...operands: unknown[]): Tensor => {
    const { attributes, refuse }: Row = rows[name]
    const options = choicesOf(attributes ?? {}).find((each) => refuse?.('float32', 'float32', each) === undefined)
    return (bcast[name] as unknown as (...args: unknown[]) => Tensor)(...operands, options)
  }

  const count = (name: RowName): number => {
    const { operands, variadic }: Row = rows[name]
    return variadic === true ? 2 : operands.length
  }

  it.each(names)('%s is reached by the public function of its name, and takes the types of its row', (name) => {
    const row = rows[name] as Row
    for (const dtype of dtypes) {
      const one = make(dtype, [specials(dtype).at(1)!])
      const operands = Array.from({ length: count(name) }, (_, i) =>
        i === row.own?.operand && name === 'where' ? make('bool', [true]) : one,
      )
      const compute = () => call(name, ...operands)
      const ownTakes = name !== 'pow' || allowedTypes(row.own!.types).includes(dtype)
      if (allowedTypes(row.types).includes(dtype) && ownTakes) {
        expect(compute().dtype).toBe(row.result === 'bool' ? 'bool' : dtype)
      } else {
        expect(compute).toThrow(DTypeError)
        const refused = allowedTypes(row.types).includes(dtype) ? 'B' : 'A'
        expect(compute).toThrow(
          `${row.name} does not take ${dtype} for ${refused}; it takes ${allowedTypes(row.types).join(', ')}.`,
        )
      }
    }
  })

  it('the public functions made from rows are all there', () => {
    for (const name of names) expect(typeof bcast[name]).toBe('function')
  })
})

describe('refusals', () => {
  const loosely = (name: RowName, ...args: unknown[]): Tensor =>
    (bcast[name] as unknown as (...args: unknown[]) => Tensor)(...args)

  it('name the fix that works', () => {
    const words = make('string', ['a'])
    const error = thrownBy(() => loosely('add', words, words))
    expect(error).toMatchObject({ code: 'BCAST_DTYPE', dtype: 'string', allowed: allowedTypes(rows.add.types) })
    expect(error.message).toMatch(/Convert with cast\(a, 'float32'\)\.$/)
    expect(() => loosely('and', make('int8', [1]), make('int8', [1]))).toThrow(
      "And does not take int8 for A; it takes bool. Convert with cast(a, 'bool').",
    )
    expect(loosely('and', bcast.cast(make('int8', [1]), 'bool'), make('bool', [true])).toArray()).toEqual([true])
  })

  it('mixed types', () => {
    expect(() => loosely('add', make('int8', [1]), make('int16', [1]))).toThrow(
      "Add: element types differ: A is int8, B is int16. Nothing is converted by itself: use cast(b, 'int8') or cast(a, 'int16').",
    )
    expect(() => loosely('max', make('int8', [1]), make('int8', [1]), make('uint8', [1]))).toThrow(
      'A is int8, C is uint8',
    )
    expect(() => loosely('where', make('bool', [true]), make('int8', [1]), make('float32', [1]))).toThrow(
      'B is int8, C is float32',
    )
    expect(() => loosely('where', make('int8', [1]), make('int8', [1]), make('int8', [1]))).toThrow(
      'Where does not take int8 for A; it takes bool.',
    )
    expect(() => loosely('pow', make('real', [{ n: 1n, d: 2n }]), make('int8', [1]))).toThrow(
      'Pow: a real operand goes with real operands only.',
    )
    expect(() => loosely('pow', make('int8', [1]), make('real', [{ n: 1n, d: 2n }]))).toThrow(DTypeError)
  })

  it('Mod of floats without fmod', () => {
    for (const dtype of f4) {
      const x = make(dtype, [5])
      expect(() => loosely('mod', x, x)).toThrow(
        'Mod of floats follows the dividend and has to be asked for: pass { fmod: true }, or use floorMod for the sign of the divisor.',
      )
      expect(() => loosely('mod', x, x, { fmod: false })).toThrow(DTypeError)
      expect(loosely('mod', x, x, { fmod: true }).toArray()).toEqual([0])
    }
    const error = thrownBy(() => loosely('mod', make('float32', [1]), make('float32', [1])))
    expect(error).toMatchObject({ allowed: dtypes.filter((dtype) => integers.includes(dtype)) })
  })

  it('BitShift without a direction', () => {
    const x = make('uint8', [1])
    expect(() => loosely('bitShift', x, x)).toThrow("BitShift: direction is undefined; it is 'LEFT' or 'RIGHT'.")
    expect(() => loosely('bitShift', x, x, { direction: 'left' })).toThrow(
      "BitShift: direction is \"left\"; it is 'LEFT' or 'RIGHT'.",
    )
  })
})
