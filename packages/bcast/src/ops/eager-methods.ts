// The operators as methods of tensors, for the compiler: the same shapes, types and sentences as their functions have.
// The tensor itself is inferred from `this`, so that a tensor of a literal shape stays one of any shape, too.
import type { DType } from '../dtype/dtype.ts'
import type { Real } from '../dtype/real.ts'
import type { Shape } from '../shape/dim.ts'
import type { BidirectionalRule } from '../shape/rules/index.ts'
import type { Broadcast, ResultShape } from '../shape/types/broadcast.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { ArgReduceOptions } from './arg-reduce.ts'
import type { Chosen } from './calls.ts'
import type { CloseOptions, EqualOptions } from './close.ts'
import type { CumSumOptions } from './cum-sum.ts'
import type { Formed } from './fuse-types.ts'
import type { FitsMatmul, MatmulShape } from './matmul-types.ts'
import type { Padded, PadOptions, Pads } from './move/pad.ts'
import type { IndexShape, Indices, Replaced, TakeOptions } from './move/take.ts'
import type { Tiled } from './move/tile.ts'
import type { ElementwiseOptions, NumpyAt, OneWayIn, OutOption, RuleIn } from './options.ts'
import type { Reduced, ReduceOptions } from './reduce-types.ts'
import type { NormOptions } from './reductions.ts'
import type {
  Fits,
  FitsCondition,
  FitsShape,
  MeetAlike,
  OperandsIn,
  OptionsIn,
  Shaped,
  ShapeOf,
  SharedType,
} from './types.ts'
import type { AxisIn, AxisOption, Parts } from './views/split.ts'
import type { Axes, Squeezed, Unsqueezed } from './views/types.ts'

type Operators = typeof import('./operators.ts')
/** A tensor, or a value that takes its type. */
type Other = Tensor | number | bigint | boolean | string | Real
type Nothing = Record<never, never>
type TypeOf<X> = X extends Tensor<infer D, Shape> ? D : DType

/** The type of a result, by which operands give it. */
type TypeBy<K, T extends readonly unknown[]> = K extends 'bool'
  ? 'bool'
  : K extends 'first'
    ? SharedType<[T[0]]>
    : SharedType<T>

type UnaryMethod<A extends object> = <X extends Tensor>(
  this: X,
  options?: ElementwiseOptions & A,
) => Tensor<TypeOf<X>, ShapeOf<X>>

type FitsBy<K, X, B, R> = K extends 'first' ? FitsShape<[X, B], R, B> : Fits<X, B, R, B>

type BinaryMethod<K, A extends object> = <
  X extends Tensor,
  B extends Other,
  const O extends ElementwiseOptions & A = ElementwiseOptions & A & Nothing,
>(
  this: X,
  other: FitsBy<K, X, B, RuleIn<O>>,
  options?: O,
) => Tensor<TypeBy<K, [X, B]>, Shaped<[X, B], RuleIn<O>>>

type BinaryWithMethod<K, A extends object> = <
  X extends Tensor,
  B extends Other,
  const O extends ElementwiseOptions & A,
>(
  this: X,
  other: FitsBy<K, X, B, RuleIn<O>>,
  options: O,
) => Tensor<TypeBy<K, [X, B]>, Shaped<[X, B], RuleIn<O>>>

type OneWayMethod = <X extends Tensor, B extends Other, const O extends ElementwiseOptions = Nothing>(
  this: X,
  other: Fits<X, B, OneWayIn<O>, B>,
  options?: O,
) => Tensor<TypeOf<X>, ShapeOf<X>>

type BoundedMethod = <
  X extends Tensor,
  B extends Other | undefined = undefined,
  C extends Other | undefined = undefined,
  const O extends ElementwiseOptions = Nothing,
>(
  this: X,
  min?: Fits<X, B, OneWayIn<O>, B>,
  max?: Fits<X, C, OneWayIn<O>, C>,
  options?: O,
) => Tensor<TypeOf<X>, ShapeOf<X>>

type ChoiceMethod = <C extends Tensor, A extends Other, B extends Other, const O extends ElementwiseOptions = Nothing>(
  this: FitsCondition<C, RuleIn<O>, C>,
  x: FitsShape<Chosen<[C, A], RuleIn<O>>, RuleIn<O>, A>,
  y: [Fits<A, B, RuleIn<O>, B>] extends [string]
    ? Fits<A, B, RuleIn<O>, B>
    : FitsShape<Chosen<[C, A, B], RuleIn<O>>, RuleIn<O>, B>,
  options?: O,
) => Tensor<SharedType<[A, B]>, Shaped<Chosen<[C, A, B], RuleIn<O>>, RuleIn<O>>>

/** What is left of a tensor where a method is given nothing but options of reductions; otherwise never. */
type ReductionBy<X, B extends readonly unknown[]> = B extends readonly []
  ? Tensor<TypeOf<X>, Reduced<ShapeOf<X>, never>>
  : B extends readonly [infer O]
    ? O extends Other | readonly unknown[]
      ? never
      : O extends ReduceOptions
        ? Tensor<TypeOf<X>, Reduced<ShapeOf<X>, O>>
        : never
    : never

