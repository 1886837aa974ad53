// The rules in the type system, for shapes that are literal: a result is a shape, or the sentence that says why
// not. `number` dimensions and unknown ranks are let through; the runtime decides them.

import type { Rule } from '../rule.ts'
import type { NamedRules } from '../rule-option.ts'

type Dims = readonly number[]

/** Whether the rank is not known to the compiler. */
export type IsOpen<S extends Dims> = number extends S['length'] ? true : false

/** `[2,3]`; a size the compiler does not know prints as `?`. */
type Show<S extends Dims, Text extends string = ''> = S extends readonly [
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

/** The size two sizes make; never when they cannot meet. */
type Meet<X extends number, Y extends number> = number extends X
  ? number extends Y
    ? number
    : Y extends 1
      ? number
      : Y
  : number extends Y
    ? X extends 1
      ? number
      : X
    : X extends Y
      ? X
      : X extends 1
        ? Y
        : Y extends 1
          ? X
          : never

/** The size that stays when Y goes onto X; never when it cannot. */
type Keep<X extends number, Y extends number> = number extends X
  ? X
  : number extends Y
    ? X
    : Y extends 1 | X
      ? X
      : never

/** The size of two that must be equal. */
type Same<X extends number, Y extends number> = number extends X ? Y : number extends Y ? X : X extends Y ? X : never

type Relate<How, X extends number, Y extends number> = How extends 'meet'
  ? Meet<X, Y>
  : How extends 'keep'
    ? Keep<X, Y>
    : Same<X, Y>

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
    ? [Relate<How, X, Y>] extends [never]
      ? Sentence<[...Done, 0]['length'] & number, X, Y, A0, B0>
      : Walk<How, AH, BH, A0, B0, [Relate<How, X, Y>, ...Done]>
    : [...A, ...Done]
  : [...B, ...Done]

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
  ? A
  : `${Axis}` extends '-1'
    ? Onto<A, B>
    : Longer<A, B> extends true
      ? RankSentence<A, B>
      : Onto<A, Fill<A, [...Ones<Axis>, ...B]>, B>

/** B's sizes at the result axes that `Map` names, ones elsewhere. */
type Placed<A extends Dims, B extends Dims, Map extends Dims, Out extends Dims = []> = Out['length'] extends A['length']
  ? Out
  : Map extends readonly [infer M extends number, ...infer MT extends Dims]
    ? M extends Out['length']
      ? B extends readonly [infer H extends number, ...infer T extends Dims]
        ? Placed<A, T, MT, [...Out, H]>
        : Placed<A, B, MT, [...Out, 1]>
      : Placed<A, B, Map, [...Out, 1]>
    : Placed<A, B, Map, [...Out, 1]>

type Explicit<A extends Dims, B extends Dims, O> = O extends { readonly axesMapping: infer M extends Dims }
  ? IsOpen<M> extends true
    ? A
    : M['length'] extends B['length']
      ? Walk<O extends { readonly strict: true } ? 'same' : 'keep', A, Placed<A, B, M>, A, B>
      : B['length'] extends 0
        ? A
        : `axesMapping has ${M['length'] & number} entries and B has rank ${B['length'] & number}; each axis needs one (shapes ${Show<A>} and ${Show<B>})`
  : A

type RuleFor<R> = R extends keyof NamedRules ? NamedRules[R] : R

/** The result of two literal shapes: a shape, or a sentence. */
type Binary<R, A extends Dims, B extends Dims> =
  IsOpen<A> extends true
    ? readonly number[]
    : IsOpen<B> extends true
      ? RuleFor<R> extends Rule<'unidirectional' | 'pdpd' | 'explicit' | 'onnxLegacy' | 'openvinoPrelu', unknown>
        ? A
        : readonly number[]
      : RuleFor<R> extends Rule<infer N, infer O>
        ? N extends 'numpy' | 'bidirectional' | 'sonnx'
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
                  : readonly number[]
        : readonly number[]

/** The result of any number of shapes under a rule: a shape, or the sentence of the first failure. */
export type Broadcast<S extends readonly Dims[], R = NamedRules['numpy']> = S extends readonly [
  infer First extends Dims,
  ...infer Rest extends readonly Dims[],
]
  ? Fold<R, First, Rest>
  : S extends readonly []
    ? []
    : readonly number[]

type Fold<R, Acc extends Dims, Rest extends readonly Dims[]> = Rest extends readonly [
  infer Next extends Dims,
  ...infer After extends readonly Dims[],
]
  ? Binary<R, Acc, Next> extends infer Out
    ? Out extends Dims
      ? Fold<R, Out, After>
      : Out
    : never
  : Acc

/** A result as a shape; a failed one was refused at the argument. */
export type ResultShape<Out> = Out extends Dims ? Out : readonly number[]
