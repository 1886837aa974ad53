// What the compiler remembers of an expression inside `fuse`: not the expression, which may be long, but what a call has
// to satisfy and what it gives. Shapes that meet under numpy's rule meet in any order, so a list of the operands is
// enough; what other rules and types ask is kept as conditions. So a chain of any length is as deep as one operator.
import type { DType } from '../dtype/dtype.ts'
import type { Rule } from '../shape/rule.ts'
import type { NumpyRule } from '../shape/rules/index.ts'
import type { Broadcast, Mutual, OneWay, ResultShape, RuleFor } from '../shape/types/broadcast.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { KeepsIn, Reduced } from './reduce-types.ts'
import type { NoCondition, OneDiffers, ShapeOf, TypeOf } from './types.ts'

type List = readonly unknown[]

/** The operand at a position. */
export interface Arg<I extends number> {
  readonly arg: I
}

/**
 * `S`: operands whose shapes meet in the result's. `T`: operands, or names, whose types are the result's. `C`: what else
 * has to hold. An operand is one of the function's or a tensor that it took from around it.
 */
export interface Expression<S extends List, T extends List, C extends List> {
  readonly shape: S
  readonly type: T
  readonly conditions: C
}

/** The operand at a position as an expression. */
export type Argument<I extends number> = Expression<[Arg<I>], [Arg<I>], []>

/** Operands that go onto others under a rule. */
interface Placing<R, A extends List, B extends readonly List[]> {
  readonly rule: R
  readonly onto: A
  readonly placed: B
}
/** Shapes that meet, though the result does not show it. */
interface Meeting<S extends List> {
  readonly meeting: S
}
/** Operands that have one type. */
interface Alike<T extends List> {
  readonly alike: T
}
/** An operand that is a condition. */
interface Condition<T extends List> {
  readonly condition: T
}

/** What a reduction leaves of shapes that meet. */
interface Left<S extends List, O> {
  readonly reduced: S
  readonly options: O
}

/** A reduction of an expression over axes, as options say. */
export type ReducedExpression<E, O> =
  E extends Expression<infer S, infer T, infer C>
    ? Expression<[Left<S, O>], T, Bounded<Merge<C, [Meeting<S>]>>>
    : Expression<[Tensor], [Tensor], []>

/** A list with what another has and it has not. */
type Merge<A extends List, B extends List> = B extends readonly [infer H, ...infer Rest]
  ? H extends A[number]
    ? Merge<A, Rest>
    : Merge<[...A, H], Rest>
  : A

type MergeAll<L extends readonly List[], Out extends List = []> = L extends readonly [
  infer H extends List,
  ...infer Rest extends readonly List[],
]
  ? MergeAll<Rest, Merge<Out, H>>
  : Out

/** Conditions of an expression that goes on and on are dropped here; the runtime knows them all. */
type Bounded<C extends List> = C extends readonly [...infer First, ...Sixteen] ? (First extends [] ? C : []) : C
type Sixteen = [...Four, ...Four, ...Four, ...Four]
type Four = [unknown, unknown, unknown, unknown]

type Several<T extends List> = T extends readonly [unknown, unknown, ...unknown[]] ? [Alike<T>] : []

type ShapesIn<A extends List> = {
  -readonly [I in keyof A]: A[I] extends Expression<infer S, List, List> ? S : [Tensor]
}
type TypesIn<A extends List> = { -readonly [I in keyof A]: A[I] extends Expression<List, infer T, List> ? T : [Tensor] }
type ConditionsIn<A extends List> = { -readonly [I in keyof A]: A[I] extends Expression<List, List, infer C> ? C : [] }

type Tail<L extends readonly List[]> = L extends readonly [unknown, ...infer T extends readonly List[]] ? T : []

/** An operator over expressions: `K` says which of them give the result's type, `R` how their shapes meet. */
export type Apply<K, A extends List, R> = Applied<K, ShapesIn<A>, TypesIn<A>, MergeAll<ConditionsIn<A>>, RuleFor<R>>

type Applied<K, S extends readonly List[], T extends readonly List[], C extends List, R> = Expression<
  ShapeBy<K, S, R>,
  TypeBy<K, T>,
  Bounded<Merge<C, [...PlacedBy<K, S, R>, ...TypedBy<K, T>]>>
>

type ShapeBy<K, S extends readonly List[], R> = K extends 'like'
  ? S[0]
  : R extends Rule<infer N>
    ? N extends Mutual
      ? MergeAll<S>
      : N extends OneWay
        ? KeptOf<K, S, N>[0]
        : [Tensor]
    : [Tensor]

