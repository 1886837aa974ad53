// Tensors of one value.
import { dtypeOf } from '../../dtype/dtype.ts'
import { wrongOperand } from '../../errors/index.ts'
import { checkShape, type Shape } from '../../shape/dim.ts'
import { checkOptionsOf, isOptions } from '../../shape/options.ts'
import { type DTypeFor, type Leaf, tensor } from '../../tensor/create.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { checkNoMore, described } from '../arguments.ts'
import { freshTensor } from '../result.ts'
import { type CreationOptions, OPTIONS, type Written } from './options.ts'

function filled(name: string, shape: Shape, value: unknown, options: CreationOptions | undefined): Tensor {
  // A shape that is given size by size is told apart from options.
  checkShape(shape)
  checkOptionsOf(name, options, OPTIONS)
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    throw wrongOperand(
      name,
      1,
      `is ${described(value)}`,
      'it has to be one value; expand(tensor(…), shape) repeats more',
    )
  }
  const one = tensor(value as number, options?.dtype === undefined ? undefined : { dtype: options.dtype })
  const made = freshTensor(one.dtype, [...shape])
  const { offset } = made.layout
  const storage = made.storage as { fill(value: unknown, start: number, end: number): unknown }
  storage.fill(one.storage[one.layout.offset], offset, offset + made.size)
  return made
}

/**
 * A tensor of zeros, float32 unless `dtype` says otherwise; strings are empty, bools false.
 *
 * @example
 * ```ts
 * zeros([2, 3]).toArray() // [[0, 0, 0], [0, 0, 0]]
 * zeros([2], { dtype: 'int64' }).toArray() // [0n, 0n]
 * ```
 */
export function zeros<const S extends Shape, const O extends CreationOptions = Record<never, never>>(
  shape: S,
  options?: O,
): Tensor<DTypeFor<number, O>, Written<S>>
export function zeros(shape: Shape, options?: CreationOptions, ...rest: readonly unknown[]): Tensor {
  checkNoMore('zeros', rest, "a shape, and options behind it: zeros([2, 3], { dtype: 'int32' })")
  const dtype = isOptions(options) ? options.dtype : undefined
  return filled('zeros', shape, dtype !== undefined && dtypeOf(dtype) === 'string' ? '' : 0, options)
}

/**
 * A tensor of ones, float32 unless `dtype` says otherwise; bools are true.
 *
 * @example
 * ```ts
 * ones([2, 3], { dtype: 'float64' }).toArray() // [[1, 1, 1], [1, 1, 1]]
 * ```
 */
export function ones<const S extends Shape, const O extends CreationOptions = Record<never, never>>(
  shape: S,
  options?: O,
): Tensor<DTypeFor<number, O>, Written<S>>
export function ones(shape: Shape, options?: CreationOptions, ...rest: readonly unknown[]): Tensor {
  checkNoMore('ones', rest, "a shape, and options behind it: ones([2, 3], { dtype: 'int32' })")
  return filled('ones', shape, 1, options)
}

/**
 * A tensor of one value, whose type is as `tensor` takes it: a number makes float32, a bigint int64.
 *
 * @example
 * ```ts
 * full([3], 7).toArray() // [7, 7, 7]
 * full([2], 'a').toArray() // ['a', 'a']
 * full([2], 255, { dtype: 'uint8' }).dtype // 'uint8'
 * ```
 */
export function full<const S extends Shape, V extends Leaf, const O extends CreationOptions = Record<never, never>>(
  shape: S,
  value: V,
  options?: O,
): Tensor<DTypeFor<V, O>, Written<S>>
export function full(shape: Shape, value: unknown, options?: CreationOptions, ...rest: readonly unknown[]): Tensor {
  checkNoMore('full', rest, "a shape and a value, and options behind them: full([2, 3], 7, { dtype: 'int32' })")
  return filled('full', shape, value, options)
}
