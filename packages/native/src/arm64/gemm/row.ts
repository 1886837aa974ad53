// Kernels of a row times a matrix, which read the matrix where it lies: every element is read once, so that packing it would
// take longer than multiplying.
import type { RowMultiplying } from '../../machine/product.ts'
import { Unsupported } from '../../machine/unsupported.ts'
import { writeAcross } from './row-across.ts'
import { writeAlong } from './row-along.ts'
import { tileOf } from './tile.ts'
import { kernelOf } from './writer.ts'

export function compileRow({ kind, type }: RowMultiplying, base: bigint): Uint8Array {
  const tile = tileOf(type)
  if (tile.isLong) throw new Unsupported('a row times a matrix of 64-bit integers')
  const write = kind === 'across' ? writeAcross : writeAlong
  return kernelOf(base, (asm) => write(asm, tile))
}
