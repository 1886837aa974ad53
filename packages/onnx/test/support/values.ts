// Tensors that a run made against those of onnxruntime: equal to the bit, or within some units in the last place.
import type { Tensor } from 'bcast'
import * as ort from 'onnxruntime-node'
import type { Actual } from './agree.ts'

/** Distance of two float32 numbers in representable ones; infinite between a number and NaN. */
export function ulps(a: number, b: number): number {
  if (Object.is(a, b) || (Number.isNaN(a) && Number.isNaN(b))) return 0
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.POSITIVE_INFINITY
  const order = (value: number): number => {
    const [bits] = new Int32Array(Float32Array.of(value).buffer) as unknown as [number]
    return bits < 0 ? -0x80000000 - bits : bits
  }
  return Math.abs(order(a) - order(b))
}

/** How a tensor differs from what onnxruntime gave; undefined where it does not by more than `most` ulps. */
export function difference(
  got: Tensor | undefined,
  { element, shape, elements }: Actual,
  most = 0,
): string | undefined {
  if (got === undefined) return 'there is no such output'
  const text = `${got.dtype} (${got.shape.join(',')})`
  if (got.dtype !== element || got.shape.join() !== shape.join()) return `${text}, not ${element} (${shape.join(',')})`
  const data = got.data as ArrayLike<number | bigint>
  for (let i = 0; i < data.length; i++) {
    const [a, b] = [data[i]!, elements![i]!]
    const distance = typeof a === 'bigint' || got.dtype !== 'float32' ? Number(!Object.is(a, b)) : ulps(a, Number(b))
    // Zeros of either sign count as one where rounding is allowed.
    if (distance > most && !(most > 0 && a === b)) return `element ${i} of ${text} is ${a}, not ${b} (${distance} ulps)`
  }
  return undefined
}

/** A tensor as onnxruntime takes it. */
export const fed = (x: Tensor): ort.Tensor => new ort.Tensor(x.dtype as 'float32', x.data as never, [...x.shape])
