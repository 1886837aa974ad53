// Calls of products over operands that are transposed, strided, turned round and begin anywhere, the caller's arrays, factors
// and a C that goes onto the product, results into parts of others; and products with a part of an image.
import * as bcast from 'bcast'
import { type DType, gemm, type Tensor, tensor, tensordot } from 'bcast'
import fc from 'fast-check'

export const bytesOf = ({ data }: Tensor): string => {
  const { buffer, byteOffset, byteLength } = data as Float32Array
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('hex')
}

const TYPES: readonly DType[] = ['float32', 'float64', 'float16', 'bfloat16', 'int32', 'uint32', 'int64', 'uint64']

const SCALES = [1e-3, 1, 1 / 3, 1e-5]

/** Elements of a type: magnitudes far apart, so that the order of sums shows, and integers whose products wrap. */
export function elements(dtype: DType, shape: readonly number[], seed: number): Tensor {
  const count = shape.reduce((product, size) => product * size, 1)
  const isFloat = dtype.includes('float')
  const numbers = Float64Array.from({ length: count }, (_, i) => {
    const x = ((i * 2_654_435 + seed * 7919) % 65_537) - 32_768
    return isFloat ? x * SCALES[(i * 7 + seed) % 4]! : x * (i % 3 === 0 ? 65_536 : 1)
  })
  const cast = bcast.cast(tensor(numbers, { shape: [...shape] }) as Tensor, dtype as 'float32') as Tensor
  return cast
}

/** The caller's own array of the same elements. */
function foreign(x: Tensor): Tensor {
  const data = (x.data as Float32Array).slice()
  return tensor(data, { shape: [...x.shape], dtype: x.dtype as 'float32' }) as Tensor
}

const lies = fc.record({
  isTurned: fc.boolean(),
  step: fc.constantFrom(1, 1, 1, 2, -1),
  skipped: fc.integer({ min: 0, max: 3 }),
  isForeign: fc.boolean(),
})
type Lies = { isTurned: boolean; step: number; skipped: number; isForeign: boolean }

/** A matrix that lies as told. */
function matrix(dtype: DType, rows: number, columns: number, lying: Lies, seed: number): Tensor {
  const { isTurned, step, skipped, isForeign } = lying
  const [m, n] = isTurned ? [columns, rows] : [rows, columns]
  const whole = elements(dtype, [m + skipped, n * Math.abs(step) + skipped], seed)
  const own = isForeign ? foreign(whole) : whole
  const stop = skipped + n * Math.abs(step)
  const part = own.slice(
    [skipped, m + skipped],
    step > 0 ? [skipped, stop, step] : [stop - 1, skipped === 0 ? null : skipped - 1, step],
  ) as Tensor
  return (isTurned ? part.transpose(1, 0) : part) as Tensor
}

const size = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 40 }), fc.constantFrom(16, 24, 48, 97))
const calls = fc.record({
  dtype: fc.constantFrom(...TYPES),
  m: size,
  n: fc.oneof(size, size, size, fc.constant(500)),
  k: fc.oneof(size, size, size, fc.constant(700)),
  a: lies,
  b: lies,
  c: fc.constantFrom('none', 'scalar', 'row', 'column', 'whole', 'turned', 'result'),
  alpha: fc.constantFrom(1, 1, 2, -3),
  beta: fc.constantFrom(1, -2),
  out: fc.constantFrom('fresh', 'own', 'turned', 'strided', 'foreign'),
  threads: fc.constantFrom(1, 1, 1, 2),
  seed: fc.nat(1000),
})

export type ProductCall = typeof calls extends fc.Arbitrary<infer T> ? T : never

/** Those that are more than an element at a time, and at most so many products. */
export const productCalls = (most: number): fc.Arbitrary<ProductCall> =>
  calls.filter(({ m, n, k }) => m * n * k > 512 && m * n * k < most)

/** The bytes of what it gives. */
export function computeProduct({ dtype, m, n, k, a, b, c, alpha, beta, out, seed }: ProductCall): string {
  const [x, y] = [matrix(dtype, m, k, a, seed), matrix(dtype, k, n, b, seed + 1)]
  const whole =
    out === 'strided' ? elements(dtype, [m, 2 * n + 1], 3) : elements(dtype, out === 'turned' ? [n, m] : [m, n], 3)
  const result =
    out === 'fresh' && c !== 'result'
      ? undefined
      : out === 'turned'
        ? (whole.transpose(1, 0) as Tensor)
        : out === 'strided'
          ? (whole.slice([0, m], [1, 2 * n + 1, 2]) as Tensor)
          : out === 'foreign'
            ? foreign(whole)
            : whole
  const shape = {
    none: undefined,
    scalar: [],
    row: [n],
    column: [m, 1],
    whole: [m, n],
    turned: [n, m],
    result: undefined,
  }[c]
  const addend = c === 'result' ? result : shape && elements(dtype, shape, seed + 2)
  const given = c === 'turned' ? (addend!.transpose(1, 0) as Tensor) : addend
  const options = { alpha, beta, ...(result === undefined ? {} : { out: result }) }
  const args = given === undefined ? [x, y, options] : [x, y, given, options]
  const made = (gemm as (...args: unknown[]) => Tensor)(...args)
  return bytesOf(out === 'strided' ? whole : made)
}

const images = fc.record({
  dtype: fc.constantFrom(...TYPES),
  m: fc.integer({ min: 1, max: 20 }),
  channels: fc.integer({ min: 1, max: 6 }),
  height: fc.integer({ min: 1, max: 9 }),
  width: fc.integer({ min: 1, max: 70 }),
  seed: fc.nat(100),
})

export type ImageCall = typeof images extends fc.Arbitrary<infer T> ? T : never

export const imageCalls: fc.Arbitrary<ImageCall> = images.filter(
  ({ m, channels, height, width }) => m * channels * height * width > 512,
)

/** The bytes of what a product with part of an image gives, neither of whose sides can be taken as one axis. */
export function computeImage({ dtype, m, channels, height, width, seed }: ImageCall): string {
  const x = elements(dtype, [m, channels, 2], seed)
  const image = elements(dtype, [channels + 1, 3, height + 2, width + 5], seed + 1)
  const y = image.slice([1, null], [0, 3, 2], [1, height + 1], [2, width + 2]) as Tensor
  return bytesOf(tensordot(x as never, y as never) as Tensor)
}
