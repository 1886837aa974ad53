// What the compiler knows about a call: shapes and element types of the operands, the rule, and either the result or
// the sentence that explains why there is none. The sentence becomes the type of the argument that does not fit.
import type { DType } from '../dtype/dtype.ts'
import type { Real } from '../dtype/real.ts'
import type { Broadcast, ResultShape } from '../shape/types/broadcast.ts'
import type { IsName } from '../shape/types/known.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { Standing } from './standing.ts'

/** Whether an operand stands for a tensor inside `fuse`; one of type `any` does not. */
export type IsTraced<X> = X extends Standing ? (unknown extends X ? false : true) : false

/** Whether one of several operands does. */
export type HasTraced<T extends readonly unknown[]> = { readonly [I in keyof T]: IsTraced<T[I]> }[number]

// Both parameters are inferred wherever one is asked for: what the other is bound by is not looked at in generic code.
export type ShapeOf<X> = X extends Tensor<infer _D, infer S> ? S : unknown extends X ? never : []
export type ShapesOf<T extends readonly unknown[]> = { -readonly [I in keyof T]: ShapeOf<T[I]> }

/** The element type of an operand; never for a bare JavaScript value. */
export type TypeOf<X> = X extends Tensor<infer D, infer _S> ? D : never

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never

/** Whether the compiler knows the one type that is meant. */
export type IsOneType<D, Gate> =
  IsName<D, DType, Gate> extends true ? ([D] extends [never] ? false : IsUnion<D> extends true ? false : true) : false

/** `Ok`, or the sentence for two types that differ. */
export type IfAlike<A, B, Gate, Ok> =
  IsOneType<A, Gate> extends true
    ? IsOneType<B, Gate> extends true
      ? A extends B
        ? Ok
        : `element types differ: ${A & string} and ${B & string}; convert one with cast`
      : Ok
    : Ok

/** The sentence for the first type of several that differs from one before it. */
export type OneDiffers<D extends readonly unknown[], Gate, First = never> = D extends readonly [infer H, ...infer Rest]
  ? IfAlike<First, H, Gate, never> extends infer Why
    ? [Why] extends [never]
      ? OneDiffers<Rest, Gate, IsOneType<First, Gate> extends true ? First : H>
      : Why
    : never
  : never
type TypesOf<T extends readonly unknown[]> = { -readonly [I in keyof T]: TypeOf<T[I]> }

/** The element type that operands share. */
export type SharedType<T extends readonly unknown[]> = [TypeOf<T[number]>] extends [never] ? DType : TypeOf<T[number]>

/** `Ok`, or the sentence why A and B do not meet under the rule. */
export type Fits<A, B, R, Ok> = IfAlike<TypeOf<A>, TypeOf<B>, R, FitsShape<[A, B], R, Ok>>

/** `Ok`, or the sentence why the shapes do not meet. */
export type FitsShape<T extends readonly unknown[], R, Ok> =
  Broadcast<ShapesOf<T>, R> extends infer Out ? (Out extends string ? Out : Ok) : never

/** The sentence for a condition that is none; never for a bool, and where the type is not known. */
export type NoCondition<D, Gate> =
  IsOneType<D, Gate> extends true
    ? D extends 'bool'
      ? never
      : `the condition is ${D & string} and has to be bool; compare, as in greater(x, 0), or convert it with cast`
    : never

/** `Ok`, or the sentence why C is no condition. */
export type FitsCondition<C, R, Ok> =
  NoCondition<TypeOf<C>, R> extends infer Why ? ([Why] extends [never] ? Ok : Why) : never

/** The shape of the result. */
export type Shaped<T extends readonly unknown[], R> = ResultShape<Broadcast<ShapesOf<T>, R>>

type Dims = readonly number[]

/** Whether an argument is options: neither an operand nor an array of them. */
type IsOptions<X> =
  X extends Tensor<infer _D, infer _S>
    ? false
    : X extends Standing | readonly unknown[] | number | bigint | boolean | string | Real
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
    ? H extends readonly [infer Only extends readonly unknown[]]
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
/** The same, where types have to agree too. */
export type MeetAlike<T extends readonly unknown[], X extends readonly unknown[], R> =
  FirstOf<OneDiffers<TypesOf<X>, R>, Broadcast<ShapesOf<X>, R>> extends infer Out
    ? Out extends string
      ? Refused<T, Out>
      : T
    : never
type FirstOf<Why, Otherwise> = [Why] extends [infer W] ? ([W] extends [never] ? Otherwise : W) : never
type Refused<T extends readonly unknown[], X> = T extends readonly [...infer H, infer L]
  ? IsOptions<L> extends true
    ? H extends readonly [...infer G, unknown]
      ? [...G, X, L]
      : T
    : [...H, X]
  : T
