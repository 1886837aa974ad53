// Axes of size 1 that come and go. Nothing moves: both are views.
import type { DType } from '../../dtype/dtype.ts'
import { ShapeError } from '../../errors/index.ts'
import { formatShape, type Shape } from '../../shape/dim.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { checkTensors } from '../arguments.ts'
import { axesOf, checkTogether } from './axes.ts'
import type { Axes, Squeezed, Unsqueezed } from './types.ts'

/**
 * A view without axes of size 1: those that are named, or all. A named axis of another size is an error.
 *
 * @example
 * ```ts
 * squeeze(zeros([1, 3, 1])).shape // [3]
 * squeeze(zeros([1, 3, 1]), -1).shape // [1, 3]
 * ```
 */
export function squeeze<D extends DType, S extends Shape, const A extends Axes | undefined = undefined>(
  x: Tensor<D, S>,
  axes?: A,
): Tensor<D, Squeezed<S, A>>
export function squeeze(x: Tensor, axes?: Axes, ...rest: readonly unknown[]): Tensor {
  checkTogether('squeeze', rest)
  checkTensors('squeeze', [x])
  const { shape, strides, offset } = x.layout
  const dropped = axes === undefined ? undefined : axesOf('squeeze', axes, shape.length)
  for (const axis of dropped ?? []) {
    if (shape[axis] === 1) continue
    throw new ShapeError(
      `squeeze: axis ${axis} of shape ${formatShape(shape)} has size ${shape[axis]}, not 1.`,
      shape,
      axis,
    )
  }
  const stays = shape.map((size, axis) => (dropped === undefined ? size !== 1 : !dropped.includes(axis)))
  const kept = (values: readonly number[]): number[] => values.filter((_, axis) => stays[axis])
  return x.viewAs({ shape: kept(shape), strides: kept(strides), offset })
}

/**
 * A view with new axes of size 1, at these positions of the result.
 *
 * @example
 * ```ts
 * unsqueeze(zeros([3]), 0).shape // [1, 3]
 * unsqueeze(zeros([3]), [0, -1]).shape // [1, 3, 1]
 * ```
 */
export function unsqueeze<D extends DType, S extends Shape, const A extends Axes>(
  x: Tensor<D, S>,
  axes: A,
): Tensor<D, Unsqueezed<S, A>>
export function unsqueeze(x: Tensor, axes: Axes, ...rest: readonly unknown[]): Tensor {
  checkTogether('unsqueeze', rest)
  checkTensors('unsqueeze', [x])
  const { shape, strides, offset } = x.layout
  const rank = shape.length + (Array.isArray(axes) ? axes.length : 1)
  const added = axesOf('unsqueeze', axes, rank)
  const placed = (values: readonly number[], fresh: number): number[] => {
    const rest = values.values()
    return Array.from({ length: rank }, (_, axis) => (added.includes(axis) ? fresh : rest.next().value!))
  }
  return x.viewAs({ shape: placed(shape, 1), strides: placed(strides, 0), offset })
}
