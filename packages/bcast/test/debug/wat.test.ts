// The text of kernels against another assembler: it makes the same bytes of it.
import { expect, it } from 'vitest'
import { assembled } from '../../../../testing/assembler.ts'
import { choicesOf } from '../../../../testing/attributes.ts'
import { all, codeOf, instructionsOf } from '../../src/backend/instructions.ts'
import { compileKernel } from '../../src/backend/webassembly/codegen/kernel.ts'
import { kernelText } from '../../src/debug/wat.ts'
import type { DType } from '../../src/dtype/dtype.ts'
import type { Primitive } from '../../src/expr/ir.ts'
import { lower } from '../../src/expr/lower.ts'
import { allowedTypes, type Row } from '../../src/expr/row.ts'
import * as rows from '../../src/expr/rows/index.ts'
import { fits } from '../../src/plan/fits.ts'
import { lanesOf } from '../../src/plan/lanes.ts'
import { ROWS_AT_ONCE } from '../../src/plan/rows.ts'

const instructions = instructionsOf(...all)
const emitterOf = (op: Primitive) => codeOf(instructions, op).webassembly
/** Types with kernels of their own kind. */
const kinds: readonly DType[] = ['float32', 'float16', 'float64', 'int8', 'int64', 'bool']

it.each(Object.values<Row>(rows).map((row) => [row.name, row] as const))('says the bytes of %s', (_, row) => {
  const allowed = allowedTypes(row.types).filter((dtype) => kinds.includes(dtype))
  const own = row.own === undefined ? [] : allowedTypes(row.own.types).filter((dtype) => kinds.includes(dtype))
  for (const [i, dtype] of allowed.entries()) {
    const inputs = row.operands.map((_, operand) => (operand === row.own?.operand ? own[0]! : dtype))
    const program = lower(
      row,
      inputs,
      choicesOf(row.attributes ?? {}).find((each) => row.refuse?.(dtype, dtype, each) === undefined)!,
    )
    if (!fits(program)) continue
    const motions = program.inputs.map((_, operand) => (['unit', 'splat', 'strided'] as const)[(operand + i) % 3]!)
    const height = i % 2 === 0 ? 1 : ROWS_AT_ONCE
    const signature = { motions, rows: height, still: motions.map(() => false), lanes: lanesOf(program, height) }
    const bytes = compileKernel(program, signature, emitterOf, { shared: i % 2 === 0, maximum: 300 })
    // As buffers, which are compared at once.
    expect(Buffer.from(assembled(kernelText(bytes))).equals(bytes), dtype).toBe(true)
  }
})
