// Calls settled once and run again and again over the same memory: what a backend does for a sequence of them. Nothing
// here is part of `Backend`, so that programs without sequences carry none of it.
import { arrayOver, bitsOf, type DType, type Storage } from '../dtype/dtype.ts'
import type { Allocation } from '../tensor/memory.ts'
import type { Backend, Job } from './backend.ts'

/** What of a call takes time, where it is computed anew each time. */
export interface Anew {
  /** Gives the lowest row-major position without a value, or -1. */
  now(): number
  async(): Promise<number>
}

/** Elements of an array, by the first and the last position. */
export interface Constant {
  readonly storage: Storage
  readonly low: number
  readonly high: number
}

/** Whoever keeps jobs to run them again. */
export interface Adding {
  /** The backend that it runs on. */
  readonly backend: Backend
  /** Adds a job; false, having done nothing, where it has to be computed anew each time. */
  add(job: Job): boolean
  /** Whether each of many small products of matrices of a type is a task of its own that costs next to nothing. */
  multiplies?(dtype: DType): boolean
}

export interface Repetition extends Adding {
  /** Memory for a result; what is released serves calls that are added later. Undefined where there is none. */
  allocate(dtype: DType, count: number): Allocation | undefined
  /** Says that elements never change, so that what follows from them alone may be computed once. */
  addConstant(constant: Constant): void
  addAnew(execution: Anew): void
  /** What is added from here on belongs to the next call. */
  nextCall(): void
  /** Runs all calls; gives the number of the first that has an element without a value, or -1. */
  runAll(): number
  /** The same without keeping the calling thread; which call it was is not known. */
  runAllAsync(): Promise<boolean>
  /** Gives all memory back. */
  release(): void
}

/** Adds what is no program; false where it has to be computed anew each time. */
export type Repeating = (repetition: Adding) => boolean

/** How much larger than a result its memory may be. */
const ROOMY = 2

/** Repeats calls by computing each anew, in ordinary arrays. */
export class PlainRepetition implements Repetition {
  readonly backend: Backend
  /** What results gave back. */
  readonly #free: ArrayBuffer[] = []
  readonly #steps: { readonly call: number; readonly execution: Anew }[] = []
  #call = 0

  constructor(backend: Backend) {
    this.backend = backend
  }

  allocate(dtype: DType, count: number): Allocation | undefined {
    const bytes = (count * bitsOf(dtype)) / 8
    if (bytes === 0) return undefined
    const at = this.#free.findIndex(({ byteLength }) => byteLength >= bytes && byteLength <= ROOMY * bytes)
    const [buffer] = at < 0 ? [new ArrayBuffer(Math.ceil(bytes / 8) * 8)] : this.#free.splice(at, 1)
    return { storage: arrayOver(dtype, buffer!, 0, bytes), offset: 0, release: () => this.#free.push(buffer!) }
  }

  add(): boolean {
    return false
  }

  addConstant(): void {
    // Nothing is computed before a run.
  }

  addAnew(execution: Anew): void {
    this.#steps.push({ call: this.#call, execution })
  }

  nextCall(): void {
    this.#call++
  }

  runAll(): number {
    for (const { call, execution } of this.#steps) if (execution.now() >= 0) return call
    return -1
  }

  async runAllAsync(): Promise<boolean> {
    for (const { execution } of this.#steps) if ((await execution.async()) >= 0) return false
    return true
  }

  release(): void {
    this.#steps.length = 0
    this.#free.length = 0
  }
}
