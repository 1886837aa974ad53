// A tensor in parts along an axis, each a view.
import type { DType } from '../../dtype/dtype.ts'
import { ShapeError, wrongOperand } from '../../errors/index.ts'
import { formatShape, type Shape } from '../../shape/dim.ts'
import { checkOptionsOf } from '../../shape/options.ts'
import { normalAxis, type Range, sliced } from '../../tensor/layout.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { checkNoMore, checkTensors, described } from '../arguments.ts'
import type { WithSize } from './types.ts'

/** Along which axis. */
export interface AxisOption {
  /** The axis, counted from either end; 0 unless said. */
  readonly axis?: number
}

export type AxisIn<O> = O extends { readonly axis: infer A extends number } ? A : 0

export type Parts<D extends DType, S extends Shape, P, O> = P extends readonly number[]
  ? number extends P['length']
    ? Tensor<D, WithSize<S, AxisIn<O>, number>>[]
    : { -readonly [I in keyof P]: Tensor<D, WithSize<S, AxisIn<O>, P[I] & number>> }
  : Tensor<D, WithSize<S, AxisIn<O>, number>>[]

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0

/** The sizes of the parts; throws where they do not make the axis. */
function sizesOf(parts: unknown, shape: Shape, axis: number): readonly number[] {
  const size = shape[axis]!
  const of = `axis ${axis} of shape ${formatShape(shape)}, whose size is ${size}`
  if (isCount(parts) && parts > 0) {
    if (size % parts === 0) return new Array<number>(parts).fill(size / parts)
    throw new ShapeError(`split: ${parts} equal parts do not make ${of}; give the size of each part.`, parts)
  }
  if (!Array.isArray(parts) || !parts.every(isCount)) {
    throw wrongOperand('split', 1, `is ${described(parts)}`, 'it is a number of equal parts, or the size of each part')
  }
  if (parts.reduce((sum, part) => sum + part, 0) === size) return parts
  throw new ShapeError(`split: parts of ${parts.join(', ')} do not make ${of}.`, parts)
}

/**
 * Views of the parts of a tensor along an axis: so many equal ones, or of these sizes (sizes, as in ONNX and PyTorch, not
 * positions, as in NumPy).
 *
 * @example
 * ```ts
 * split(arange(4), 2).map((part) => part.toArray()) // [[0, 1], [2, 3]]
 * split(arange(4), [1, 3]).map((part) => part.toArray()) // [[0], [1, 2, 3]]
 * ```
 */
export function split<
  D extends DType,
  S extends Shape,
  const P extends number | readonly number[],
  const O extends AxisOption = Record<never, never>,
>(x: Tensor<D, S>, parts: P, options?: O): Parts<D, S, P, O>
export function split(x: Tensor, parts: unknown, options?: AxisOption, ...rest: readonly unknown[]): Tensor[] {
  checkNoMore('split', rest, 'a tensor and parts, and options behind them: split(x, 3, { axis: 1 })')
  checkTensors('split', [x])
  checkOptionsOf('split', options, ['axis'])
  const { axis: named = 0 } = options ?? {}
  const axis = normalAxis(named, x.rank, 'split')
  let start = 0
  return sizesOf(parts, x.shape, axis).map((size) => {
    const range: Range = [start, (start += size)]
    return x.viewAs(
      sliced(
        x.layout,
        x.shape.map((_, at) => (at === axis ? range : null)),
      ),
    )
  })
}
