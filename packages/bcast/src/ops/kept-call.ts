// Small calls of several steps that repeat: settling one takes far longer than its kernels. From the third call on
// everything is settled, over memory of its own: a call copies its operands there, runs the kernels, and copies results
// out.
import type { Backend } from '../backend/backend.ts'
import { backends } from '../backend/backends.ts'
import type { Repetition } from '../backend/repeat.ts'
import { newRepetition } from '../backend/repetitions.ts'
import { arrayOver, type DType, type TypedArray } from '../dtype/dtype.ts'
import { elementCount, type Shape } from '../shape/dim.ts'
import { rowMajor, rowMajorStrides } from '../tensor/layout.ts'
import { roomFor } from '../tensor/memory.ts'
import { Tensor } from '../tensor/tensor.ts'
import type { Computation } from './computation.ts'
import { placingWith } from './result.ts'
import { settledIn } from './settled.ts'

/** Elements up to which copying operands is nothing beside settling a call. */
const SMALL = 1 << 13
/** Calls that go the general way first: most are made once. */
const FIRST = 2
/** Calls that have memory of their own at most, and bytes that each takes at a time. */
const MOST_KEPT = 256
const ROOM = 1 << 12

interface Kept {
  readonly repetition: Repetition
  readonly operands: readonly TypedArray[]
  readonly results: readonly { readonly dtype: DType; readonly shape: Shape; readonly array: TypedArray }[]
}

/** Says that something is large, has to be computed anew each time, or finds no room. */
class NotKept extends Error {}

let count = 0
let forgotten: FinalizationRegistry<Repetition> | undefined

function forget(repetition: Repetition): void {
  count--
  repetition.release()
}

const isRowMajor = ({ size, shape, layout: { strides } }: Tensor): boolean => {
  let step = 1
  for (let axis = shape.length - 1; axis >= 0 && size > 1; axis--) {
    if (shape[axis] !== 1 && strides[axis] !== step) return false
    step *= shape[axis]!
  }
  return true
}

/** Elements of typed arrays, whichever they are. */
type Settable = { set(source: ArrayLike<number>, at: number): void }

function keep(
  operands: readonly Tensor[],
  computing: (operands: readonly Tensor[]) => Computation<readonly Tensor[]>,
): Kept {
  const repetition = newRepetition(ROOM)
  const place = (dtype: DType, shape: Shape): Tensor => {
    const size = elementCount(shape)
    const found = size > SMALL ? undefined : repetition.allocate(dtype, size)
    if (found === undefined) throw new NotKept()
    return new Tensor(dtype, rowMajor(shape), found.storage, found.release)
  }
  const arrayOf = ({ storage }: Tensor): TypedArray => storage as TypedArray
  const refuse = (): never => {
    throw new NotKept()
  }
  try {
    const own = operands.map(({ dtype, shape }) => place(dtype, shape))
    const made = placingWith(place, () => settledIn(repetition, computing(own), refuse))
    return {
      repetition,
      operands: own.map(arrayOf),
      results: made.map((tensor) => ({ dtype: tensor.dtype, shape: tensor.shape, array: arrayOf(tensor) })),
    }
  } catch (error) {
    repetition.release()
    throw error
  }
}

/** Whether copying operands is nothing beside settling a call. */
export const areSmall = (operands: readonly unknown[]): boolean =>
  operands.reduce((sum: number, x) => sum + (x instanceof Tensor ? x.size : 0), 0) <= SMALL

/** A call of certain types and shapes. */
export class KeptCall {
  #before = 0
  #kept: Kept | undefined
  /** The backend on which nothing can be kept; another one may. */
  #refusedBy: Backend | undefined

  /** The results of a call; undefined where it goes the general way. `computing` gives the computation over operands. */
  results(
    operands: readonly Tensor[],
    computing: (operands: readonly Tensor[]) => Computation<readonly Tensor[]>,
  ): Tensor[] | undefined {
    const first = backends()[0]!
    if (this.#refusedBy === first) return undefined
    if (this.#kept === undefined) {
      if (this.#before++ < FIRST) return undefined
      this.#kept = this.#keep(operands, computing)
      if (this.#kept === undefined) this.#refusedBy = first
    }
    const kept = this.#kept
    if (kept === undefined || !this.#isCurrent(kept, first) || !operands.every(isRowMajor)) return undefined
    for (const [i, { dtype, storage, layout, size }] of operands.entries()) {
      const from = storage as TypedArray
      // An array that has shrunk is left to the general way, which says so.
      if (layout.offset + size > from.length) return undefined
      const { buffer, byteOffset, BYTES_PER_ELEMENT: width } = from
      // Not by the array itself, whose class may be its owner's and make of a part what it likes.
      const part =
        size === from.length ? from : arrayOver(dtype, buffer, byteOffset + layout.offset * width, size * width)
      ;(kept.operands[i]! as Settable).set(part as ArrayLike<number>, 0)
    }
    // A fault is left to the general way, which knows where it happened.
    if (kept.repetition.runAll() >= 0) return undefined
    return kept.results.map(({ dtype, shape, array }) => {
      const { storage, offset, release } = roomFor(dtype, shape)
      ;(storage as Settable).set(array as ArrayLike<number>, offset)
      return new Tensor(dtype, { shape: shape.slice(), strides: rowMajorStrides(shape), offset }, storage, release)
    })
  }

  #keep(
    operands: readonly Tensor[],
    computing: (operands: readonly Tensor[]) => Computation<readonly Tensor[]>,
  ): Kept | undefined {
    if (!areSmall(operands) || count >= MOST_KEPT) return undefined
    try {
      const kept = keep(operands, computing)
      count++
      forgotten ??= new FinalizationRegistry(forget)
      forgotten.register(this, kept.repetition, this)
      return kept
    } catch (error) {
      if (error instanceof NotKept) return undefined
      throw error
    }
  }

  /** Whether the backend is still the one asked first; memory of one that is gone is given up. */
  #isCurrent({ repetition }: Kept, first: Backend): boolean {
    if (repetition.backend === first) return true
    if (repetition.backend.name === first.name) {
      forgotten!.unregister(this)
      forget(repetition)
      this.#kept = undefined
    }
    return false
  }
}
