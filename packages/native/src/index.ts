/**
 * Machine code for bcast. `import '@bcast/native'` is all there is to do: large calls then run as code for this processor's
 * own vectors, with the same results to the bit. Where that cannot be (another processor, a system that refuses
 * executable memory) it says so once, and bcast computes as before.
 *
 * @module
 */
import { install } from './install.ts'

function tryInstall(): string {
  try {
    return install()
  } catch (error) {
    const why = (error as Error).message
    console.warn(
      `@bcast/native: bcast computes as it does without this package: the same results, slower. Cause: ${why}.`,
    )
    return 'WebAssembly'
  }
}

/** What computes large calls from now on. */
export const engine: string = tryInstall()
