// A stream of random words: a seed, which of its streams, and how far it has been read.
import { OperandError, ValueError } from '../../errors/index.ts'
import { checkOptionsOf } from '../../shape/options.ts'
import { show } from '../../shape/show.ts'
import { checkNoMore, described } from '../arguments.ts'
import { philox } from './philox.ts'

/** What `random` takes behind the seed. */
export interface RandomOptions {
  /** Which of the 2^64 streams of the seed, for parts of a program that draw side by side; 0 unless said. */
  readonly stream?: number | bigint
}

const WORD = 0xffff_ffffn

/** A number of 64 bits; throws where it is none. */
function word64(what: string, value: unknown): bigint {
  const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value)
  if (isInteger && BigInt(value as number) >= 0n && BigInt(value as number) < 2n ** 64n) return BigInt(value as number)
  const fix = Number.isInteger(value) && (value as number) > 0 ? ', given as a bigint beyond 2^53 - 1' : ''
  throw new ValueError(`random: ${what} is ${show(value)}; it is an integer from 0 to 2^64 - 1${fix}.`, value)
}

/**
 * Where `uniform` and `normal` draw from: Philox4x32-10 with the seed as its key. The counter's lower half counts blocks
 * of four words, its upper half is the stream.
 */
export class RandomStream {
  readonly seed: bigint
  readonly stream: bigint
  #blocks = 0n

  /** @internal Streams are made by `random`. */
  constructor(seed: bigint, stream: bigint) {
    this.seed = seed
    this.stream = stream
  }

  /** How many blocks of four words have been drawn; every draw begins a new one. */
  get position(): bigint {
    return this.#blocks
  }

  /** @internal The next `count` words. */
  words(count: number): Uint32Array {
    const blocks = Math.ceil(count / 4)
    const words = new Uint32Array(blocks * 4)
    const [k0, k1] = [Number(this.seed & WORD), Number(this.seed >> 32n)]
    const [c2, c3] = [Number(this.stream & WORD), Number(this.stream >> 32n)]
    let [c0, c1] = [Number(this.#blocks & WORD), Number((this.#blocks >> 32n) & WORD)]
    for (let i = 0; i < blocks; i++) {
      philox(c0, c1, c2, c3, k0, k1, words, 4 * i)
      c0 = (c0 + 1) >>> 0
      if (c0 === 0) c1 = (c1 + 1) >>> 0
    }
    this.#blocks += BigInt(blocks)
    return words
  }
}

/** Throws unless something is a stream. */
export function checkStream(name: string, stream: unknown): asserts stream is RandomStream {
  if (stream instanceof RandomStream) return
  const given = Array.isArray(stream) ? show(stream) : described(stream)
  throw new OperandError(`${name} draws from a stream: ${name}(random(42), [2, 3]); it was given ${given}.`, {
    operator: name,
    operand: 0,
  })
}

/**
 * A stream of random numbers, the same for the same seed on every machine and backend. `uniform` and `normal` draw from
 * it, each call going on where the one before ended.
 *
 * @example
 * ```ts
 * arrayEqual(uniform(random(42), [2, 3]), uniform(random(42), [2, 3])) // true
 * ```
 */
export function random(seed: number | bigint, options?: RandomOptions): RandomStream
export function random(seed: unknown, options?: RandomOptions, ...rest: readonly unknown[]): RandomStream {
  checkNoMore('random', rest, 'a seed, and options behind it: random(42, { stream: 1 })')
  checkOptionsOf('random', options, ['stream'])
  return new RandomStream(word64('seed', seed), word64('stream', options?.stream ?? 0))
}
