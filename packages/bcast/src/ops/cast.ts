// Cast, CastLike and Expand: a change of type, and broadcasting to a shape that may grow both ways.

import { instructionsOf, cast as toType } from '../backend/instructions.ts'
import { type DType, dtypeOf } from '../dtype/dtype.ts'
import { DTypeError, OperandError, wrongOperand } from '../errors/index.ts'
import type { Program } from '../expr/ir.ts'
import { lowerCast } from '../expr/lower.ts'
import * as rows from '../expr/rows/index.ts'
import { BOOL, NUMERIC, REAL, union } from '../expr/type-sets.ts'
import { checkShape } from '../shape/dim.ts'
import { bidirectional } from '../shape/rules/index.ts'
import { spread } from '../tensor/layout.ts'
import { resolveOrThrow } from '../tensor/resolve.ts'
import { Tensor } from '../tensor/tensor.ts'
import { type Allowed, checkOptions, checkTensors, described } from './arguments.ts'
import type { Cast, CastLike, Expand } from './calls.ts'
import { COMPUTATION, type Computation, computeAsync, computeNow } from './computation.ts'
import { computation } from './compute.ts'
import { bothWays, refuseAsync } from './elementwise.ts'
import type { OutOption } from './options.ts'
import { programFor } from './programs.ts'
import { recordCast } from './record.ts'
import { TracedOperand } from './traced.ts'

const CASTABLE = /* @__PURE__ */ union(NUMERIC, BOOL, REAL)
const programs = new Map<string, Program>()
const instructions = /* @__PURE__ */ instructionsOf(toType)

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
        { operator: 'Cast' },
      )
    }
  }
  return to
}

const OUT: Allowed = { out: undefined }

/** The two arguments of a call and where its result goes. */
function parsed(name: string, args: readonly unknown[]): [x: unknown, second: unknown, out: Tensor | undefined] {
  if (args.length > 3)
    throw new OperandError(`${name} takes two arguments and options behind them.`, { operator: name })
  const [x, second, options] = args
  checkOptions(name, options, OUT)
  return [x, second, (options as OutOption | undefined)?.out]
}

function casting(name: string, x: unknown, to: DType, out: Tensor | undefined): Computation {
  const given = [x]
  checkTensors(name, given)
  const [tensor] = given as [Tensor]
  const moves = tensor.dtype === to
  const program = moves ? programFor(rows.identity, [to], {}) : programOf(tensor.dtype, to)
  return computation({
    name: moves ? rows.identity.name : 'Cast',
    computable: { program, instructions },
    moves,
    dtype: to,
    shape: tensor.shape,
    inputs: [{ tensor, seen: tensor.layout }],
    out,
  })
}

/** A conversion of a tensor, or of an operand inside `fuse`, to the type that the second argument says. */
const converting = <F>(name: string, typeOf: (second: unknown) => DType): F => {
  const checkedCall = (args: readonly unknown[]) => {
    const [x, second, out] = parsed(name, args)
    if (!(x instanceof TracedOperand)) checkTensors(name, [x])
    return { x: x as Tensor | TracedOperand, to: checked(x as Tensor, typeOf(second)), out }
  }
  return Object.assign(
    (...args: readonly unknown[]): unknown => {
      const { x, to, out } = checkedCall(args)
      if (!(x instanceof TracedOperand)) return computeNow(casting(name, x, to, out))
      if (out === undefined) return recordCast(x, to)
      throw new OperandError(`${name}: inside fuse there is no out; pass it to the fused function.`)
    },
    {
      async: (...args: readonly unknown[]): Promise<Tensor> => {
        refuseAsync(name, args)
        return (async () => {
          const { x, to, out } = checkedCall(args)
          return computeAsync(casting(name, x, to, out))
        })()
      },
      [COMPUTATION]: (args: readonly unknown[]) => {
        const { x, to, out } = checkedCall(args)
        return casting(name, x, to, out)
      },
    },
  ) as F
}

/**
 * x in another type: floats to integers truncate and saturate (NaN gives 0), integers wrap, floats round once.
 *
 * @example
 * ```ts
 * cast(tensor([2.9, -2.9, 300]), 'uint8').toArray() // [2, 0, 255]
 * ```
 */
export const cast: Cast = /* @__PURE__ */ converting('Cast', dtypeOf)

/**
 * x in the type of another tensor.
 *
 * @example
 * ```ts
 * castLike(tensor([1.5]), tensor([1n])).toArray() // [1n]
 * ```
 */
export const castLike: CastLike = /* @__PURE__ */ converting('CastLike', (like) => {
  if (like instanceof Tensor || like instanceof TracedOperand) return like.dtype
  throw wrongOperand('CastLike', 1, `is ${described(like)}`, 'it has to be a tensor, whose type is taken')
})

/**
 * x and a shape, both stretched to meet, as a new tensor; the result may be larger than the shape.
 *
 * @example
 * ```ts
 * expand(tensor([[1], [2]]), [2, 2]).toArray() // [[1, 1], [2, 2]]
 * ```
 */
export const expand: Expand = /* @__PURE__ */ bothWays('Expand', (...args: readonly unknown[]) => {
  const [given, target, out] = parsed('Expand', args)
  const tensors = [given]
  checkTensors('Expand', tensors)
  const x = tensors[0]!
  checkShape(target)
  const { shape, axes } = resolveOrThrow(bidirectional, [x.shape, target])
  const { dtype } = x
  return computation({
    name: rows.identity.name,
    computable: { program: programFor(rows.identity, [dtype], {}), instructions },
    moves: true,
    dtype,
    shape,
    inputs: [{ tensor: x, seen: spread(x.layout, shape, axes[0]!) }],
    out,
  })
})
