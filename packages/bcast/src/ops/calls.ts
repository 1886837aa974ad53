// The signatures of the operators. Each is written once, for a call that computes now and for its asynchronous form,
// which takes the same arguments, refuses the same ones with the same sentences, and gives a promise of the same tensor.
import type { DType } from '../dtype/dtype.ts'
import type { Shape } from '../shape/dim.ts'
import type { Rule } from '../shape/rule.ts'
import type { BidirectionalRule, MatmulBatchRule, NumpyRule } from '../shape/rules/index.ts'
import type { Broadcast, ResultShape } from '../shape/types/broadcast.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { Apply, ReducedExpression } from './expression-types.ts'
import type { ExpressionsOf, Formed, Operand, Traced } from './fuse-types.ts'
import type { FitsAddend, FitsMatrix, FitsProduct, ProductShape } from './gemm-types.ts'
import type { FitsMatmul, FitsStack, MatmulShape } from './matmul-types.ts'
import type { ElementwiseOptions, GemmOptions, OneWayIn, OutOption, RuleIn, TensordotOptions } from './options.ts'
import type { Reduced, ReduceOptions } from './reduce-types.ts'
import type { Standing } from './standing.ts'
import type {
  Fits,
  FitsCondition,
  FitsShape,
  HasTraced,
  IsTraced,
  MeetAlike,
  OperandsIn,
  OptionsIn,
  Shaped,
  ShapeOf,
  SharedType,
} from './types.ts'
import type { Given, When, WithAsync } from './when.ts'

/** What a call takes; inside `fuse` there is nothing to wait for. */
type Takes<W extends When> = W extends 'now' ? Operand : Exclude<Operand, Standing>

/** An operand inside `fuse`, where a call may have one. */
type TracedWhen<W extends When> = W extends 'now' ? Traced<unknown> : never

/** What an operator gives: a tensor, or inside `fuse` an operand that stands for it. */
type Outcome<
  W extends When,
  K,
  T extends readonly unknown[],
  R,
  Otherwise,
  Recorded = HasTraced<T>,
> = true extends Recorded ? Traced<Apply<K, ExpressionsOf<T>, R>> : Given<W, Otherwise>

/** What is given behind the operands: the attributes of the operator, and what every one takes. */
type Options<A extends object> = ElementwiseOptions & A

type UnaryCall<W extends When, A extends object> = <X extends Takes<W>>(
  x: X,
  options?: Options<A>,
) => Outcome<W, 'same', [X], NumpyRule, Tensor<SharedType<[X]>, ShapeOf<X>>>

type BinaryCall<W extends When, Attributes extends object> = <
  A extends Takes<W>,
  B extends Takes<W>,
  const O extends Options<Attributes> = Options<Attributes> & Record<never, never>,
>(
  a: A,
  b: Fits<A, B, RuleIn<O>, B>,
  options?: O,
) => Outcome<
  W,
  'same',
  [A, B],
  RuleIn<O>,
  Tensor<SharedType<[A, B]>, Shaped<[A, B], RuleIn<O>>>,
  IsTraced<A> | IsTraced<B>
>

type BinaryWithCall<W extends When, Attributes extends object> = <
  A extends Takes<W>,
  B extends Takes<W>,
  const O extends Options<Attributes>,
>(
  x: A,
  y: Fits<A, B, RuleIn<O>, B>,
  options: O,
) => Outcome<W, 'same', [A, B], RuleIn<O>, Tensor<SharedType<[A, B]>, Shaped<[A, B], RuleIn<O>>>>

type ComparisonCall<W extends When> = <
  A extends Takes<W>,
  B extends Takes<W>,
  const O extends ElementwiseOptions = Record<never, never>,
>(
  a: A,
  b: Fits<A, B, RuleIn<O>, B>,
  options?: O,
) => Outcome<W, 'bool', [A, B], RuleIn<O>, Tensor<'bool', Shaped<[A, B], RuleIn<O>>>>

/** What arguments reduce, if they are one tensor, or what stands for one, and at most options; otherwise never. */
type ReductionIn<W extends When, T extends readonly unknown[]> = T extends readonly [infer X, infer O]
  ? O extends Tensor | readonly unknown[]
    ? never
    : O extends ReduceOptions
      ? O extends object
        ? ReducedBy<W, X, O>
        : never
      : never
  : T extends readonly [infer X]
    ? ReducedBy<W, X, never>
    : never

