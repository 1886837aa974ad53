// What the compiler knows of products of stacks of matrices: the shape, or the sentence why there is none.
import type { NumpyRule } from '../shape/rules/index.ts'
import type { Broadcast, ResultShape, Show } from '../shape/types/broadcast.ts'
import type { HasRank, IsSize } from '../shape/types/known.ts'
import type { IfAlike, ShapeOf, TypeOf } from './types.ts'

type Dims = readonly number[]

// Sizes are taken by their places and not inferred where ranks are small: a size may be a parameter of generic code, and
// the compiler puts off what it would have to infer from one.
type At<S extends Dims, I> = I extends keyof S ? S[I] & number : number

/** The place of the last axis, by rank. */
interface LastPlace {
  readonly 1: '0'
  readonly 2: '1'
  readonly 3: '2'
  readonly 4: '3'
}

type Last<S extends Dims> = S['length'] extends keyof LastPlace
  ? At<S, LastPlace[S['length']]>
  : S extends readonly [...Dims, infer N extends number]
    ? N
    : number

/** The last but one. */
type Second<S extends Dims> = S['length'] extends 2
  ? At<S, '0'>
  : S['length'] extends 3
    ? At<S, '1'>
    : S['length'] extends 4
      ? At<S, '2'>
      : S extends readonly [...Dims, infer M extends number, number]
        ? M
        : number

/** The axes before the last two; a vector has none. */
type Batch<S extends Dims> = S['length'] extends 0 | 1 | 2
  ? []
  : S['length'] extends 3
    ? [At<S, '0'>]
    : S['length'] extends 4
      ? [At<S, '0'>, At<S, '1'>]
      : S extends readonly [...infer Before extends Dims, number, number]
        ? Before
        : Dims

/** The rows of a matrix on the right; a vector there is a column. */
type Rows<S extends Dims> = S['length'] extends 1 ? Last<S> : Second<S>
/** Axes of the result that are no batch. */
type Left<S extends Dims> = S['length'] extends 1 ? [] : [Second<S>]
type Right<S extends Dims> = S['length'] extends 1 ? [] : [Last<S>]

type Batches<A extends Dims, B extends Dims, Gate> = Broadcast<[Batch<A>, Batch<B>], NumpyRule, Gate>

/** The shape of a product. */
export type MatmulShape<A, B, Gate> = Shaped<ShapeOf<A>, ShapeOf<B>, Gate>

type Shaped<A extends Dims, B extends Dims, Gate> =
  HasRank<A, Gate> extends true
    ? HasRank<B, Gate> extends true
      ? [...ResultShape<Batches<A, B, Gate>>, ...Left<A>, ...Right<B>]
      : readonly number[]
    : readonly number[]

/** `Ok`, or the sentence that an operand is a scalar. */
export type FitsStack<X, Name extends string, Gate, Ok> =
  HasRank<ShapeOf<X>, Gate> extends true
    ? ShapeOf<X>['length'] extends 0
      ? `${Name} is a scalar; mul(a, b) multiplies by it`
      : Ok
    : Ok

type Word<S extends Dims, Many extends string> = S['length'] extends 1 ? 'elements' : Many

type Inner<A extends Dims, B extends Dims, Gate, Ok> =
  IsSize<Last<A>, Gate> extends true
    ? IsSize<Rows<B>, Gate> extends true
      ? Last<A> extends Rows<B>
        ? Ok
        : `A's ${Word<A, 'columns'>} (${Last<A>}) must be B's ${Word<B, 'rows'>} (${Rows<B>}) (shapes ${Show<A>} and ${Show<B>})`
      : Ok
    : Ok

type FitsShapes<A extends Dims, B extends Dims, Gate, Ok> =
  HasRank<A, Gate> extends true
    ? HasRank<B, Gate> extends true
      ? Batches<A, B, Gate> extends infer Met
        ? Met extends string
          ? `batches do not meet: ${Met}`
          : Inner<A, B, Gate, Ok>
        : never
      : Ok
    : Ok

/** `Ok`, or the sentence why B is no factor of A. */
export type FitsMatmul<A, B, Gate, Ok> = IfAlike<
  TypeOf<A>,
  TypeOf<B>,
  Gate,
  FitsStack<B, 'B', Gate, FitsShapes<ShapeOf<A>, ShapeOf<B>, Gate, Ok>>
>
