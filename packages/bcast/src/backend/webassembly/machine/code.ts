// What a package that compiles machine code gives, and its kernels with the library's own numbers.
import type { DType } from '../../../dtype/dtype.ts'
import { EngineError } from '../../../errors/index.ts'
import type { Program } from '../../../expr/ir.ts'
import type { Combining } from '../../../expr/reductions.ts'
import type { KernelRun } from '../../../plan/kernels.ts'
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
  /** Threads that share it. */
  readonly threads: number
  /** How often as large the whole result is, of which it is some rows. */
  readonly times?: number
  /** How many bytes further on each operand is read next, the result last; 0 where memory need not be asked for it. */
  readonly ahead?: readonly number[]
}

/** Kernels that take part in products of matrices. */
export type ProductKernel =
  /** Starts from zero or goes on with sums; C is absent, or goes onto sums as rows or with one element for each row. */
  | {
      readonly kind: 'multiply'
      readonly type: DType
      readonly starts: 'zero' | 'sums'
      /** Undefined where sums stay as they are. */
      readonly c: 'none' | 'row' | 'column' | undefined
    }
  /** Strips of so many lanes, each begun so many lines behind the one before. */
  | {
      readonly kind: 'pack'
      readonly dtype: DType
      readonly lanes: number
      readonly advance: number
      /** Whether lines lie side by side, or the elements of each, or neither. */
      readonly motion: 'unit' | 'turned' | 'strided'
    }
  | { readonly kind: 'gather'; readonly type: DType }
  /** A row times a matrix whose columns lie side by side, or the elements of each. */
  | { readonly kind: 'across' | 'along'; readonly type: DType }

/** What the kernels that multiply sums of a type take at once. */
export interface ProductTile {
  /** Rows of A, and the lanes that they are packed in. */
  readonly rows: number
  readonly rowLanes: number
  /** Columns of a strip of B, and of a vector. */
  readonly columns: number
  readonly lanes: number
  /** Whether they read rows of B that end inside of a vector. */
  readonly readsEnds: boolean
  /** Whether they multiply sums by alpha and add C. */
  readonly finishes: boolean
}

/** Machine code for programs, and where its operands lie. */
export interface MachineCode {
  /**
   * Whether machine code, where the program has any, computes so many elements sooner than WebAssembly. A call that
   * `repeats` need not pay for its compilation; others do together.
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
  /**
   * Runs a task, told by 64-bit words (TASK) at an address of a memory, with the help of its threads; undefined, having run
   * nothing, where it cannot.
   */
  share(memory: ArrayBufferLike, task: number): number | undefined
  /** A kernel whose parameters, in 64-bit words, lie in a memory; undefined where there is no code for the program. */
  kernel(program: Program, signature: Signature, memory: ArrayBufferLike, call: KernelCall): MadeKernel | undefined
  /** The kernel that runs others again and again (SEQUENCE), in a memory; undefined where there is none. */
  sequence(memory: ArrayBufferLike): MadeKernel | undefined
  /** What a core's own caches hold, in bytes. */
  readonly caches: { readonly first: number; readonly second: number }
  /** Undefined where it has no kernels of products. */
  tile(type: DType): ProductTile | undefined
  /** A kernel of products, whose parameters lie in a memory; undefined where the system takes no code. */
  product(kernel: ProductKernel, memory: ArrayBufferLike): MadeKernel | undefined
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
  { signature, loops, threads = 1 }: Pick<KernelRun, 'signature' | 'loops' | 'threads'>,
  again: Pick<KernelCall, 'times' | 'ahead'> = {},
): (Kernel & MadeKernel) | undefined {
  return numbered(kernels, code.kernel(program, signature, kernels.home.memory.buffer, { ...loops, threads, ...again }))
}

/** A kernel that was there when the call was planned. */
export function needed<K>(kernel: K | undefined): K {
  if (kernel === undefined) {
    throw new EngineError('the system takes no more machine code; the result is incomplete')
  }
  return kernel
}

export function numbered(kernels: Kernels, kernel: MadeKernel | undefined): (Kernel & MadeKernel) | undefined {
  if (kernel !== undefined) kernel.id ??= kernels.nextId()
  return kernel as (Kernel & MadeKernel) | undefined
}
