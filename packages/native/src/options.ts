// What users of the package may choose.

/** How results are stored. */
export interface NativeOptions {
  /**
   * `auto`: past the caches where the result would not fit into the last one, which is the default. `streaming`: always,
   * for results that nobody reads soon. `ordinary`: never, for results that are read at once, in pieces that fit.
   */
  readonly stores: 'auto' | 'streaming' | 'ordinary'
}

/** Bytes of a result from which on it goes past the caches. */
export function streamFrom({ stores }: NativeOptions, lastCache: number): number {
  const from = { auto: lastCache, streaming: 0, ordinary: Number.POSITIVE_INFINITY }
  if (Object.hasOwn(from, stores)) return from[stores]
  throw new TypeError(`configureNative: stores is ${JSON.stringify(stores)}; it is 'auto', 'streaming' or 'ordinary'.`)
}
