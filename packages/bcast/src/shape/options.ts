// Options of a call: a plain object that holds nothing but what the call knows. One that is misspelt and taken silently
// would be a wrong result.
import { OperandError } from '../errors/index.ts'
import { show } from './show.ts'

/** Whether a value is options: a plain object, of any realm, that inherits nothing of its own. */
export function isOptions(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return true
  // Another realm has an Object.prototype of its own.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'hasOwnProperty')
}

/** Throws where options hold what is not known. */
export function checkNames(name: string, options: object, known: readonly string[]): void {
  for (const option in options) {
    if (known.includes(option)) continue
    throw new OperandError(
      `${name} has no option ${option}; it has ${known.length === 0 ? 'none' : known.join(', ')}.`,
      {
        operator: name,
        option,
      },
    )
  }
}

/** Throws unless a value is options of these names, or absent. */
export function checkOptionsOf(name: string, options: unknown, known: readonly string[]): void {
  if (options === undefined) return
  if (!isOptions(options)) {
    throw new OperandError(`${name}: options are ${show(options)}; they are an object with ${known.join(', ')}.`, {
      operator: name,
    })
  }
  checkNames(name, options, known)
}
