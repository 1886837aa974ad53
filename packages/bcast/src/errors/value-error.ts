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

const where = (path: readonly number[]): string => (path.length === 0 ? '' : ` at [${path.join(', ')}]`)

/** The error of a value that a type cannot hold. */
export function cannotHold(dtype: string, value: unknown, reason: string, path: readonly number[]): ValueError {
  const text = `${show(value)}${where(path)} cannot be an element of type ${dtype}: ${reason}.`
  return new ValueError(text, value, path, { dtype, reason })
}

/** What makes elements of an object that has some, in a way of its own. */
function wayOut(value: object, kind: string): string {
  if (/Buffer|DataView/.test(kind)) return 'say what its bytes are with a view of it, such as new Float32Array(buffer)'
  if (kind === 'Promise') return 'await it'
  // Before what can be spread: spreading a tensor of another copy gives others of it.
  if ('dtype' in value && 'shape' in value)
    return 'give its elements and shape, as in tensor(x.data, { shape: x.shape })'
  if (Symbol.iterator in value) return 'spread it into an array, as in [...values]'
  return 'tensors are made of numbers, bigints, booleans, strings, arrays and typed arrays of them, and tensors'
}

/** The error of an object where an element, or what holds elements, was expected. */
export function noElement(value: object, path: readonly number[]): ValueError {
  const kind = Object.prototype.toString.call(value).slice(8, -1)
  return new ValueError(`this ${kind}${where(path)} is no element: ${wayOut(value, kind)}.`, value, path)
}
