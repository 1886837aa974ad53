// Words of JSON text as elements of one type, exactly: what the type cannot hold is an error, never a wrap.
import { converted } from '../blocks/convert.ts'
import { bytesOf, newElements, type StoredDType, type TypedArray } from '../element.ts'

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
const INTEGER = /^-?\d+$/

const words: Readonly<Record<string, number>> = { NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity }

/** Whether a string stands for a number that JSON cannot write. */
export const isNumberName = (text: string): boolean => Object.hasOwn(words, text)

/** The type of an array that does not say: that of its first element. */
export const typeOfWord = (word: string): StoredDType => (word === 'true' || word === 'false' ? 'bool' : 'float64')

/** Thrown with the reason; the reader adds the place. */
export class WordError extends Error {}

/** A number that loses digits in the type of numbers when none is said. */
export class UntypedError extends WordError {}

/** From where on a type of floats rounds to infinity. */
const beyond: Readonly<Partial<Record<StoredDType, number>>> = {
  float16: 65520,
  bfloat16: 2 ** 128 - 2 ** 119,
  float32: 2 ** 128 - 2 ** 103,
}

/** A number in a type of floats, which rounds it, but not to infinity. */
function floatOf(word: string, dtype: StoredDType): number {
  const value = numberOf(word)
  if (Math.abs(value) >= (beyond[dtype] ?? Number.POSITIVE_INFINITY) && !isNumberName(word)) {
    throw new WordError(`${word} is beyond the numbers of ${dtype}; infinity is written "Infinity"`)
  }
  return value
}

function numberOf(word: string): number {
  if (NUMBER.test(word)) return Number(word)
  const named = Object.hasOwn(words, word) ? words[word] : undefined
  if (named !== undefined) return named
  throw new WordError(`${word} is no number; NaN, "NaN", Infinity and "Infinity" are`)
}

/** A number without a type keeps its value or is refused: digits would be lost without a word. */
function untypedNumber(word: string): number {
  const value = floatOf(word, 'float64')
  if (INTEGER.test(word) && !Number.isSafeInteger(value) && BigInt(value) !== BigInt(word)) {
    throw new UntypedError(`${word} is no float64, which is the type of numbers when none is said`)
  }
  return value
}

function integerOf(word: string, min: bigint, max: bigint, dtype: StoredDType): bigint {
  const value = INTEGER.test(word) ? undefined : numberOf(word)
  if (value !== undefined && !Number.isSafeInteger(value)) throw new WordError(`${word} is no ${dtype}`)
  const integer = BigInt(value ?? word)
  if (integer < min || integer > max) throw new WordError(`${word} lies outside ${dtype}, which has ${min} to ${max}`)
  return integer
}

function booleanOf(word: string, typed: boolean): number {
  if (word === 'true' || (typed && word === '1')) return 1
  if (word === 'false' || (typed && word === '0')) return 0
  throw new WordError(`${word} is no bool`)
}

/** How a word becomes what an array of its type stores; 16-bit floats are numbers until they are packed. */
function converter(dtype: StoredDType, typed: boolean): (word: string) => number | bigint {
  if (dtype === 'bool') return (word) => booleanOf(word, typed)
  const [, unsigned, digits] = /^(u?)int(\d+)$/.exec(dtype) ?? []
  if (digits === undefined) return typed ? (word) => floatOf(word, dtype) : untypedNumber
  const bits = BigInt(digits)
  const min = unsigned === '' ? -(1n << (bits - 1n)) : 0n
  const max = (1n << (unsigned === '' ? bits - 1n : bits)) - 1n
  const wide = digits === '64'
  return (word) => (wide ? integerOf(word, min, max, dtype) : Number(integerOf(word, min, max, dtype)))
}

const LENGTH = 2 ** 13

/** Collects elements and hands them out in runs of bytes. */
export class ElementRun {
  readonly #dtype: StoredDType
  readonly #convert: (word: string) => number | bigint
  readonly #run: TypedArray
  #length = 0

  constructor(dtype: StoredDType, typed: boolean) {
    this.#dtype = dtype
    this.#convert = converter(dtype, typed)
    this.#run = dtype === 'float16' || dtype === 'bfloat16' ? new Float64Array(LENGTH) : newElements(dtype, LENGTH)
  }

  /** Whether the run should be taken before the next element. */
  get full(): boolean {
    return this.#length === LENGTH
  }

  add(word: string): void {
    this.#run[this.#length++] = this.#convert(word)
  }

  /** The bytes of what was added since the last time. */
  taken(): Uint8Array {
    const run = this.#run.subarray(0, this.#length)
    this.#length = 0
    if (this.#dtype !== 'float16' && this.#dtype !== 'bfloat16') return bytesOf(run)
    return bytesOf(converted('float64', run, this.#dtype))
  }
}
