// The signatures of the operators. Each is written once, for a call that computes now and for its asynchronous form,
// which takes the same arguments, refuses the same ones with the same sentences, and gives a promise of the same tensor.
import type { DType } from '../dtype/dtype.ts'
import type { Shape } from '../shape/dim.ts'
import type { NamedRules } from '../shape/rule-option.ts'
import type { BidirectionalRule, NumpyRule } from '../shape/rules/index.ts'
import type { Broadcast, ResultShape } from '../shape/types/broadcast.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { Apply, ExpressionsOf, Traced } from './fuse-types.ts'
import type {
  BitShiftOptions,
  DivOptions,
  ElementwiseOptions,
  GemmOptions,
  ModOptions,
  OutOption,
  RuleIn,
  TensordotOptions,
} from './options.ts'
import type {
  Fits,
  FitsShape,
  Meet,
  Operand,
  OperandsIn,
  OptionsIn,
  Shaped,
  ShapeOf,
  ShapesOf,
  SharedType,
} from './types.ts'
import type { Given, When, WithAsync } from './when.ts'

/** What a call takes; inside `fuse` there is nothing to wait for. */
type Takes<W extends When> = W extends 'now' ? Operand : Exclude<Operand, Traced<unknown>>

/** What an operator gives: a tensor, or inside `fuse` an operand that stands for it. */
type Outcome<W extends When, K, T extends readonly unknown[], R, Otherwise> = [
  Extract<T[number], Traced<unknown>>,
] extends [never]
  ? Given<W, Otherwise>
  : Traced<Apply<K, ExpressionsOf<T>, R>>

type UnaryCall<W extends When> = <A extends Takes<W>>(
  x: A,
  options?: ElementwiseOptions,
) => Outcome<W, 'same', [A], NumpyRule, Tensor<SharedType<[A]>, ShapeOf<A>>>

type BinaryCall<W extends When, Options extends ElementwiseOptions = ElementwiseOptions> = <
  A extends Takes<W>,
  B extends Takes<W>,
  const O extends Options = Options & Record<never, never>,
>(
  a: A,
  b: Fits<A, B, RuleIn<O>, B>,
  options?: O,
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

type VariadicCall<W extends When> = <const T extends readonly (Takes<W> | readonly Takes<W>[] | ElementwiseOptions)[]>(
  ...args: Meet<T, ShapesOf<OperandsIn<T>>, RuleIn<OptionsIn<T>>>
) => Outcome<
  W,
  'same',
  OperandsIn<T>,
  RuleIn<OptionsIn<T>>,
  Tensor<SharedType<OperandsIn<T>>, Shaped<OperandsIn<T>, RuleIn<OptionsIn<T>>>>
>

type PowCall<W extends When> = <
  A extends Takes<W>,
  B extends Takes<W>,
  const O extends ElementwiseOptions = Record<never, never>,
>(
  a: A,
  b: FitsShape<[A, B], RuleIn<O>, B>,
  options?: O,
) => Outcome<W, 'first', [A, B], RuleIn<O>, Tensor<SharedType<[A]>, Shaped<[A, B], RuleIn<O>>>>

type BitShiftCall<W extends When> = <A extends Takes<W>, B extends Takes<W>, const O extends BitShiftOptions>(
  x: A,
  y: Fits<A, B, RuleIn<O>, B>,
  options: O,
) => Outcome<W, 'same', [A, B], RuleIn<O>, Tensor<SharedType<[A, B]>, Shaped<[A, B], RuleIn<O>>>>

type WhereCall<W extends When> = <
  C extends Takes<W>,
  A extends Takes<W>,
  B extends Takes<W>,
  const O extends ElementwiseOptions = Record<never, never>,
>(
  condition: C,
  x: FitsShape<[C, A], RuleIn<O>, A>,
  y: [Fits<A, B, RuleIn<O>, B>] extends [string] ? Fits<A, B, RuleIn<O>, B> : FitsShape<[C, A, B], RuleIn<O>, B>,
  options?: O,
) => Outcome<W, 'rest', [C, A, B], RuleIn<O>, Tensor<SharedType<[A, B]>, Shaped<[C, A, B], RuleIn<O>>>>

type PreluCall<W extends When> = <
  A extends Takes<W>,
  B extends Takes<W>,
  const O extends ElementwiseOptions = Record<never, never>,
>(
  x: A,
  slope: Fits<A, B, O extends { readonly broadcast: infer R } ? R : NamedRules['unidirectional'], B>,
  options?: O,
) => Outcome<W, 'first', [A, B], NamedRules['unidirectional'], Tensor<SharedType<[A, B]>, ShapeOf<A>>>

type CastCall<W extends When> = <X extends Tensor, const D extends DType>(
  x: X,
  dtype: D,
  options?: OutOption,
) => Given<W, Tensor<D, ShapeOf<X>>>

type CastLikeCall<W extends When> = <X extends Tensor, T extends Tensor>(
  x: X,
  like: T,
  options?: OutOption,
) => Given<W, Tensor<T extends Tensor<infer D, Shape> ? D : DType, ShapeOf<X>>>

type ExpandCall<W extends When> = <X extends Tensor, const T extends Shape>(
  x: X,
  shape: Broadcast<[ShapeOf<X>, T], BidirectionalRule> extends infer Out ? (Out extends string ? Out : T) : never,
  options?: OutOption,
) => Given<
  W,
  Tensor<X extends Tensor<infer D, Shape> ? D : DType, ResultShape<Broadcast<[ShapeOf<X>, T], BidirectionalRule>>>
>

type GemmCall<W extends When> = <D extends DType>(
  a: Tensor<D>,
  b: Tensor<D>,
  c?: Tensor<D>,
  options?: GemmOptions,
) => Given<W, Tensor<D, [number, number]>>

type TensordotCall<W extends When> = <D extends DType>(
  a: Tensor<D>,
  b: Tensor<D>,
  c?: Tensor<D>,
  options?: TensordotOptions,
) => Given<W, Tensor<D>>

export interface Unary extends UnaryCall<'now'>, WithAsync<UnaryCall<'later'>> {}
export interface Binary extends BinaryCall<'now'>, WithAsync<BinaryCall<'later'>> {}
export interface Div extends BinaryCall<'now', DivOptions>, WithAsync<BinaryCall<'later', DivOptions>> {}
export interface Mod extends BinaryCall<'now', ModOptions>, WithAsync<BinaryCall<'later', ModOptions>> {}
export interface Comparison extends ComparisonCall<'now'>, WithAsync<ComparisonCall<'later'>> {}
/** Operands one by one or in one array, options behind them. */
export interface Variadic extends VariadicCall<'now'>, WithAsync<VariadicCall<'later'>> {}
export interface Pow extends PowCall<'now'>, WithAsync<PowCall<'later'>> {}
export interface BitShift extends BitShiftCall<'now'>, WithAsync<BitShiftCall<'later'>> {}
export interface Where extends WhereCall<'now'>, WithAsync<WhereCall<'later'>> {}
export interface Prelu extends PreluCall<'now'>, WithAsync<PreluCall<'later'>> {}
export interface Cast extends CastCall<'now'>, WithAsync<CastCall<'later'>> {}
export interface CastLike extends CastLikeCall<'now'>, WithAsync<CastLikeCall<'later'>> {}
export interface Expand extends ExpandCall<'now'>, WithAsync<ExpandCall<'later'>> {}
export interface Gemm extends GemmCall<'now'>, WithAsync<GemmCall<'later'>> {}
export interface Tensordot extends TensordotCall<'now'>, WithAsync<TensordotCall<'later'>> {}
