// Which kinds of machine code the processor runs.
import { readFileSync } from 'node:fs'
import type { Level as LevelOfX86 } from './x86/vectors.ts'

/** Which vectors machine code has. */
export type Level = LevelOfX86 | 'neon'

/** What a processor of x86-64 must have, as Linux names it, for each kind of code. */
const NEEDED: Readonly<Record<LevelOfX86, readonly string[]>> = {
  avx2: ['avx2', 'f16c', 'bmi2', 'fma'],
  avx512: ['avx2', 'f16c', 'bmi2', 'fma', 'avx512f', 'avx512bw', 'avx512dq', 'avx512vl'],
}

/** The kinds of code that run here, the best last; throws, saying why, where there are none. */
export function levels(): readonly Level[] {
  if (process.platform !== 'linux' || !(process.arch === 'x64' || process.arch === 'arm64')) {
    throw new Error(
      `there is machine code for Linux on x86-64 and AArch64 so far, and this is ${process.platform} on ${process.arch}`,
    )
  }
  // Every processor of AArch64 that runs Linux has them.
  if (process.arch === 'arm64') return ['neon']
  const [, text = ''] = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? []
  const flags = new Set(text.trim().split(/\s+/))
  const found = (['avx2', 'avx512'] as const).filter((level) => NEEDED[level].every((flag) => flags.has(flag)))
  if (found.length === 0) throw new Error('the processor has no AVX2 with F16C, BMI2 and FMA')
  return found
}
