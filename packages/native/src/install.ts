// Finds out what the processor and the system allow, and hands a maker of kernels to a library. Where they do not allow
// machine code, it says why.
import type { provideKernels } from 'bcast/kernels'
import { uncached } from './cache.ts'
import { CodeMemory } from './code.ts'
import { chooseWay } from './ffi/choose.ts'
import { type Level, levels } from './levels.ts'
import { machineCode } from './maker.ts'
import { Threads } from './threads.ts'
import { warm } from './warm.ts'

/** Elements times instructions below which calling machine code costs more than it saves: a sum of 1024, measured. */
const LEAST = 2048

/** What may be chosen, for tests and measurements. */
export interface InstallOptions {
  readonly level?: Level
  /** Elements times instructions from which on a call is worth machine code. */
  readonly least?: number
  /** Bytes of a result from which on it goes past the caches. */
  readonly streamFrom?: number
}

export interface Installed {
  readonly engine: string
  /** Has results from so many bytes on go past the caches, from the next call on. */
  readonly stream: (from: number) => void
}

/** Threads are told by a text how to call a kernel; a process may forbid code that is made of text. */
function checkThreads(): void {
  try {
    new Function('return 0')()
  } catch (cause) {
    throw new Error('the process forbids code that is made of text (--disallow-code-generation-from-strings)', {
      cause,
    })
  }
}

/** Hands machine code to the library that `provide` is of; throws, saying why, where there is none. */
export function install(
  provide: typeof provideKernels,
  { level, least = LEAST, streamFrom }: InstallOptions = {},
): Installed {
  const used = level ?? levels().at(-1)!
  checkThreads()
  const { ffi, textFor } = chooseWay()
  const memory = new CodeMemory(ffi)
  const threads = new Threads(memory, used)
  const options = { level: used, memory, threads, textFor, least, streamFrom: streamFrom ?? uncached() }
  provide(machineCode(options))
  warm(used)
  return {
    engine: `machine code (${used})`,
    stream(from) {
      options.streamFrom = from
    },
  }
}
