// Computations that do not keep the calling thread: each begins when those asked for before it have ended, so that one
// may use what another writes.
import type { Storage } from '../dtype/dtype.ts'
import { hold } from './in-use.ts'

let last: Promise<unknown> = Promise.resolve()

/** Does `work` when everything asked for before has ended; the memory under `arrays` is kept until it is done. */
export function inTurn<T>(arrays: readonly Storage[], work: () => Promise<T>): Promise<T> {
  const letGo = hold(arrays)
  const mine = last.then(work).finally(letGo)
  last = mine.catch(() => undefined)
  return mine
}
