// Kernels of reductions read and write nothing beyond their operands: random reductions over operands each of which ends, or
// begins, at a wall. One byte beyond ends the process, and the test with it. Between results nothing changes.
import { bitsOf, type Combining, type DType, type Instruction, type Program } from 'bcast/kernels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { walls } from '../../../testing/kernels/walls.ts'
import { writeWideParameters } from '../../bcast/src/backend/webassembly/machine/parameters.ts'
import { planMachineReduce } from '../../bcast/src/plan/machine-reduce.ts'
import { compileReduction, vectorsOf } from '../src/compile.ts'
import { Unsupported } from '../src/x86/vectors.ts'
import { foundOnX86 } from './found.ts'

const INPUTS: readonly DType[] = [
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
const RESULTS: readonly DType[] = ['float32', 'float64', 'uint8', 'int16', 'int32', 'int64']
const SIZE = 1 << 21

/** The first input in the result's type, and the second added where there is one. */
function programOf(inputs: readonly DType[], result: DType, length: number): Program {
  const code: Instruction[] = inputs.map((dtype, value) => ({ op: 'input', dtype, args: [], value }))
  const push = (instruction: Instruction): number => code.push(instruction) - 1
  const own = inputs.map((dtype, i) => (dtype === result ? i : push({ op: 'cast', dtype: result, args: [i] })))
  let value = own[0]!
  for (const other of own.slice(1)) value = push({ op: 'add', dtype: result, args: [value, other] })
  for (let i = 0; i < length; i++) value = push({ op: 'max', dtype: result, args: [value, own[0]!] })
  return { inputs, code }
}

const cases = fc.record({
  inputs: fc.array(fc.constantFrom(...INPUTS), { minLength: 1, maxLength: 2 }),
  result: fc.constantFrom(...RESULTS),
  combine: fc.constantFrom<Combining>('add', 'mul', 'min', 'max'),
  length: fc.constantFrom(0, 0, 1, 9),
  outer: fc.integer({ min: 1, max: 3 }),
  run: fc.oneof(fc.integer({ min: 9, max: 70 }), fc.integer({ min: 9, max: 700 })),
  columns: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 80 }), fc.constantFrom(16, 32, 64)),
  // Which axis comes last in memory: the run, or the columns.
  isAlong: fc.boolean(),
  gap: fc.constantFrom(0, 0, 1, 5),
  splats: fc.array(fc.boolean(), { minLength: 2, maxLength: 2 }),
  ends: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
})

describe.each(foundOnX86)('kernels of reductions of %s', (level) => {
  it('touch nothing beyond their operands', () => {
    const { address, bytes, at, size, put } = walls(5, SIZE)
    const ways = new Map<string, number>()
    fc.assert(
      fc.property(cases, ({ inputs, result, combine, length, outer, run, columns, isAlong, gap, splats, ends }) => {
        const program = programOf(inputs, result, length)
        const lines = isAlong ? columns : run
        const line = isAlong ? run : columns
        const pitch = line + gap
        const own = (i: number): readonly number[] => {
          if (i > 0 && splats[i]) return isAlong ? [0, 0, pitch] : [0, pitch, 0]
          return isAlong ? [lines * pitch, 1, pitch] : [lines * pitch, pitch, 1]
        }
        const dtypes = [...inputs, result]
        const strides = [...inputs.map((_, i) => own(i)), [columns, 0, 1]]
        const operands = dtypes.map((dtype, i) => ({ strides: strides[i]!, width: bitsOf(dtype) / 8, resident: true }))
        const plan = planMachineReduce(
          { program, combine, shape: [outer, run, columns], run: [1, 2], operands },
          1,
          vectorsOf(level),
        )
        if (plan === undefined) return
        const extents = operands.map(({ strides: [a, b, c], width }) => {
          return ((outer - 1) * a! + (run - 1) * b! + (columns - 1) * c! + 1) * width
        })
        const begins = extents.map((bytesOf, i) => at(i + 1) + (ends[i] ? size - bytesOf : 0))
        for (const [i, begin] of begins.entries())
          bytes.fill(dtypes[i] === 'bool' ? 1 : 0x3c, begin, begin + extents[i]!)
        expect(plan.scratch).toBeLessThan(SIZE)
        const placed = operands.map(({ width }, i) => ({
          address: Number(address) + begins[i]!,
          width,
          strides: plan.strides[i]!,
        }))
        // Scratch ends at a wall, too.
        placed.push({
          address: Number(address) + at(4) + size - plan.scratch,
          width: placed.at(-1)!.width,
          strides: plan.sizes.map(() => 0),
        })
        writeWideParameters(new Int32Array(bytes.buffer, bytes.byteOffset + at(0), 1024), plan.sizes, placed, 1)
        const block = at(dtypes.length)
        const guarded = bytes.subarray(block, block + size)
        const before = begins.at(-1)! - block
        guarded.fill(0x5a)
        let code: Uint8Array
        try {
          code = compileReduction(program, combine, plan.signature, { level, base: address + BigInt(at(0)) })
        } catch (error) {
          if (error instanceof Unsupported) return
          throw error
        }
        expect(put(code)(0)).toBe(0)
        const isKept = (part: Uint8Array): boolean => part.every((byte) => byte === 0x5a)
        expect(isKept(guarded.subarray(Math.max(0, before - 256), before))).toBe(true)
        expect(isKept(guarded.subarray(before + extents.at(-1)!, before + extents.at(-1)! + 256))).toBe(true)
        const { way, joined } = plan.signature
        const key = joined ? `${way}, joined` : way
        ways.set(key, (ways.get(key) ?? 0) + 1)
      }),
      { numRuns: 1500 },
    )
    for (const way of ['along', 'across', 'across, joined', 'flat']) {
      expect(`${way}: ${(ways.get(way) ?? 0) > 20}`).toBe(`${way}: true`)
    }
  })
})
