// Normal random numbers by Box and Muller's method: two uniform ones give two that are independent and normal. The
// logarithm, root, sine and cosine are the library's own, so that every machine and backend gives the same bits.
import { type DType, makeStorage } from '../../dtype/dtype.ts'
import { wrongOption } from '../../errors/index.ts'
import { elementCount, type Shape } from '../../shape/dim.ts'
import { type DTypeFor, fromData, tensor } from '../../tensor/create.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { Written } from '../create/options.ts'
import { fuse } from '../fuse.ts'
import { freshTensor } from '../result.ts'
import { checkDraw, type DrawOptions, heldBy, holds } from './options.ts'
import type { RandomStream } from './stream.ts'
import { fractionsOf, wordsFor } from './uniform.ts'

/** What `normal` takes behind the shape. */
export interface NormalOptions extends DrawOptions {
  /** The mean; 0 unless said. */
  readonly mean?: number
  /** The standard deviation; 1 unless said. */
  readonly std?: number
}

type Turned = (...operands: readonly (Tensor | { readonly out: Tensor })[]) => Tensor

/** How many deviations from the mean a number can lie: u is at least 2^-53. */
const FURTHEST = Math.sqrt(2 * 53 * Math.LN2)

/** The two numbers of a pair, by the type that they are rounded to at the end. */
const pairs = new Map<DType, readonly [Turned, Turned]>()

function pairOf(dtype: DType): readonly [Turned, Turned] {
  let pair = pairs.get(dtype)
  if (pair === undefined) {
    const cosine = fuse((u, v, mean, std) =>
      u
        .log()
        .mul(-2)
        .sqrt()
        .mul(v.mul(2 * Math.PI).cos())
        .mul(std)
        .add(mean)
        .cast(dtype),
    )
    const sine = fuse((u, v, mean, std) =>
      u
        .log()
        .mul(-2)
        .sqrt()
        .mul(v.mul(2 * Math.PI).sin())
        .mul(std)
        .add(mean)
        .cast(dtype),
    )
    pairs.set(dtype, (pair = [cosine as unknown as Turned, sine as unknown as Turned]))
  }
  return pair
}

/**
 * Normal random numbers. Elements 2i and 2i + 1 come from one block of the stream as r cos(2πv) and r sin(2πv), where
 * r = √(-2 log u), u in (0, 1] and v in [0, 1) are multiples of 2^-53, all of it in float64, then times `std` plus
 * `mean`, rounded once to the type.
 *
 * @example
 * ```ts
 * normal(random(42), [2, 3], { mean: 10, std: 2 }).shape // [2, 3]
 * ```
 */
export function normal<const S extends Shape, const O extends NormalOptions = Record<never, never>>(
  stream: RandomStream,
  shape: S,
  options?: O,
): Tensor<DTypeFor<number, O>, Written<S>>
export function normal(
  stream: RandomStream,
  shape: Shape,
  options?: NormalOptions,
  ...rest: readonly unknown[]
): Tensor {
  const { dtype, numbers } = checkDraw('normal', stream, shape, options, { mean: 0, std: 1 }, rest)
  if (numbers.std < 0) throw wrongOption('normal', 'std', `is ${numbers.std}`, 'it is at least 0')
  const furthest = Math.abs(numbers.mean) + FURTHEST * numbers.std
  if (!holds(dtype, furthest)) {
    throw wrongOption(
      'normal',
      'std',
      `is ${numbers.std}`,
      `numbers reach up to ${furthest.toPrecision(3)}, and ${heldBy(dtype)}`,
    )
  }
  const count = elementCount(shape)
  const blocks = Math.ceil(count / 2)
  const fraction = fractionsOf('float64', stream.words(wordsFor('float64', 2 * blocks)))
  const [u, v] = [makeStorage('float64', blocks), makeStorage('float64', blocks)]
  for (let i = 0; i < blocks; i++) {
    u[i] = 1 - fraction(2 * i)
    v[i] = fraction(2 * i + 1)
  }
  const made = freshTensor(dtype, [blocks, 2])
  const [mean, std] = [numbers.mean, numbers.std].map((value) => tensor(value, { dtype: 'float64' }) as Tensor)
  const drawn = [u, v].map((data) => fromData('float64', data, [blocks]) as Tensor)
  for (const [column, turned] of pairOf(dtype).entries()) {
    turned(...drawn, mean!, std!, { out: made.slice(null, column) as Tensor })
  }
  return made
    .reshape(2 * blocks)
    .slice([0, count])
    .reshape([...shape]) as Tensor
}
