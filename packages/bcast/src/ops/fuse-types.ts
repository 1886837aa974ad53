// What the compiler knows of a fused function. Operands carry what is known of the expression they stand for as a type;
// it is held against the tensors of each call, so results are typed and a call that cannot work does not compile.
import type { DType } from '../dtype/dtype.ts'
import type { Real } from '../dtype/real.ts'
import type { Placement } from '../expr/trace.ts'
import type { MemoryPasses } from '../plan/passes-text.ts'
import type { Shape } from '../shape/dim.ts'
import type { MatmulBatchRule, NumpyRule } from '../shape/rules/index.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { Apply, Argument, Computed, Expression, ReducedExpression, Refusal } from './expression-types.ts'
import type { ElementwiseOptions, OneWayIn, RuleIn } from './options.ts'
import type { ReduceOptions } from './reduce-types.ts'
import type { Standing } from './standing.ts'
import type { OperandsIn, OptionsIn } from './types.ts'
import type { Given, When, WithAsync } from './when.ts'

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

/** What a reduction takes inside `fuse`. */
type Reducing = Omit<ReduceOptions, 'out'>
type ReduceMethod<E, R = Reducing> = <const O extends R = never>(options?: O) => Traced<ReducedExpression<E, O>>

/** An operand inside `fuse`. */
export interface Traced<E> extends Standing<E>, Methods<E> {
  readonly dtype: DType
  /** The shape that it has in a call; a function that asks is recorded for each set of shapes. */
  readonly shape: Shape
  readonly rank: number
  /** The axes in reverse order. */
  readonly T: Traced<Apply<'same', [E], MatmulBatchRule>>
  /** The axes in another order, reversed unless it is said. */
  transpose(...order: readonly number[]): Traced<Apply<'same', [E], MatmulBatchRule>>
  /** The product over axes. */
  readonly prod: ReduceMethod<E>
  /** The sum of squares over axes. */
  readonly sumSquare: ReduceMethod<E>
  /** The length of vectors over axes. */
  readonly norm: ReduceMethod<E, Reducing & { readonly ord?: 1 | 2 }>
  /** The logarithm of the sum of the exponentials over axes. */
  readonly logSumExp: ReduceMethod<E>
  /** Whether any element over axes is true. */
  readonly any: ReduceMethod<E>
  /** Whether all elements over axes are true. */
  readonly all: ReduceMethod<E>
  /** The same in another type. */
  cast<D extends DType>(dtype: D): Traced<Apply<{ readonly to: D }, [E], NumpyRule>>
  /** The same as `cast`, by NumPy's name. */
  astype<D extends DType>(dtype: D): Traced<Apply<{ readonly to: D }, [E], NumpyRule>>
}

/** A tensor, or a JavaScript value that takes the tensor's type; inside `fuse` also what stands for a tensor. */
export type Operand = Tensor | Traced<unknown> | number | bigint | boolean | string | Real

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
  B extends Operand,
  const O extends Options = Options & Record<never, never>,
>(
  other: B,
  options?: O,
) => Traced<Apply<K, [E, ExpressionOf<B>], RuleIn<O>>>
type BinaryWithMethod<E, K, Options extends ElementwiseOptions> = <B extends Operand, const O extends Options>(
  other: B,
  options: O,
) => Traced<Apply<K, [E, ExpressionOf<B>], RuleIn<O>>>
/** The other operand goes onto this one. */
type OneWayMethod<E, K> = <B extends Operand, const O extends ElementwiseOptions = Record<never, never>>(
  other: B,
  options?: O,
) => Traced<Apply<K, [E, ExpressionOf<B>], OneWayIn<O>>>
/** The other operands, which may be left out, go onto this one. */
type BoundedMethod<E, K> = <
  B extends Operand | undefined = undefined,
  C extends Operand | undefined = undefined,
  const O extends ElementwiseOptions = Record<never, never>,
>(
  min?: B,
  max?: C,
  options?: O,
) => Traced<Apply<K, [E, ExpressionOf<B>, ExpressionOf<C>], OneWayIn<O>>>
/** This where the operand is a condition; x where it holds, else y. */
type ChoiceMethod<E, K> = <
  X extends Operand,
  Y extends Operand,
  const O extends ElementwiseOptions = Record<never, never>,
>(
  x: X,
  y: Y,
  options?: O,
) => Traced<Apply<K, [E, ExpressionOf<X>, ExpressionOf<Y>], RuleIn<O>>>
/** Without others it is a reduction over axes. */
type VariadicMethod<E, K> = <const B extends readonly (Operand | ElementwiseOptions | Reducing)[]>(
  ...others: B
) => Traced<
  OperandsIn<B> extends readonly []
    ? ReducedExpression<E, B extends readonly [infer O] ? O : never>
    : Apply<K, [E, ...ExpressionsOf<OperandsIn<B>>], RuleIn<OptionsIn<B>>>
>

/** The expression an operand stands for; a captured tensor stands for itself, a number for anything. */
type ExpressionOf<X> =
  X extends Traced<infer E> ? E : X extends Tensor ? Expression<[X], [X], []> : Expression<[], [], []>
export type ExpressionsOf<T extends readonly unknown[]> = { -readonly [I in keyof T]: ExpressionOf<T[I]> }

/** Parameters of a function to be fused: as many as it names. */
export type FusedParameters = [
  Traced<Argument<0>>,
  Traced<Argument<1>>,
  Traced<Argument<2>>,
  Traced<Argument<3>>,
  Traced<Argument<4>>,
  Traced<Argument<5>>,
  Traced<Argument<6>>,
  Traced<Argument<7>>,
  Traced<Argument<8>>,
  Traced<Argument<9>>,
  Traced<Argument<10>>,
  Traced<Argument<11>>,
]

/** The expression that a function gives. */
export type ResultOf<F> = F extends (...operands: never[]) => Traced<infer E> ? E : never
type Arity<F> = F extends (...operands: infer P) => unknown ? P['length'] : never

type Operands<T extends readonly unknown[]> = T extends readonly [...infer H, infer L]
  ? L extends Tensor<infer _D, infer _S>
    ? T
    : H
  : T

/** The arguments as they are, or with the sentence in place of the last when the call cannot work. */
export type FitsFused<F, T extends readonly unknown[]> =
  Operands<T>['length'] extends Arity<F>
    ? Refusal<ResultOf<F>, T> extends infer Why
      ? [Why] extends [never]
        ? T
        : WithSentence<T, Why>
      : never
    : WithSentence<T, `this fused function takes ${Arity<F> & number} operands, not ${Operands<T>['length'] & number}`>
type WithSentence<T extends readonly unknown[], X> = T extends readonly [...infer H, unknown] ? [...H, X] : [X]

type FusedCall<F, W extends When> = <const T extends readonly (Tensor | { readonly out: Tensor })[]>(
  ...args: FitsFused<F, T>
) => Given<W, Computed<ResultOf<F>, T>>

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
  /** How often a call passes over memory, and what each pass computes; nothing is computed. */
  readonly plan: (...operands: readonly { readonly dtype: DType; readonly shape: Shape }[]) => MemoryPasses
}

/** A fused function: tensors in the order of its parameters, `{ out }` behind them if wanted. */
export interface Fused<F> extends FusedCall<F, 'now'>, WithAsync<FusedCall<F, 'async'>>, WithInference {}

/** Options of `fuse`. */
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
