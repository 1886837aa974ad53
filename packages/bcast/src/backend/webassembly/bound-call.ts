// Calls made ready to be repeated with operands of the same strides: everything but the addresses is settled, so that a
// call writes those and runs its kernel, or has threads run it in parts.
import type { TypedArray } from '../../dtype/dtype.ts'
import { SLACK } from '../../plan/copies.ts'
import { CHUNK, planKernels, SHARE } from '../../plan/kernels.ts'
import { type Loops, planLoops } from '../../plan/loops.ts'
import { addressWord, parameterBytes } from '../../plan/parameters.ts'
import { planPeriodic } from '../../plan/periodic.ts'
import { type Signature, signatureOf } from '../../plan/signature.ts'
import { elementCount } from '../../shape/dim.ts'
import { extent } from '../../tensor/layout.ts'
import type { Job } from '../backend.ts'
import type { Kernels } from './kernels.ts'
import type { Located } from './located.ts'
import type { Arena } from './memory/arena.ts'
import { type ArrayClass, arrayClass } from './memory/copy.ts'
import { writeParameters } from './parameters.ts'
import { partOf } from './part.ts'
import type { Task } from './task.ts'

/** Small operands that lie elsewhere are copied whole: this many bytes each, this many of them. */
const SLOT = 1 << 13
const SLOTS = 8

/** A call of one kernel over loops as they are, with everything settled but where its operands lie; it holds none of them. */
export interface Settled {
  readonly computable: Pick<Job, 'program' | 'instructions'>
  readonly loops: Loops
  readonly signature: Signature
  /** Elements of the result. */
  readonly total: number
  readonly widths: readonly number[]
  /** How far below and above its first element each operand's array is used. */
  readonly lows: readonly number[]
  readonly highs: readonly number[]
}

/** A call that is ready. */
export interface Bound {
  /** Whether a call has begun and not ended: one that failed left its counters where they were. */
  running: boolean
  /** Gives 0, a fault, or undefined, having done nothing, where an operand cannot be used. */
  call(operands: readonly TypedArray[], offsets: readonly number[]): number | undefined
}

/** Undefined where the general way is needed. */
export function settle(job: Job): Settled | undefined {
  const { program, instructions, shape, operands } = job
  const total = elementCount(shape)
  if (total === 0 || total > CHUNK || operands.length > SLOTS) return undefined
  const strides = operands.map((operand) => operand.strides)
  const widths = operands.map(({ storage }) => (storage as TypedArray).BYTES_PER_ELEMENT)
  const loops = planLoops(shape, strides)
  const { sizes, strides: steps } = loops
  const inner = sizes.length - 1
  if (sizes[inner] !== 1 && steps.at(-1)![inner] !== 1) return undefined
  const extents = strides.map((own) => extent({ shape, strides: own, offset: 0 })!)
  const lows = extents.map(({ low }) => low)
  const highs = extents.map(({ high }) => high)
  // A result outside the arena is copied as it comes, so it has no gaps.
  if (highs.at(-1)! - lows.at(-1)! + 1 !== total) return undefined
  // Many elements may be worth another plan than the loops as they are.
  const [first, ...others] = planKernels(program, loops, widths, 1)
  const isPlain =
    planPeriodic(loops) === undefined && others.length === 0 && first!.loops === loops && first!.signature.rows === 1
  if (total > SHARE && !isPlain) return undefined
  return {
    computable: { program, instructions },
    loops,
    signature: signatureOf(program, loops, 1),
    total,
    widths,
    lows,
    highs,
  }
}

const { set: setElements } = Uint8Array.prototype as unknown as {
  set(this: TypedArray, from: TypedArray, at: number): void
}

/** Part of the arena. */
interface Scratch {
  readonly at: number
  readonly bytes: number
}

export class BoundCalls {
  readonly #arena: Arena
  readonly #kernels: Kernels
  /** Copies of operands go to its end. */
  readonly #scratch: Scratch
  readonly #slots = new Map<unknown, TypedArray>()
  /** Gives parameter blocks back. */
  readonly #forgotten: FinalizationRegistry<Scratch>

