// What the compiler knows of a fused function. Operands carry the expression they stand for as a type; it is evaluated
// against the tensors of each call, so results are typed and a call that cannot work does not compile.
import type { DType } from '../dtype/dtype.ts'
import type { Placement } from '../expr/trace.ts'
import type { Shape } from '../shape/dim.ts'
import type { Broadcast, ResultShape } from '../shape/types/broadcast.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { ElementwiseOptions, RuleIn } from './options.ts'
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

declare const form: unique symbol

/**
 * How an operator's function becomes a method of operands inside `fuse`, for the compiler only. `F`: which operands it
 * takes, `K`: which of them give the result's type, `A`: its attributes.
 */
export interface Formed<F, K, A extends object> {
  readonly [form]?: readonly [form: F, type: K, attributes: A]
}

type Operators = typeof import('./operators.ts')

/** The operators, as methods of an operand. */
type Methods<E> = {
  readonly [N in keyof Operators]: Operators[N] extends Formed<infer F, infer K, infer A> ? Method<E, F, K, A> : never
}

/** An operand inside `fuse`. */
export interface Traced<E> extends Methods<E> {
  readonly dtype: DType
  /** The expression, for the compiler only. */
  readonly expression?: E
  /** The same in another type. */
  cast<D extends DType>(dtype: D): Traced<Apply<{ readonly to: D }, [E], RuleIn<Record<never, never>>>>
  /** The same as `cast`, by NumPy's name. */
  astype<D extends DType>(dtype: D): Traced<Apply<{ readonly to: D }, [E], RuleIn<Record<never, never>>>>
}

type TracedInput = Traced<unknown> | Tensor | number | bigint | boolean

/** The method that stands for an operator whose first operand is `E`. */
type Method<E, F, K, A extends object> = F extends 'unary'
  ? (options?: ElementwiseOptions & A) => Traced<E>
  : F extends 'binary'
    ? BinaryMethod<E, K, ElementwiseOptions & A>
    : F extends 'binaryWith'
      ? BinaryWithMethod<E, K, ElementwiseOptions & A>
      : F extends 'oneWay'
        ? OneWayMethod<E, K>
        : F extends 'bounded'
          ? BoundedMethod<E, K>
          : F extends 'choice'
            ? ChoiceMethod<E, K>
            : VariadicMethod<E, K>

type BinaryMethod<E, K, Options extends ElementwiseOptions> = <
  B extends TracedInput,
  const O extends Options = Options & Record<never, never>,
>(
  other: B,
  options?: O,
) => Traced<Apply<K, [E, ExpressionOf<B>], RuleIn<O>>>
type BinaryWithMethod<E, K, Options extends ElementwiseOptions> = <B extends TracedInput, const O extends Options>(
  other: B,
  options: O,
) => Traced<Apply<K, [E, ExpressionOf<B>], RuleIn<O>>>
/** The other operand goes onto this one. */
type OneWayMethod<E, K> = <
  B extends TracedInput,
  const O extends ElementwiseOptions = { readonly broadcast: 'unidirectional' },
>(
  other: B,
  options?: O,
) => Traced<Apply<K, [E, ExpressionOf<B>], RuleIn<O>>>
/** The other operands, which may be left out, go onto this one. */
type BoundedMethod<E, K> = <
  B extends TracedInput | undefined = undefined,
  C extends TracedInput | undefined = undefined,
  const O extends ElementwiseOptions = { readonly broadcast: 'unidirectional' },
>(
  min?: B,
  max?: C,
  options?: O,
) => Traced<Apply<K, [E, ExpressionOf<B>, ExpressionOf<C>], RuleIn<O>>>
/** This where the operand is a condition; x where it holds, else y. */
type ChoiceMethod<E, K> = <X extends TracedInput, Y extends TracedInput>(
  x: X,
  y: Y,
) => Traced<Apply<K, [E, ExpressionOf<X>, ExpressionOf<Y>], RuleIn<Record<never, never>>>>
type VariadicMethod<E, K> = <const B extends readonly TracedInput[]>(
  ...others: B
) => Traced<Apply<K, [E, ...ExpressionsOf<B>], RuleIn<Record<never, never>>>>

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

/** What is known of a fused call before it is computed. */
export interface Inferred {
  readonly dtype: DType
  readonly shape: Shape
  /** Each operand as it lies in the result, once for every place that it has there. */
  readonly operands: readonly Placement[]
}

interface WithInference {
  /** The type and shape of the result, and where the operands lie in it, from their types and shapes; nothing is computed. */
  readonly infer: (...operands: readonly { readonly dtype: DType; readonly shape: Shape }[]) => Inferred
}

/** A fused function: tensors in the order of its parameters, `{ out }` behind them if wanted. */
export interface Fused<F> extends FusedCall<F, 'now'>, WithAsync<FusedCall<F, 'async'>>, WithInference {}

export interface FuseOptions {
  /** How many operands the function takes, where its parameters do not tell: a rest parameter, or one with a default. */
  readonly operands: number
}

/** A fused function of a number of operands that the compiler does not know. */
export interface FusedOfMany
  extends WithAsync<(...args: readonly (Tensor | { readonly out?: Tensor })[]) => Promise<Tensor>>,
    WithInference {
  (...args: readonly (Tensor | { readonly out?: Tensor })[]): Tensor
}
