// Kernels against the interpreter, to the bit: every operator and conversion, every type, every way an operand can
// move, lengths around the vector's, and nothing written past the end.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choicesOf } from '../../../../../testing/attributes.ts'
import { all, codeOf, instructionsOf } from '../../../src/backend/instructions.ts'
import { execute } from '../../../src/backend/interpreter/execute.ts'
import { wasm } from '../../../src/backend/platform.ts'
import { compileKernel } from '../../../src/backend/webassembly/codegen/kernel.ts'
import { kernelText } from '../../../src/debug/wat.ts'
import {
  bitsOf,
  type DType,
  dtypes,
  isFloat,
  isWide,
  makeStorage,
  type Storage,
  type TypedArray,
} from '../../../src/dtype/dtype.ts'
import type { Primitive, Program } from '../../../src/expr/ir.ts'
import { lower, lowerCast } from '../../../src/expr/lower.ts'
import { type Attributes, allowedTypes, type Row } from '../../../src/expr/row.ts'
import * as rowTable from '../../../src/expr/rows/index.ts'
import { lanesOf } from '../../../src/plan/lanes.ts'
import { PARAMETERS } from '../../../src/plan/parameters.ts'
import { ROWS_AT_ONCE } from '../../../src/plan/rows.ts'
import type { Motion, Signature } from '../../../src/plan/signature.ts'
import { randomBits } from '../../support/random.ts'

const instructions = instructionsOf(...all)
const emitterOf = (op: Primitive) => codeOf(instructions, op).webassembly

const { Memory, Module, Instance } = wasm!
const memory = new Memory({ initial: 4, maximum: 4, shared: true })
const limits = { shared: true, maximum: 4 }
const PARAMETERS_AT = 64
const DATA_AT = 4096
const GUARD = 32

const specials: readonly number[] = [
  0,
  -0,
  1,
  -1,
  Number.NaN,
  Infinity,
  -Infinity,
  5e-324,
  1e-40,
  6e-8,
  65504,
  65520,
  0.5,
  1.5,
  2.5,
  -2.5,
  3e9,
  -3e9,
  1e19,
  -1e19,
  3.4e38,
  710,
]

/** A typed array over the memory, as a type's elements lie there. */
const viewAt = (dtype: DType, address: number, count: number): TypedArray => {
  const View = makeStorage(dtype, 0).constructor as new (
    buffer: ArrayBufferLike,
    offset: number,
    length: number,
  ) => TypedArray
  return new View(memory.buffer, address, count)
}

/** Random bits, small numbers and special values, by a stream. */
function fill(dtype: DType, array: TypedArray, stream: number): void {
  const next = randomBits(stream)
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
  for (let i = 0; i < bytes.length; i++) bytes[i] = next()
  for (let i = 0; i < array.length; i++) {
    const pick = next() % 10
    if (dtype === 'bool') array[i] = next() & 1
    else if (dtype === 'float32' || dtype === 'float64') {
      if (pick < 3) array[i] = specials[next() % specials.length]!
      else if (pick < 7) array[i] = ((next() % 2001) - 1000) / 64
    } else if (pick < 4) {
      const small = [0, 1, 2, 7, -1, -3][next() % 6]!
      array[i] = (bitsOf(dtype) === 64 ? BigInt(small) : small) as never
    }
  }
}

const isNaNElement = (dtype: DType, element: unknown): boolean => {
  if (dtype === 'float16') return ((element as number) & 0x7fff) > 0x7c00
  if (dtype === 'bfloat16') return ((element as number) & 0x7fff) > 0x7f80
  return isFloat(dtype) && Number.isNaN(element)
}

/** Steps in elements on the inner axis and from row to row, and the elements that takes. */
function layoutOf(motion: Motion, still: boolean, rows: number, count: number): [number, number, number] {
  const step = { splat: 0, unit: 1, strided: 3 }[motion]
  const rowStep = still ? 0 : step === 0 ? 1 : count * step
  return [step, rowStep, (still ? 1 : rows) * Math.max(1, count * step)]
}

