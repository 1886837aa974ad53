// Shapes of reductions, where the shape and the axes are literal.
import type { Shape } from '../shape/dim.ts'
import type { Tensor } from '../tensor/tensor.ts'

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

/** Whether axes stay, as options say. */
export type KeepsIn<O> = [O] extends [never] ? false : O extends { readonly keepdims: infer K } ? K : false

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
