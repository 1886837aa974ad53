// Instructions that are one SIMD instruction on the lanes of their type.
import type { DType } from '../../../dtype/dtype.ts'
import type { Assembler, Local } from './assembler.ts'
import type { Emit } from './emitters.ts'
import type { Lanes } from './opcodes.ts'
import { bytesOf, eachPart, integerLanes } from './vector.ts'

/** The lanes of a type: `f32x4`, `i8x16`. */
export const lanesOf = (dtype: DType): Lanes =>
  dtype === 'float32' ? 'f32x4' : dtype === 'float64' ? 'f64x2' : integerLanes(bytesOf(dtype))

/** Pushes one part of each operand. */
export const push = (asm: Assembler, parts: readonly Local[]): Assembler => {
  for (const part of parts) asm.get(part)
  return asm
}

/** The writer for an instruction by its codes; types without one must not reach it. */
export const lanewise =
  (codes: Readonly<Partial<Record<Lanes, number>>>): Emit =>
  (w, operands, dtype) => {
    const code = codes[lanesOf(dtype)]!
    return eachPart(w, operands, bytesOf(dtype), (parts) => push(w.asm, parts).op(code))
  }
