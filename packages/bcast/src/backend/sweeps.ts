// Who goes over some rows of several steps, then over the next, in a way of its own.
import { backends } from './backends.ts'
import type { RowSweeps } from './row-sweeps.ts'
import { machine } from './webassembly/machine/seam.ts'

/** The way of the backend that is asked first; undefined where it has none. */
export function rowSweeps(): RowSweeps | undefined {
  const first = backends()[0]!
  return first.name === 'webassembly' ? machine?.sweeps(first) : undefined
}
