// What threads use of the library. It is given to them: their code is loaded by itself, and were it to import anything
// of the rest, bundlers would cut that out of the rest and load it by itself, too.
import type { EngineError } from '../../../errors/index.ts'
import type { Task } from '../task.ts'

export interface ThreadMeans {
  readonly EngineError: typeof EngineError
  /** Says something once. */
  warn(text: string): void
  /** Lets everything else that waits have its turn, then does `work`. */
  nextTurn(work: () => void): unknown
  /** Runs all parts on the calling thread. */
  runAlone(task: Task): number
  /** Node's threads, where there are such. */
  readonly inNode: unknown
}
