// Tensors of a sequence: their memory is its own, and while its calls are being added there is nothing to read in them.
import type { Repetition } from '../backend/repeat.ts'
import { type DType, makeStorage, type Storage, type StorageOf } from '../dtype/dtype.ts'
import { DisposedError, OperandError } from '../errors/index.ts'
import { elementCount, formatShape, type Shape } from '../shape/dim.ts'
import { rowMajor } from '../tensor/layout.ts'
import { pack } from '../tensor/pack.ts'
import { Tensor } from '../tensor/tensor.ts'

/** Where a sequence stands: its calls are being added, one of them right now; it can run; its memory is gone. */
export interface SequenceState {
  stage: 'adding' | 'settling' | 'ready' | 'disposed'
  /** Holds the memory: whoever has an array of it has all. */
  readonly repetition: Repetition
}

/** The sequences whose memory arrays are. Only their tensors keep them: steps that hold arrays are part of them. */
const states = new WeakMap<Storage, Pick<WeakRef<SequenceState>, 'deref'>>()

/** Whether an array is memory of a sequence. */
export const isIn = (state: SequenceState, array: Storage): boolean => states.get(array)?.deref() === state

export class SequencedTensor<D extends DType = DType, S extends Shape = Shape> extends Tensor<D, S> {
  readonly #state: SequenceState

  constructor(...given: ConstructorParameters<typeof Tensor<D, S>>) {
    super(...given)
    // Views are made while what they are views of is there.
    this.#state = states.get(given[2])!.deref()!
  }

  override get storage(): Storage {
    const storage = super.storage
    const { stage } = this.#state
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

  isOf(state: SequenceState): boolean {
    return this.#state === state
  }
}

/** A tensor in the memory of a sequence; disposing of it lets calls that are added later use its memory. */
export function placedIn(state: SequenceState, dtype: DType, shape: Shape): SequencedTensor {
  const count = elementCount(shape)
  const found = state.repetition.allocate(dtype, count)
  const storage = found?.storage ?? makeStorage(dtype, count)
  states.set(storage, globalThis.WeakRef === undefined ? { deref: () => state } : new WeakRef(state))
  return new SequencedTensor(dtype, rowMajor(shape), storage, found?.release)
}
