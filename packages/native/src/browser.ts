/**
 * What bundles for browsers get of this package: nothing but a word, because pages cannot run machine code.
 *
 * @module
 */
console.warn(
  '@bcast/native: bcast computes as it does without this package: the same results, slower. Cause: a page cannot run machine code.',
)

/** What computes large calls. */
export const engine: string = 'WebAssembly'
