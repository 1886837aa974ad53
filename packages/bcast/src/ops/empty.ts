// A tensor that is there to be written into: as `out` of a call, or through `data`.
import { type DType, dtypeOf, kindOf } from '../dtype/dtype.ts'
import { toStored } from '../dtype/element.ts'
import { checkShape, type Shape } from '../shape/dim.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { freshTensor } from './result.ts'

/**
 * A tensor in the memory that kernels compute in. Its elements are whatever lies there; strings are empty and rationals
 * zero.
 */
export function empty<const D extends DType, const S extends Shape>(
  dtype: D,
  shape: S,
): Tensor<D, { -readonly [I in keyof S]: S[I] }> {
  const type = dtypeOf(dtype)
  checkShape(shape)
  const made = freshTensor(type, [...shape])
  if (kindOf(type) === 'real') (made.storage as unknown[]).fill(toStored(type, 0))
  return made as Tensor<D, { -readonly [I in keyof S]: S[I] }>
}
