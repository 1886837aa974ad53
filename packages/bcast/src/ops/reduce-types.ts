// Shapes of reductions, where the shape and the axes are literal.
import type { DType } from '../dtype/dtype.ts'
import type { Shape } from '../shape/dim.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { Given, When, WithAsync } from './when.ts'

type Dims = readonly number[]

/** What reductions take behind their tensor. */
export interface ReduceOptions {
  /** Axes that are reduced, negative ones counted from the end; all unless said. */
  readonly axes?: number | readonly number[]
  /** Whether reduced axes stay, with size 1. */
  readonly keepdims?: boolean
  /** Where the result goes. */
  readonly out?: Tensor
}

/** The axes that options name; all of them are `true`, what is not known is `undefined`. No options are `never`. */
type AxesIn<O> = [O] extends [never]
  ? true
  : O extends { readonly axes: infer A }
    ? A extends number
      ? number extends A
        ? undefined
        : A
      : A extends Dims
        ? number extends A['length']
          ? undefined
          : A[number]
        : undefined
    : O extends { readonly axes?: infer A }
      ? undefined extends A
        ? [Exclude<A, undefined>] extends [never]
          ? true
          : undefined
        : true
      : true

type KeepsIn<O> = [O] extends [never] ? false : O extends { readonly keepdims: infer K } ? K : false

/** An axis by its number from the end. */
type FromEnd<Rank extends number> = `-${Rank}` extends `${infer N extends number}` ? N : never

/** Axes one after the other; `Before` are those that were looked at. */
type Left<S extends Dims, A, K, Before extends Dims = []> = S extends readonly [
  infer H extends number,
  ...infer T extends Dims,
]
  ? [Extract<A, Before['length'] | FromEnd<S['length'] & number>>] extends [never]
    ? [H, ...Left<T, A, K, [...Before, H]>]
    : K extends true
      ? [1, ...Left<T, A, K, [...Before, H]>]
      : Left<T, A, K, [...Before, H]>
  : []

/** The shape that is left of one. */
export type Reduced<S extends Dims, O> = number extends S['length']
  ? AxesIn<O> extends true
    ? KeepsIn<O> extends false
      ? []
      : Shape
    : Shape
  : boolean extends KeepsIn<O>
    ? Shape
    : AxesIn<O> extends true
      ? KeepsIn<O> extends true
        ? { [I in keyof S]: 1 } extends infer Ones extends Dims
          ? { -readonly [I in keyof Ones]: Ones[I] }
          : never
        : []
      : AxesIn<O> extends undefined
        ? Shape
        : Left<S, AxesIn<O>, KeepsIn<O>>

/** What arguments reduce, if they are one tensor and at most options; otherwise never. */
export type ReductionIn<T extends readonly unknown[]> = T extends readonly [infer X, infer O]
  ? O extends Tensor | readonly unknown[]
    ? never
    : O extends ReduceOptions
      ? O extends object
        ? ReducedBy<X, O>
        : never
      : never
  : T extends readonly [infer X]
    ? ReducedBy<X, never>
    : never

type ReducedBy<X, O> = X extends Tensor<infer D, infer S> ? Tensor<D, Reduced<S, O>> : never

type ReduceCall<W extends When, R extends ReduceOptions> = <
  D extends DType,
  S extends Shape,
  const O extends R = never,
>(
  x: Tensor<D, S>,
  options?: O,
) => Given<W, Tensor<D, Reduced<S, O>>>

/** `R`: what options may hold. */
export interface Reduce<R extends ReduceOptions = ReduceOptions>
  extends ReduceCall<'now', R>,
    WithAsync<ReduceCall<'async', R>> {}
