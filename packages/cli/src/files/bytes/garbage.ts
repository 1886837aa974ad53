// Chunks of streams are fresh memory each, and V8 lets some 32 MiB of them pile up before it looks for garbage: more
// than the rest of the program takes. Whoever takes chunks says so here, and those before them are collected in time.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes that may pile up. */
const MOST = 2 ** 22

type Collect = (options: { readonly type: 'minor' }) => void

let collect: Collect | undefined
let arrived = 0

/** V8's own function, which programs see where they ask for it; nothing where it is not to be had. */
function collector(): Collect {
  setFlagsFromString('--expose-gc')
  return (runInNewContext('globalThis.gc') as Collect | undefined) ?? (() => {})
}

/** Says that a chunk of as many bytes has come, and that those before it are not needed any more. */
export function chunkArrived(bytes: number): void {
  arrived += bytes
  if (arrived < MOST) return
  arrived = 0
  collect ??= collector()
  collect({ type: 'minor' })
}
