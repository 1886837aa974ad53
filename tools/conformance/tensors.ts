// Tensors from plain elements and back, in any element type a file can name.

import { type DType, dtypes, type Tensor, tensor } from 'bcast'
import type { Element } from './fits.ts'

/** Exact rationals are in no file. */
const DTYPES: ReadonlySet<string> = new Set(dtypes.filter((dtype) => dtype !== 'real'))

export function makeTensor(values: readonly Element[], dtype: string, shape: readonly number[]): Tensor {
  if (!DTYPES.has(dtype)) throw new Error(`${dtype} is no element type that the runner knows`)
  return tensor(values, { dtype: dtype as DType, shape })
}

/** The elements in row-major order. */
export function elementsOf(x: Tensor): Element[] {
  const nested: unknown = x.toArray()
  return (Array.isArray(nested) ? nested.flat(Number.POSITIVE_INFINITY) : [nested]) as Element[]
}
