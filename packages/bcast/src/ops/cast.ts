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
import { bidirectional } from '../shape/rules/index.ts'
import { spread } from '../tensor/layout.ts'
import { resolveOrThrow } from '../tensor/resolve.ts'
import { Tensor } from '../tensor/tensor.ts'
import type { Cast, CastLike, Expand } from './calls.ts'
import { bothWays, type Computation } from './computation.ts'
import { computation, programFor } from './elementwise.ts'
import type { OutOption } from './options.ts'
import { TracedOperand, traceCast } from './traced.ts'

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

/** The type that x is converted to; throws where it cannot be. */
function checked(x: { readonly dtype: DType }, dtype: unknown): DType {
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
  return to
}

function casting(x: unknown, dtype: unknown, { out }: OutOption = {}): Computation {
  if (!(x instanceof Tensor)) throw new OperandError('Cast: x is not a tensor; wrap it with tensor(…).')
  const to = checked(x, dtype)
  const inputs = [{ tensor: x, seen: x.layout }]
  const same = x.dtype === to
  const program = same ? programFor(rows.identity, [to], {}) : programOf(x.dtype, to)
  return computation(same ? rows.identity : CAST, program, to, x.shape, inputs, out)
}

const castTensor: Cast = /* @__PURE__ */ bothWays(casting)

/** x in another type: floats to integers truncate and saturate (NaN gives 0), integers wrap, floats round once. */
export const cast: Cast = /* @__PURE__ */ Object.assign(
  ((x: unknown, dtype: DType, options?: OutOption) =>
    x instanceof TracedOperand ? traceCast(x, checked(x, dtype)) : castTensor(x as Tensor, dtype, options)) as Cast,
  { async: castTensor.async },
)

/** x in the type of another tensor. */
export const castLike: CastLike = /* @__PURE__ */ bothWays((x: unknown, like: unknown, options?: OutOption) => {
  if (!(like instanceof Tensor)) throw new OperandError('CastLike: the second operand is not a tensor.')
  return casting(x, like.dtype, options)
})

/** x and a shape, both stretched to meet, as a new tensor; the result may be larger than the shape. */
export const expand: Expand = /* @__PURE__ */ bothWays((x: unknown, target: Shape, options: OutOption = {}) => {
  if (!(x instanceof Tensor)) throw new OperandError('Expand: x is not a tensor; wrap it with tensor(…).')
  checkShape(target)
  const { shape, axes } = resolveOrThrow(bidirectional, [x.shape, target])
  const inputs = [{ tensor: x, seen: spread(x.layout, shape, axes[0]!) }]
  return computation(rows.identity, programFor(rows.identity, [x.dtype], {}), x.dtype, shape, inputs, options.out)
})
