// The machine code of a program for a kind of processor.
import type {
  Combining,
  DType,
  MachineCode,
  ProductKernel,
  ProductTile,
  Program,
  ReduceSignature,
  Signature,
} from 'bcast/kernels'
import { compileProduct as compileProductForArm64 } from './arm64/gemm/kernel.ts'
import { productTile as productTileOfArm64 } from './arm64/gemm/tile.ts'
import { compileKernel as compileForArm64 } from './arm64/kernel.ts'
import { compileAcross as compileAcrossForArm64 } from './arm64/reduce/across.ts'
import { compileAlong as compileAlongForArm64, MOST_CARRIED as MOST_CARRIED_BY_NEON } from './arm64/reduce/along.ts'
import { BYTES as BYTES_OF_NEON } from './arm64/vectors.ts'
import type { Level } from './levels.ts'
import { compileProduct as compileProductForX86 } from './x86/gemm/kernel.ts'
import { productTile as productTileOfX86 } from './x86/gemm/tile.ts'
import { compileKernel as compileForX86 } from './x86/kernel.ts'
import { compileAcross } from './x86/reduce/across.ts'
import { compileAlong, MOST_CARRIED } from './x86/reduce/along.ts'
import { BYTES } from './x86/vectors.ts'

export interface CompileOptions {
  readonly level: Level
  /** The address that the place of the parameters counts from. */
  readonly base: bigint
  /** Whether results go past the caches, because nobody reads them soon. */
  readonly streams: boolean
  /** Elements of a vector of x86-64, where they are fewer than fill a register. */
  readonly lanes?: number | undefined
  /** How many bytes further on operands are read next, for x86-64; 0 where memory need not be asked for it. */
  readonly ahead?: readonly number[] | undefined
}

/** Throws Unsupported where a program has none. */
export function compileKernel(
  program: Program,
  signature: Signature,
  { level, base, streams, lanes, ahead }: CompileOptions,
): Uint8Array {
  return level === 'neon'
    ? compileForArm64(program, signature, { base, streams })
    : compileForX86(program, signature, { level, base, streams, lanes, ahead })
}

/** What plans of reductions have to know of it. */
export const vectorsOf = (level: Level): MachineCode['vectors'] =>
  level === 'neon'
    ? { bytes: BYTES_OF_NEON, carried: MOST_CARRIED_BY_NEON, columns: 2 * BYTES_OF_NEON }
    : { bytes: BYTES[level], carried: MOST_CARRIED[level], columns: BYTES[level] }

/** A reduction of what a program gives; throws Unsupported where there is none. */
export function compileReduction(
  program: Program,
  combining: Combining,
  signature: ReduceSignature,
  { level, base }: Pick<CompileOptions, 'level' | 'base'>,
): Uint8Array {
  const isAcross = signature.way === 'across'
  if (level === 'neon') {
    const compile = isAcross ? compileAcrossForArm64 : compileAlongForArm64
    return compile(program, combining, signature, base)
  }
  const compile = isAcross ? compileAcross : compileAlong
  return compile(program, combining, signature, { level, base })
}

/** What plans of products have to know of it. */
export const productTile = (level: Level, type: DType): ProductTile =>
  level === 'neon' ? productTileOfArm64(type) : productTileOfX86(level, type)

/** A kernel of products; throws Unsupported where there is none. */
export const compileProduct = (
  kernel: ProductKernel,
  { level, base }: Pick<CompileOptions, 'level' | 'base'>,
): Uint8Array => (level === 'neon' ? compileProductForArm64(kernel, base) : compileProductForX86(kernel, level, base))
