// What kernels of machine code that take part in products of matrices are told. Every entry is an i64, every address one
// of the process, every step in bytes.

/** Offsets of the arguments of a kernel that multiplies. Rows of A are taken in strips, columns of B too. */
export const PRODUCT = {
  a: 0,
  /** From row to row inside a strip of A, from element to element along a row, from strip to strip. */
  aRow: 8,
  aStep: 16,
  aStrip: 24,
  b: 32,
  /** From row to row of B, and from strip to strip. */
  bStep: 40,
  bStrip: 48,
  rows: 56,
  columns: 64,
  /** Products of a sum; at least one. */
  length: 72,
  /** Sums that go on, and from row to row of them. */
  from: 80,
  fromRow: 88,
  /** Where sums go, and from row to row there. */
  to: 96,
  toRow: 104,
  /** C, and from row to row of it. */
  c: 112,
  cRow: 120,
  /** The bits of both factors, as elements of the sums' type. */
  alpha: 128,
  beta: 136,
  bytes: 144,
} as const

/** Offsets of the arguments of a kernel that packs lines, each of which becomes a lane of a strip. */
export const PACKING = {
  source: 0,
  /** From line to line, and along a line. */
  across: 8,
  along: 16,
  lines: 24,
  /** Elements of a line. */
  length: 32,
  /** The first strip, and from strip to strip. */
  target: 40,
  targetStrip: 48,
  bytes: 56,
} as const

/** Offsets of the arguments of a kernel that packs lines wherever each of them and each of their elements lies. */
export const GATHERING = {
  source: 0,
  /** A table of words: how far each line lies from there, in bytes; whole strips of them. */
  across: 8,
  /** A table of words, one for each vector of lines: 1 where they lie side by side. */
  unit: 16,
  lines: 24,
  /** A table of words: how far each element of a line lies from its first, in bytes. */
  along: 32,
  length: 40,
  target: 48,
  targetStrip: 56,
  bytes: 64,
} as const

/** Offsets of the arguments of a kernel that multiplies a row by a matrix. */
export const ROW = {
  /** The row, and along it. */
  row: 0,
  rowStep: 8,
  /** The matrix, and from row to row or from column to column, the way that is not side by side. */
  matrix: 16,
  step: 24,
  columns: 32,
  /** Products of a sum; at least one. */
  length: 40,
  /** The sums, which lie side by side. */
  sums: 48,
  bytes: 56,
} as const
