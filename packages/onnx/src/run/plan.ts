// A run for inputs of given types and shapes, settled once: the calls that it makes of the library become a sequence, in
// memory of its own. What follows from shapes and constants alone is computed on the way and left out. A run that looks
// at elements of its inputs cannot be settled, unless those inputs are guarded: then it serves these elements alone.
import {
  BcastError,
  dtypeInfo,
  gemm,
  identity,
  matmul,
  type Sequence,
  type SequenceBuilder,
  sequence,
  Tensor,
  tensordot,
} from 'bcast'
import { OnnxError } from '../errors/index.ts'
import type { ExternalFiles } from '../model/external.ts'
import { elementsOf } from '../model/tensor-data.ts'
import { callNow, computeWith, type Operation, type Pending } from './computation.ts'
import { Run } from './execute.ts'
import type { Block, Slot } from './program.ts'

/** Elements of an input that decides where a run goes: a rate, a count, a flag. */
const MOST_GUARDED = 64
/** Elements of tensors that rows make for one call, which are worth a copy in the memory that kernels compute in. */
const MOST_COPIED = 1 << 16

/** They pack what they multiply in their own way. */
const PRODUCTS: readonly Operation[] = [gemm, matmul, tensordot]

/** Calls of a run: one of many rounds is not worth taking note of. */
const MOST_CALLS = 1 << 14

/** What a run needs beside its inputs. */
export interface Parts {
  readonly block: Block
  readonly slots: number
  /** The same in every run, by slot. */
  readonly constants: Iterable<readonly [Slot, Tensor]>
  readonly files: ExternalFiles | undefined
}

export type Given = readonly (readonly [Slot, Tensor])[]

interface Guard {
  /** Which of the given tensors. */
  readonly input: number
  readonly elements: readonly unknown[]
}

const isGuarded = ({ dtype, size }: Tensor): boolean =>
  !(dtypeInfo(dtype).isFloat || dtype === 'real') && size <= MOST_GUARDED

/** Says that a call writes into something that stays the same in every run, or that calls are too many. */
class NotRepeatable extends Error {}

/** What settles the calls that use tensors of a sequence, and computes the others at once. */
function settling(builder: SequenceBuilder): (pending: Pending) => Tensor {
  const isOwn = (arg: unknown): boolean => builder.owns(arg)
  const copies = new Map<unknown, Tensor>()
  let calls = 0
  const constant = (operation: Operation, arg: unknown, i: number): unknown => {
    if (!(arg instanceof Tensor)) return arg
    builder.constant(arg)
    const packs = i < 2 && PRODUCTS.includes(operation)
    if (packs || arg.size > MOST_COPIED) return arg
    let copy = copies.get(arg)
    if (copy === undefined) copies.set(arg, (copy = identity(arg) as Tensor))
    return copy
  }
  return (pending) => {
    const { operation, args, written } = pending
    const out = args
      .map((arg) => (arg as { readonly out?: unknown } | undefined)?.out)
      .find((each) => each !== undefined)
    const varies = [...args.flat(), ...(written?.from ?? []), out].some(isOwn)
    if (!varies) return callNow(pending)
    if ((out !== undefined && !isOwn(out)) || ++calls > MOST_CALLS) throw new NotRepeatable()
    if (written?.whole) return builder.input((args[0] as Tensor).dtype, args[1] as readonly number[]) as Tensor
    const settled = (arg: unknown, i: number): unknown => {
      // Tensors that are joined come in one array.
      if (Array.isArray(arg)) return arg.map((each) => settled(each, i))
      return isOwn(arg) ? arg : constant(operation, arg, i)
    }
    return builder.call(operation, ...args.map(settled))
  }
}

export class PlannedRun {
  readonly #sequence: Sequence<{
    readonly places: readonly (Tensor | undefined)[]
    readonly outputs: readonly Tensor[]
  }>
  readonly #guards: readonly Guard[]
  #busy = false
  #isDisposed = false

  private constructor({ block, slots, constants, files }: Parts, given: Given, guarded: boolean) {
    this.#guards = guarded
      ? given.flatMap(([, x], input) => (isGuarded(x) ? [{ input, elements: elementsOf(x) }] : []))
      : []
    this.#sequence = sequence((builder) => {
      const places = given.map(([, x]) => (guarded && isGuarded(x) ? undefined : builder.input(x.dtype, x.shape)))
      // A caller may change what it gave, so that guarded inputs are copies.
      const inputs = given.map(([slot, x], i) => [slot, places[i] ?? (identity(x) as Tensor)] as const)
      const run = new Run(slots, [...constants, ...inputs], files)
      return { places, outputs: computeWith(run.values(block), settling(builder)) }
    })
  }

  /** The plan for inputs like these; undefined where there is none, because elements of inputs decide what is computed. */
  static of(parts: Parts, given: Given, guarded: boolean): PlannedRun | undefined {
    try {
      return new PlannedRun(parts, given, guarded)
    } catch (error) {
      // What is wrong, if anything, the general way says.
      if (error instanceof BcastError || error instanceof OnnxError || error instanceof NotRepeatable) return undefined
      throw error
    }
  }

  /** Whether a run is on its way, in whose memory no other can be computed. */
  get busy(): boolean {
    return this.#busy
  }

  /** Whether it is for these inputs, which have the types and shapes that it was made for. */
  serves(given: Given): boolean {
    return this.#guards.every(({ input, elements }) => areSame(elements, elementsOf(given[input]![1])))
  }

  /** The outputs, or undefined where an element has no value: the general way says which. */
  run(given: Given): readonly Tensor[] | undefined {
    const { places, outputs } = this.#sequence.tensors
    try {
      for (const [i, place] of places.entries()) if (place !== undefined) identity(given[i]![1], { out: place })
      this.#sequence.run()
      return outputs.map((output) => identity(output) as Tensor)
    } catch (error) {
      if (error instanceof BcastError) return undefined
      throw error
    }
  }

  async runAsync(given: Given): Promise<readonly Tensor[] | undefined> {
    const { places, outputs } = this.#sequence.tensors
    this.#busy = true
    try {
      // All at once, so that what a caller disposes of meanwhile stays until it is copied.
      await Promise.all(
        places.map((place, i) => (place === undefined ? undefined : identity.async(given[i]![1], { out: place }))),
      )
      await this.#sequence.async()
      return await Promise.all(outputs.map((output) => identity.async(output) as Promise<Tensor>))
    } catch (error) {
      if (error instanceof BcastError) return undefined
      throw error
    } finally {
      this.#busy = false
      if (this.#isDisposed) this.#sequence.dispose()
    }
  }

  dispose(): void {
    this.#isDisposed = true
    if (!this.#busy) this.#sequence.dispose()
  }
}

const areSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((element, i) => element === b[i])
