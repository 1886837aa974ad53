// Which way into the system there is here. Bun's own is the fastest there; everywhere else koffi is, Deno's own way of
// calling an address included, and `node:ffi` takes its place where a Node may load no addons.
import { bunFfi, bunText } from './bun.ts'
import type { Ffi } from './ffi.ts'
import { koffiFfi, koffiText } from './koffi.ts'
import { hasNodeFfi, nodeFfi, nodeText } from './node.ts'

export interface Way {
  readonly ffi: Ffi
  /** The text of a function's body that gives the function at an address, for threads. */
  readonly textFor: (address: bigint) => string
}

/** Throws, saying why, where there is none. */
export function chooseWay(): Way {
  if (process.versions['bun'] !== undefined) return { ffi: bunFfi(), textFor: bunText }
  try {
    return { ffi: koffiFfi(), textFor: koffiText }
  } catch (error) {
    if (hasNodeFfi()) return { ffi: nodeFfi(), textFor: nodeText }
    throw new Error(`koffi cannot be loaded: ${(error as Error).message}`, { cause: error })
  }
}
