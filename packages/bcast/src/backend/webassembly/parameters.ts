// Writes what a kernel is told into its memory, in the layout that kernels read.
import { PARAMETERS } from '../../plan/parameters.ts'

/** An operand of a kernel. */
export interface Addressed {
  readonly address: number
  /** In elements, for each loop. */
  readonly strides: readonly number[]
  /** Bytes of an element. */
  readonly width: number
}

/** Writes the parameters of loops, the innermost last, of which a kernel takes `rowsAtOnce` rows in one pass. */
export function writeParameters(
  words: Int32Array | Float64Array,
  sizes: readonly number[],
  operands: readonly Addressed[],
  rowsAtOnce: number,
): void {
  const inner = sizes.length - 1
  const rows = inner > 0 ? sizes[inner - 1]! : 1
  words[PARAMETERS.inner / 4] = sizes[inner]!
  words[PARAMETERS.rows / 4] = rows / rowsAtOnce
  words[PARAMETERS.outer / 4] = Math.max(0, inner - 1)
  let i = PARAMETERS.operands / 4
  for (const { address, strides, width } of operands) {
    words[i++] = address
    words[i++] = strides[inner]! * width
    words[i++] = inner > 0 ? strides[inner - 1]! * width : 0
  }
  // What the loops inside have moved an operand by, which a step of the next one takes back.
  const moved = operands.map(({ strides }) => (inner > 0 ? rows * strides[inner - 1]! : 0))
  for (let loop = inner - 2; loop >= 0; loop--) {
    words[i++] = sizes[loop]!
    words[i++] = 0
    operands.forEach(({ strides, width }, o) => {
      words[i++] = (strides[loop]! - moved[o]!) * width
      moved[o] = moved[o]! + (sizes[loop]! - 1) * strides[loop]!
    })
  }
}
