// A stretch of vector code without jumps out of it, over as many registers as one likes; allocation.ts gives them those
// there are.
import type { Virtual } from '../machine/homes.ts'
import type { Assembler } from './assembler.ts'

export type { Virtual } from '../machine/homes.ts'

export interface Step {
  /** What it writes. */
  readonly to?: Virtual
  readonly reads: readonly Virtual[]
  /** What is in `to` before, and is changed. */
  readonly before?: Virtual
  /** Whether something is written before everything is read. */
  readonly early?: boolean
  /** Writes its code, given the registers of what it writes and reads. */
  readonly write: (asm: Assembler, to: number, reads: readonly number[]) => void
}

/** What a step reads, with what it changes. */
export const readsOf = ({ reads, before }: Step): readonly Virtual[] =>
  before === undefined ? reads : [...reads, before]
