// Tensors that a run made against those of onnxruntime: equal to the bit, or within some units in the last place.
import type { Tensor } from 'bcast'
import * as ort from 'onnxruntime-node'
import type { Actual } from '../../../../testing/models/agree.ts'

/** Units in the last place of float32 numbers from 1 to 2. */
const UNIT = 2 ** -23

/** How far apart numbers are, in units of their own size; near 0, where sums cancel, in those of 1. */
function distance(a: number | bigint, b: number | bigint): number {
  if (Object.is(a, b)) return 0
  if (typeof a === 'bigint' || typeof b === 'bigint') return Number.POSITIVE_INFINITY
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b) ? 0 : Number.POSITIVE_INFINITY
  // Zeros of two signs are apart where numbers must be the same.
  return a === b ? UNIT : Math.abs(a - b) / UNIT / Math.max(1, Math.abs(b))
}

/** How a tensor differs from what onnxruntime gave; undefined where it does not by more than `most` units. */
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
    const units = distance(data[i]!, elements![i]!)
    if (units > most) return `element ${i} of ${text} is ${data[i]}, not ${elements![i]} (${units} units)`
  }
  return undefined
}

/** A tensor as onnxruntime takes it. */
export const fed = (x: Tensor): ort.Tensor =>
  new ort.Tensor(x.dtype as 'float32', x.data.slice() as never, [...x.shape])
