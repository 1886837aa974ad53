// Windows that slide over axes, as a view: what convolutions and pools look at. Steps and gaps are slices of it.
import type { DType } from '../dtype/dtype.ts'
import { IndexError, ShapeError } from '../errors/index.ts'
import { checkShape, formatShape, type Shape } from '../shape/dim.ts'
import { normalAxis } from '../tensor/layout.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { checkTensors, described } from './arguments.ts'

/**
 * A read-only view of every window of a shape, as NumPy's sliding_window_view: the axes it slides over (the last ones,
 * unless said) become its places, and axes of the elements within it follow behind all others.
 *
 * @example
 * ```ts
 * slidingWindowView(tensor([1, 2, 3]), [2]).toArray() // [[1, 2], [2, 3]]
 * ```
 */
export function slidingWindowView<X extends Tensor>(
  x: X,
  window: Shape,
  axes?: readonly number[],
): Tensor<X extends Tensor<infer D, Shape> ? D : DType> {
  checkTensors('slidingWindowView', [x])
  checkShape(window, 'window')
  if (axes !== undefined && !Array.isArray(axes)) {
    throw new IndexError(`slidingWindowView: axes are ${described(axes)}; they are an array, such as [-2, -1].`)
  }
  const { shape, strides, offset } = x.layout
  const rank = shape.length
  const over = axes ?? window.map((_, i) => rank - window.length + i)
  const places = over.map((axis) => normalAxis(axis, rank, 'slidingWindowView'))
  if (places.length !== window.length || new Set(places).size !== places.length) {
    throw new IndexError(
      `slidingWindowView: a window of shape ${formatShape(window)} slides over ${window.length} different axes, not over [${over.join(', ')}].`,
    )
  }
  const sizes = [...shape]
  for (const [i, axis] of places.entries()) {
    sizes[axis] = shape[axis]! - window[i]! + 1
    if (window[i]! < 1 || sizes[axis]! < 1) {
      throw new ShapeError(
        `slidingWindowView: a window of ${window[i]} does not fit axis ${axis} of shape ${formatShape(shape)}; it is 1 to ${shape[axis]}.`,
        window,
      )
    }
  }
  const steps = [...strides, ...places.map((axis) => strides[axis]!)]
  return x.viewAs({ shape: [...sizes, ...window], strides: steps, offset }, true) as never
}
