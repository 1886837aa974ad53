// What the compiler knows of a fused function. Operands carry the expression they stand for as a type; it is evaluated
// against the tensors of each call, so results are typed and a call that cannot work does not compile.
import type { DType } from '../dtype/dtype.ts'
import type { Shape } from '../shape/dim.ts'
import type { Broadcast, ResultShape } from '../shape/types/broadcast.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { BitShiftOptions, DivOptions, ElementwiseOptions, ModOptions, RuleIn } from './options.ts'
import type { Given, When, WithAsync } from './when.ts'

/** The operand at a position. */
interface Arg<I extends number> {
  readonly arg: I
}

/** A number written inside the function. */
interface Literal {
  readonly literal: true
}

/** An operator: which operands give the result's type, its operands, its rule. */
export interface Apply<K, A extends readonly unknown[], R> {
  readonly type: K
  readonly args: A
  readonly rule: R
}

/** An operand inside `fuse`. */
export interface Traced<E> {
  readonly dtype: DType
  /** The expression, for the compiler only. */
  readonly expression?: E
  add: Method<E>
  sub: Method<E>
  mul: Method<E>
  div: Method<E, 'same', DivOptions>
  mod: Method<E, 'same', ModOptions>
  floorMod: Method<E>
  squaredDifference: Method<E>
  pow: Method<E, 'first'>
  /** The other operand goes onto this one. */
  prelu<B extends TracedInput, const O extends ElementwiseOptions = { readonly broadcast: 'unidirectional' }>(
    slope: B,
    options?: O,
  ): Traced<Apply<'first', [E, ExpressionOf<B>], RuleIn<O>>>
  max: VariadicMethod<E>
  min: VariadicMethod<E>
  mean: VariadicMethod<E>
  sum: VariadicMethod<E>
  and: Method<E>
  or: Method<E>
  xor: Method<E>
  bitwiseAnd: Method<E>
  bitwiseOr: Method<E>
  bitwiseXor: Method<E>
  bitShift<B extends TracedInput, const O extends BitShiftOptions>(
    other: B,
    options: O,
  ): Traced<Apply<'same', [E, ExpressionOf<B>], RuleIn<O>>>
  leftShift: Method<E>
  rightShift: Method<E>
  equal: Method<E, 'bool'>
  notEqual: Method<E, 'bool'>
  greater: Method<E, 'bool'>
  less: Method<E, 'bool'>
  greaterOrEqual: Method<E, 'bool'>
  lessOrEqual: Method<E, 'bool'>
  /** This where the operand is a condition; x where it holds, else y. */
  where<X extends TracedInput, Y extends TracedInput>(
    x: X,
    y: Y,
  ): Traced<Apply<'rest', [E, ExpressionOf<X>, ExpressionOf<Y>], RuleIn<Record<never, never>>>>
  not: UnaryMethod<E>
  bitwiseNot: UnaryMethod<E>
  neg: UnaryMethod<E>
  abs: UnaryMethod<E>
  sign: UnaryMethod<E>
  sqrt: UnaryMethod<E>
  exp: UnaryMethod<E>
  log: UnaryMethod<E>
  tanh: UnaryMethod<E>
  sigmoid: UnaryMethod<E>
  relu: UnaryMethod<E>
  floor: UnaryMethod<E>
  ceil: UnaryMethod<E>
  round: UnaryMethod<E>
  reciprocal: UnaryMethod<E>
  identity: UnaryMethod<E>
  cast<D extends DType>(dtype: D): Traced<Apply<{ readonly to: D }, [E], RuleIn<Record<never, never>>>>
}

type TracedInput = Traced<unknown> | Tensor | number | bigint | boolean

type UnaryMethod<E> = () => Traced<E>
type Method<E, K = 'same', Options extends ElementwiseOptions = ElementwiseOptions> = <
  B extends TracedInput,
  const O extends Options = Options & Record<never, never>,
>(
  other: B,
  options?: O,
) => Traced<Apply<K, [E, ExpressionOf<B>], RuleIn<O>>>
type VariadicMethod<E> = <const B extends readonly TracedInput[]>(
  ...others: B
) => Traced<Apply<'same', [E, ...ExpressionsOf<B>], RuleIn<Record<never, never>>>>

