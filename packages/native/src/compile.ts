// The machine code of a program for a kind of processor.
import type { Program, Signature } from 'bcast/kernels'
import { compileKernel as compileForArm64 } from './arm64/kernel.ts'
import type { Level } from './levels.ts'
import { compileKernel as compileForX86 } from './x86/kernel.ts'

export interface CompileOptions {
  readonly level: Level
  /** The address that the place of the parameters counts from. */
  readonly base: bigint
  /** Whether results go past the caches, because nobody reads them soon. */
  readonly streams: boolean
  /** Elements of a vector of x86-64, where they are fewer than fill a register. */
  readonly lanes?: number | undefined
}

/** Throws Unsupported where a program has none. */
export function compileKernel(
  program: Program,
  signature: Signature,
  { level, base, streams, lanes }: CompileOptions,
): Uint8Array {
  return level === 'neon'
    ? compileForArm64(program, signature, { base, streams })
    : compileForX86(program, signature, { level, base, streams, lanes })
}
