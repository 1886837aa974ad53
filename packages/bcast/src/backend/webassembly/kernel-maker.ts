// Where another package hands in kernels of machine code, for the memory that kernels of WebAssembly run in. A program
// that has none there, or a call that is too small for it to pay, runs as WebAssembly.
import type { Program } from '../../expr/ir.ts'
import type { Signature } from '../../plan/signature.ts'

/** A kernel of machine code. */
export interface MadeKernel {
  /** Runs the loops described at an address of the kernels' memory; gives 1 when an element had no value. */
  readonly run: (parameters: number) => number
  /** The text of a function's body that gives `run`, as bytes: threads evaluate it, because they share no objects. */
  readonly bytes: Uint8Array
  /** The library's own number for it. */
  id?: number
}

/** The loops of a call, the innermost last, and how its result lies in them. */
export interface KernelCall {
  readonly sizes: readonly number[]
  /** In elements, for each operand, the result last. */
  readonly strides: readonly (readonly number[])[]
}

/** Gives a kernel over a memory; undefined where there is no code for the program, or it would not pay. */
export type KernelMaker = (
  program: Program,
  signature: Signature,
  memory: ArrayBufferLike,
  call: KernelCall,
) => MadeKernel | undefined

/** Makes kernels of machine code, where somebody has handed in such. */
export let makeKernel: KernelMaker | undefined

/** Has kernels made from now on, or no longer. */
export function provideKernels(maker: KernelMaker | undefined): void {
  makeKernel = maker
}
