// Calls settled once and run again and again: types are checked, shapes brought together, plans made and memory taken
// when a call is added; a run only executes.
import { hold } from '../backend/in-use.ts'
import type { Anew, Repetition } from '../backend/repeat.ts'
import { newRepetition } from '../backend/repetitions.ts'
import { inTurn } from '../backend/turns.ts'
import { type DType, dtypeOf, type Storage } from '../dtype/dtype.ts'
import { DisposedError, EngineError, OperandError } from '../errors/index.ts'
import { checkShape, type Shape } from '../shape/dim.ts'
import { extent } from '../tensor/layout.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { letUsingHold, type Using } from '../tensor/using.ts'
import { checkTensors } from './arguments.ts'
import { COMPUTATION, type Computation, type Computing } from './computation.ts'
import { tensorsIn } from './held.ts'
import { placingWith } from './result.ts'
import { isIn, placedIn, SequencedTensor, type SequenceState } from './sequenced-tensor.ts'
import { settledIn } from './settled.ts'

/** A function of the library that computes: an operator, a fused function, cast, expand, gemm. */
export interface SequencedOperation {
  (...args: never[]): unknown
  readonly async: (...args: never[]) => unknown
}

/** Adds calls to a sequence. Its tensors have no elements before it runs. */
export interface SequenceBuilder {
  /** A tensor to be filled before runs, by `{ out }` of any operation. */
  input<const D extends DType, const S extends Shape>(dtype: D, shape: S): Tensor<D, S>
  /**
   * Adds a call; gives the tensor that its result will be in. Disposing of that tensor lets calls that are added later
   * use its memory.
   */
  call(operation: SequencedOperation, ...args: readonly unknown[]): Tensor
  /** Says that the elements of a tensor never change, so that what follows from them alone may be computed once. */
  constant(tensor: Tensor): void
  /** Whether something is a tensor of the sequence. */
  owns(tensor: unknown): boolean
}

/** What a sequence takes: its steps and their memory, and the arrays of others that they use, with what lets those go. */
interface Taken {
  readonly repetition: Repetition
  readonly arrays: Map<Storage, () => void>
}

function giveBack({ repetition, arrays }: Taken): void {
  repetition.release()
  for (const letGo of arrays.values()) letGo()
  arrays.clear()
}

/** Gives back what sequences took that nobody has any more. */
const forgotten = globalThis.FinalizationRegistry && new FinalizationRegistry(giveBack)

