// What a kernel is told: sizes, strides and addresses, as words in the kernels' memory in the layout that kernels read.
import { PARAMETERS, parameterBytes } from './codegen/kernel.ts'
import type { Cursor } from './memory/staging.ts'

/** Bytes that the parameters of loops over `operands` operands take. */
export const bytesOfParameters = (operands: number, loops: number): number =>
  parameterBytes(operands, Math.max(0, loops - 2))

/** The word that holds the address of operand `i`. */
export const addressWord = (i: number): number => (PARAMETERS.operands + i * PARAMETERS.operandSize) / 4

/** Writes the parameters of loops, the innermost last, of which a kernel takes `rowsAtOnce` rows in one pass. */
export function writeParameters(
  buffer: ArrayBufferLike,
  at: number,
  sizes: readonly number[],
  cursors: readonly Pick<Cursor, 'strides' | 'width'>[],
  addresses: readonly number[],
  rowsAtOnce: number,
): void {
  const words = new Int32Array(buffer, at, bytesOfParameters(cursors.length, sizes.length) / 4)
  const inner = sizes.length - 1
  const rows = inner > 0 ? sizes[inner - 1]! : 1
  const outer = Math.max(0, inner - 1)
  words[PARAMETERS.inner / 4] = sizes[inner]!
  words[PARAMETERS.rows / 4] = rows / rowsAtOnce
  words[PARAMETERS.outer / 4] = outer
  let i = PARAMETERS.operands / 4
  cursors.forEach(({ strides, width }, c) => {
    words[i++] = addresses[c]!
    words[i++] = strides[inner]! * width
    words[i++] = inner > 0 ? strides[inner - 1]! * width : 0
  })
  // What the loops inside have moved an operand by, which a step of the next one takes back.
  const moved = cursors.map(({ strides }) => (inner > 0 ? rows * strides[inner - 1]! : 0))
  for (let loop = inner - 2; loop >= 0; loop--) {
    words[i++] = sizes[loop]!
    words[i++] = 0
    cursors.forEach(({ strides, width }, c) => {
      words[i++] = (strides[loop]! - moved[c]!) * width
      moved[c] = moved[c]! + (sizes[loop]! - 1) * strides[loop]!
    })
  }
}
