/**
 * What bundles for browsers get of this package: nothing but a word, because pages cannot run machine code.
 *
 * @module
 */
import type { NativeOptions } from './options.ts'

export type { NativeOptions } from './options.ts'

console.warn(
  '@bcast/native: bcast computes as it does without this package: the same results, slower. Cause: a page cannot run machine code.',
)

/** What computes large calls. */
export const engine: string = 'WebAssembly'

/** Changes nothing here. */
export function configureNative(_: NativeOptions): void {}
