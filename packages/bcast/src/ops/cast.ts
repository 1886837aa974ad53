// Cast, CastLike and Expand: a change of type, and broadcasting to a shape that may grow both ways.
import { type DType, dtypeOf } from '../dtype/dtype.ts'
import { DTypeError, OperandError } from '../errors/index.ts'
import type { Program } from '../expr/ir.ts'
import { lowerCast } from '../expr/lower.ts'
import type { Row } from '../expr/row.ts'
import * as rows from '../expr/rows/index.ts'
import { BOOL, NUMERIC, REAL, union } from '../expr/type-sets.ts'
import { provide, cast as toType } from '../runtime/operations.ts'
import { checkShape, type Shape } from '../shape/dim.ts'
import { type BidirectionalRule, bidirectional } from '../shape/rules/index.ts'
import type { Broadcast, ResultShape } from '../shape/types/broadcast.ts'
import { spread } from '../tensor/layout.ts'
import { resolveOrThrow } from '../tensor/resolve.ts'
import { Tensor } from '../tensor/tensor.ts'
import { compute, programFor } from './elementwise.ts'
import { TracedOperand, traceCast } from './traced.ts'
import type { ShapeOf } from './types.ts'

export interface OutOption {
  /** A tensor of the result's type and shape to write into; it is returned. */
  readonly out?: Tensor
}

const CASTABLE = union(NUMERIC, BOOL, REAL)
const programs = new Map<string, Program>()
provide([toType])
const CAST: Row = { name: 'Cast', operands: 1, types: {}, result: 'same', build: (_, [x]) => x! }

function programOf(from: DType, to: DType): Program {
  const key = `${from} ${to}`
  let program = programs.get(key)
  if (program === undefined) programs.set(key, (program = lowerCast(from, to)))
  return program
}

/** x in another type: floats to integers truncate and saturate (NaN gives 0), integers wrap, floats round once. */
export function cast<X extends Tensor, const D extends DType>(
  x: X,
  dtype: D,
  options: OutOption = {},
): Tensor<D, ShapeOf<X>> {
  const given: unknown = x
  if (!(given instanceof Tensor) && !(given instanceof TracedOperand)) {
    throw new OperandError('Cast: x is not a tensor; wrap it with tensor(…).')
  }
  const to = dtypeOf(dtype)
  for (const type of [x.dtype, to]) {
    if (x.dtype !== to && !CASTABLE.includes(type)) {
      throw new DTypeError(
        `Cast does not convert ${x.dtype} to ${to}; it converts between ${CASTABLE.join(', ')}.`,
        type,
        CASTABLE,
      )
    }
  }
  if (given instanceof TracedOperand) return traceCast(given, to) as never
  const inputs = [{ tensor: x, seen: x.layout }]
  const same = x.dtype === to
  const program = same ? programFor(rows.identity, [to], {}) : programOf(x.dtype, to)
  return compute(same ? rows.identity : CAST, program, to, x.shape, inputs, options.out) as Tensor<D, ShapeOf<X>>
}

/** x in the type of another tensor. */
export function castLike<X extends Tensor, T extends Tensor>(
  x: X,
  like: T,
  options: OutOption = {},
): Tensor<T extends Tensor<infer D, Shape> ? D : DType, ShapeOf<X>> {
  if (!(like instanceof Tensor)) throw new OperandError('CastLike: the second operand is not a tensor.')
  return cast(x, like.dtype, options) as never
}

/** x and a shape, both stretched to meet, as a new tensor; the result may be larger than the shape. */
export function expand<X extends Tensor, const T extends Shape>(
  x: X,
  shape: Broadcast<[ShapeOf<X>, T], BidirectionalRule> extends infer Out ? (Out extends string ? Out : T) : never,
  options: OutOption = {},
): Tensor<X extends Tensor<infer D, Shape> ? D : DType, ResultShape<Broadcast<[ShapeOf<X>, T], BidirectionalRule>>> {
  if (!(x instanceof Tensor)) throw new OperandError('Expand: x is not a tensor; wrap it with tensor(…).')
  const target: unknown = shape
  checkShape(target)
  const resolved = resolveOrThrow(bidirectional, [x.shape, target])
  const seen = spread(x.layout, resolved.shape, resolved.axes[0]!)
  const program = programFor(rows.identity, [x.dtype], {})
  return compute(rows.identity, program, x.dtype, resolved.shape, [{ tensor: x, seen }], options.out) as never
}
