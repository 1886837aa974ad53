// What the compiler knows of gradients: they have the shapes of their operands, and an operand that could not have been
// broadcast to the result is refused with the sentence of the broadcast.
import type { BroadcastOptions, ElementwiseOptions, OneWayIn, OutOption, RuleIn } from '../ops/options.ts'
import type { Reduced } from '../ops/reduce-types.ts'
import type { ShapeOf, TypeOf } from '../ops/types.ts'
import type { Given, When, WithAsync } from '../ops/when.ts'
import type { Shape } from '../shape/dim.ts'
import type { Rule } from '../shape/rule.ts'
import type { ExplicitRule, UnidirectionalRule } from '../shape/rules/index.ts'
import type { Broadcast, Mutual, RuleFor, Show } from '../shape/types/broadcast.ts'
import type { IsOpen } from '../shape/types/known.ts'
import type { Tensor } from '../tensor/tensor.ts'

/** A shape as `tensor` has it. */
type Writable<S extends Shape> =
  IsOpen<S> extends true ? S : { -readonly [I in keyof S]: S[I] } extends infer W extends Shape ? W : never

/** `S`, or the sentence why an operand of that shape is not broadcast to the shape of delta. */
type SummedTo<Delta extends Shape, S extends Shape, R> =
  Broadcast<[Delta, S], R> extends infer Out ? (Out extends string ? Out : KeepsDelta<Delta, S, R>) : never

/** Under rules that let both stretch, delta has that shape already. */
type KeepsDelta<Delta extends Shape, S extends Shape, R> =
  RuleFor<R> extends Rule<infer N>
    ? N extends Mutual
      ? Broadcast<[Delta, S], UnidirectionalRule, R> extends infer Out
        ? Out extends string
          ? `delta has shape ${Show<Delta>}, and an operand of shape ${Show<S>} makes the result larger`
          : S
        : never
      : S
    : S

type SumToCall<W extends When> = <
  X extends Tensor,
  const S extends Shape,
  const O extends ElementwiseOptions = Record<never, never>,
>(
  delta: X,
  shape: SummedTo<ShapeOf<X>, S, OneWayIn<O>>,
  options?: O,
) => Given<W, Tensor<TypeOf<X>, Writable<S>>>

/** What `sumTo` is. */
export interface SumTo extends SumToCall<'now'>, WithAsync<SumToCall<'async'>> {}

/** What `broadcastBackprop` takes behind delta. */
export interface BroadcastBackpropOptions extends OutOption {
  /** The axes of delta that the argument did not have; a set. */
  readonly broadcastAxes: readonly number[]
}

type Arg<S extends Shape, O extends BroadcastBackpropOptions> = Reduced<S, { readonly axes: O['broadcastAxes'] }>

type BackpropCall<W extends When> = <X extends Tensor, const O extends BroadcastBackpropOptions>(
  delta: X,
  options: Broadcast<[ShapeOf<X>, Arg<ShapeOf<X>, O>], ExplicitRule<O>, O> extends infer Out
    ? Out extends string
      ? Out
      : O
    : never,
) => Given<W, Tensor<TypeOf<X>, Arg<ShapeOf<X>, O>>>

/** What `broadcastBackprop` is. */
export interface BroadcastBackprop extends BackpropCall<'now'>, WithAsync<BackpropCall<'async'>> {}

type Gradients<T extends readonly unknown[], S extends readonly Shape[]> = {
  -readonly [I in keyof T]: I extends keyof S
    ? Tensor<TypeOf<T[I]>, S[I] extends Shape ? Writable<S[I]> : Shape>
    : Tensor<TypeOf<T[I]>>
}

type SumToEachCall<W extends When> = <
  const T extends readonly Tensor[],
  const S extends readonly Shape[],
  const O extends BroadcastOptions = Record<never, never>,
>(
  deltas: T,
  shapes: Broadcast<S, RuleIn<O>> extends infer Out ? (Out extends string ? Out : S) : never,
  options?: O,
) => Given<W, Gradients<T, S>>

/** What `sumToEach` is. */
export interface SumToEach extends SumToEachCall<'now'>, WithAsync<SumToEachCall<'async'>> {}
