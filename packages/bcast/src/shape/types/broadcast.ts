// The rules in the type system, for shapes that are literal: a result is a shape, or the sentence that says why
// not. `number` dimensions, unknown ranks and parameters of generic code are let through; the runtime decides them.

import type { Rule } from '../rule.ts'
import type { NamedRules } from '../rule-option.ts'
import type { HasRank, IfSame, IsSize } from './known.ts'

type Dims = readonly number[]

/** A shape that operands meet in; a sentence where they do not. */
interface Met<S extends Dims> {
  readonly shape: S
}

/** `[2,3]`; a size the compiler does not know prints as `?`. */
export type Show<S extends Dims, Text extends string = ''> = S extends readonly [
  infer H extends number,
  ...infer T extends Dims,
]
  ? Show<T, `${Text}${Text extends '' ? '' : ','}${ShowDim<H>}`>
  : `[${Text}]`
type ShowDim<N extends number> = number extends N ? '?' : `${N}`

type Sentence<
  Axis extends number,
  X extends number,
  Y extends number,
  A extends Dims,
  B extends Dims,
> = `cannot broadcast axis -${Axis}: ${ShowDim<X>} vs ${ShowDim<Y>} (shapes ${Show<A>} and ${Show<B>})`

/** The size two sizes make; none when they cannot meet. */
type Meet<X extends number, Y extends number, Gate> =
  IsSize<X, Gate> extends true
    ? IsSize<Y, Gate> extends true
      ? X extends Y
        ? [X]
        : X extends 1
          ? [Y]
          : Y extends 1
            ? [X]
            : []
      : [X extends 1 ? Y : X]
    : IsSize<Y, Gate> extends true
      ? [Y extends 1 ? X : Y]
      : [IfSame<X, Y, number, Gate>]

/** The size that stays when Y goes onto X; none when it cannot. */
type Keep<X extends number, Y extends number, Gate> =
  IsSize<X, Gate> extends true ? (IsSize<Y, Gate> extends true ? (Y extends 1 | X ? [X] : []) : [X]) : [X]

/** The size of two that must be equal. */
type Same<X extends number, Y extends number, Gate> =
  IsSize<X, Gate> extends true ? (IsSize<Y, Gate> extends true ? (X extends Y ? [X] : []) : [X]) : [Y]

type Relate<How, X extends number, Y extends number> = How extends 'meet'
  ? Meet<X, Y, How>
  : How extends 'keep'
    ? Keep<X, Y, How>
    : Same<X, Y, How>

/** Walks both shapes from the right; `Done` is what is settled so far, its length counts the axes. */
type Walk<
  How,
  A extends Dims,
  B extends Dims,
  A0 extends Dims,
  B0 extends Dims,
  Done extends Dims = [],
> = A extends readonly [...infer AH extends Dims, infer X extends number]
  ? B extends readonly [...infer BH extends Dims, infer Y extends number]
    ? Relate<How, X, Y>['length'] extends 0
      ? Sentence<[...Done, 0]['length'] & number, X, Y, A0, B0>
      : Walk<How, AH, BH, A0, B0, [...Relate<How, X, Y>, ...Done]>
    : Met<[...A, ...Done]>
  : Met<[...B, ...Done]>

type Longer<A extends Dims, B extends Dims> = A extends readonly [number, ...infer AT extends Dims]
  ? B extends readonly [number, ...infer BT extends Dims]
    ? Longer<AT, BT>
    : false
  : B extends readonly [number, ...Dims]
    ? true
    : false

type RankSentence<
  A extends Dims,
  B extends Dims,
> = `B has rank ${B['length'] & number}, more than A's ${A['length'] & number}, and A keeps its shape (shapes ${Show<A>} and ${Show<B>})`

/** B onto A, right-aligned; `B0` is B as the caller wrote it. */
type Onto<A extends Dims, B extends Dims, B0 extends Dims = B> =
  Longer<A, B> extends true ? RankSentence<A, B0> : Walk<'keep', A, B, A, B0>

type Ones<N extends number, Acc extends 1[] = []> = Acc['length'] extends N
  ? Acc
  : Acc['length'] extends 32
    ? Acc
    : Ones<N, [...Acc, 1]>

/** B with ones behind it until it is as long as A; trailing ones that pass A's end are trimmed. */
type Fill<A extends Dims, B extends Dims> =
  Longer<A, B> extends true
    ? B extends readonly [...infer H extends Dims, 1]
      ? Fill<A, H>
      : B
    : Longer<B, A> extends true
      ? Fill<A, [...B, 1]>
      : B

type Pdpd<A extends Dims, B extends Dims, Axis extends number> = number extends Axis
  ? Met<A>
  : `${Axis}` extends '-1'
    ? Onto<A, B>
    : Longer<A, B> extends true
      ? RankSentence<A, B>
      : Onto<A, Fill<A, [...Ones<Axis>, ...B]>, B>

/** B's sizes at the result axes that `Map` names, ones elsewhere; a sentence where it does not ascend. */
type Placed<A extends Dims, B extends Dims, Map extends Dims, Out extends Dims = []> = Out['length'] extends A['length']
  ? Map extends readonly []
    ? Out
    : 'axesMapping is not ascending; a broadcast does not transpose'
  : Map extends readonly [infer M extends number, ...infer MT extends Dims]
    ? M extends Out['length']
      ? B extends readonly [infer H extends number, ...infer T extends Dims]
        ? Placed<A, T, MT, [...Out, H]>
        : Placed<A, B, MT, [...Out, 1]>
      : Placed<A, B, Map, [...Out, 1]>
    : Placed<A, B, Map, [...Out, 1]>

