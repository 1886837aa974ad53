/**
 * Machine code for bcast. `import '@bcast/native'` is all there is to do: large calls then run as code for this processor's
 * own vectors, with the same results to the bit. Where that cannot be (another processor, a system that refuses
 * executable memory) it says so once, and bcast computes as before.
 *
 * @module
 */
import { provideKernels } from 'bcast/kernels'
import { uncached } from './cache.ts'
import { type Installed, install } from './install.ts'
import { type NativeOptions, streamFrom } from './options.ts'
import { reasonOf } from './reason.ts'

export type { NativeOptions } from './options.ts'

function tryInstall(): Installed {
  try {
    return install(provideKernels)
  } catch (error) {
    console.warn(
      `@bcast/native: bcast computes as it does without this package: the same results, slower. Cause: ${reasonOf(error)}.`,
    )
    return { engine: 'WebAssembly', stream: () => undefined }
  }
}

const installed = tryInstall()

/** What computes large calls from now on. */
export const engine: string = installed.engine

/**
 * Chooses how results are stored, from the next call on; what is settled already, such as a sequence, keeps its own.
 * Without machine code it changes nothing.
 *
 * @example
 * ```ts
 * import { configureNative } from '@bcast/native'
 *
 * configureNative({ stores: 'ordinary' }) // this program reads every result at once
 * configureNative({ stores: 'auto' })
 * ```
 */
export function configureNative(options: NativeOptions): void {
  installed.stream(streamFrom(options, uncached()))
}
