// The kernels of Gemm one by one: what packing puts where, what multiplying adds to what, and that neither writes
// anywhere else. Sums are compared to the bit, so an order or a rounding of its own would show.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wasm } from '../../../src/backend/platform.ts'
import {
  compileMultiply,
  compilePack,
  MULTIPLY,
  PACK,
  STRIP_ROWS,
  stripColumns,
  sumType,
} from '../../../src/backend/webassembly/codegen/gemm.ts'
import { bitsOf, type DType, makeStorage, type TypedArray } from '../../../src/dtype/dtype.ts'
import { fromStored } from '../../../src/dtype/element.ts'
import { settings } from '../../support/oracle.ts'
import { randomBits } from '../../support/random.ts'

const { Memory, Module, Instance } = wasm!
const memory = new Memory({ initial: 4, maximum: 4, shared: true })
const limits = { shared: true, maximum: 4 }
const PARAMETERS_AT = 64
const SOURCE_AT = 1 << 14
const OTHER_AT = 1 << 15
const TARGET_AT = 1 << 16
const TARGET_BYTES = 3 << 15
/** A byte where no kernel writes. */
const UNTOUCHED = 0xa5

const TYPES: readonly DType[] = ['float16', 'bfloat16', 'float32', 'float64', 'int32', 'int64', 'uint32', 'uint64']
const SUMS: readonly DType[] = ['float32', 'float64', 'int32', 'int64']

type Run = (parameters: number) => number

const viewAt = (dtype: DType, address: number, count: number): TypedArray => {
  const View = makeStorage(dtype, 0).constructor as new (
    buffer: ArrayBufferLike,
    offset: number,
    length: number,
  ) => TypedArray
  return new View(memory.buffer, address, count)
}

const loaded = new Map<string, Run>()

function kernel(key: string, compile: () => Uint8Array): Run {
  let run = loaded.get(key)
  if (run === undefined) {
    const { exports } = new Instance(new Module(compile()), { bcast: { memory, remainder: () => 0 } })
    run = exports['run'] as Run
    loaded.set(key, run)
  }
  return run
}

const pack = (dtype: DType, lanes: number): Run =>
  kernel(`pack ${dtype} ${lanes}`, () => compilePack(dtype, lanes, limits))
const multiply = (type: DType): Run => kernel(`multiply ${type}`, () => compileMultiply(type, limits))

/** Writes the parameter block; entries by name. */
function parameters<K extends string>(offsets: Readonly<Record<K, number>>, values: Readonly<Record<K, number>>): void {
  const words = new Int32Array(memory.buffer, PARAMETERS_AT, 16)
  for (const [name, offset] of Object.entries<number>(offsets)) words[offset / 4] = values[name as K]
}

/** Numbers whose sums are rounded, or any bits for integers and 16-bit floats, by a stream. */
function fill(dtype: DType, array: TypedArray, stream: number): void {
  const next = randomBits(stream)
  for (let i = 0; i < array.length; i++) {
    if (bitsOf(dtype) === 16) array[i] = next()
    else if (dtype.startsWith('float')) array[i] = (next() - 2 ** 31) / 2 ** (24 + (next() % 8))
    else array[i] = (bitsOf(dtype) === 64 ? (BigInt(next()) << 32n) | BigInt(next()) : next()) as never
  }
}

const clear = (): void => {
  new Uint8Array(memory.buffer, TARGET_AT, TARGET_BYTES).fill(UNTOUCHED)
}

const untouched = (from: number, to: number): boolean =>
  new Uint8Array(memory.buffer, from, to - from).every((byte) => byte === UNTOUCHED)

describe('packing', () => {
  const stride = fc.constantFrom(1, 1, 0, -1, 2, 7, -7, 12)

  it.each(TYPES)('%s: element by element of the lines of a strip', (dtype) => {
    const width = bitsOf(dtype) / 8
    const sum = sumType(dtype)
    const sumWidth = bitsOf(sum) / 8
    // Integers are packed as they lie, whatever their sign is said to be.
    const packed = (element: unknown): unknown => {
      if (typeof element === 'bigint') return BigInt.asIntN(64, element)
      return sum === 'int32' ? Number(element) | 0 : element
    }
    fc.assert(
      fc.property(
        fc.constantFrom(STRIP_ROWS, stripColumns(dtype)),
        fc.record({ lines: fc.integer({ min: 1, max: 19 }), length: fc.integer({ min: 1, max: 9 }) }),
        fc.tuple(stride, stride),
        fc.nat(2),
        fc.nat(),
        (lanes, { lines, length }, [across, along], gap, stream) => {
          const stored = viewAt(dtype, SOURCE_AT, 1 << 10)
          fill(dtype, stored, stream)
          clear()
          const first = 500
          const stripStep = (length + gap) * lanes * sumWidth
          parameters(PACK, {
            source: SOURCE_AT + first * width,
            across: across * width,
            along: along * width,
            lines,
            length,
            target: TARGET_AT,
            stripStep,
          })
          expect(pack(dtype, lanes)(PARAMETERS_AT)).toBe(0)
          for (let line = 0; line < lines; line++) {
            const strip = viewAt(sum, TARGET_AT + Math.floor(line / lanes) * stripStep, length * lanes)
            for (let i = 0; i < length; i++) {
              const wanted = packed(fromStored(dtype, stored, first + line * across + i * along))
              const got = strip[i * lanes + (line % lanes)]!
              if (!Object.is(got, wanted)) expect([line, i, got]).toEqual([line, i, wanted])
            }
          }
          const strips = Math.ceil(lines / lanes)
          for (let strip = 0; strip < strips; strip++) {
            const end = TARGET_AT + strip * stripStep + length * lanes * sumWidth
            expect(untouched(end, end + gap * lanes * sumWidth)).toBe(true)
          }
          expect(untouched(TARGET_AT + strips * stripStep, TARGET_AT + TARGET_BYTES)).toBe(true)
        },
      ),
      settings(60),
    )
  })
})

