// A tensor repeated along its axes: the engine copies a view that repeats.
import type { DType } from '../../dtype/dtype.ts'
import { checkShape, type Shape } from '../../shape/dim.ts'
import type { IsOpen } from '../../shape/types/known.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { type Allowed, checkNoMore, checkOptions, checkTensors } from '../arguments.ts'
import type { Computation } from '../computation.ts'
import { bothWays } from '../elementwise.ts'
import type { OutOption } from '../options.ts'
import type { Given, When, WithAsync } from '../when.ts'
import { assembled, moving } from './assemble.ts'

/** Sizes that are repeated once stay; others are products, which the compiler leaves open. */
export type Tiled<S extends Shape, R extends Shape> =
  IsOpen<S> extends true
    ? Shape
    : IsOpen<R> extends true
      ? Shape
      : R['length'] extends S['length']
        ? { -readonly [I in keyof S]: I extends keyof R ? (R[I] extends 1 ? S[I] : number) : number }
        : Shape

type TileCall<W extends When> = <D extends DType, S extends Shape, const R extends Shape>(
  x: Tensor<D, S>,
  repeats: R,
  options?: OutOption,
) => Given<W, Tensor<D, Tiled<S, R>>>

const OPTIONS: Allowed = { out: undefined }

function tiled(...args: readonly unknown[]): Computation {
  const [given, repeats, options, ...rest] = args
  const tensors = [given]
  checkTensors('tile', tensors)
  checkOptions('tile', options, OPTIONS)
  checkNoMore('tile', rest, 'a tensor and repeats, and options behind them: tile(x, [2, 1], { out })')
  checkShape(repeats, 'repeats of tile')
  const x = tensors[0]!
  // As in NumPy, the shorter of the two begins with ones.
  const rank = Math.max(x.rank, repeats.length)
  const filled = (values: readonly number[], filler: number): number[] => [
    ...new Array<number>(rank - values.length).fill(filler),
    ...values,
  ]
  const [times, sizes, strides] = [filled(repeats, 1), filled(x.shape, 1), filled(x.layout.strides, 0)]
  // Each axis with its repetitions as an axis before it.
  const apart = sizes.flatMap((size, axis) => [times[axis]!, size])
  const shape = sizes.map((size, axis) => size * times[axis]!)
  return assembled({
    name: 'tile',
    dtype: x.dtype,
    shape,
    writtenAs: apart,
    operands: [x],
    out: (options as OutOption | undefined)?.out,
    *moves(result, to) {
      const seen = { shape: apart, strides: strides.flatMap((stride) => [0, stride]), offset: x.layout.offset }
      if (result.size > 0) yield moving({ from: x, seen, to }, result)
    },
  })
}

/**
 * A tensor repeated: `repeats[i]` times along axis i. As in NumPy the shorter of shape and repeats begins with ones.
 *
 * @example
 * ```ts
 * tile(tensor([1, 2]), [2, 2]).toArray() // [[1, 2, 1, 2], [1, 2, 1, 2]]
 * ```
 */
export const tile: TileCall<'now'> & WithAsync<TileCall<'async'>> = /* @__PURE__ */ bothWays('tile', tiled)
