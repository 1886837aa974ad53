// Finds out what the processor and the system allow, and hands a maker of kernels to the library. Where they do not allow
// machine code, that is said once, and the library computes as before.
import { readFileSync } from 'node:fs'
import { provideKernels } from 'bcast/kernels'
import { CodeMemory } from './code.ts'
import { koffiFfi, koffiText } from './ffi/koffi.ts'
import { kernelMaker } from './maker.ts'
import type { Level } from './x86/vectors.ts'

/** What the processor must have, as Linux names it, for each kind of code. */
const NEEDED: Readonly<Record<Level, readonly string[]>> = {
  avx2: ['avx2', 'f16c', 'bmi2'],
  avx512: ['avx2', 'f16c', 'bmi2', 'avx512f', 'avx512bw', 'avx512dq', 'avx512vl'],
}

/** Below, calling machine code costs more than it saves. */
const LEAST = 4096

/** Bytes of results that no cache keeps until somebody reads them. */
const STREAM_FROM = 1 << 24

/** What may be chosen, for tests and measurements. */
export interface InstallOptions {
  readonly level?: Level
  /** Elements from which on a call is worth machine code. */
  readonly least?: number
  /** Bytes of a result from which on it goes past the caches. */
  readonly streamFrom?: number
}

/** The kinds of code that run here, the best last; throws, saying why, where there are none. */
export function levels(): readonly Level[] {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `there is machine code for Linux on x86-64 so far, and this is ${process.platform} on ${process.arch}`,
    )
  }
  const [, text = ''] = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? []
  const flags = new Set(text.trim().split(/\s+/))
  const found = (['avx2', 'avx512'] as const).filter((level) => NEEDED[level].every((flag) => flags.has(flag)))
  if (found.length === 0) throw new Error('the processor has no AVX2 with F16C and BMI2')
  return found
}

/** Hands machine code to the library; gives what computes from now on. */
export function install({ level, least = LEAST, streamFrom = STREAM_FROM }: InstallOptions = {}): string {
  const used = level ?? levels().at(-1)!
  const memory = new CodeMemory(koffiFfi())
  provideKernels(kernelMaker({ level: used, memory, textFor: koffiText, least, streamFrom }))
  return `machine code (${used})`
}
