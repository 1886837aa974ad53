// Calls of several steps that repeat over tensors of any size: a backend that can keeps their steps, so that a call whose
// operands have the types, shapes and strides of an earlier one says where they are and runs its kernels.
import { allocate } from '../backend/backends.ts'
import { recordings } from '../backend/recording.ts'
import type { RecordedCall, Recordings } from '../backend/recordings.ts'
import type { DType, Storage } from '../dtype/dtype.ts'
import { elementCount, type Shape } from '../shape/dim.ts'
import { extent, type Layout, rowMajor, rowMajorStrides } from '../tensor/layout.ts'
import { Tensor } from '../tensor/tensor.ts'
import type { Computation } from './computation.ts'
import { overlaps } from './overlap.ts'
import { placingWith } from './result.ts'
import { isWhollyIn } from './settled.ts'

/** Calls of one operation that are told apart; the oldest go first. */
const MOST_CALLS = 8

/** A tensor that others are like: of its type, its shape and its strides. */
interface Like {
  readonly dtype: DType
  readonly layout: Layout
  /** The last position that is reached, counted from its offset, and the first. */
  readonly high: number
  readonly low: number
}

/** A call that is kept, and where the elements of what stood for its operands and its result began. */
interface Kept {
  readonly call: RecordedCall
  readonly offsets: readonly number[]
}

interface Call {
  readonly operands: readonly Like[]
  readonly options: object
  readonly results: readonly Like[]
  /** Whether each result goes into a given tensor. */
  readonly into: readonly boolean[]
  /** Who keeps it, for so many threads. */
  readonly by: Recordings
  readonly threads: number
  /** Undefined until it repeats, null where it cannot be kept. */
  kept: Kept | null | undefined
}

/** Where results go, if they are given; options beside that. */
export interface Asked {
  readonly operands: readonly unknown[]
  readonly outs: readonly unknown[]
  readonly options: object
}

/** The computation of a call over other operands, into given results, with options that are the same. */
export type Recomputing = (
  operands: readonly Tensor[],
  outs: readonly Tensor[],
  options: object,
) => Computation<unknown>

function areSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

const isSame = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? areSame(a, b) : Object.is(a, b)

/** Whether options are the same but for where the result goes. */
function areAlike(a: object, b: object): boolean {
  let count = 0
  for (const name in a) {
    if (name === 'out') continue
    count++
    if (!Object.hasOwn(b, name) || !isSame(a[name as never], b[name as never])) return false
  }
  for (const name in b) if (name !== 'out') count--
  return count === 0
}

/** Options as they are now, because what is given may be changed afterwards; without `out`, which would stay alive. */
const copied = (options: object): object =>
  Object.fromEntries(
    Object.entries(options)
      .filter(([name]) => name !== 'out')
      .map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]),
  )

const isLike = (tensor: unknown, { dtype, layout }: Like): boolean =>
  tensor instanceof Tensor &&
  tensor.dtype === dtype &&
  areSame(tensor.shape, layout.shape) &&
  areSame(tensor.layout.strides, layout.strides)

/** Whether its array still holds all of a tensor; one that has shrunk is left to the general way, which says so. */
const isWhole = ({ storage, layout }: Tensor, { low, high }: Like): boolean =>
  layout.offset + high < storage.length && layout.offset + low >= 0

function likeOf({ dtype, layout }: Tensor): Like | undefined {
  // Copies, because the tensor's own may be changed by whoever has it.
  const own = { shape: [...layout.shape], strides: [...layout.strides], offset: 0 }
  const reached = extent(own)
  return reached && { dtype, layout: own, ...reached }
}

const anyOverlaps = (out: unknown, operands: readonly unknown[]): boolean =>
  out instanceof Tensor && operands.some((x) => x instanceof Tensor && overlaps(out, x, x.layout))

export class RecordedCalls {
  readonly #calls: Call[] = []

