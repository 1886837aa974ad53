// Arrays that computations in flight use: a tensor may be disposed while one runs, and its memory must stay until then.
import type { Storage } from '../dtype/dtype.ts'

/** How many computations use an array, and what gives the memory of a disposed one back. */
const inUse = new Map<Storage, { computations: number; free?: (() => void) | undefined }>()

/** Keeps the memory under arrays until the function it gives is called, even when they are disposed meanwhile. */
export function hold(arrays: readonly Storage[]): () => void {
  const held = new Set(arrays)
  for (const array of held) {
    const use = inUse.get(array)
    if (use === undefined) inUse.set(array, { computations: 1 })
    else use.computations++
  }
  return () => {
    for (const array of held) {
      const use = inUse.get(array)!
      if (--use.computations > 0) continue
      inUse.delete(array)
      use.free?.()
    }
  }
}

/** Gives the memory under an array back as soon as nothing in flight uses it. */
export function freeWhenUnused(array: Storage, free: (() => void) | undefined): void {
  const use = inUse.get(array)
  if (use !== undefined) use.free ??= free
  else free?.()
}