/** The expression an operand stands for; a captured tensor stands for itself. */
type ExpressionOf<X> = X extends Traced<infer E> ? E : X extends Tensor ? X : Literal
export type ExpressionsOf<T extends readonly unknown[]> = { -readonly [I in keyof T]: ExpressionOf<T[I]> }

/** The shape of an expression over tensors, or the sentence why it has none. */
type ShapeOfExpression<E, T extends readonly unknown[]> =
  E extends Arg<infer I>
    ? T[I] extends Tensor<DType, infer S>
      ? S
      : []
    : E extends Tensor<DType, infer S>
      ? S
      : E extends Apply<unknown, infer A, infer R>
        ? Joined<ShapesOfExpressions<A, T>, R>
        : []
type ShapesOfExpressions<A extends readonly unknown[], T extends readonly unknown[]> = {
  -readonly [I in keyof A]: ShapeOfExpression<A[I], T>
}
type Joined<S extends readonly unknown[], R> =
  Extract<S[number], string> extends never
    ? S extends readonly Shape[]
      ? Broadcast<S, R>
      : never
    : Extract<S[number], string>

/** The element type of an expression; never for a number. */
type TypeOfExpression<E, T extends readonly unknown[]> =
  E extends Arg<infer I>
    ? T[I] extends Tensor<infer D, Shape>
      ? D
      : never
    : E extends Tensor<infer D, Shape>
      ? D
      : E extends Apply<infer K, infer A, unknown>
        ? K extends 'bool'
          ? 'bool'
          : K extends { readonly to: infer D extends DType }
            ? D
            : K extends 'first'
              ? TypeOfExpression<A[0], T>
              : K extends 'rest'
                ? A extends readonly [unknown, ...infer Rest]
                  ? TypesOfExpressions<Rest, T>[number]
                  : never
                : TypesOfExpressions<A, T>[number]
        : never
type TypesOfExpressions<A extends readonly unknown[], T extends readonly unknown[]> = {
  -readonly [I in keyof A]: TypeOfExpression<A[I], T>
}

/** Parameters of a function to be fused: as many as it names. */
export type FusedParameters = [
  Traced<Arg<0>>,
  Traced<Arg<1>>,
  Traced<Arg<2>>,
  Traced<Arg<3>>,
  Traced<Arg<4>>,
  Traced<Arg<5>>,
  Traced<Arg<6>>,
  Traced<Arg<7>>,
  Traced<Arg<8>>,
  Traced<Arg<9>>,
  Traced<Arg<10>>,
  Traced<Arg<11>>,
]

type ResultOf<F> = F extends (...operands: never[]) => Traced<infer E> ? E : never
type Arity<F> = F extends (...operands: infer P) => unknown ? P['length'] : never

type Operands<T extends readonly unknown[]> = T extends readonly [...infer H, infer L] ? (L extends Tensor ? T : H) : T

/** The arguments as they are, or with the sentence in place of the last when the call cannot work. */
type FitsFused<F, T extends readonly unknown[]> =
  Operands<T>['length'] extends Arity<F>
    ? ShapeOfExpression<ResultOf<F>, T> extends infer Out
      ? Out extends string
        ? WithSentence<T, Out>
        : T
      : never
    : WithSentence<T, `this fused function takes ${Arity<F> & number} operands, not ${Operands<T>['length'] & number}`>
type WithSentence<T extends readonly unknown[], X> = T extends readonly [...infer H, unknown] ? [...H, X] : [X]

type FusedCall<F, W extends When> = <const T extends readonly (Tensor | { readonly out: Tensor })[]>(
  ...args: FitsFused<F, T>
) => Given<
  W,
  Tensor<
    [TypeOfExpression<ResultOf<F>, T>] extends [never] ? DType : TypeOfExpression<ResultOf<F>, T>,
    ResultShape<ShapeOfExpression<ResultOf<F>, T>>
  >
>

/** A fused function: tensors in the order of its parameters, `{ out }` behind them if wanted. */
export interface Fused<F> extends FusedCall<F, 'now'>, WithAsync<FusedCall<F, 'later'>> {}