/** Runs a program both ways over `blocks` blocks of rows of `count` elements and compares. */
function compare(program: Program, signature: Movement, blocks: number, count: number, stream: number): void {
  const bytes = compileKernel(program, { ...signature, lanes: lanesOf(program, signature.rows) }, emitterOf, limits)
  const rows = blocks * signature.rows
  const { exports } = new Instance(new Module(bytes), { bcast: { memory, remainder: (a: number, b: number) => a % b } })
  const parameters = new DataView(memory.buffer, PARAMETERS_AT)
  const set = (offset: number, value: number) => parameters.setInt32(offset, value, true)
  let free = DATA_AT
  const inputs = program.inputs.map((dtype, i) => {
    const [step, rowStep, length] = layoutOf(signature.motions[i]!, signature.still[i]!, rows, count)
    const width = bitsOf(dtype) / 8
    const array = viewAt(dtype, free, length)
    fill(dtype, array, stream + 77 * i)
    const at = PARAMETERS.operands + i * PARAMETERS.operandSize
    set(at, free)
    set(at + 4, step * width)
    set(at + 8, rowStep * width)
    free = Math.ceil((free + length * width + 64) / 64) * 64
    return { storage: array.slice() as Storage, offset: 0, strides: [rowStep, step] }
  })
  const result = program.code.at(-1)!.dtype
  const total = rows * count
  const out = viewAt(result, free, total + GUARD)
  out.fill((isWide(result) ? 85n : 85) as never)
  const at = PARAMETERS.operands + inputs.length * PARAMETERS.operandSize
  set(PARAMETERS.inner, count)
  set(PARAMETERS.rows, blocks)
  set(PARAMETERS.outer, 0)
  set(at, free)
  set(at + 8, (count * bitsOf(result)) / 8)

  const fault = (exports['run'] as (at: number) => number)(PARAMETERS_AT)
  const expected = makeStorage(result, total)
  const operands = [...inputs, { storage: expected, offset: 0, strides: [count, 1] }]
  const position = execute(program, instructions, [rows, count], operands)
  expect(fault !== 0).toBe(position >= 0)
  if (position >= 0) return
  for (let i = 0; i < total; i++) {
    const same = Object.is(out[i], expected[i]) || (isNaNElement(result, out[i]) && isNaNElement(result, expected[i]))
    if (!same) expect({ i, got: out[i] }).toEqual({ i, got: expected[i] })
  }
  expect([...out.slice(total)].every((element) => Number(element) === 85)).toBe(true)
}

const computing: Row[] = Object.values(rowTable)
const isNumeric = (dtype: DType): boolean => dtype !== 'real' && dtype !== 'string'

type Movement = Omit<Signature, 'lanes'>

/** How `operands` operands may move, one row at a time or several. */
const signatures = (operands: number): fc.Arbitrary<Movement> =>
  fc.constantFrom(1, ROWS_AT_ONCE).chain((rows) => {
    const motion = fc.constantFrom<Motion>('splat', 'unit', 'strided')
    const lengths = { minLength: operands, maxLength: operands }
    return fc
      .record({ motions: fc.array(motion, lengths), still: fc.array(fc.boolean(), lengths) })
      .map(({ motions, still }) => ({
        motions,
        rows,
        still: still.map((is) => is && rows > 1),
      }))
  })

const size = fc.record({
  blocks: fc.integer({ min: 1, max: 3 }),
  count: fc.integer({ min: 1, max: 70 }),
  stream: fc.integer(),
})

/** One of the choices of attributes that the operator takes with a type. */
function attributesFor(row: Row, dtype: DType, which: number): Attributes {
  const choices = choicesOf(row.attributes ?? {}).filter((each) => row.refuse?.(dtype, dtype, each) === undefined)
  return choices[which % choices.length]!
}

describe('operators', () => {
  it.each(computing.map((row) => [row.name, row] as const))('%s', (_, row) => {
    const types = allowedTypes(row.types).filter(isNumeric)
    const own = row.own === undefined ? types : allowedTypes(row.own.types).filter(isNumeric)
    const operands = row.variadic === true ? 3 : row.operands.length
    const property = fc.property(
      fc.constantFrom(...types),
      fc.constantFrom(...own),
      fc.nat(),
      signatures(operands),
      size,
      (dtype, ownType, which, signature, { blocks, count, stream }) => {
        const inputs = Array.from({ length: operands }, (_, i) => (i === row.own?.operand ? ownType : dtype))
        const program = lower(row, inputs, attributesFor(row, dtype, which))
        compare(program, signature, blocks, count, stream)
      },
    )
    fc.assert(property, { numRuns: 5 * types.length })
  })
})

describe('conversions', () => {
  const numeric = dtypes.filter(isNumeric)
  it.each(numeric)('from %s to every type', (from) => {
    const property = fc.property(
      fc.constantFrom(...numeric),
      signatures(1),
      size,
      (to, signature, { blocks, count, stream }) => {
        if (from !== to) compare(lowerCast(from, to), signature, blocks, count, stream)
      },
    )
    fc.assert(property, { numRuns: 30 })
  })
})

describe('text', () => {
  it('a sum of a row and a column loads the column once a row and adds vectors', () => {
    const bytes = compileKernel(
      lower(rowTable.add, ['float32', 'float32'], {}),
      { motions: ['unit', 'splat'], rows: 1, still: [], lanes: 16 },
      emitterOf,
      limits,
    )
    const text = kernelText(bytes)
    const loop = text.slice(text.lastIndexOf('loop', text.indexOf('f32x4.add')))
    expect(text.indexOf('v128.load32_splat')).toBeLessThan(text.indexOf('f32x4.add'))
    expect(loop).not.toContain('load32_splat')
    expect(text.match(/f32x4\.add/g)).toHaveLength(4)
    expect(text.match(/v128\.load offset/g)).toHaveLength(4)
  })

  it('an operand that is the same in every row is loaded once for a block of them', () => {
    const bytes = compileKernel(
      lower(rowTable.add, ['float32', 'float32'], {}),
      { motions: ['unit', 'unit'], rows: ROWS_AT_ONCE, still: [false, true], lanes: 8 },
      emitterOf,
      limits,
    )
    const text = kernelText(bytes)
    expect(text.match(/f32x4\.add/g)).toHaveLength(2 * ROWS_AT_ONCE)
    expect(text.match(/v128\.load offset/g)).toHaveLength(2 * ROWS_AT_ONCE + 2)
  })
})
