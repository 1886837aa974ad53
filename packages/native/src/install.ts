// Finds out what the processor and the system allow, and hands a maker of kernels to a library. Where they do not allow
// machine code, it says why.
import { provideKernels } from 'bcast/kernels'
import { lastCache } from './cache.ts'
import { CodeMemory } from './code.ts'
import { chooseWay } from './ffi/choose.ts'
import { type Level, levels } from './levels.ts'
import { machineCode } from './maker.ts'

/** Below, calling machine code costs more than it saves. */
const LEAST = 4096

/** What may be chosen, for tests, measurements, and other copies of the library. */
export interface InstallOptions {
  readonly level?: Level
  /** Elements from which on a call is worth machine code. */
  readonly least?: number
  /** Bytes of a result from which on it goes past the caches. */
  readonly streamFrom?: number
  /** The library's, unless said. */
  readonly provide?: typeof provideKernels
}

export interface Installed {
  readonly engine: string
  /** Has results from so many bytes on go past the caches, from the next call on. */
  readonly stream: (from: number) => void
}

/** Hands machine code to the library; throws, saying why, where there is none. */
export function install({
  level,
  least = LEAST,
  streamFrom,
  provide = provideKernels,
}: InstallOptions = {}): Installed {
  const used = level ?? levels().at(-1)!
  const { ffi, textFor } = chooseWay()
  const memory = new CodeMemory(ffi)
  const stream = (from: number): void => provide(machineCode({ level: used, memory, textFor, least, streamFrom: from }))
  stream(streamFrom ?? lastCache())
  return { engine: `machine code (${used})`, stream }
}
