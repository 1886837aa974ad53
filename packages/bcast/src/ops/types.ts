// What the compiler knows about a call: shapes and element types of the operands, the rule, and either the result or
// the sentence that explains why there is none. The sentence becomes the type of the argument that does not fit.
import type { DType } from '../dtype/dtype.ts'
import type { Real } from '../dtype/real.ts'
import type { Shape } from '../shape/dim.ts'
import type { Broadcast, ResultShape } from '../shape/types/broadcast.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { Traced } from './fuse-types.ts'

/** A tensor, or a JavaScript value that takes the tensor's type. */
export type Operand = Tensor | Traced<unknown> | number | bigint | boolean | string | Real

export type ShapeOf<X> = X extends Tensor<DType, infer S> ? S : []
export type ShapesOf<T extends readonly unknown[]> = { -readonly [I in keyof T]: ShapeOf<T[I]> }

/** The element type of an operand; never for a bare JavaScript value. */
type TypeOf<X> = X extends Tensor<infer D, Shape> ? D : never

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never

/** One literal type, or `never` when the compiler does not know which. */
type Known<D> = [D] extends [never] ? never : IsUnion<D> extends true ? never : D

/** The sentence for operands whose types differ; never when they agree or are not known. */
type TypeProblem<A, B> = [Known<TypeOf<A>>] extends [never]
  ? never
  : [Known<TypeOf<B>>] extends [never]
    ? never
    : TypeOf<A> extends TypeOf<B>
      ? never
      : `element types differ: ${TypeOf<A> & string} and ${TypeOf<B> & string}; convert one with cast`

/** The element type that operands share. */
export type SharedType<T extends readonly unknown[]> = [TypeOf<T[number]>] extends [never] ? DType : TypeOf<T[number]>

/** `Ok`, or the sentence why A and B do not meet under the rule. */
export type Fits<A, B, R, Ok> = [TypeProblem<A, B>] extends [never] ? FitsShape<[A, B], R, Ok> : TypeProblem<A, B>

/** `Ok`, or the sentence why the shapes do not meet. */
export type FitsShape<T extends readonly unknown[], R, Ok> =
  Broadcast<ShapesOf<T>, R> extends infer Out ? (Out extends string ? Out : Ok) : never

/** The shape of the result. */
export type Shaped<T extends readonly unknown[], R> = ResultShape<Broadcast<ShapesOf<T>, R>>

type Dims = readonly number[]

/** Whether an argument is options: neither an operand nor an array of them. */
type IsOptions<X> = X extends Tensor | Traced<unknown> | readonly unknown[] | number | bigint | boolean | string | Real
  ? false
  : true

/** The arguments without the options behind them. */
type Before<T extends readonly unknown[]> = T extends readonly [...infer H, infer L]
  ? IsOptions<L> extends true
    ? H
    : T
  : T

/** The options behind the arguments. */
export type OptionsIn<T extends readonly unknown[]> = T extends readonly [...unknown[], infer L]
  ? IsOptions<L> extends true
    ? L
    : Record<never, never>
  : Record<never, never>

/** The operands: one by one, or in one array. */
export type OperandsIn<T extends readonly unknown[]> =
  Before<T> extends infer H extends readonly unknown[]
    ? H extends readonly [infer Only extends readonly Operand[]]
      ? Only
      : H
    : never

/** Shapes: one by one, or in one array of arrays. */
export type ShapesIn<T extends readonly unknown[]> =
  Before<T> extends infer H extends readonly unknown[]
    ? H extends readonly [infer Only extends readonly Dims[]]
      ? Only extends readonly []
        ? [[]]
        : Writable<Only>
      : H extends readonly Dims[]
        ? Writable<H>
        : never
    : never
type Writable<T extends readonly Dims[]> = { -readonly [I in keyof T]: WritableShape<T[I]> }
type WritableShape<S> = { -readonly [I in keyof S]: S[I] }

/** The arguments as they are, or with the sentence in place of the last operand when shapes do not meet. */
export type Meet<T extends readonly unknown[], S extends readonly Dims[], R> =
  Broadcast<S, R> extends infer Out ? (Out extends string ? Refused<T, Out> : T) : never
type Refused<T extends readonly unknown[], X> = T extends readonly [...infer H, infer L]
  ? IsOptions<L> extends true
    ? H extends readonly [...infer G, unknown]
      ? [...G, X, L]
      : T
    : [...H, X]
  : T