type ReducedBy<W extends When, X, O> =
  X extends Tensor<infer D, infer S>
    ? Given<W, Tensor<D, Reduced<S, O>>>
    : X extends Traced<infer E>
      ? Traced<ReducedExpression<E, O>>
      : never

type ReduceCall<W extends When, R extends ReduceOptions> = <
  X extends Tensor | TracedWhen<W>,
  const O extends R = never,
>(
  x: X,
  options?: O,
) => ReducedBy<W, X, O>

/** Of one tensor a reduction over its axes, of several operands what they give element by element. */
type ReducibleCall<W extends When> = <
  const T extends readonly (Takes<W> | readonly Takes<W>[] | ElementwiseOptions | ReduceOptions)[],
>(
  ...args: [ReductionIn<W, T>] extends [never] ? MeetAlike<T, OperandsIn<T>, RuleIn<OptionsIn<T>>> : T
) => [ReductionIn<W, T>] extends [never]
  ? Outcome<
      W,
      'same',
      OperandsIn<T>,
      RuleIn<OptionsIn<T>>,
      Tensor<SharedType<OperandsIn<T>>, Shaped<OperandsIn<T>, RuleIn<OptionsIn<T>>>>
    >
  : ReductionIn<W, T>

type PowerCall<W extends When> = <
  A extends Takes<W>,
  B extends Takes<W>,
  const O extends ElementwiseOptions = Record<never, never>,
>(
  a: A,
  b: FitsShape<[A, B], RuleIn<O>, B>,
  options?: O,
) => Outcome<W, 'first', [A, B], RuleIn<O>, Tensor<SharedType<[A]>, Shaped<[A, B], RuleIn<O>>>>

type ChoiceCall<W extends When> = <
  C extends Takes<W>,
  A extends Takes<W>,
  B extends Takes<W>,
  const O extends ElementwiseOptions = Record<never, never>,
>(
  condition: FitsCondition<C, RuleIn<O>, C>,
  x: FitsShape<Chosen<[C, A], RuleIn<O>>, RuleIn<O>, A>,
  y: [Fits<A, B, RuleIn<O>, B>] extends [string]
    ? Fits<A, B, RuleIn<O>, B>
    : FitsShape<Chosen<[C, A, B], RuleIn<O>>, RuleIn<O>, B>,
  options?: O,
) => Outcome<
  W,
  'rest',
  [C, A, B],
  RuleIn<O>,
  Tensor<SharedType<[A, B]>, Shaped<Chosen<[C, A, B], RuleIn<O>>, RuleIn<O>>>
>

/** The operands of a choice, the one first that others go onto: under pdpd it is x. */
export type Chosen<T extends readonly unknown[], R> =
  R extends Rule<'pdpd'> ? (T extends readonly [infer C, infer A, ...infer Rest] ? [A, C, ...Rest] : T) : T

type OneWayCall<W extends When> = <
  A extends Takes<W>,
  B extends Takes<W>,
  const O extends ElementwiseOptions = Record<never, never>,
>(
  x: A,
  slope: Fits<A, B, OneWayIn<O>, B>,
  options?: O,
) => Outcome<W, 'same', [A, B], OneWayIn<O>, Tensor<SharedType<[A, B]>, Shaped<[A, B], OneWayIn<O>>>>

type BoundedCall<W extends When> = <
  A extends Takes<W>,
  B extends Takes<W> | undefined = undefined,
  C extends Takes<W> | undefined = undefined,
  const O extends ElementwiseOptions = Record<never, never>,
>(
  x: A,
  min?: Fits<A, B, OneWayIn<O>, B>,
  max?: Fits<A, C, OneWayIn<O>, C>,
  options?: O,
) => Outcome<W, 'same', [A, B, C], OneWayIn<O>, Tensor<SharedType<[A]>, Shaped<[A, B, C], OneWayIn<O>>>>

type CastCall<W extends When> = <X extends Tensor | TracedWhen<W>, const D extends DType>(
  x: X,
  dtype: D,
  options?: OutOption,
) => Outcome<W, { readonly to: D }, [X], NumpyRule, Tensor<D, ShapeOf<X>>>

type CastLikeCall<W extends When> = <X extends Tensor | TracedWhen<W>, T extends Tensor | TracedWhen<W>>(
  x: X,
  like: T,
  options?: OutOption,
) => Outcome<W, 'like', [X, T], NumpyRule, Tensor<SharedType<[T]>, ShapeOf<X>>>

