// Tensors put together along an axis: one they have, or a new one.
import type { DType } from '../../dtype/dtype.ts'
import { OperandError, typesDiffer, wrongOperand } from '../../errors/index.ts'
import { operandName } from '../../errors/operand-name.ts'
import { formatShape, type Shape } from '../../shape/dim.ts'
import { normalAxis } from '../../tensor/layout.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { type Allowed, checkOptions, checkTensors, described } from '../arguments.ts'
import type { Computation } from '../computation.ts'
import { bothWays } from '../elementwise.ts'
import type { OutOption } from '../options.ts'
import type { ShapesOf } from '../types.ts'
import type { AxisIn, AxisOption } from '../views/split.ts'
import { unsqueeze } from '../views/squeeze.ts'
import type { SumAt, Unsqueezed, WithSize } from '../views/types.ts'
import type { Given, When, WithAsync } from '../when.ts'
import { along, assembled, moving } from './assemble.ts'

/** What `concat` and `stack` take behind their tensors. */
export interface ConcatOptions extends AxisOption, OutOption {}

type FirstShape<T extends readonly unknown[]> = T extends readonly [Tensor<DType, infer S>, ...unknown[]] ? S : Shape
type TypeIn<T extends readonly unknown[]> = T[number] extends Tensor<infer D, Shape> ? D : DType

type ConcatCall<W extends When> = <
  const T extends readonly Tensor[],
  const O extends ConcatOptions = Record<never, never>,
>(
  tensors: T,
  options?: O,
) => Given<W, Tensor<TypeIn<T>, WithSize<FirstShape<T>, AxisIn<O>, SumAt<ShapesOf<T>, AxisIn<O>>>>>

type Stacked<S, A, N extends number> = S extends Shape ? WithSize<S, A, N> : never

type StackCall<W extends When> = <
  const T extends readonly Tensor[],
  const O extends ConcatOptions = Record<never, never>,
>(
  tensors: T,
  options?: O,
) => Given<W, Tensor<TypeIn<T>, Stacked<Unsqueezed<FirstShape<T>, AxisIn<O>>, AxisIn<O>, T['length']>>>

const OPTIONS: Allowed = { axis: undefined, out: undefined }

/** The tensors of a call and its options. */
function parsed(name: string, args: readonly unknown[]): { tensors: readonly Tensor[]; options: ConcatOptions } {
  const [tensors, options, ...rest] = args
  if (!Array.isArray(tensors) || rest.length > 0) {
    const what = args.length > 0 && !Array.isArray(tensors) ? `; the first argument is ${described(tensors)}` : ''
    throw new OperandError(
      `${name} takes an array of tensors, and options behind it: ${name}([a, b], { axis: 1 })${what}.`,
      {
        operator: name,
      },
    )
  }
  checkOptions(name, options, OPTIONS)
  if (tensors.length === 0) throw new OperandError(`${name} needs at least one tensor.`, { operator: name })
  checkTensors(name, [...tensors])
  const { dtype } = tensors[0] as Tensor
  for (const [i, tensor] of (tensors as Tensor[]).entries()) {
    if (tensor.dtype === dtype) continue
    const types = tensors.map((each: Tensor) => each.dtype)
    throw typesDiffer(name, { operand: i, dtype: tensor.dtype }, { operand: 0, dtype }, types)
  }
  return { tensors, options: (options as ConcatOptions | undefined) ?? {} }
}

function joined(name: string, tensors: readonly Tensor[], axis: number, out: Tensor | undefined): Computation {
  const { dtype, shape } = tensors[0]!
  for (const [i, { shape: other }] of tensors.entries()) {
    if (other.length === shape.length && other.every((size, at) => at === axis || size === shape[at])) continue
    const what = `has shape ${formatShape(other)}, and ${operandName(0)} has ${formatShape(shape)}`
    throw wrongOperand(name, i, what, `all sizes but that of axis ${axis} must be equal`)
  }
  const total = tensors.reduce((sum, tensor) => sum + tensor.shape[axis]!, 0)
  return assembled({
    name,
    dtype,
    shape: shape.with(axis, total),
    operands: tensors,
    out,
    *moves(result, layout) {
      let start = 0
      for (const from of tensors) {
        const to = along(layout, axis, start, from.shape[axis]!)
        start += from.shape[axis]!
        if (from.size > 0) yield moving({ from, seen: from.layout, to }, result)
      }
    },
  })
}

/**
 * Tensors of one type one behind the other along an axis (0 unless said), on which alone their sizes may differ.
 *
 * @example
 * ```ts
 * concat([zeros([2, 3]), ones([2, 1])], { axis: 1 }).shape // [2, 4]
 * ```
 */
export const concat: ConcatCall<'now'> & WithAsync<ConcatCall<'async'>> = /* @__PURE__ */ bothWays(
  'concat',
  (...args: readonly unknown[]) => {
    const { tensors, options } = parsed('concat', args)
    const { axis = 0, out } = options
    return joined('concat', tensors, normalAxis(axis, tensors[0]!.rank, 'concat'), out)
  },
)

/**
 * Tensors of one type and shape along a new axis, which is `axis` (0 unless said) of the result.
 *
 * @example
 * ```ts
 * stack([zeros([3]), ones([3])]).shape // [2, 3]
 * ```
 */
export const stack: StackCall<'now'> & WithAsync<StackCall<'async'>> = /* @__PURE__ */ bothWays(
  'stack',
  function* (...args: readonly unknown[]): Computation {
    const { tensors, options } = parsed('stack', args)
    const { shape } = tensors[0]!
    for (const [i, { shape: other }] of tensors.entries()) {
      if (other.length === shape.length && other.every((size, at) => size === shape[at])) continue
      const what = `has shape ${formatShape(other)}, and ${operandName(0)} has ${formatShape(shape)}`
      throw wrongOperand('stack', i, what, 'they must be equal; concat joins along an axis that is there')
    }
    const { axis: named = 0, out } = options
    const axis = normalAxis(named, shape.length + 1, 'stack')
    const views = tensors.map((tensor) => unsqueeze(tensor, axis) as Tensor)
    try {
      return yield* joined('stack', views, axis, out)
    } finally {
      for (const view of views) view.dispose()
    }
  },
)
