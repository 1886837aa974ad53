// What the compiler knows of gradients: each has the shape and type of its operand.

import type { Computed } from '../ops/expression-types.ts'
import type { FitsFused, FusedParameters, ResultOf, Traced } from '../ops/fuse-types.ts'
import type { MemoryPasses } from '../plan/passes-text.ts'
import type { Tensor } from '../tensor/tensor.ts'

/** What `grad` and its like take behind the function. */
export interface GradOptions {
  /** The operands whose gradients are wanted; a number by itself gives one gradient by itself. All unless said. */
  readonly wrt?: number | readonly number[]
  /** How many operands the function takes, where its parameters do not tell. */
  readonly operands?: number
}

type Function = (...operands: FusedParameters) => Traced<unknown>

/** Gradients of operands, as options name them. */
type Gradients<T extends readonly unknown[], O> = O extends { readonly wrt: infer W }
  ? W extends number
    ? T[W]
    : W extends readonly number[]
      ? { -readonly [I in keyof W]: T[W[I] & number] }
      : never
  : { -readonly [I in keyof T]: T[I] }

type Inputs = readonly (Tensor | Traced<unknown>)[]

/** The arguments as they are where they fit; those that stand for tensors are looked at when the function around is called. */
type FitsInputs<F, T extends Inputs> = T extends readonly Tensor[] ? FitsFused<F, T> : T

interface WithPlan {
  /** How often a call passes over memory, forward and backward together, and what each pass computes. */
  readonly plan: (...inputs: readonly Tensor[]) => MemoryPasses
}

/** What `grad` gives: a function of the same operands that gives their gradients. */
export interface Gradient<F, O> extends WithPlan {
  <const T extends Inputs>(...inputs: FitsInputs<F, T>): Gradients<T, O>
  readonly async: <const T extends readonly Tensor[]>(...inputs: FitsFused<F, T>) => Promise<Gradients<T, O>>
}

/** What `grad` is. */
export type Grad = <F extends Function, const O extends GradOptions = Record<never, never>>(
  fn: F,
  options?: O,
) => Gradient<F, O>

/** A value and the gradients of the operands it was computed from. */
export interface ValueWithGradients<V, G> {
  readonly value: V
  readonly grads: G
}

type ValueOf<F, T extends Inputs> = T extends readonly Tensor[] ? Computed<ResultOf<F>, T> : ReturnType<F & Function>

/** What `valueAndGrad` gives: a function of the same operands that gives the value and their gradients. */
export interface ValueAndGradient<F, O> extends WithPlan {
  <const T extends Inputs>(...inputs: FitsInputs<F, T>): ValueWithGradients<ValueOf<F, T>, Gradients<T, O>>
  readonly async: <const T extends readonly Tensor[]>(
    ...inputs: FitsFused<F, T>
  ) => Promise<ValueWithGradients<ValueOf<F, T>, Gradients<T, O>>>
}

/** What `valueAndGrad` is. */
export type ValueAndGrad = <F extends Function, const O extends GradOptions = Record<never, never>>(
  fn: F,
  options?: O,
) => ValueAndGradient<F, O>

/** Pulls a gradient of a value back to gradients of the operands it was computed from. */
export interface Pullback<V, G> {
  (delta: V): G
  readonly async: (delta: V) => Promise<G>
  /** Gives back what was kept of the forward; otherwise that comes when the pullback is no longer used. */
  readonly dispose: () => void
}

/** A value, and what pulls its gradient back. */
export interface ValueWithPullback<V, G> {
  readonly value: V
  readonly pullback: Pullback<V, G>
}

/** What `vjp` gives: a function of the same operands that gives the value and what pulls its gradient back. */
export interface PullingBack<F, O> {
  <const T extends readonly Tensor[]>(...inputs: FitsFused<F, T>): ValueWithPullback<ValueOf<F, T>, Gradients<T, O>>
  readonly async: <const T extends readonly Tensor[]>(
    ...inputs: FitsFused<F, T>
  ) => Promise<ValueWithPullback<ValueOf<F, T>, Gradients<T, O>>>
}

/** What `vjp` is. */
export type Vjp = <F extends Function, const O extends GradOptions = Record<never, never>>(
  fn: F,
  options?: O,
) => PullingBack<F, O>

/** A value, and how it changes in a direction. */
export interface ValueWithTangent<V> {
  readonly value: V
  readonly tangent: V
}

/** What `jvp` gives: a function of operands and of a direction, both as arrays. */
export interface PushingForward<F, O> {
  <const T extends Inputs>(
    inputs: FitsInputs<F, T>,
    direction: Gradients<T, ListedOf<O>>,
  ): ValueWithTangent<ValueOf<F, T>>
  readonly async: <const T extends readonly Tensor[]>(
    inputs: FitsFused<F, T>,
    direction: Gradients<T, ListedOf<O>>,
  ) => Promise<ValueWithTangent<ValueOf<F, T>>>
  /** How often a call passes over memory, and what each pass computes. */
  readonly plan: (inputs: readonly Tensor[]) => MemoryPasses
}

/** One operand that was named by itself is an array of one. */
type ListedOf<O> = O extends { readonly wrt: infer W extends number } ? { readonly wrt: readonly [W] } : O

/** What `jvp` is. */
export type Jvp = <F extends Function, const O extends GradOptions = Record<never, never>>(
  fn: F,
  options?: O,
) => PushingForward<F, O>
