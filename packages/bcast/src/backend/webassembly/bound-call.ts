// Small calls made ready to be repeated with operands of the same strides: everything but the addresses is settled, so
// that a call writes those and runs its kernel.
import type { TypedArray } from '../../dtype/dtype.ts'
import { SLACK } from '../../plan/copies.ts'
import { CHUNK, planKernels, SHARE } from '../../plan/kernels.ts'
import { planLoops } from '../../plan/loops.ts'
import { addressWord, parameterBytes } from '../../plan/parameters.ts'
import { planPeriodic } from '../../plan/periodic.ts'
import { signatureOf } from '../../plan/signature.ts'
import { elementCount } from '../../shape/dim.ts'
import { extent } from '../../tensor/layout.ts'
import type { Job } from '../backend.ts'
import type { KernelFunction, Kernels } from './kernels.ts'
import type { Arena } from './memory/arena.ts'
import { arrayClass } from './memory/copy.ts'
import { writeParameters } from './parameters.ts'

/** Small operands that lie elsewhere are copied whole: this many bytes each, this many of them. */
const SLOT = 1 << 13
const SLOTS = 8

/** A call with everything settled but where its operands lie. */
export interface Bound {
  readonly run: KernelFunction
  /** Its own parameter block; addresses are filled in for each call. */
  readonly words: Int32Array
  readonly at: number
  /** Elements of the result. */
  readonly total: number
  /** Whether a call has begun and not ended: one that failed left its counters where they were. */
  running: boolean
  readonly shifts: readonly number[]
  readonly widths: readonly number[]
  /** How far below and above its first element each operand's array is used. */
  readonly lows: readonly number[]
  readonly highs: readonly number[]
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

  /** Undefined where the general way is needed. */
  bind({ program, instructions, shape, operands }: Job): Bound | undefined {
    const total = elementCount(shape)
    if (total === 0 || total > CHUNK || operands.length > SLOTS) return undefined
    const strides = operands.map((operand) => operand.strides)
    const widths = operands.map(({ storage }) => (storage as TypedArray).BYTES_PER_ELEMENT)
    const loops = planLoops(shape, strides)
    const { sizes, strides: steps, shifts } = loops
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
    const { run } = this.#kernels.get(program, signatureOf(program, loops, 1), instructions)
    const bytes = parameterBytes(steps.length, sizes.length)
    const at = this.#arena.allocate(bytes)
    if (at === undefined) return undefined
    const { buffer } = this.#arena
    const addressed = steps.map((own, i) => ({ strides: own, width: widths[i]!, address: 0 }))
    writeParameters(buffer, at, sizes, addressed, 1)
    const words = new Int32Array(buffer, at, bytes / 4)
    const bound = { run, words, at, total, running: false, shifts, widths, lows, highs }
    this.#forgotten.register(bound, { at, bytes })
    return bound
  }

  /** Gives 0, a fault, or undefined, having done nothing, where an operand is too large to be copied. */
  call(bound: Bound, operands: readonly TypedArray[], offsets: readonly number[]): number | undefined {
    const { run, words, shifts, widths, lows, highs } = bound
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
        const at = this.#slot(array, i, i === result ? 0 : low, i === result ? 0 : count)
        if (i === result) spilled = at
        base = this.#scratch.at + at - low * width
      }
      words[addressWord(i)] = base + (first + shifts[i]!) * width
    }
    bound.running = true
    const fault = run(bound.at)
    bound.running = false
    if (spilled >= 0 && fault === 0) {
      const [array, from] = [operands[result]!, spilled / widths[result]!]
      const [low, high] = [lows[result]!, highs[result]!]
      const made = this.#slots.get(array.constructor)!.subarray(from, from + high - low + 1)
      ;(array as { set(source: unknown, at: number): void }).set(made, offsets[result]! + low)
    }
    return fault
  }

  /** Copies part of a foreign array into its place in the scratch space; gives where that is. */
  #slot(array: TypedArray, slot: number, from: number, count: number): number {
    const { at: scratch, bytes } = this.#scratch
    const at = bytes - (slot + 1) * (SLOT + 2 * SLACK) - SLACK
    let view = this.#slots.get(array.constructor)
    if (view === undefined) {
      view = new (arrayClass(array))(this.#arena.buffer, scratch, bytes / array.BYTES_PER_ELEMENT)
      this.#slots.set(array.constructor, view)
    }
    const part = count === array.length ? array : array.subarray(from, from + count)
    if (count > 0) (view as { set(source: unknown, at: number): void }).set(part, at / array.BYTES_PER_ELEMENT)
    return at
  }
}
