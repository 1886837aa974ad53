// A value of a kernel: so many elements in one or more registers.
import type { Virtual } from './homes.ts'

export interface Vector {
  /** Bytes of one element. */
  readonly width: number
  /** The elements in order; fewer than fill a register lie at its start. */
  readonly parts: readonly Virtual[]
  /** The same element in every lane of a whole register: one part stands for all. */
  readonly uniform: boolean
}
