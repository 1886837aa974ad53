// Broadcasting itself: views of tensors in their common shape, and the shapes alone. Nothing is computed or copied.

import type { DType } from '../dtype/dtype.ts'
import { OperandError } from '../errors/index.ts'
import { checkShape, type Shape } from '../shape/dim.ts'
import { operandName } from '../shape/rule.ts'
import type { RuleOption } from '../shape/rule-option.ts'
import { ruleOf } from '../shape/rule-option.ts'
import { numpy, type UnidirectionalRule, unidirectional } from '../shape/rules/index.ts'
import type { Broadcast, ResultShape } from '../shape/types/broadcast.ts'
import { resolveOrThrow } from '../tensor/resolve.ts'
import { spreadOver } from '../tensor/spread.ts'
import { Tensor } from '../tensor/tensor.ts'
import { collect } from './operators.ts'
import type { RuleIn } from './options.ts'
import type { Meet, OperandsIn, OptionsIn, Shaped, ShapeOf, ShapesIn, ShapesOf } from './types.ts'

export interface BroadcastOptions {
  /** How shapes meet; numpy unless said. */
  readonly broadcast?: RuleOption
}

type Views<T extends readonly unknown[], R> = {
  -readonly [I in keyof T]: T[I] extends Tensor<infer D, Shape> ? Tensor<D, Shaped<T, R>> : never
}

/**
 * N tensors as N read-only views of their common shape, of any element types; costs no memory.
 * @clause sonnx1.signature, sonnx1.stretch, sonnx1.relation, sonnx1.f, sonnx2.signature, sonnx2.l, sonnx2.index, sonnx2.f, sonnx2.relation
 */
export function broadcast<const T extends readonly (Tensor | readonly Tensor[] | BroadcastOptions)[]>(
  ...args: Meet<T, ShapesOf<OperandsIn<T>>, RuleIn<OptionsIn<T>>>
): Views<OperandsIn<T>, RuleIn<OptionsIn<T>>> {
  const { operands, options } = collect<Tensor>(args)
  if (operands.length === 0) return [] as never
  operands.forEach((operand, i) => {
    if (!(operand instanceof Tensor))
      throw new OperandError(`broadcast: ${operandName(i)} is not a tensor; wrap it with tensor(…).`)
  })
  const shapes = operands.map((operand) => operand.shape)
  return spreadOver(ruleOf(options?.broadcast, numpy), shapes, 0, operands) as never
}

/** A read-only view of x in the given shape. One-way rules put x onto the shape (unidirectional unless said). */
export function broadcastTo<
  X extends Tensor,
  const T extends Shape,
  const O extends BroadcastOptions = Record<never, never>,
>(
  x: X,
  shape: Broadcast<[T, ShapeOf<X>], ToRule<O>> extends infer Out ? (Out extends string ? Out : T) : never,
  options?: O,
): Tensor<X extends Tensor<infer D, Shape> ? D : DType, ResultShape<Broadcast<[T, ShapeOf<X>], ToRule<O>>>> {
  if (!(x instanceof Tensor)) throw new OperandError('broadcastTo: x is not a tensor; wrap it with tensor(…).')
  const target: unknown = shape
  checkShape(target)
  const rule = ruleOf(options?.broadcast, unidirectional)
  return spreadOver(rule, [target, x.shape], 0, [undefined, x])[1] as never
}

type ToRule<O> = O extends { readonly broadcast: infer R } ? R : UnidirectionalRule

/** The common shape of shapes, given one by one or in one array; of none it is `[]`. */
export function broadcastShapes<const T extends readonly (Shape | readonly Shape[] | BroadcastOptions)[]>(
  ...args: Meet<T, ShapesIn<T>, RuleIn<OptionsIn<T>>>
): ResultShape<Broadcast<ShapesIn<T>, RuleIn<OptionsIn<T>>>> {
  const { operands, options } = collectShapes(args)
  operands.forEach((shape, i) => {
    checkShape(shape, `shape of ${operandName(i)}`)
  })
  return resolveOrThrow(ruleOf(options?.broadcast, numpy), operands).shape as never
}

/** Shapes given one by one, or in one array of arrays. */
function collectShapes(args: readonly unknown[]): {
  operands: readonly Shape[]
  options: BroadcastOptions | undefined
} {
  const last = args.at(-1)
  const options =
    typeof last === 'object' && last !== null && !Array.isArray(last) ? (last as BroadcastOptions) : undefined
  const rest = options === undefined ? args : args.slice(0, -1)
  const [only] = rest
  const nested = rest.length === 1 && Array.isArray(only) && only.length > 0 && only.every(Array.isArray)
  return { operands: (nested ? only : rest) as readonly Shape[], options }
}
