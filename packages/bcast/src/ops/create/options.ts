// What functions that make tensors take behind their arguments.
import type { TensorOptions } from '../../tensor/create.ts'

/** The element type of a tensor that is made. */
export interface CreationOptions {
  /** The element type; that of the value where there is one, else float32. */
  readonly dtype?: NonNullable<TensorOptions['dtype']>
}

export const OPTIONS: readonly (keyof CreationOptions)[] = ['dtype']

/** A literal shape as tensors have it. */
export type Written<S> = { -readonly [I in keyof S]: S[I] }

/** A size that is written out and counts something; `number` where the compiler cannot tell. */
export type Size<N> = N extends number ? (`${N}` extends `-${string}` | `${string}.${string}` ? number : N) : number
