// What a kernel is told: the entries of PARAMETERS in their order, each a word of 64 bits, addresses as they are.
import { PARAMETERS } from 'bcast/kernels'

/** Bytes of an entry, and of those that PARAMETERS counts in. */
export const WORD = 8
const wide = (offset: number): number => (offset / 4) * WORD

export const TOLD = {
  inner: wide(PARAMETERS.inner),
  rows: wide(PARAMETERS.rows),
  outer: wide(PARAMETERS.outer),
  operands: wide(PARAMETERS.operands),
  operandSize: wide(PARAMETERS.operandSize),
  loopHeader: wide(PARAMETERS.loopHeader),
} as const
