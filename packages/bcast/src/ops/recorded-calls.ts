// Calls of several steps that repeat over tensors of any size: a backend that can keeps their steps, so that a call whose
// operands have the types, shapes and strides of an earlier one says where they are and runs its kernels.
import { allocate } from '../backend/backends.ts'
import { recordings } from '../backend/recording.ts'
import type { RecordedCall, Recordings } from '../backend/recordings.ts'
import type { DType, Storage, TypedArray } from '../dtype/dtype.ts'
import { elementCount, type Shape } from '../shape/dim.ts'
import { extent, type Layout, rowMajor, rowMajorStrides } from '../tensor/layout.ts'
import { Tensor } from '../tensor/tensor.ts'
import type { Computation } from './computation.ts'
import { overlaps } from './overlap.ts'
import { placingWith } from './result.ts'
import { settledIn } from './settled.ts'

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
  readonly run: RecordedCall
  readonly offsets: readonly number[]
}

interface Call {
  readonly operands: readonly Like[]
  readonly options: object
  readonly result: Like
  /** Whether the result goes into a given tensor. */
  readonly into: boolean
  /** Who keeps it, for so many threads. */
  readonly by: Recordings
  readonly threads: number
  /** Undefined until it repeats, null where it cannot be kept. */
  kept: Kept | null | undefined
}

const NOTHING: Options = {}

/** What calls take behind their operands. */
export interface Options {
  readonly out?: unknown
}

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
    if (!isSame(a[name as never], b[name as never])) return false
  }
  for (const name in b) if (name !== 'out') count--
  return count === 0
}

/** Options as they are now: what is given may be changed afterwards. */
const copied = ({ out: _, ...rest }: Options): object =>
  Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]))

const isLike = (tensor: unknown, { dtype, layout }: Like): boolean =>
  tensor instanceof Tensor &&
  tensor.dtype === dtype &&
  areSame(tensor.shape, layout.shape) &&
  areSame(tensor.layout.strides, layout.strides)

/** Whether its array still holds all of a tensor; one that has shrunk is left to the general way, which says so. */
const isWhole = ({ storage, layout }: Tensor, { low, high }: Like): boolean =>
  layout.offset + high < storage.length && layout.offset + low >= 0

function likeOf({ dtype, layout }: Tensor): Like | undefined {
  const reached = extent({ ...layout, offset: 0 })
  return reached && { dtype, layout, ...reached }
}

export class RecordedCalls {
  readonly #calls: Call[] = []

  /** The result of a call like an earlier one; undefined where it goes the general way. */
  repeat(operands: readonly unknown[], options: Options = NOTHING): Tensor | undefined {
    const by = recordings()
    const call = by && this.#find(operands, options, by)
    if (call?.kept === undefined || call.kept === null || !by!.ready) return undefined
    const given = operands as readonly Tensor[]
    const { out } = options as { readonly out?: Tensor }
    for (const [i, operand] of given.entries()) {
      if (!isWhole(operand, call.operands[i]!)) return undefined
      if (out !== undefined && overlaps(out, operand, operand.layout)) return undefined
    }
    if (out !== undefined) {
      if (!isWhole(out, call.result)) return undefined
      return runOver(call.kept, [...given, out]) ? out : undefined
    }
    const { shape } = call.result.layout
    const { storage, offset, release } = allocate(call.result.dtype, elementCount(shape))
    const made = new Tensor(call.result.dtype, { shape, strides: rowMajorStrides(shape), offset }, storage, release)
    if (runOver(call.kept, [...given, made])) return made
    made.dispose()
    return undefined
  }

  #find(operands: readonly unknown[], options: Options, by: Recordings): Call | undefined {
    const { out } = options
    const { threads } = by
    search: for (const call of this.#calls) {
      if (call.by !== by || call.threads !== threads || call.operands.length !== operands.length) continue
      if (call.into !== (out !== undefined)) continue
      for (let i = 0; i < operands.length; i++) if (!isLike(operands[i], call.operands[i]!)) continue search
      if (!areAlike(options, call.options)) continue
      if (!call.into || (isLike(out, call.result) && !(out as Tensor).readOnly)) return call
    }
    return undefined
  }

  /**
   * Remembers a call that went the general way. Only the second one like it is kept: most calls of a program are made once.
   */
  learn(
    operands: readonly unknown[],
    options: Options = NOTHING,
    made: Tensor,
    computation: (operands: readonly Tensor[], options: Options) => Computation,
  ): void {
    const by = recordings()
    // One whose result lies over what it reads has another way to go.
    if (by === undefined || operands.some((x) => x instanceof Tensor && overlaps(made, x, x.layout))) return
    const known = this.#find(operands, options, by)
    if (known !== undefined) {
      if (known.kept === undefined)
        known.kept = keep(by, operands as readonly Tensor[], options, made, computation) ?? null
      return
    }
    const likes: Like[] = []
    for (const operand of [...operands, made]) {
      const like = operand instanceof Tensor && !Array.isArray(operand.storage) ? likeOf(operand) : undefined
      if (like === undefined) return
      likes.push(like)
    }
    const result = likes.pop()!
    if (this.#calls.length >= MOST_CALLS) this.#calls.pop()
    const { threads } = by
    const into = options.out !== undefined
    this.#calls.unshift({ operands: likes, options: copied(options), result, into, by, threads, kept: undefined })
  }
}

function runOver({ run, offsets }: Kept, tensors: readonly Tensor[]): boolean {
  const storages: Storage[] = []
  const shifts: number[] = []
  for (const [i, { storage, layout }] of tensors.entries()) {
    storages.push(storage)
    shifts.push(layout.offset - offsets[i]!)
  }
  return run(storages, shifts)
}

/** The call over what stands for its operands and its result. */
function keep(
  by: Recordings,
  operands: readonly Tensor[],
  options: Options,
  made: Tensor,
  computation: (operands: readonly Tensor[], options: Options) => Computation,
): Kept | undefined {
  const run = by.call((recording) => {
    const standIn = ({ dtype, layout, storage }: Tensor, written: boolean): Tensor =>
      new Tensor(dtype, layout, recording.standIn({ storage: storage as TypedArray, step: 0, written }))
    const own = operands.map((operand) => standIn(operand, false))
    const out = standIn(made, true)
    const place = (dtype: DType, shape: Shape): Tensor =>
      new Tensor(dtype, rowMajor(shape), recording.allocate(dtype, elementCount(shape)))
    let isWholly = true
    const anew = (): void => {
      isWholly = false
    }
    placingWith(place, () => settledIn(recording, computation(own, { ...options, out }), anew))
    return isWholly
  })
  return run && { run, offsets: [...operands, made].map(({ layout }) => layout.offset) }
}
