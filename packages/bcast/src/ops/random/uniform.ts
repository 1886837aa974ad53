// Uniform random numbers: as many random bits as the type has significant ones, so that every number that is drawn is
// exact before it is moved to its range.
import { type DType, isHalf } from '../../dtype/dtype.ts'
import { toStored } from '../../dtype/element.ts'
import { wrongOption } from '../../errors/index.ts'
import { elementCount, type Shape } from '../../shape/dim.ts'
import type { DTypeFor } from '../../tensor/create.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { Written } from '../create/options.ts'
import { freshTensor } from '../result.ts'
import { checkDraw, type DrawOptions } from './options.ts'
import type { RandomStream } from './stream.ts'

/** What `uniform` takes behind the shape. */
export interface UniformOptions extends DrawOptions {
  /** The least number; 0 unless said. */
  readonly low?: number
  /** What numbers lie below; 1 unless said. */
  readonly high?: number
}

/** Significant bits that one word gives, by type; a float64 takes two. */
const BITS: Partial<Record<DType, number>> = { float16: 11, bfloat16: 8, float32: 24 }

/** Words that `count` numbers take. */
export const wordsFor = (dtype: DType, count: number): number => (dtype === 'float64' ? 2 * count : count)

/** What gives number i of words as one in [0, 1): a multiple of 2 to the minus bits. */
export function fractionsOf(dtype: DType, words: Uint32Array): (i: number) => number {
  const bits = BITS[dtype]
  if (bits === undefined) return (i) => ((words[2 * i]! >>> 5) * 0x4000000 + (words[2 * i + 1]! >>> 6)) * 2 ** -53
  const [shift, unit] = [32 - bits, 2 ** -bits]
  return (i) => (words[i]! >>> shift) * unit
}

/**
 * Random numbers in [low, high), each equally likely: low + u * (high - low) in float64, rounded once, where u is a
 * multiple of 2^-24 for float32 (2^-53, 2^-11 and 2^-8 for float64, float16 and bfloat16). As in NumPy, rounding may
 * reach `high` where the range is not [0, 1).
 *
 * @example
 * ```ts
 * uniform(random(42), [2, 3], { low: -1, high: 1 }).shape // [2, 3]
 * ```
 */
export function uniform<const S extends Shape, const O extends UniformOptions = Record<never, never>>(
  stream: RandomStream,
  shape: S,
  options?: O,
): Tensor<DTypeFor<number, O>, Written<S>>
export function uniform(
  stream: RandomStream,
  shape: Shape,
  options?: UniformOptions,
  ...rest: readonly unknown[]
): Tensor {
  const { dtype, numbers } = checkDraw('uniform', stream, shape, options, { low: 0, high: 1 }, rest)
  const { low, high } = numbers
  if (high < low) throw wrongOption('uniform', 'high', `is ${high}`, `it is at least low, which is ${low}`)
  const range = high - low
  if (!Number.isFinite(range)) {
    throw wrongOption('uniform', 'high', `is ${high}, and low ${low}`, 'the range is wider than float64 holds')
  }
  const made = freshTensor(dtype, [...shape])
  const count = elementCount(shape)
  const fraction = fractionsOf(dtype, stream.words(wordsFor(dtype, count)))
  const { offset } = made.layout
  const storage = made.storage as unknown[]
  const half = isHalf(dtype)
  for (let i = 0; i < count; i++) {
    const value = low + fraction(i) * range
    storage[offset + i] = half ? toStored(dtype, value) : value
  }
  return made
}
