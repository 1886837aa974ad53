// Calls settled once and run again and again: types are checked, shapes brought together, plans made and memory taken
// when a call is added; a run only executes. Inside the function that adds them tensors have no elements yet.
import { compiling } from '../backend/backends.ts'
import { hold } from '../backend/in-use.ts'
import { interpreter } from '../backend/interpreter/backend.ts'
import { PlainRepetition, type Repetition } from '../backend/repeat.ts'
import { inTurn } from '../backend/turns.ts'
import { TaskRepetition } from '../backend/webassembly/repeat.ts'
import { type DType, dtypeOf, makeStorage, type Storage, type StorageOf } from '../dtype/dtype.ts'
import { DisposedError, OperandError } from '../errors/index.ts'
import { checkShape, elementCount, formatShape, type Shape } from '../shape/dim.ts'
import { type Layout, rowMajor } from '../tensor/layout.ts'
import { pack } from '../tensor/pack.ts'
import { Tensor } from '../tensor/tensor.ts'
import { COMPUTATION, type Computation, type Computing } from './computation.ts'
import { placingWith } from './result.ts'

/** A function of the library that computes: an operator, a fused function, cast, expand, gemm. */
export interface SequencedOperation {
  (...args: never[]): unknown
  readonly async: (...args: never[]) => unknown
}

/** Adds calls to a sequence. */
export interface SequenceBuilder {
  /** A tensor that the caller fills before runs, by `{ out }` of any operation. */
  input<const D extends DType, const S extends Shape>(dtype: D, shape: S): Tensor<D, S>
  /**
   * Adds a call; gives the tensor that its result will be in. Disposing of that tensor lets calls that are added later
   * use its memory.
   */
  call(operation: SequencedOperation, ...args: readonly unknown[]): Tensor
  /** Whether a tensor is one of the sequence, which has no elements before it runs. */
  owns(tensor: Tensor): boolean
}

/** Where a sequence stands: its calls are being added, one of them right now; it can run; its memory is gone. */
interface State {
  stage: 'adding' | 'settling' | 'ready' | 'disposed'
}

/** The sequences whose memory arrays are. */
const states = new WeakMap<Storage, State>()

/** A tensor of a sequence: while calls are added there is nothing to read in it. */
class SequencedTensor<D extends DType = DType, S extends Shape = Shape> extends Tensor<D, S> {
  override get storage(): Storage {
    const storage = super.storage
    const { stage } = states.get(storage)!
    if (stage === 'settling' || stage === 'ready') return storage
    const tensor = `this ${this.dtype} tensor of shape ${formatShape(this.shape)} belongs to a sequence`
    if (stage === 'disposed') throw new DisposedError(`${tensor} that was disposed; make a new one.`)
    throw new OperandError(
      `${tensor} that is being made, so it has no elements yet. Use it in call(…), and read it behind run().`,
    )
  }

  /** A copy, for the memory is the sequence's. */
  override get data(): StorageOf<D> {
    return pack(this.layout, this.storage, makeStorage(this.dtype, this.size)) as StorageOf<D>
  }
}

/** Calls that run again and again, in their order. */
export class Sequence<T> implements Disposable {
  /** What the function that added the calls gave. */
  readonly tensors: T
  #repetition: Repetition | undefined
  readonly #calls: (() => unknown)[] = []
  readonly #arrays = new Set<Storage>()
  readonly #letGo: () => void
  readonly #state: State = { stage: 'adding' }
  #running = false

  /** @internal Sequences are made by `sequence`. */
  constructor(build: (builder: SequenceBuilder) => T) {
    const backend = compiling()
    const repetition = backend === undefined ? new PlainRepetition(interpreter) : new TaskRepetition(backend)
    const state = this.#state
    const placed = (dtype: DType, shape: Shape): Tensor => {
      const count = elementCount(shape)
      const { storage, offset, release } = repetition.allocate(dtype, count) ?? {
        storage: makeStorage(dtype, count),
        offset: 0,
        release: undefined,
      }
      states.set(storage, state)
      const layout: Layout = { ...rowMajor(shape), offset }
      return new SequencedTensor(dtype, layout, storage, release)
    }
    const settle = (computation: Computation): Tensor => {
      let step = computation.next()
      while (!step.done) {
        const { repeated, arrays, ...execution } = step.value
        for (const array of arrays) this.#arrays.add(array)
        const isAdded = typeof repeated === 'function' ? repeated(repetition) : repetition.add(repeated)
        if (!isAdded) repetition.addAnew(execution)
        step = computation.next(-1)
      }
      return step.value
    }
    const builder: SequenceBuilder = {
      input: (dtype, shape) => {
        checkShape(shape)
        return placed(dtypeOf(dtype), [...shape]) as never
      },
      call: (operation, ...args) => {
        if (state.stage !== 'adding') throw new OperandError('sequence: calls are added inside the function that makes it.')
        const computing = (operation as Partial<Computing> | undefined)?.[COMPUTATION]
        if (computing === undefined) {
          throw new OperandError('sequence: call(…) takes an operation of bcast, such as add, and its arguments.')
        }
        state.stage = 'settling'
        try {
          const made = placingWith(placed, () => settle(computing(args)))
          this.#calls.push(() => operation(...(args as never[])))
          repetition.nextCall()
          return made
        } finally {
          state.stage = 'adding'
        }
      },
      owns: (tensor) => tensor instanceof SequencedTensor,
    }
    try {
      this.tensors = build(builder)
    } catch (error) {
      repetition.release()
      state.stage = 'disposed'
      throw error
    }
    state.stage = 'ready'
    this.#repetition = repetition
    // What calls read beside their own results stays, though it be disposed of.
    this.#letGo = hold([...this.#arrays])
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
      const done = await inTurn([...this.#arrays], () => repetition.runAllAsync())
      // Which call it was is found by computing them once more.
      if (!done) this.#explain(repetition.runAll())
    } finally {
      this.#running = false
    }
  }

  #ready(): Repetition {
    if (this.#running) throw new OperandError('this sequence is running; await it before it runs again.')
    if (this.#repetition === undefined) throw new DisposedError('this sequence was disposed; make a new one.')
    return this.#repetition
  }

  /** Throws what a call throws that has an element without a value. */
  #explain(call: number): void {
    this.#calls[call]?.()
  }

  /** Gives all memory back, that of its tensors too. */
  dispose(): void {
    if (this.#running) throw new OperandError('this sequence is running; await it before it is disposed.')
    if (this.#repetition === undefined) return
    this.#repetition.release()
    this.#repetition = undefined
    this.#state.stage = 'disposed'
    this.#letGo()
  }

  [Symbol.dispose](): void {
    this.dispose()
  }
}

/** Settles calls to be run again and again: `build` adds them, and what it gives is `tensors` of the sequence. */
export const sequence = <T>(build: (builder: SequenceBuilder) => T): Sequence<T> => new Sequence(build)
