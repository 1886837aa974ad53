// How many elements of a row a kernel computes at once.
import { bitsOf, type DType } from '../dtype/dtype.ts'
import type { Program } from '../expr/ir.ts'

/** Bytes of a vector. */
const VECTOR = 16

const bytesOf = (dtype: DType): number => bitsOf(dtype) / 8

/** Few live values allow several vectors at once, which hide the cost of the loop. */
export function lanesOf({ inputs, code }: Program, rows: number): number {
  const result = code.at(-1)!.dtype
  const memory = [...inputs, result].map(bytesOf)
  const widest = Math.max(...memory, ...code.map(({ dtype }) => (dtype === 'bool' ? 1 : bytesOf(dtype))))
  const vectors = code.length > 24 ? 1 : code.length <= 8 && rows === 1 ? 4 : 2
  const lanes = (vectors * VECTOR) / widest
  // The narrowest loads and stores there are take four bytes.
  return Math.max(lanes, 4 / Math.min(...memory))
}
