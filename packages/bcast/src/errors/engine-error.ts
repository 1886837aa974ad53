// The engine could not finish: a kernel trapped, a thread died, memory ran out. Never wrong data without it.
import { BcastError } from './bcast-error.ts'

/** The engine could not finish: a kernel trapped, a thread died, memory ran out. */
export class EngineError extends BcastError {
  readonly code = 'BCAST_ENGINE'
}
