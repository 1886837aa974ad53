// Who keeps tasks, so that they can run again and again.
import type { WebAssemblyBackend } from './backend.ts'
import type { Runner } from './task.ts'

export interface Keeping extends Runner {
  readonly backend: WebAssemblyBackend
  readonly threads: number
  /** Memory that is a call's while it runs. */
  borrow(bytes: number): number
  /** Adds the tasks of a call; false, having changed nothing, where there is no room or it describes none. */
  describe(call: () => boolean): boolean
}
