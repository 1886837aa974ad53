// Broadcasting itself: views of tensors in their common shape. Nothing is computed or copied.

import type { DType } from '../dtype/dtype.ts'
import { checkShape, type Shape } from '../shape/dim.ts'
import type { Rule } from '../shape/rule.ts'
import { ruleOf } from '../shape/rule-option.ts'
import { numpy, type UnidirectionalRule, unidirectional } from '../shape/rules/index.ts'
import type { Broadcast, ResultShape } from '../shape/types/broadcast.ts'
import { spreadOver } from '../tensor/spread.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { type Allowed, checkOptions, checkTensors, collect } from './arguments.ts'
import type { BroadcastOptions, RuleIn } from './options.ts'
import type { Meet, OperandsIn, OptionsIn, Shaped, ShapeOf, ShapesOf } from './types.ts'

const OPTIONS: Allowed = { broadcast: undefined }

const ruleIn = (options: BroadcastOptions | undefined, otherwise: Rule): Rule => ruleOf(options?.broadcast, otherwise)

type Views<T extends readonly unknown[], R> = {
  -readonly [I in keyof T]: T[I] extends Tensor<infer D, Shape> ? Tensor<D, Shaped<T, R>> : never
}

/**
 * N tensors as N read-only views of their common shape, of any element types; costs no memory.
 * @clause sonnx1.signature, sonnx1.stretch, sonnx1.relation, sonnx1.f, sonnx2.signature, sonnx2.l, sonnx2.index, sonnx2.f, sonnx2.relation
 *
 * @example
 * ```ts
 * broadcast(tensor([[1], [2]]), tensor([3, 4])).map((x) => x.toArray()) // [[[1, 1], [2, 2]], [[3, 4], [3, 4]]]
 * ```
 */
export function broadcast<const T extends readonly (Tensor | readonly Tensor[] | BroadcastOptions)[]>(
  ...args: Meet<T, ShapesOf<OperandsIn<T>>, RuleIn<OptionsIn<T>>>
): Views<OperandsIn<T>, RuleIn<OptionsIn<T>>> {
  const { operands, options } = collect(args)
  checkOptions('broadcast', options, OPTIONS)
  if (operands.length === 0) return [] as never
  checkTensors('broadcast', operands)
  const shapes = operands.map((operand) => operand.shape)
  return spreadOver(ruleIn(options, numpy), shapes, 0, operands) as never
}

/**
 * A read-only view of x in the given shape. One-way rules put x onto the shape (unidirectional unless said).
 *
 * @example
 * ```ts
 * broadcastTo(tensor([1, 2]), [2, 2]).toArray() // [[1, 2], [1, 2]]
 * ```
 */
export function broadcastTo<
  X extends Tensor,
  const T extends Shape,
  const O extends BroadcastOptions = Record<never, never>,
>(
  x: X,
  shape: Broadcast<[T, ShapeOf<X>], ToRule<O>> extends infer Out ? (Out extends string ? Out : T) : never,
  options?: O,
): Tensor<X extends Tensor<infer D, Shape> ? D : DType, ResultShape<Broadcast<[T, ShapeOf<X>], ToRule<O>>>> {
  checkTensors('broadcastTo', [x])
  checkOptions('broadcastTo', options, OPTIONS)
  const target: unknown = shape
  checkShape(target)
  const rule = ruleIn(options, unidirectional)
  return spreadOver(rule, [target, x.shape], 0, [undefined, x])[1] as never
}

type ToRule<O> = O extends { readonly broadcast: infer R } ? R : UnidirectionalRule