/** Calls that run again and again, in their order, on the backend that was chosen when they were added. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the method of `using` is there wherever its name is
export class Sequence<T> {
  /** What the function that added the calls gave. */
  readonly tensors: T
  readonly #state: SequenceState
  readonly #calls: (() => unknown)[] = []
  readonly #taken: Taken
  #running = false

  /** @internal Sequences are made by `sequence`. */
  constructor(build: (builder: SequenceBuilder) => T) {
    const repetition = newRepetition()
    this.#state = { stage: 'adding', repetition }
    this.#taken = { repetition, arrays: new Map() }
    // Its tensors need its memory, too, and have its state.
    forgotten?.register(this.#state, this.#taken, this.#state)
    try {
      this.tensors = build({
        input: (dtype, shape) => {
          this.#checkAdding()
          checkShape(shape)
          return placedIn(this.#state, dtypeOf(dtype), [...shape]) as never
        },
        call: (operation, ...args) => this.#add(operation, args),
        constant: (tensor) => {
          this.#checkAdding()
          checkTensors('sequence: constant', [tensor])
          // What others are told apart by must not become that of another tensor.
          this.#keep(tensor.storage)
          const reached = extent(tensor.layout)
          if (reached !== undefined) repetition.addConstant({ storage: tensor.storage, ...reached })
        },
        owns: (tensor) => tensor instanceof SequencedTensor && tensor.isOf(this.#state),
      })
      if (this.tensors instanceof Promise) {
        // Nobody waits for it, so that its own failure would end the process.
        this.tensors.catch(() => {})
        throw new OperandError('sequence: the function that adds calls gives a promise; it adds all of them at once.')
      }
      this.#state.stage = 'ready'
    } catch (error) {
      this.dispose()
      throw error
    }
  }

  /** Whether it is running asynchronously; until that has ended it cannot run again. */
  get running(): boolean {
    return this.#running
  }

  /** Computes all calls, from what their operands hold now. */
  run(): void {
    const failed = this.#ready().runAll()
    if (failed >= 0) this.#explain(failed)
  }

  /** The same on the workers. */
  async async(): Promise<void> {
    const repetition = this.#ready()
    this.#running = true
    try {
      const done = await inTurn([], () => repetition.runAllAsync())
      // Which call it was is found by computing them once more.
      if (!done) this.#explain(repetition.runAll())
    } finally {
      this.#running = false
    }
  }

  /** Gives all memory back, that of its tensors too. */
  dispose(): void {
    if (this.#running) throw new OperandError('this sequence is running; await it before it is disposed.')
    if (this.#state.stage === 'disposed') return
    this.#state.stage = 'disposed'
    forgotten?.unregister(this.#state)
    giveBack(this.#taken)
  }

  #checkAdding(): void {
    if (this.#state.stage === 'adding') return
    throw new OperandError('sequence: inputs and calls are added inside the function that makes it.')
  }

  #ready(): Repetition {
    if (this.#running) throw new OperandError('this sequence is running; await it before it runs again.')
    const { stage, repetition } = this.#state
    if (stage === 'disposed') throw new DisposedError('this sequence was disposed; make a new one.')
    if (stage !== 'ready') throw new OperandError('this sequence is being made; it runs behind that.')
    return repetition
  }

  #add(operation: SequencedOperation, args: readonly unknown[]): Tensor {
    this.#checkAdding()
    const computing = (operation as Partial<Computing> | undefined)?.[COMPUTATION]
    if (computing === undefined) {
      throw new OperandError('sequence: call(…) takes an operation of bcast, such as add, and its arguments.')
    }
    // A function that is recorded here computes what it captures as it does elsewhere: that outlives the sequence.
    const computation = computing(args)
    const state = this.#state
    state.stage = 'settling'
    try {
      for (const { storage } of tensorsIn(args)) this.#keep(storage)
      const made = placingWith(
        (dtype, shape) => placedIn(state, dtype, shape),
        () => this.#settle(computation),
      )
      this.#calls.push(() => operation(...(args as never[])))
      state.repetition.nextCall()
      return made
    } finally {
      state.stage = 'adding'
    }
  }

  /** Adds what a computation executes, as if it had been. */
  #settle(computation: Computation): Tensor {
    const { repetition } = this.#state
    const anew = (execution: Anew): void => repetition.addAnew(execution)
    return settledIn(repetition, computation, anew, (arrays) => {
      // What calls use stays, though its tensor be disposed of.
      for (const array of arrays) this.#keep(array)
    })
  }

  #keep(array: Storage): void {
    const { arrays } = this.#taken
    if (!arrays.has(array) && !isIn(this.#state, array)) arrays.set(array, hold([array]))
  }

  /** Throws what a call throws that has an element without a value: up to it everything is computed. */
  #explain(call: number): never {
    this.#calls[call]?.()
    throw new EngineError('a call of a sequence has an element without a value, and not when it is made alone')
  }
}

// biome-ignore lint/correctness/noUnusedVariables: an interface beside a class names what the class names
export interface Sequence<T> extends Using {}
letUsingHold(Sequence)

/**
 * Settles calls to be run again and again: `build` adds them, and what it gives is `tensors` of the sequence.
 *
 * @example
 * ```ts
 * sequence(({ call }) => call(add, tensor([1, 2]), 1)).tensors.shape // [2]
 * ```
 */
export function sequence<T>(build: (builder: SequenceBuilder) => T): Sequence<T> {
  if (typeof build !== 'function') {
    throw new OperandError('sequence takes a function that adds calls, such as ({ input, call }) => call(add, x, y).')
  }
  return new Sequence(build)
}
