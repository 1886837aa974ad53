// What the parts of a kernel share while it is written.
import type { Frame } from './allocation.ts'
import type { Assembler } from './assembler.ts'
import type { Body } from './body.ts'
import type { StackFrame } from './frame.ts'
import type { Held, Pinning } from './pinning.ts'
import { type Memory, RDI, RDX } from './registers.ts'
import type { Step } from './steps.ts'

/** Elements of the row that are left, and where the parameters lie. */
export const LEFT: number = RDX
export const TOLD: number = RDI

/** What of an operand lies on the stack: the address of a block of rows, and the steps to the next row and block. */
export interface RowPlace {
  readonly address: Memory
  readonly rowStep: Memory
  readonly blockStep: Memory
}

/** What reductions have of it, too. */
export interface Writing {
  readonly asm: Assembler
  readonly stack: StackFrame
  readonly body: Body
  readonly pinning: Pinning
}

export interface Context extends Writing {
  readonly cursors: readonly RowPlace[]
  /** Rows of the kernel for each that it is told of: it takes fewer at once where they would be too many values. */
  readonly rowsTold: number
  readonly passes: Passes
}

/** The stretches of code of the inner loop: some vectors, one, and what is left of one. */
export interface Passes {
  readonly vectors: number
  readonly whole: readonly Step[]
  readonly single: readonly Step[] | undefined
  readonly partial: readonly Step[]
}

export function frameOf({ body, pinning, stack }: Writing, pinned: Frame['pinned']): Frame {
  const { isWide, whole: bits } = body.w
  return {
    registers: pinning.others,
    pinned,
    slot: (i) => stack.slot(i),
    ...(isWide
      ? { load: 'vmovdqu32', store: 'vmovdqu32Store', bits }
      : { load: 'vmovdqu', store: 'vmovdquStore', bits }),
  }
}

/** Loads what has a register throughout. */
export function fill(context: Writing, held: readonly Held[]): void {
  const { load, bits } = frameOf(context, context.pinning.pinned)
  for (const { register, place } of held) context.asm.vector(load, { bits, to: register, operand: place })
}