describe('multiplying', () => {
  type Sum = number | bigint

  const step = (type: DType, acc: Sum, a: Sum, b: Sum): Sum => {
    if (type === 'int64') return BigInt.asIntN(64, (acc as bigint) + (a as bigint) * (b as bigint))
    const [x, y, z] = [acc, a, b] as [number, number, number]
    if (type === 'int32') return (x + Math.imul(y, z)) | 0
    return type === 'float64' ? x + y * z : Math.fround(x + Math.fround(y * z))
  }

  it.each(SUMS)('%s: ascending products on top of zero or of what is there', (type) => {
    const width = bitsOf(type) / 8
    const across = stripColumns(type)
    const strips = fc.integer({ min: 1, max: 3 })
    fc.assert(
      fc.property(
        fc.record({ rowStrips: strips, columnStrips: strips, length: fc.integer({ min: 1, max: 11 }) }),
        fc.boolean(),
        fc.nat(3),
        fc.nat(),
        ({ rowStrips, columnStrips, length }, more, gap, stream) => {
          const a = viewAt(type, SOURCE_AT, rowStrips * length * STRIP_ROWS)
          const b = viewAt(type, OTHER_AT, columnStrips * length * across)
          fill(type, a, stream)
          fill(type, b, stream + 1)
          clear()
          const rows = rowStrips * STRIP_ROWS
          const columns = columnStrips * across
          const rowLength = columns + gap * across
          const sums = viewAt(type, TARGET_AT, rows * rowLength)
          for (let row = 0; more && row < rows; row++)
            fill(type, sums.subarray(row * rowLength, row * rowLength + columns), stream + 2 + row)
          const before = sums.slice()
          parameters(MULTIPLY, {
            a: SOURCE_AT,
            b: OTHER_AT,
            rowStrips,
            columnStrips,
            length,
            sums: TARGET_AT,
            rowStep: rowLength * width,
            more: more ? 1 : 0,
          })
          expect(multiply(type)(PARAMETERS_AT)).toBe(0)
          for (let row = 0; row < rows; row++) {
            for (let column = 0; column < columns; column++) {
              const at = row * rowLength + column
              let wanted: Sum = more ? before[at]! : type === 'int64' ? 0n : 0
              for (let k = 0; k < length; k++) {
                const x = a[(Math.floor(row / STRIP_ROWS) * length + k) * STRIP_ROWS + (row % STRIP_ROWS)]!
                const y = b[(Math.floor(column / across) * length + k) * across + (column % across)]!
                wanted = step(type, wanted, x, y)
              }
              if (!Object.is(sums[at], wanted)) expect([row, column, sums[at]]).toEqual([row, column, wanted])
            }
            const end = TARGET_AT + (row * rowLength + columns) * width
            expect(untouched(end, end + gap * across * width)).toBe(true)
          }
          expect(untouched(TARGET_AT + rows * rowLength * width, TARGET_AT + TARGET_BYTES)).toBe(true)
        },
      ),
      settings(60),
    )
  })

  it('rounds a product before it is added', () => {
    const x = Math.fround(1 + 2 ** -12)
    const a = viewAt('float32', SOURCE_AT, 2 * STRIP_ROWS) as Float32Array
    const b = viewAt('float32', OTHER_AT, 2 * stripColumns('float32')) as Float32Array
    // -round(x * x) + x * x is 0 with two roundings, 2^-24 with one.
    a.fill(0).set([Math.fround(x * x)])
    b.fill(0).set([-1])
    a[STRIP_ROWS] = x
    b[stripColumns('float32')] = x
    const strips = { rowStrips: 1, columnStrips: 1, length: 2 }
    parameters(MULTIPLY, { a: SOURCE_AT, b: OTHER_AT, ...strips, sums: TARGET_AT, rowStep: 32, more: 0 })
    multiply('float32')(PARAMETERS_AT)
    expect(viewAt('float32', TARGET_AT, 1)[0]).toBe(0)
  })
})

describe('types of sums', () => {
  it('are float32 for 16-bit floats and the signed type for integers', () => {
    expect(TYPES.map(sumType)).toEqual(['float32', 'float32', 'float32', 'float64', 'int32', 'int64', 'int32', 'int64'])
  })
})