/** Alone a reduction over axes; with others what they give element by element. */
type ReducibleMethod = <X extends Tensor, const B extends readonly (Other | ElementwiseOptions | ReduceOptions)[]>(
  this: X,
  ...others: [ReductionBy<X, B>] extends [never] ? MeetAlike<B, [X, ...OperandsIn<B>], RuleIn<OptionsIn<B>>> : B
) => [ReductionBy<X, B>] extends [never]
  ? Tensor<SharedType<[X, ...OperandsIn<B>]>, Shaped<[X, ...OperandsIn<B>], RuleIn<OptionsIn<B>>>>
  : ReductionBy<X, B>

type ReduceMethod<R extends ReduceOptions = ReduceOptions> = <X extends Tensor, const O extends R = never>(
  this: X,
  options?: O,
) => Tensor<TypeOf<X>, Reduced<ShapeOf<X>, O>>

type Method<F, K, A extends object> = F extends 'unary'
  ? UnaryMethod<A>
  : F extends 'binary'
    ? BinaryMethod<K, A>
    : F extends 'binaryWith'
      ? BinaryWithMethod<K, A>
      : F extends 'oneWay'
        ? OneWayMethod
        : F extends 'bounded'
          ? BoundedMethod
          : F extends 'choice'
            ? ChoiceMethod
            : ReducibleMethod

type OperatorMethods = {
  readonly [N in keyof Operators]: Operators[N] extends Formed<infer F, infer K, infer A> ? Method<F, K, A> : never
}

/** What `import 'bcast/methods'` adds to every tensor: the functions of the same names, with the tensor first. */
export interface EagerMethods extends OperatorMethods {
  /** The elements in another type. */
  cast<X extends Tensor, const D extends DType>(this: X, dtype: D, options?: OutOption): Tensor<D, ShapeOf<X>>
  /** The same as `cast`, by NumPy's name. */
  astype<X extends Tensor, const D extends DType>(this: X, dtype: D, options?: OutOption): Tensor<D, ShapeOf<X>>
  castLike<X extends Tensor, T extends Tensor>(this: X, like: T, options?: OutOption): Tensor<TypeOf<T>, ShapeOf<X>>
  expand<X extends Tensor, const T extends Shape>(
    this: X,
    shape: Broadcast<[ShapeOf<X>, T], BidirectionalRule, T> extends infer Out ? (Out extends string ? Out : T) : never,
    options?: OutOption,
  ): Tensor<TypeOf<X>, ResultShape<Broadcast<[ShapeOf<X>, T], BidirectionalRule, T>>>
  squeeze<X extends Tensor, const A extends Axes | undefined = undefined>(
    this: X,
    axes?: A,
  ): Tensor<TypeOf<X>, Squeezed<ShapeOf<X>, A>>
  unsqueeze<X extends Tensor, const A extends Axes>(this: X, axes: A): Tensor<TypeOf<X>, Unsqueezed<ShapeOf<X>, A>>
  flip<X extends Tensor>(this: X, axes?: Axes): Tensor<TypeOf<X>, ShapeOf<X>>
  split<X extends Tensor, const P extends number | readonly number[], const O extends AxisOption = Nothing>(
    this: X,
    parts: P,
    options?: O,
  ): Parts<TypeOf<X>, ShapeOf<X>, P, O>
  take<X extends Tensor, const I extends Indices, const O extends TakeOptions = Nothing>(
    this: X,
    indices: I,
    options?: O,
  ): Tensor<TypeOf<X>, Replaced<ShapeOf<X>, AxisIn<O>, IndexShape<I>>>
  gather<X extends Tensor, const I extends Indices, const O extends TakeOptions = Nothing>(
    this: X,
    indices: I,
    options?: O,
  ): Tensor<TypeOf<X>, Replaced<ShapeOf<X>, AxisIn<O>, IndexShape<I>>>
  tile<X extends Tensor, const R extends Shape>(
    this: X,
    repeats: R,
    options?: OutOption,
  ): Tensor<TypeOf<X>, Tiled<ShapeOf<X>, R>>
  pad<X extends Tensor, const P extends readonly Pads[]>(
    this: X,
    pads: P,
    options?: PadOptions,
  ): Tensor<TypeOf<X>, Padded<ShapeOf<X>, P>>
  readonly prod: ReduceMethod
  readonly sumSquare: ReduceMethod
  readonly norm: ReduceMethod<NormOptions>
  readonly logSumExp: ReduceMethod
  readonly any: ReduceMethod
  readonly all: ReduceMethod
  argMax(options?: ArgReduceOptions): Tensor<'int64'>
  argMin(options?: ArgReduceOptions): Tensor<'int64'>
  cumSum<X extends Tensor>(this: X, options?: CumSumOptions): Tensor<TypeOf<X>, ShapeOf<X>>
  matmul<X extends Tensor, B extends Tensor, const O extends OutOption = Nothing>(
    this: X,
    other: FitsMatmul<X, B, O, B>,
    options?: O,
  ): Tensor<SharedType<[X, B]>, MatmulShape<X, B, O>>
  isClose<X extends Tensor, B extends Other>(
    this: X,
    other: Fits<X, B, NumpyAt<B>, B>,
    options?: CloseOptions & OutOption,
  ): Tensor<'bool', Shaped<[X, B], NumpyAt<B>>>
  allClose<X extends Tensor, B extends Other>(
    this: X,
    other: Fits<X, B, NumpyAt<B>, B>,
    options?: CloseOptions,
  ): boolean
  arrayEqual<X extends Tensor>(this: X, other: Tensor, options?: EqualOptions): boolean
}
