// An element that its type cannot hold, or elements that do not fill their shape.
import { BcastError } from './bcast-error.ts'

/** What is known besides, where a type cannot hold the value. */
interface About {
  readonly dtype: string
  readonly reason: string
}

/** A value that an element type cannot hold, or data that do not fill a shape. */
export class ValueError extends BcastError {
  readonly code = 'BCAST_VALUE'
  declare readonly value: unknown
  /** Where the value stands, as an index into the nesting; empty for the whole. */
  declare readonly path: readonly number[]
  /** The type that cannot hold it, where one is concerned. */
  declare readonly dtype?: string
  /** Why it cannot: `it is not an integer`. */
  declare readonly reason?: string

  constructor(message: string, value: unknown, path: readonly number[] = [], about?: About) {
    super(message, { value, path, ...about })
  }
}

/** A value as JavaScript writes it. */
const show = (value: unknown): string =>
  typeof value === 'bigint' ? `${value}n` : typeof value === 'string' ? JSON.stringify(value) : String(value)

/** The error of a value that a type cannot hold. */
export function cannotHold(dtype: string, value: unknown, reason: string, path: readonly number[]): ValueError {
  const where = path.length === 0 ? '' : ` at [${path.join(', ')}]`
  const text = `${show(value)}${where} cannot be an element of type ${dtype}: ${reason}.`
  return new ValueError(text, value, path, { dtype, reason })
}
