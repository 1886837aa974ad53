// A stretch of vector code without jumps, over as many registers as one likes; allocation.ts gives them those there are.
import type { Virtual } from '../machine/homes.ts'
import type { Assembler } from './assembler.ts'
import type { VectorName } from './forms.ts'
import type { Bits, Literal, Memory } from './registers.ts'

export type { Virtual } from '../machine/homes.ts'

export const isVirtual = (operand: unknown): operand is Virtual =>
  typeof operand === 'object' && operand !== null && 'virtual' in operand

export interface VectorStep {
  readonly name: VectorName
  readonly bits: Bits
  /** What it writes. */
  readonly to?: Virtual
  /** What it reads: what is in `to` before, the first source, what is stored or narrowed, the register of an immediate. */
  readonly before?: Virtual
  readonly from?: Virtual
  readonly stored?: Virtual
  readonly selector?: Virtual
  /** What it reads last, or the memory it writes. */
  readonly operand?: Virtual | Memory | Literal
  /** Where the pointer lies that the operand counts from; it is read into RAX before. */
  readonly pointer?: Memory
  /** A place that is read soon. */
  readonly ahead?: Memory
  readonly immediate?: number
  /** Mask registers by number: what is written in place of `to`, what is read in place of the operand, which lanes count. */
  readonly toMask?: number
  readonly operandMask?: number
  readonly mask?: number
}

/** Code over memory of the stack alone, jumps and all: it may change RAX, and leaves every other register as it was. */
export interface ScalarStep {
  readonly scalar: (asm: Assembler) => void
}

export type Step = VectorStep | ScalarStep

export const isScalar = (step: Step): step is ScalarStep => 'scalar' in step

/** What a step writes. */
export const writtenBy = (step: Step): Virtual | undefined => (isScalar(step) ? undefined : step.to)

/** What a step reads. */
export function readsOf(step: Step): readonly Virtual[] {
  if (isScalar(step)) return NOTHING
  const { before, from, stored, selector, operand } = step
  const reads: Virtual[] = []
  if (before !== undefined) reads.push(before)
  if (from !== undefined) reads.push(from)
  if (stored !== undefined) reads.push(stored)
  if (selector !== undefined) reads.push(selector)
  if (isVirtual(operand)) reads.push(operand)
  return reads
}

const NOTHING: readonly Virtual[] = []
