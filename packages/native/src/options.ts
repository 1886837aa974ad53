// What users of the package may choose.
import { OperandError } from 'bcast'

/** How results are stored. */
export interface NativeOptions {
  /**
   * `auto`: past the caches where the result takes more than half of the last one, which is the default. `streaming`: always,
   * for results that nobody reads soon. `ordinary`: never, for results that are read at once, in pieces that fit.
   */
  readonly stores: 'auto' | 'streaming' | 'ordinary'
}

const TAKEN = "it takes { stores }, which is 'auto', 'streaming' or 'ordinary'"

/** Bytes of a result from which on it goes past the caches; throws where options are anything else. */
export function streamFrom(options: NativeOptions, uncached: number): number {
  if (typeof options !== 'object' || options === null) {
    throw new OperandError(`configureNative: options are ${String(options)}; ${TAKEN}.`)
  }
  const unknown = Object.keys(options).find((name) => name !== 'stores')
  if (unknown !== undefined) throw new OperandError(`configureNative has no option ${unknown}; ${TAKEN}.`)
  const { stores } = options
  const from = { auto: uncached, streaming: 0, ordinary: Number.POSITIVE_INFINITY }
  if (Object.hasOwn(from, stores)) return from[stores]
  throw new OperandError(`configureNative: stores is ${JSON.stringify(stores)}; ${TAKEN}.`)
}
