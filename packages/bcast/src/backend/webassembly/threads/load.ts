// Brings the code of threads when it is needed: most pages never do. Where calls share work with threads
// from the first on, it comes with the library.
import { EngineError } from '../../../errors/index.ts'
import { inNode, nextTurn, warn } from '../../platform.ts'
import { runAlone } from '../task.ts'
import type { ThreadMeans } from './means.ts'

export type Threads = typeof import('./threads.ts')

/** What threads use of the library. */
export const MEANS: ThreadMeans = { EngineError, inNode, nextTurn, runAlone, warn }

let threads: Threads | undefined
let loading: Promise<Threads | undefined> | undefined

/** Brings the code at once. */
export function provideThreads(code: Threads): void {
  threads = code
  loading = Promise.resolve(code)
}

/** The code, where it is there. */
export const threadsNow = (): Threads | undefined => threads

/** The code as soon as it is there; undefined where it does not load. */
export function loadThreads(): Promise<Threads | undefined> {
  loading ??= import('./threads.ts').then(
    (code) => {
      threads = code
      return code
    },
    (cause) => {
      warn(
        `the code of worker threads does not load, so bcast computes on the calling thread: the same results, slower. Cause: ${cause}`,
      )
      return undefined
    },
  )
  return loading
}
