// Tensors from plain elements and back, in any element type a file can name.

import { type DType, type Tensor, tensor } from 'bcast'
import type { Element } from './fits.ts'

const DTYPES: ReadonlySet<string> = new Set([
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'bool',
  'string',
])

export function makeTensor(values: readonly Element[], dtype: string, shape: readonly number[]): Tensor {
  if (!DTYPES.has(dtype)) throw new Error(`${dtype} is no element type that the runner knows`)
  return tensor(values, { dtype: dtype as DType, shape })
}

/** The elements in row-major order. */
export function elementsOf(x: Tensor): Element[] {
  const nested: unknown = x.toArray()
  return (Array.isArray(nested) ? nested.flat(Number.POSITIVE_INFINITY) : [nested]) as Element[]
}
