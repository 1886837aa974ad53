// Kernels of a row times a matrix, which read the matrix where it lies: every element is read once, so that packing it would
// take longer than multiplying.
import type { RowMultiplying } from '../../machine/product.ts'
import { type Level, Unsupported } from '../vectors.ts'
import { writeAcross } from './row-across.ts'
import { writeAlong } from './row-along.ts'
import { tileOf } from './tile.ts'
import { kernelOf } from './writer.ts'

export function compileRow({ kind, type }: RowMultiplying, level: Level, base: bigint): Uint8Array {
  const tile = tileOf(level, type)
  if (tile.multiply === undefined) throw new Unsupported('a row times a matrix of 64-bit integers')
  const write = kind === 'across' ? writeAcross : writeAlong
  return kernelOf(tile.isWide, base, 12, (asm) => write(asm, tile))
}
