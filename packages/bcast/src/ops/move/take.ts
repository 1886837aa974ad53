// Elements, or blocks of them, at indices along an axis.
import { type DType, isInteger } from '../../dtype/dtype.ts'
import { DTypeError, wrongOperand } from '../../errors/index.ts'
import type { Shape } from '../../shape/dim.ts'
import type { IsOpen } from '../../shape/types/known.ts'
import { normalAxis, normalIndex } from '../../tensor/layout.ts'
import { Tensor } from '../../tensor/tensor.ts'
import { type Allowed, checkNoMore, checkOptions, checkTensors, described } from '../arguments.ts'
import type { Computation } from '../computation.ts'
import { bothWays } from '../elementwise.ts'
import type { OutOption } from '../options.ts'
import type { AxisIn, AxisOption } from '../views/split.ts'
import type { AreLiteral, Position } from '../views/types.ts'
import type { Given, When, WithAsync } from '../when.ts'
import { takenAlong } from './positions.ts'

/** What `take` takes behind the indices. */
export interface TakeOptions extends AxisOption, OutOption {}

/** Indices: integers in an array, as numbers or bigints, or a tensor of an integer type and any shape. */
export type Indices = readonly (number | bigint)[] | Tensor

type Spliced<S extends Shape, P, I extends Shape, Out extends Shape = [], Seen extends 1[] = []> = S extends readonly [
  infer H extends number,
  ...infer T extends Shape,
]
  ? `${Seen['length']}` extends P
    ? [...Out, ...I, ...T]
    : Spliced<T, P, I, [...Out, H], [...Seen, 1]>
  : Shape

export type Replaced<S extends Shape, A, I extends Shape> =
  IsOpen<S> extends true
    ? Shape
    : IsOpen<I> extends true
      ? Shape
      : AreLiteral<A> extends true
        ? Spliced<S, Position<A, S>, I>
        : Shape

export type IndexShape<I> = I extends Tensor<DType, infer S> ? S : I extends readonly unknown[] ? [I['length']] : Shape

type TakeCall<W extends When> = <
  D extends DType,
  S extends Shape,
  const I extends Indices,
  const O extends TakeOptions = Record<never, never>,
>(
  x: Tensor<D, S>,
  indices: I,
  options?: O,
) => Given<W, Tensor<D, Replaced<S, AxisIn<O>, IndexShape<I>>>>

const OPTIONS: Allowed = { axis: undefined, out: undefined }

interface Asked {
  readonly shape: Shape
  readonly positions: readonly number[]
}

/** The indices as positions from the front; throws where one lies outside. */
function positionsOf(indices: unknown, size: number, axis: number): Asked {
  if (indices instanceof Tensor) {
    if (!isInteger(indices.dtype)) {
      throw new DTypeError(
        `take: indices are ${indices.dtype}; they are integers. For a bool mask use where.`,
        indices.dtype,
      )
    }
    const positions = Array.from(indices.data as ArrayLike<number | bigint>, (i) => normalIndex(Number(i), size, axis))
    return { shape: indices.shape, positions }
  }
  if (!Array.isArray(indices)) {
    throw wrongOperand('take', 1, `is ${described(indices)}`, 'it is an array of integers, or a tensor of them')
  }
  // Bigints are what argMax gives.
  const positions = Array.from(indices, (i) => normalIndex(typeof i === 'bigint' ? Number(i) : i, size, axis))
  return { shape: [indices.length], positions }
}

function taken(...args: readonly unknown[]): Computation {
  const [given, indices, options, ...rest] = args
  const tensors = [given]
  checkTensors('take', tensors)
  checkOptions('take', options, OPTIONS)
  checkNoMore('take', rest, 'a tensor and indices, and options behind them: take(x, [0, 2], { axis: 1 })')
  const x = tensors[0]!
  const { axis: named = 0, out } = (options ?? {}) as TakeOptions
  const axis = normalAxis(named, x.rank, 'take')
  const { shape, positions } = positionsOf(indices, x.shape[axis]!, axis)
  return takenAlong({ name: 'take', x, axis, positions, becomes: shape, out })
}

/**
 * The elements at indices along an axis (0 unless said), which count from the end when negative: NumPy's take, ONNX's
 * Gather. The axis becomes the axes of the indices.
 *
 * @example
 * ```ts
 * take(tensor([10, 20, 30]), [2, 0, -1]).toArray() // [30, 10, 30]
 * take(tensor([[1, 2], [3, 4]]), [1], { axis: 1 }).toArray() // [[2], [4]]
 * ```
 */
export const take: TakeCall<'now'> & WithAsync<TakeCall<'async'>> = /* @__PURE__ */ bothWays('take', taken)

export { take as gather }