/** Shapes, that of the operand first that others go onto: of a choice under pdpd it is x. */
type KeptOf<K, S extends readonly List[], N> = K extends 'rest'
  ? N extends 'pdpd'
    ? S extends readonly [infer C extends List, infer X extends List, ...infer Rest extends readonly List[]]
      ? [X, C, ...Rest]
      : S
    : S
  : S

type PlacedBy<K, S extends readonly List[], R> = K extends 'like'
  ? []
  : R extends Rule<infer N>
    ? N extends OneWay
      ? [Placing<R, KeptOf<K, S, N>[0], Tail<KeptOf<K, S, N>>>]
      : []
    : []

type TypeBy<K, T extends readonly List[]> = K extends 'bool'
  ? ['bool']
  : K extends { readonly to: infer D }
    ? [D]
    : K extends 'first'
      ? T[0]
      : K extends 'like'
        ? T[1]
        : K extends 'rest'
          ? MergeAll<Tail<T>>
          : MergeAll<T>

/** What is asked of the types that the result's does not show. */
type TypedBy<K, T extends readonly List[]> = K extends 'rest'
  ? [Condition<T[0] & List>]
  : K extends 'first'
    ? Several<T[1] & List>
    : K extends 'like'
      ? Several<T[0] & List>
      : K extends 'same'
        ? []
        : Several<MergeAll<T>>

type ShapeAt<X, T extends List> =
  X extends Arg<infer I> ? ShapeOf<T[I]> : X extends Left<infer S, infer O> ? Reduced<Joined<S, T>, O> : ShapeOf<X>
type ShapesAt<L extends List, T extends List> = { -readonly [I in keyof L]: ShapeAt<L[I], T> }

/** Shapes that add something: one that stays beside those that it was reduced from has sizes 1 or theirs. */
type Adding<L extends List, All extends List = L> = L extends readonly [infer H, ...infer Rest]
  ? H extends Left<infer S, infer O>
    ? [KeepsIn<O>, S[number]] extends [true, All[number]]
      ? Adding<Rest, All>
      : [H, ...Adding<Rest, All>]
    : [H, ...Adding<Rest, All>]
  : []
type TypeAt<X, T extends List> = X extends Arg<infer I> ? TypeOf<T[I]> : X extends DType ? X : TypeOf<X>
type TypesAt<L extends List, T extends List> = { -readonly [I in keyof L]: TypeAt<L[I], T> }

/** The shape of operands that meet under numpy's rule. */
type Joined<L extends List, T extends List> = ResultShape<Joining<L, T>>
type Joining<L extends List, T extends List> = Broadcast<ShapesAt<Adding<L>, T>, NumpyRule, T>
type JoinedAll<L extends readonly List[], T extends List> = { -readonly [I in keyof L]: Joined<L[I], T> }

/** The sentence of a condition that does not hold. */
type Broken<C, T extends List> =
  C extends Placing<infer R, infer A, infer B>
    ? Extract<Broadcast<JoinedAll<[A, ...B], T>, R, T>, string>
    : C extends Meeting<infer S>
      ? Extract<Joining<S, T>, string>
      : C extends Alike<infer L>
        ? OneDiffers<TypesAt<L, T>, T>
        : C extends Condition<infer L>
          ? FirstOf<ConditionsOver<TypesAt<L, T>, T>>
          : never
type ConditionsOver<D extends List, Gate> = { -readonly [I in keyof D]: NoCondition<D[I], Gate> }
type FirstOf<L extends List> = L[0]

type FirstBroken<C extends List, T extends List> = C extends readonly [infer H, ...infer Rest]
  ? Broken<H, T> extends infer Why
    ? [Why] extends [never]
      ? FirstBroken<Rest, T>
      : Why
    : never
  : never

/** Why an expression cannot be computed over tensors: a sentence; never where it can. */
export type Refusal<E, T extends List> =
  E extends Expression<infer S, infer L, infer C>
    ? FirstBroken<[...C, Alike<L>], T> extends infer Why
      ? [Why] extends [never]
        ? Extract<Joining<S, T>, string>
        : Why
      : never
    : never

/** The tensor that an expression is over tensors. */
export type Computed<E, T extends List> =
  E extends Expression<infer S, infer L, List>
    ? Tensor<[TypesAt<L, T>[number]] extends [never] ? DType : TypesAt<L, T>[number] & DType, Joined<S, T>>
    : Tensor
