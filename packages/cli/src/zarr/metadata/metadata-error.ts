// Metadata that cannot be used: which file says it, what it says, what is expected there.
import { FileError } from '../../errors/file-error.ts'
import { type Fields, isFields, shownValue } from './json.ts'

/** What is read from one file of metadata, and how it is spoken of. */
export class Described {
  readonly label: string
  readonly key: string
  readonly fields: Fields

  constructor(label: string, key: string, value: unknown) {
    this.label = label
    this.key = key
    if (!isFields(value)) throw new FileError(label, `${key} is ${shownValue(value)}; it should be an object.`)
    this.fields = value
  }

  error(problem: string, fix?: string): FileError {
    return new FileError(this.label, `${this.key}: ${problem}`, fix)
  }

  /** The error of a field that is not as expected. */
  wrong(name: string, expected: string): FileError {
    return this.error(`${name} is ${shownValue(this.fields[name])}; it should be ${expected}.`)
  }

  /** A list of whole numbers. */
  sizes(name: string, value: unknown, least: number): number[] {
    const isSize = (size: unknown): size is number => Number.isSafeInteger(size) && (size as number) >= least
    if (Array.isArray(value) && value.every(isSize)) return value
    throw this.error(
      `${name} is ${shownValue(value)}; it should be a list of whole numbers, ${least === 0 ? 'none negative' : `each ${least} or more`}.`,
    )
  }

  /** A whole number of a configuration, where it says one. */
  whole(name: string, value: unknown, otherwise: number): number {
    if (value === undefined || value === null) return otherwise
    if (Number.isSafeInteger(value)) return value as number
    throw this.error(`${name} is ${shownValue(value)}; it should be a whole number.`)
  }

  /** One of some words. */
  word<T extends string>(name: string, value: unknown, words: readonly T[]): T {
    const found = words.find((word) => word === value)
    if (found !== undefined) return found
    throw this.error(`${name} is ${shownValue(value)}; it should be ${words.map((word) => `"${word}"`).join(' or ')}.`)
  }
}