type ExpandCall<W extends When> = <X extends Tensor, const T extends Shape>(
  x: X,
  shape: Broadcast<[ShapeOf<X>, T], BidirectionalRule, T> extends infer Out ? (Out extends string ? Out : T) : never,
  options?: OutOption,
) => Given<
  W,
  Tensor<X extends Tensor<infer D, Shape> ? D : DType, ResultShape<Broadcast<[ShapeOf<X>, T], BidirectionalRule, T>>>
>

type GemmCall<W extends When> = <
  A extends Tensor,
  B extends Tensor,
  C extends Tensor | undefined = undefined,
  const O extends GemmOptions = Record<never, never>,
>(
  a: FitsMatrix<A, 'A', O, A>,
  b: FitsProduct<A, B, O, B>,
  c?: FitsAddend<A, B, C, O, C>,
  options?: O,
) => Given<W, Tensor<SharedType<[A, B]>, ProductShape<A, B, O>>>

type Product<A, B, O> = MatmulShape<A, B, O> extends infer S extends Shape ? Tensor<SharedType<[A, B]>, S> : never

/** Inside `fuse` shapes are looked at when the function is called. */
type MatmulCall<W extends When> = <
  A extends Tensor | TracedWhen<W>,
  B extends Tensor | TracedWhen<W>,
  const O extends OutOption = Record<never, never>,
>(
  a: true extends HasTraced<[A, B]> ? A : FitsStack<A, 'A', O, A>,
  b: true extends HasTraced<[A, B]> ? B : FitsMatmul<A, B, O, B>,
  options?: O,
) => Outcome<W, 'same', [A, B], MatmulBatchRule, Product<A, B, O>>

type TensordotCall<W extends When> = <D extends DType>(
  a: Tensor<D>,
  b: Tensor<D>,
  c?: Tensor<D>,
  options?: TensordotOptions,
) => Given<W, Tensor<D>>

/** `A`: its attributes, here and below. */
export interface Unary<A extends object = object>
  extends UnaryCall<'now', A>,
    WithAsync<UnaryCall<'async', A>>,
    Formed<'unary', 'same', A> {}
export interface Binary<A extends object = object>
  extends BinaryCall<'now', A>,
    WithAsync<BinaryCall<'async', A>>,
    Formed<'binary', 'same', A> {}
/** Some of its attributes have to be said. */
export interface BinaryWith<A extends object>
  extends BinaryWithCall<'now', A>,
    WithAsync<BinaryWithCall<'async', A>>,
    Formed<'binaryWith', 'same', A> {}
export interface Comparison
  extends ComparisonCall<'now'>,
    WithAsync<ComparisonCall<'async'>>,
    Formed<'binary', 'bool', object> {}
/** One tensor, of which axes are reduced; or operands one by one or in one array, options behind them. */
export interface Reducible
  extends ReducibleCall<'now'>,
    WithAsync<ReducibleCall<'async'>>,
    Formed<'variadic', 'same', object> {}
/** A reduction over axes of a tensor. `R`: what options may hold. */
export interface Reduce<R extends ReduceOptions = ReduceOptions>
  extends ReduceCall<'now', R>,
    WithAsync<ReduceCall<'async', R>> {}
/** The first operand gives the result's type, whatever the other's. */
export interface Power extends PowerCall<'now'>, WithAsync<PowerCall<'async'>>, Formed<'binary', 'first', object> {}
/** The first operand is a condition. */
export interface Choice extends ChoiceCall<'now'>, WithAsync<ChoiceCall<'async'>>, Formed<'choice', 'rest', object> {}
/** The second operand goes onto the first. */
export interface OneWay extends OneWayCall<'now'>, WithAsync<OneWayCall<'async'>>, Formed<'oneWay', 'same', object> {}
/** The others, which may be left out, go onto the first. */
export interface Bounded
  extends BoundedCall<'now'>,
    WithAsync<BoundedCall<'async'>>,
    Formed<'bounded', 'same', object> {}
export interface Cast extends CastCall<'now'>, WithAsync<CastCall<'async'>> {}
export interface CastLike extends CastLikeCall<'now'>, WithAsync<CastLikeCall<'async'>> {}
export interface Expand extends ExpandCall<'now'>, WithAsync<ExpandCall<'async'>> {}
export interface Gemm extends GemmCall<'now'>, WithAsync<GemmCall<'async'>> {}
export interface Tensordot extends TensordotCall<'now'>, WithAsync<TensordotCall<'async'>> {}
export interface Matmul extends MatmulCall<'now'>, WithAsync<MatmulCall<'async'>> {}
