// What the compiler knows of a product of matrices: its shape, or the sentence why there is none.
import type { UnidirectionalRule } from '../shape/rules/index.ts'
import type { Broadcast, Show } from '../shape/types/broadcast.ts'
import type { HasRank, IsSize } from '../shape/types/known.ts'
import type { GemmOptions } from './options.ts'
import type { IfAlike, ShapeOf, TypeOf } from './types.ts'

type Dims = readonly number[]

/** `Ok`, or the sentence that an operand is no matrix. */
export type FitsMatrix<X, Name extends string, O, Ok> =
  HasRank<ShapeOf<X>, O> extends true
    ? ShapeOf<X>['length'] extends 2
      ? Ok
      : `${Name} has shape ${Show<ShapeOf<X>>}; it must be a matrix`
    : Ok

type Turned<S extends Dims, Is> = Is extends true ? (S extends readonly [infer M, infer K] ? [K, M] : S) : S

/** A's shape as the product takes it. */
type Left<A, O> = Turned<ShapeOf<A>, O extends { readonly transA: infer T } ? T : false>
type Right<B, O> = Turned<ShapeOf<B>, O extends { readonly transB: infer T } ? T : false>

type At<S extends Dims, I extends '0' | '1', Gate> =
  HasRank<S, Gate> extends true ? (I extends keyof S ? S[I] & number : number) : number

/** The product's shape. */
export type ProductShape<A, B, O> = [At<Left<A, O>, '0', O>, At<Right<B, O>, '1', O>]

type Inner<K, L, A extends Dims, B extends Dims, Gate, Ok> =
  IsSize<K & number, Gate> extends true
    ? IsSize<L & number, Gate> extends true
      ? K extends L
        ? Ok
        : `A's columns (${K & number}) must be B's rows (${L & number}) (shapes ${Show<A>} and ${Show<B>}, as they are multiplied)`
      : Ok
    : Ok

/** `Ok`, or the sentence why B is no factor of A. */
export type FitsProduct<A, B, O extends GemmOptions, Ok> = IfAlike<
  TypeOf<A>,
  TypeOf<B>,
  O,
  FitsMatrix<B, 'B', O, Inner<At<Left<A, O>, '1', O>, At<Right<B, O>, '0', O>, Left<A, O>, Right<B, O>, O, Ok>>
>

/** `Ok`, or the sentence why C does not go onto the product. */
export type FitsAddend<A, B, C, O, Ok> = IfAlike<
  TypeOf<A>,
  TypeOf<C>,
  O,
  Broadcast<[ProductShape<A, B, O>, ShapeOf<C>], UnidirectionalRule, O> extends infer Out
    ? Out extends string
      ? Out
      : Ok
    : never
>
