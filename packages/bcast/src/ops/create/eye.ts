// The identity matrix, and its like with another diagonal.
import { toStored } from '../../dtype/element.ts'
import { OperandError, wrongOption } from '../../errors/index.ts'
import { checkShape } from '../../shape/dim.ts'
import { checkOptionsOf, isOptions } from '../../shape/options.ts'
import { show } from '../../shape/show.ts'
import type { DTypeFor } from '../../tensor/create.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { zeros } from './fill.ts'
import { type CreationOptions, OPTIONS, type Size } from './options.ts'

/** What `eye` takes behind its sizes. */
export interface EyeOptions extends CreationOptions {
  /** The diagonal: 0 is the main one, 1 the one above, -1 the one below. */
  readonly k?: number
}

/**
 * A matrix with ones on a diagonal and zeros elsewhere; square unless `columns` says otherwise, float32 unless `dtype`
 * does.
 *
 * @example
 * ```ts
 * eye(2).toArray() // [[1, 0], [0, 1]]
 * eye(2, 3, { k: 1, dtype: 'int32' }).toArray() // [[0, 1, 0], [0, 0, 1]]
 * ```
 */
export function eye<const N extends number, const O extends EyeOptions = Record<never, never>>(
  rows: N,
  options?: O,
): Tensor<DTypeFor<number, O>, [Size<N>, Size<N>]>
export function eye<const N extends number, const M extends number, const O extends EyeOptions = Record<never, never>>(
  rows: N,
  columns: M,
  options?: O,
): Tensor<DTypeFor<number, O>, [Size<N>, Size<M>]>
export function eye(...args: readonly unknown[]): Tensor {
  const [rows, second, third] = args
  const options = second === undefined || isOptions(second) ? (second ?? third) : third
  const columns = second === undefined || isOptions(second) ? rows : second
  if (args.length > 3 || (isOptions(second) && third !== undefined)) {
    throw new OperandError(
      'eye takes rows, and columns if they differ, with options behind them: eye(2, 3, { k: 1 }).',
      { operator: 'eye' },
    )
  }
  checkOptionsOf('eye', options, [...OPTIONS, 'k'])
  const { k = 0, ...rest } = (options ?? {}) as EyeOptions
  if (!Number.isInteger(k)) throw wrongOption('eye', 'k', `is ${show(k)}`, 'it is an integer')
  const shape: unknown = [rows, columns]
  checkShape(shape, 'shape of eye')
  const made = zeros(shape, rest) as Tensor
  const one = toStored(made.dtype, 1)
  const [height, width] = shape as [number, number]
  for (let row = Math.max(0, -k); row < height && row + k < width; row++) {
    ;(made.storage as unknown[])[made.layout.offset + row * width + row + k] = one
  }
  return made
}
