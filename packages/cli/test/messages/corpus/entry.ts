// A real message, where it was found, and what is in it. Tests read every one and no other wording is claimed.
import type { SymbolicShape } from 'bcast'

export interface Entry {
  /** A thread, or the version and the expression that gave the message. */
  readonly source: string
  readonly text: string
  /** The form that must read it. */
  readonly form: string
  /** For messages with whole shapes: A, B, … as they are explained, under which rule, and the verdict. */
  readonly shapes?: readonly SymbolicShape[]
  readonly rule?: string
  readonly verdict?: 'ok' | 'conditional' | 'error'
  /** For messages with two sizes. */
  readonly sizes?: readonly (number | string)[]
  readonly axis?: number
  /** What is said about the place. */
  readonly where?: string
  /** For messages about something else. */
  readonly about?: string
  /** A part of the answer. */
  readonly says?: string
}
