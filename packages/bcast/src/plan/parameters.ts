// What a kernel is told, as words in its memory: sizes, strides, addresses.

/** Offsets of the arguments in a parameter block; every entry is an i32. */
export const PARAMETERS = {
  /** Elements of the inner axis. */
  inner: 0,
  /** Repetitions of the row loop, each of which computes as many rows as the kernel does at once. */
  rows: 4,
  /** Number of outer loops beyond rows. */
  outer: 8,
  /** For each operand, result last: address, byte stride on the inner axis, byte stride from row to row. */
  operands: 12,
  operandSize: 12,
  /** For each outer loop from the innermost: size, current index, and a byte step for each operand. */
  loopHeader: 8,
} as const

/** The same for machine code, which runs over memory anywhere: every entry is an i64, every address one of the process. */
export const WIDE_PARAMETERS = {
  inner: 0,
  rows: 8,
  outer: 16,
  operands: 24,
  operandSize: 24,
  loopHeader: 16,
} as const

/** Bytes that the parameters of so many loops over so many operands take; those of machine code take twice as many. */
export const parameterBytes = (operands: number, loops: number): number =>
  PARAMETERS.operands +
  operands * PARAMETERS.operandSize +
  Math.max(0, loops - 2) * (PARAMETERS.loopHeader + 4 * operands)

/** The word that holds the address of operand `i`. */
export const addressWord = (i: number): number => (PARAMETERS.operands + i * PARAMETERS.operandSize) / 4
