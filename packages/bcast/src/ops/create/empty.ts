// A tensor that is there to be written into: as `out` of a call, or through `data`.
import { dtypeOf, kindOf } from '../../dtype/dtype.ts'
import { toStored } from '../../dtype/element.ts'
import { checkShape, type Shape } from '../../shape/dim.ts'
import { checkOptionsOf } from '../../shape/options.ts'
import type { DTypeFor } from '../../tensor/create.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { checkNoMore } from '../arguments.ts'
import { freshTensor } from '../result.ts'
import { type CreationOptions, OPTIONS, type Written } from './options.ts'

/**
 * A tensor in the memory that kernels compute in, float32 unless `dtype` says otherwise. Its elements are whatever lies
 * there; strings are empty and rationals zero.
 *
 * @example
 * ```ts
 * add(tensor([1, 2]), 1, { out: empty([2]) }).toArray() // [2, 3]
 * ```
 */
export function empty<const S extends Shape, const O extends CreationOptions = Record<never, never>>(
  shape: S,
  options?: O,
): Tensor<DTypeFor<number, O>, Written<S>>
export function empty(shape: Shape, options?: CreationOptions, ...rest: readonly unknown[]): Tensor {
  checkNoMore('empty', rest, "a shape, and options behind it: empty([2, 3], { dtype: 'int32' })")
  checkShape(shape)
  checkOptionsOf('empty', options, OPTIONS)
  const dtype = dtypeOf(options?.dtype ?? 'float32')
  const made = freshTensor(dtype, [...shape])
  if (kindOf(dtype) === 'real') (made.storage as unknown[]).fill(toStored(dtype, 0))
  return made
}
