// Kernels read and write nothing beyond their operands: random programs over operands each of which ends where memory
// does. One byte beyond ends the process, and the test with it. Before an operand and behind a result nothing changes.
import { createRequire } from 'node:module'
import {
  bitsOf,
  type DType,
  type Instruction,
  WIDE_PARAMETERS as PARAMETERS,
  type Program,
  type Signature,
} from 'bcast/kernels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CodeMemory } from '../src/code.ts'
import { compileKernel } from '../src/compile.ts'
import { koffiFfi } from '../src/ffi/koffi.ts'
import { levels } from '../src/levels.ts'
import { Unsupported } from '../src/x86/vectors.ts'

const found = (() => {
  try {
    return levels()
  } catch {
    return []
  }
})()

/** An operand has a block of its own, whose last page nobody may touch. */
const BLOCK = 1 << 16
const PAGE = 4096
const BLOCKS = 6

/** Memory with a wall behind every block; its address, and its bytes. */
function walled(): { readonly address: bigint; readonly bytes: Uint8Array } {
  const koffi = createRequire(import.meta.url)('koffi')
  const mprotect = koffi.load('libc.so.6').func('int mprotect(void *at, size_t length, int protection)')
  const address = koffiFfi().allocate(BLOCK * BLOCKS)!
  const bytes = new Uint8Array(koffi.view(address, BLOCK * BLOCKS))
  for (let i = 1; i <= BLOCKS; i++) expect(mprotect(address + BigInt(i * BLOCK - PAGE), PAGE, 0)).toBe(0)
  return { address, bytes }
}

const DTYPES: readonly DType[] = [
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'int8',
  'uint16',
  'int32',
  'int64',
  'bool',
]
const widthOf = (dtype: DType): number => bitsOf(dtype) / 8

/** A program over inputs: brought to one type, combined, and brought to the type of the result. */
function programOf(inputs: readonly DType[], inner: DType, result: DType, ops: readonly number[]): Program {
  const code: Instruction[] = []
  const push = (instruction: Instruction): number => code.push(instruction) - 1
  const brought = (value: number, dtype: DType): number =>
    code[value]!.dtype === dtype ? value : push({ op: 'cast', dtype, args: [value] })
  const read = inputs.map((dtype, i) => push({ op: 'input', dtype, args: [], value: i }))
  const values = read.map((value) => brought(value, inner))
  for (const [i, op] of ops.entries()) {
    const [a, b] = [values[(op + i) % values.length]!, values[(op * 7 + i + 1) % values.length]!]
    if (op % 4 === 3) {
      const mask = push({ op: 'less', dtype: 'bool', args: [a, b] })
      values.push(push({ op: 'select', dtype: inner, args: [mask, b, a] }))
    } else values.push(push({ op: (['add', 'max', 'sub'] as const)[op % 4]!, dtype: inner, args: [a, b] }))
  }
  const last = brought(values.at(-1)!, result)
  if (last !== code.length - 1 || code.at(-1)!.op === 'input') push({ op: 'cast', dtype: result, args: [last] })
  return { inputs, code }
}

const cases = fc.record({
  inputs: fc.array(fc.constantFrom(...DTYPES), { minLength: 1, maxLength: 4 }),
  inner: fc.constantFrom<DType>('float32', 'float64', 'int32'),
  result: fc.constantFrom(...DTYPES),
  ops: fc.array(fc.nat(1000), { maxLength: 8 }),
  splats: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  still: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  rows: fc.constantFrom(1, 4),
  blocks: fc.integer({ min: 1, max: 3 }),
  columns: fc.integer({ min: 1, max: 300 }),
  gap: fc.integer({ min: 0, max: 3 }),
  streams: fc.boolean(),
})

describe.each(found)('kernels of %s', (level) => {
  it('touch nothing beyond their operands', () => {
    const { address, bytes } = walled()
    const memory = new CodeMemory(koffiFfi())
    let ran = 0
    fc.assert(
      fc.property(cases, ({ inputs, inner, result, ops, splats, still, rows, blocks, columns, gap, streams }) => {
        const program = programOf(inputs, inner, result, ops)
        const dtypes = [...inputs, result]
        const signature: Signature = {
          motions: inputs.map((_, i) => (splats[i] ? 'splat' : 'unit')),
          rows,
          still: inputs.map((_, i) => rows > 1 && still[i] === true),
          lanes: 1,
        }
        // Rows of a streamed result begin at whole lines where several are computed together.
        const apart = streams && rows > 1 ? Math.ceil((columns + gap) / 64) * 64 : columns + gap
        let code: Uint8Array
        try {
          code = compileKernel(program, signature, { level, base: address, streams })
        } catch (error) {
          if (error instanceof Unsupported) return
          throw error
        }
        const words = new BigInt64Array(bytes.buffer, 0, 256)
        words[PARAMETERS.inner / 8] = BigInt(columns)
        words[PARAMETERS.rows / 8] = BigInt(blocks)
        words[PARAMETERS.outer / 8] = 0n
        const places = dtypes.map((dtype, i) => {
          const width = widthOf(dtype)
          const row = signature.motions[i] === 'splat' ? 1 : apart
          const rowStep = signature.still[i] ? 0 : row
          const length = signature.motions[i] === 'splat' ? 1 : columns
          const size = ((rows * blocks - 1) * rowStep + length) * width
          const at = (i + 2) * BLOCK - PAGE - size
          words.set(
            [address + BigInt(at), BigInt(signature.motions[i] === 'splat' ? 0 : width), BigInt(rowStep * width)],
            (PARAMETERS.operands + i * PARAMETERS.operandSize) / 8,
          )
          return { at, size, rowStep: rowStep * width, length: length * width }
        })
        for (const [i, { at, size }] of places.entries()) {
          for (let k = 0; k < size; k++) bytes[at + k] = dtypes[i] === 'bool' ? k & 1 : (k * 37 + i * 11) & 0x3f
        }
        const { at, size, rowStep, length } = places.at(-1)!
        const before = bytes.slice(at - 64, at + size)
        expect(memory.load(code).run(0)).toBe(0)
        const after = bytes.slice(at - 64, at + size)
        // What lies between rows stays as it was.
        for (let k = 0; k < before.length; k++) {
          const isResult = k >= 64 && (k - 64) % rowStep < length
          if (!isResult && before[k] !== after[k]) expect.fail(`byte ${k - 64} of the result's block was written`)
        }
        ran++
      }),
      { numRuns: 400 },
    )
    expect(ran).toBeGreaterThan(150)
  })
})
