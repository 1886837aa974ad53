// Who keeps steps to run them over other arrays.
import { backends } from './backends.ts'
import type { Recordings } from './recordings.ts'
import { machine } from './webassembly/machine/seam.ts'

/** What the backend that is asked first knows; undefined where it knows no such way. */
export function recordings(): Recordings | undefined {
  // Asked in front of calls that are short.
  if (machine === undefined) return undefined
  const first = backends()[0]!
  return first.name === 'webassembly' ? machine.recordings(first) : undefined
}
