// Elements as they are stored, which is all that moving them one by one needs.
import { type DType, fromData, type Tensor } from 'bcast'
import type { Call } from './call.ts'

export type Stored = (number | bigint | string)[]

/** The elements in row-major order; a part of them, or a copy that may be changed, is a `slice`. */
export const storedOf = (x: Tensor): Stored => x.data as unknown as Stored

export const fromStored = (call: Call, dtype: DType, elements: Stored, shape: readonly number[]): Tensor =>
  call.own(fromData(dtype as 'float32', elements as unknown as Float32Array, [...shape]) as unknown as Tensor)
