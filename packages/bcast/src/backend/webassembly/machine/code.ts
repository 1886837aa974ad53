// What a package that compiles machine code gives, and its kernels with the library's own numbers.
import type { Program } from '../../../expr/ir.ts'
import type { Combining } from '../../../expr/reductions.ts'
import type { Vectors } from '../../../plan/machine-reduce.ts'
import type { ReduceSignature } from '../../../plan/reduce.ts'
import type { Signature } from '../../../plan/signature.ts'
import type { Kernel, Kernels } from '../kernels.ts'

/** A kernel of machine code. */
export interface MadeKernel {
  /** Runs the loops described at an address of the kernels' memory; gives 1 when an element had no value. */
  readonly run: (parameters: number) => number
  /** Where its code is. */
  readonly address: number
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

/** Machine code for programs, and where its operands lie. */
export interface MachineCode {
  /**
   * Whether machine code, where the program has any, computes so many elements sooner than WebAssembly. A call that
   * `repeats` need not pay for its compilation.
   */
  pays(program: Program, elements: number, repeats: boolean): boolean
  /** Whether it packs operands with a stride by itself, so that loops need not be cut into strips for them. */
  readonly packs: boolean
  /** Where memory begins, as an address of the process. */
  addressOf(memory: ArrayBufferLike): number
  /** Has a memory of so many bytes come in large pages, as far as it is not there yet. */
  enlarge(memory: ArrayBufferLike, bytes: number): void
  /** Gives back what a memory holds, which is zeros from then on. */
  empty(memory: ArrayBufferLike): void
  /** How many threads of its own take part where so many are wanted, the calling one included. */
  threads(wanted: number): number
  /** Runs a task, told by 64-bit words (TASK) at an address of a memory, with the help of its threads. */
  share(memory: ArrayBufferLike, task: number): number
  /** A kernel whose parameters, in 64-bit words, lie in a memory; undefined where there is no code for the program. */
  kernel(program: Program, signature: Signature, memory: ArrayBufferLike, call: KernelCall): MadeKernel | undefined
  /** What plans of reductions have to know of the processor. */
  readonly vectors: Vectors
  /** The same for a reduction of what a program gives. */
  reduction(
    program: Program,
    combine: Combining,
    signature: ReduceSignature,
    memory: ArrayBufferLike,
  ): MadeKernel | undefined
}

/** A kernel, with a number of the library's own that names it for all threads. */
export function kernelOf(
  code: MachineCode,
  kernels: Kernels,
  program: Program,
  { signature, loops }: { readonly signature: Signature; readonly loops: KernelCall },
): (Kernel & MadeKernel) | undefined {
  return numbered(kernels, code.kernel(program, signature, kernels.home.memory.buffer, loops))
}

export function numbered(kernels: Kernels, kernel: MadeKernel | undefined): (Kernel & MadeKernel) | undefined {
  if (kernel !== undefined) kernel.id ??= kernels.nextId()
  return kernel as (Kernel & MadeKernel) | undefined
}
