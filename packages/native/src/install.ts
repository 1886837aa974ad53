// Finds out what the processor and the system allow, and hands a maker of kernels to the library. Where they do not allow
// machine code, that is said once, and the library computes as before.
import { provideKernels } from 'bcast/kernels'
import { CodeMemory } from './code.ts'
import { koffiFfi, koffiText } from './ffi/koffi.ts'
import { levels } from './levels.ts'
import { machineCode } from './maker.ts'
import type { Level } from './x86/vectors.ts'

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

/** Hands machine code to the library; gives what computes from now on. */
export function install({ level, least = LEAST, streamFrom = STREAM_FROM }: InstallOptions = {}): string {
  const used = level ?? levels().at(-1)!
  const memory = new CodeMemory(koffiFfi())
  provideKernels(machineCode({ level: used, memory, textFor: koffiText, least, streamFrom }))
  return `machine code (${used})`
}
