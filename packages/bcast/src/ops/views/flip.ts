// Axes backwards, as a view.
import type { DType } from '../../dtype/dtype.ts'
import type { Shape } from '../../shape/dim.ts'
import { type Range, sliced } from '../../tensor/layout.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { checkTensors } from '../arguments.ts'
import { axesOf, checkTogether } from './axes.ts'
import type { Axes } from './types.ts'

/**
 * A view with the order of elements reversed along axes: those that are named, or all.
 *
 * @example
 * ```ts
 * flip(tensor([[1, 2], [3, 4]]), 1).toArray() // [[2, 1], [4, 3]]
 * ```
 */
export function flip<D extends DType, S extends Shape>(x: Tensor<D, S>, axes?: Axes): Tensor<D, S>
export function flip(x: Tensor, axes?: Axes, ...rest: readonly unknown[]): Tensor {
  checkTogether('flip', rest)
  checkTensors('flip', [x])
  const turned = axes === undefined ? undefined : axesOf('flip', axes, x.rank)
  const ranges = x.shape.map((_, axis): Range => (turned?.includes(axis) === false ? null : [null, null, -1]))
  return x.viewAs(sliced(x.layout, ranges))
}