  constructor(arena: Arena, kernels: Kernels, scratch: Scratch) {
    this.#arena = arena
    this.#kernels = kernels
    this.#scratch = scratch
    this.#forgotten = new FinalizationRegistry(({ at, bytes }) => arena.free(at, bytes))
  }

  /** For so many threads; more than one are given its parts by `share`. Undefined where there is no room. */
  bind(
    { computable: { program, instructions }, loops, signature, total, widths, lows, highs }: Settled,
    threads: number,
    share: (task: Task, elements: number) => number,
  ): Bound | undefined {
    const kernel = this.#kernels.get(program, signature, instructions)
    const whole = { loop: 0, length: loops.sizes[0]!, parts: 1 }
    const split = threads === 1 ? whole : planKernels(program, loops, widths, threads)[0]!.split
    const size = parameterBytes(widths.length, loops.sizes.length)
    const bytes = split.parts * size
    const at = this.#arena.allocate(bytes)
    if (at === undefined) return undefined
    const words = new Int32Array(this.#arena.buffer, at, bytes / 4)
    const cursors = widths.map((width, i) => ({ width, address: 0, strides: loops.strides[i]! }) as unknown as Located)
    // Where the operands of each part begin, in bytes from the whole's.
    const begins = Array.from({ length: split.parts }, (_, part) => {
      const { sizes, operands } = partOf({ signature, loops, split }, cursors, part)
      writeParameters(words.subarray((part * size) / 4), sizes, operands, 1)
      return operands.map(({ address }) => address)
    })
    const task = { ...kernel, parametersAt: at, parametersSize: size, parts: split.parts }
    const run = split.parts === 1 ? () => kernel.run(at) : () => share(task, total)
    const bound: Bound = {
      running: false,
      call: (operands, offsets) => {
        const result = operands.length - 1
        let spilled = -1
        for (let i = 0; i < operands.length; i++) {
          const array = operands[i]!
          const width = widths[i]!
          const first = offsets[i]!
          let base = array.byteOffset
          if (!this.#arena.holds(array)) {
            const low = first + lows[i]!
            const count = highs[i]! - lows[i]! + 1
            // An array that has shrunk is left to the general way, which says so.
            if (count * width > SLOT || low + count > array.length) return undefined
            const slot = this.#slot(array, i, i === result ? 0 : low, i === result ? 0 : count)
            if (i === result) spilled = slot
            base = this.#scratch.at + slot - low * width
          }
          base += first * width
          for (let part = 0; part < begins.length; part++) {
            words[(part * size) / 4 + addressWord(i)] = base + begins[part]![i]!
          }
        }
        bound.running = true
        const fault = run()
        bound.running = false
        if (spilled >= 0 && fault === 0) {
          const [array, from] = [operands[result]!, spilled / widths[result]!]
          const [low, high] = [lows[result]!, highs[result]!]
          const made = this.#slots.get(array.constructor)!.subarray(from, from + high - low + 1)
          // Not by a method of the array, whose class may be its owner's and have another of that name.
          setElements.call(array, made, offsets[result]! + low)
        }
        return fault
      },
    }
    this.#forgotten.register(bound, { at, bytes })
    return bound
  }

  /** Copies part of a foreign array into its place in the scratch space; gives where that is. */
  #slot(array: TypedArray, slot: number, from: number, count: number): number {
    const { at: scratch, bytes } = this.#scratch
    const at = bytes - (slot + 1) * (SLOT + 2 * SLACK) - SLACK
    const width = array.BYTES_PER_ELEMENT
    let view = this.#slots.get(array.constructor)
    if (view === undefined) {
      view = new (arrayClass(array))(this.#arena.buffer, scratch, bytes / width)
      this.#slots.set(array.constructor, view)
    }
    // Not by the array itself, whose class may be its owner's and make of a part what it likes.
    const Plain = view.constructor as ArrayClass
    const part = count === array.length ? array : new Plain(array.buffer, array.byteOffset + from * width, count)
    if (count > 0) (view as { set(source: unknown, at: number): void }).set(part, at / width)
    return at
  }
}