  /** The results of a call like an earlier one; undefined where it goes the general way. */
  repeat(asked: Asked): Tensor[] | undefined {
    const by = recordings()
    const call = by && this.#find(asked, by)
    if (call?.kept === undefined || call.kept === null || !by!.ready) return undefined
    const operands = asked.operands as readonly Tensor[]
    const outs = asked.outs as readonly (Tensor | undefined)[]
    for (let i = 0; i < operands.length; i++) if (!isWhole(operands[i]!, call.operands[i]!)) return undefined
    for (const [i, out] of outs.entries()) {
      if (out === undefined) continue
      if (!isWhole(out, call.results[i]!) || anyOverlaps(out, operands) || anyOverlaps(out, outs.slice(i + 1)))
        return undefined
    }
    const made = call.results.map(({ dtype, layout: { shape } }, i): Tensor => {
      const out = outs[i]
      if (out !== undefined) return out
      const { storage, offset, release } = allocate(dtype, elementCount(shape))
      return new Tensor(dtype, { shape: [...shape], strides: rowMajorStrides(shape), offset }, storage, release)
    })
    if (runOver(call.kept, [...operands, ...made])) return made
    for (const [i, result] of made.entries()) if (outs[i] === undefined) result.dispose()
    return undefined
  }

  #find({ operands, outs, options }: Asked, by: Recordings): Call | undefined {
    const { threads } = by
    search: for (const call of this.#calls) {
      if (call.by !== by || call.threads !== threads || call.operands.length !== operands.length) continue
      for (let i = 0; i < operands.length; i++) if (!isLike(operands[i], call.operands[i]!)) continue search
      for (const [i, result] of call.results.entries()) {
        const out = outs[i]
        if (call.into[i] !== (out !== undefined)) continue search
        if (out !== undefined && !(isLike(out, result) && !(out as Tensor).readOnly)) continue search
      }
      if (areAlike(options, call.options)) return call
    }
    return undefined
  }

  /** Calls that an engine kept which is no longer there would hold its memory. */
  #forgetOthers(by: Recordings): void {
    for (let i = this.#calls.length - 1; i >= 0; i--) {
      if (this.#calls[i]!.by !== by) this.#calls.splice(i, 1)[0]!.kept?.call.release()
    }
  }

  /**
   * Remembers a call that went the general way, and what came of it. Only the second one like it is kept: most calls of a
   * program are made once.
   */
  learn(asked: Asked, made: readonly Tensor[], computation: Recomputing): void {
    const { operands, outs, options } = asked
    const by = recordings()
    // One whose result lies over what it reads has another way to go.
    if (by === undefined || made.some((result, i) => anyOverlaps(result, [...operands, ...made.slice(i + 1)]))) return
    const known = this.#find(asked, by)
    if (known !== undefined) {
      if (known.kept === undefined) known.kept = keep(known, operands as readonly Tensor[], made, computation) ?? null
      return
    }
    this.#forgetOthers(by)
    const likes: Like[] = []
    for (const tensor of [...operands, ...made]) {
      const like = tensor instanceof Tensor && !Array.isArray(tensor.storage) ? likeOf(tensor) : undefined
      if (like === undefined) return
      likes.push(like)
    }
    if (this.#calls.length >= MOST_CALLS) this.#calls.pop()!.kept?.call.release()
    this.#calls.unshift({
      operands: likes.slice(0, operands.length),
      options: copied(options),
      results: likes.slice(operands.length),
      into: made.map((_, i) => outs[i] !== undefined),
      by,
      threads: by.threads,
      kept: undefined,
    })
  }
}

function runOver({ call, offsets }: Kept, tensors: readonly Tensor[]): boolean {
  const storages: Storage[] = []
  const shifts: number[] = []
  for (const [i, { storage, layout }] of tensors.entries()) {
    storages.push(storage)
    shifts.push(layout.offset - offsets[i]!)
  }
  return call.run(storages, shifts)
}

/** The call over what stands for its operands and its results. */
function keep(
  { by, options }: Call,
  operands: readonly Tensor[],
  made: readonly Tensor[],
  computation: Recomputing,
): Kept | undefined {
  const call = by.call((recording) => {
    const standIn =
      (written: boolean) =>
      ({ dtype, layout, storage }: Tensor): Tensor =>
        new Tensor(dtype, layout, recording.standIn({ storage, step: 0, written }))
    const [own, outs] = [operands.map(standIn(false)), made.map(standIn(true))]
    const place = (dtype: DType, shape: Shape): Tensor =>
      new Tensor(dtype, rowMajor(shape), recording.allocate(dtype, elementCount(shape)))
    return placingWith(place, () => isWhollyIn(recording, computation(own, outs, options)))
  })
  return call && { call, offsets: [...operands, ...made].map(({ layout }) => layout.offset) }
}
