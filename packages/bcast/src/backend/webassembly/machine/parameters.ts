// What machine code is told: the entries of any kernel's parameters in the same order, each of 64 bits, because its
// operands may lie anywhere and be larger than 32 bits can say.
import type { Storage } from '../../../dtype/dtype.ts'
import { parameterBytes, WIDE_PARAMETERS } from '../../../plan/parameters.ts'
import { type Addressed, writeParameters } from '../parameters.ts'
import type { TaskPointer } from '../task.ts'

/** Offsets of what threads are told of a task; every entry is an i64. */
export const TASK = { kernel: 0, parametersAt: 8, parametersSize: 16, parts: 24, threads: 32 } as const
/** Bytes of them. */
export const TASK_BYTES = 40

/**
 * Offsets of what a sequence of kernels is told: how often it runs, its kernels, and pointers that move from one time to
 * the next. Entries are the address of a kernel and where its parameters lie, then the address of a pointer and its step.
 */
export const SEQUENCE = { times: 0, kernels: 8, moves: 16, entries: 24, entrySize: 16 } as const

/** Writes a number into two words, the lower one first. */
export function writeWide(words: Int32Array, at: number, value: number): void {
  words[at] = value
  words[at + 1] = Math.floor(value / 2 ** 32)
}

/** A number that two words hold. */
export const readWide = (words: Int32Array, at: number): number => (words[at]! >>> 0) + words[at + 1]! * 2 ** 32

/** Bytes that the parameters of so many loops over so many operands take. */
export const wideBytes = (operands: number, loops: number): number => 2 * parameterBytes(operands, loops)

/** The pointers among parameters of loops, by the arrays that they point into. */
export const widePointers = (arrays: readonly (Storage | undefined)[]): readonly TaskPointer[] =>
  arrays.map((array, i) => ({ at: WIDE_PARAMETERS.operands + i * WIDE_PARAMETERS.operandSize, array }))

/** Writes the parameters of loops, the innermost last, of which a kernel takes `rowsAtOnce` rows in one pass. */
export function writeWideParameters(
  words: Int32Array,
  sizes: readonly number[],
  operands: readonly Addressed[],
  rowsAtOnce: number,
): void {
  const entries = new Float64Array(words.length / 2)
  writeParameters(entries, sizes, operands, rowsAtOnce)
  for (const [i, entry] of entries.entries()) writeWide(words, 2 * i, entry)
}