/** The first of these axes that A does not have; never when it has all. */
type Beyond<A extends Dims, Axes extends Dims> = Axes extends readonly [
  infer X extends number,
  ...infer Rest extends Dims,
]
  ? `${X}` extends keyof A
    ? Beyond<A, Rest>
    : X
  : never

/** A's sizes but those at the given axes. */
type Without<A extends Dims, Axes extends Dims, Seen extends 0[] = [], Out extends Dims = []> = A extends readonly [
  infer H extends number,
  ...infer T extends Dims,
]
  ? Without<T, Axes, [...Seen, 0], Seen['length'] extends Axes[number] ? Out : [...Out, H]>
  : Out

/** B at the axes that a mapping names. */
type Mapped<A extends Dims, B extends Dims, M extends Dims, How> = [Beyond<A, M>] extends [never]
  ? M['length'] extends B['length']
    ? Placed<A, B, M> extends infer P
      ? P extends Dims
        ? Walk<How, A, P, A, B>
        : P
      : never
    : B['length'] extends 0
      ? Met<A>
      : `axesMapping has ${M['length'] & number} entries and B has rank ${B['length'] & number}; each axis needs one (shapes ${Show<A>} and ${Show<B>})`
  : `axesMapping names axis ${Beyond<A, M>}, and A has rank ${A['length'] & number} (shapes ${Show<A>} and ${Show<B>})`

/** B at the axes that are not new. */
type Added<A extends Dims, B extends Dims, X extends Dims> = [Beyond<A, X>] extends [never]
  ? Without<A, X> extends infer Kept extends Dims
    ? Kept['length'] extends B['length']
      ? Walk<'same', Kept, B, A, B> extends infer Out
        ? Out extends string
          ? Out
          : Met<A>
        : never
      : `A without broadcastAxes has rank ${Kept['length'] & number}, and B has rank ${B['length'] & number} (shapes ${Show<A>} and ${Show<B>})`
    : never
  : `broadcastAxes names axis ${Beyond<A, X>}, and A has rank ${A['length'] & number} (shapes ${Show<A>} and ${Show<B>})`

type Explicit<A extends Dims, B extends Dims, O> = O extends { readonly axesMapping: infer M extends Dims }
  ? number extends M['length']
    ? Met<A>
    : Mapped<A, B, M, O extends { readonly strict: true } ? 'same' : 'keep'>
  : O extends { readonly broadcastAxes: infer X extends Dims }
    ? number extends X['length']
      ? Met<A>
      : Added<A, B, X>
    : Met<A>

/** The rule that an option names. */
export type RuleFor<R> = R extends keyof NamedRules ? NamedRules[R] : R

/** Rules under which operands meet in a shape that is like all of theirs. */
export type Mutual = 'numpy' | 'bidirectional' | 'sonnx'
/** Rules under which the first operand keeps its shape. */
export type OneWay = 'unidirectional' | 'pdpd' | 'explicit' | 'onnxLegacy' | 'openvinoPrelu' | 'none'

/** The result of two literal shapes: a shape, or a sentence. */
type Literal<R, A extends Dims, B extends Dims> =
  R extends Rule<infer N, infer O>
    ? N extends Mutual
      ? Walk<'meet', A, B, A, B>
      : N extends 'unidirectional'
        ? Onto<A, B>
        : N extends 'pdpd'
          ? Pdpd<A, B, O extends { readonly axis: infer X extends number } ? X : -1>
          : N extends 'explicit'
            ? Explicit<A, B, O>
            : N extends 'none'
              ? A['length'] extends B['length']
                ? Walk<'same', A, B, A, B>
                : `B has rank ${B['length'] & number} and A has ${A['length'] & number}; shapes must be equal (shapes ${Show<A>} and ${Show<B>})`
              : Met<readonly number[]>
    : Met<readonly number[]>

/** Of two shapes whose ranks are not both known. */
type Open<R, A extends Dims, B extends Dims, Gate> =
  R extends Rule<infer N>
    ? N extends OneWay
      ? Met<A>
      : N extends Mutual
        ? HasRank<A, Gate> extends true
          ? Met<A extends readonly [] ? B : readonly number[]>
          : HasRank<B, Gate> extends true
            ? Met<B extends readonly [] ? A : readonly number[]>
            : Met<IfSame<A, B, readonly number[], Gate>>
        : Met<readonly number[]>
    : Met<readonly number[]>

type Binary<R, A extends Dims, B extends Dims, Gate> =
  HasRank<A, Gate> extends true
    ? HasRank<B, Gate> extends true
      ? Literal<RuleFor<R>, A, B>
      : Open<RuleFor<R>, A, B, Gate>
    : Open<RuleFor<R>, A, B, Gate>

/**
 * What any number of shapes make under a rule: a shape that `ResultShape` takes out, or the sentence of the first
 * failure. Where the rule is fixed, `Gate` is a parameter of the call; see known.ts.
 */
export type Broadcast<S extends readonly unknown[], R = NamedRules['numpy'], Gate = R> = S extends readonly [
  infer First extends Dims,
  ...infer Rest extends readonly Dims[],
]
  ? Fold<R, First, Rest, Gate>
  : Met<S extends readonly [] ? [] : readonly number[]>

type Fold<R, Acc extends Dims, Rest extends readonly Dims[], Gate> = Rest extends readonly [
  infer Next extends Dims,
  ...infer After extends readonly Dims[],
]
  ? Binary<R, Acc, Next, Gate> extends infer Out
    ? Out extends Met<infer S extends Dims>
      ? Fold<R, S, After, Gate>
      : Out
    : never
  : Met<Acc>

/** A result as a shape; a failed one was refused at the argument. */
export type ResultShape<Out> = Out extends Met<infer S extends Dims> ? S : readonly number[]
