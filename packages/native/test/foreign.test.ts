// Machine code reads and writes the caller's arrays where they lie. The bits are those of the interpreter wherever operands
// lie: in the library's memory, in an array of the caller, behind others in its buffer, in memory that threads share. What
// was taken away from under a tensor is an error, and what lies around a result stays as it was.
import { configure, flip, fromData, fuse, OperandError, type Tensor, tensor } from 'bcast'
import { provideKernels } from 'bcast/kernels'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { install } from '../src/install.ts'
import { found } from './found.ts'

afterEach(() => {
  provideKernels(undefined)
  configure({ threads: 1, backend: 'auto' })
})

type Elements = Float32Array | Float64Array | Int16Array
const CLASSES = { float32: Float32Array, float64: Float64Array, int16: Int16Array } as const
type Type = keyof typeof CLASSES

/** Where an operand's array is. */
const PLACES = ['library', 'caller', 'behind others', 'shared'] as const
type Place = (typeof PLACES)[number]

function arrayAt(dtype: Type, place: Place, count: number, seed: number): Elements {
  const Class = CLASSES[dtype]
  const before = place === 'behind others' ? 3 : 0
  const bytes = (before + count + 2) * Class.BYTES_PER_ELEMENT
  const buffer = (place === 'shared' ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)) as ArrayBuffer
  const array = new Class(buffer, before * Class.BYTES_PER_ELEMENT, count)
  for (let i = 0; i < count; i++) array[i] = ((i * 7 + seed * 13) % 201) - 100
  return array
}

function operand(dtype: Type, place: Place, shape: readonly number[], seed: number): Tensor {
  const count = shape.reduce((product, size) => product * size, 1)
  const array = arrayAt(dtype, place, count, seed)
  if (place === 'library') return tensor(array as Float32Array, { shape: shape as number[] }) as Tensor
  return fromData(dtype as 'float32', array as Float32Array, shape as number[]) as Tensor
}

// biome-ignore lint/suspicious/noExplicitAny: operands inside have no types that are known before
const f = fuse((x: any, y: any) => x.sub(y).mul(x).max(y)) as unknown as (
  x: Tensor,
  y: Tensor,
  options?: { out: Tensor },
) => Tensor

const cases = fc.record({
  dtype: fc.constantFrom<Type>('float32', 'float64', 'int16'),
  places: fc.tuple(fc.constantFrom(...PLACES), fc.constantFrom(...PLACES), fc.constantFrom(...PLACES)),
  rows: fc.constantFrom(1, 2, 7, 40, 200),
  columns: fc.integer({ min: 1, max: 200 }),
  other: fc.constantFrom('same', 'row', 'column'),
  gap: fc.constantFrom(0, 0, 3),
  turned: fc.boolean(),
  threads: fc.constantFrom(1, 2),
})

describe.each(found)('machine code of %s over arrays of the caller', (level) => {
  it('has the bits of the interpreter, and leaves what is beside a result alone', () => {
    const { stream } = install(provideKernels, { level, least: 0 })
    fc.assert(
      fc.property(cases, ({ dtype, places, rows, columns, other, gap, turned, threads }) => {
        const shape = { same: [rows, columns], row: [columns], column: [rows, 1] }[other]!
        const whole = operand(dtype, places[0], [rows, columns], 1)
        const x = (turned ? flip(whole, 0) : whole) as Tensor
        const y = operand(dtype, places[1], shape, 2)
        const around = operand(dtype, places[2], [rows, columns + gap], 3)
        const before = (around.data as Elements).slice()
        const out = around.slice([0, rows], [0, columns]) as Tensor
        configure({ backend: 'interpreter', threads: 1 })
        const wanted = (f(x, y).data as Elements).slice()
        configure({ backend: 'auto', threads })
        stream(gap === 0 ? 1 : Number.POSITIVE_INFINITY)
        for (let again = 0; again < 3; again++) {
          expect((f(x, y).data as Elements).slice()).toEqual(wanted)
          f(x, y, { out })
          expect((out.data as Elements).slice()).toEqual(wanted)
        }
        const after = around.data as Elements
        for (let i = 0; i < after.length; i++) {
          if (i % (columns + gap) >= columns && after[i] !== before[i]) expect.fail(`element ${i} was written`)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('is not run over an array that was taken away', () => {
    install(provideKernels, { level, least: 0 })
    const array = new Float32Array(1 << 16).fill(1)
    const x = fromData('float32', array, [1 << 16]) as Tensor
    for (let i = 0; i < 3; i++) expect(f(x, x).get(5)).toBe(1)
    structuredClone(array.buffer, { transfer: [array.buffer] })
    expect(() => f(x, x)).toThrow(OperandError)
  })

  it('is not run over it behind the back of a call that nobody waits for', async () => {
    install(provideKernels, { level, least: 0 })
    configure({ threads: 2 })
    const array = new Float32Array(1 << 18).fill(2)
    const x = fromData('float32', array, [1 << 18]) as Tensor
    const g = f as unknown as { async(x: Tensor, y: Tensor): Promise<Tensor> }
    const later = g.async(x, x)
    structuredClone(array.buffer, { transfer: [array.buffer] })
    await expect(later).rejects.toThrow(OperandError)
  })
})
