// Tasks of machine code that are described once, to run over other arrays: what their parameters point at is known by the
// arrays that stood for others, and by the memory that they compute in.
import { arrayOver, bitsOf, type DType, type Storage, type TypedArray } from '../../../dtype/dtype.ts'
import { WIDE_PARAMETERS } from '../../../plan/parameters.ts'
import type { Job } from '../../backend.ts'
import type { Place, Recording } from '../../row-sweeps.ts'
import type { WebAssemblyBackend } from '../backend.ts'
import type { Keeping } from '../keeping.ts'
import type { Task } from '../task.ts'
import type { MachineCode, MadeKernel } from './code.ts'
import { readWide } from './parameters.ts'

/** Blocks start at cache lines. */
const ALIGNMENT = 64
/** Room for the parameters of kernels, and for what they compute in. */
const TOLD = 1 << 14
const SCRATCH = 1 << 22

/** A pointer among parameters. */
export interface Pointer {
  /** Its word, counted from the first that is told. */
  readonly word: number
  /** Where it points: so many bytes into the array of a place, into scratch memory, or at an address. */
  readonly into: number | 'scratch' | 'address'
  readonly value: number
}

/** Tasks, and all that they need but the arrays of places. */
export interface Recorded {
  readonly kernels: readonly { readonly address: number; readonly parametersAt: number }[]
  /** The parameters of all, which `parametersAt` counts in. */
  readonly told: Int32Array
  readonly pointers: readonly Pointer[]
  /** Bytes of memory to compute in. */
  readonly scratch: number
  /** Bytes by which each place moves from one time to the next. */
  readonly steps: readonly number[]
  /** What is pointed at, or run, and has to stay. */
  readonly held: readonly unknown[]
}

/** Says that a step cannot be kept: it is no machine code, copies something, or finds no room. */
class NotKept extends Error {}

const refuse = (): never => {
  throw new NotKept()
}

/** Memory that is taken from its beginning on. */
class Room {
  readonly at: number
  readonly bytes: number
  used = 0

  constructor(at: number, bytes: number) {
    this.at = at
    this.bytes = bytes
  }

  take(bytes: number): number {
    const at = this.at + this.used
    this.used += Math.ceil(Math.max(1, bytes) / ALIGNMENT) * ALIGNMENT
    return this.used > this.bytes ? refuse() : at
  }
}

class Recorder implements Recording, Keeping {
  readonly backend: WebAssemblyBackend
  readonly use = 'again'
  readonly threads = 1
  readonly #code: MachineCode
  readonly #times: number
  readonly #told: Room
  readonly #scratch: Room
  readonly #tasks: Task[] = []
  readonly #places: Place[] = []
  /** The number of the place that an array stands for. */
  readonly #standing = new Map<Storage, number>()

  /** Over a block of the backend's memory. */
  constructor(code: MachineCode, backend: WebAssemblyBackend, at: number, times: number) {
    this.backend = backend
    this.#code = code
    this.#times = times
    this.#told = new Room(at, TOLD)
    this.#scratch = new Room(at + TOLD, SCRATCH)
  }

  standIn(place: Place): Storage {
    const array = place.storage as TypedArray
    // An array that was taken away is left to the general way, which says so.
    if (!ArrayBuffer.isView(array) || array.length === 0) return refuse()
    const own = new (array.constructor as new (b: ArrayBufferLike, at: number, length: number) => TypedArray)(
      array.buffer,
      array.byteOffset,
      array.length,
    )
    this.#standing.set(own, this.#places.push(place) - 1)
    return own
  }

  timesOf(result: Storage): number {
    return this.#places[this.#standing.get(result) ?? -1]?.written ? this.#times : 1
  }

  allocate(dtype: DType, count: number): Storage {
    const bytes = (count * bitsOf(dtype)) / 8
    return arrayOver(dtype, this.backend.arena.buffer, this.#scratch.take(bytes), bytes)
  }

  borrow(bytes: number): number {
    return this.#scratch.take(bytes)
  }

  parameters(bytes: number): number {
    return this.#told.take(bytes)
  }

  copies(): number {
    return refuse()
  }

  before(): void {
    refuse()
  }

  after(): void {
    refuse()
  }

  run(task: Task): boolean {
    if (task.arrays === undefined || task.parts !== 1) return refuse()
    this.#tasks.push(task)
    return true
  }

  add(job: Job): boolean {
    if (!this.backend.takes(job)) return false
    const plan = this.backend.planOf(job, true, this.use, this.threads)
    return plan.rooms.length === 0 && plan.chunks.every((chunk) => this.backend.runChunk(job, chunk, [], this))
  }

  describe(call: () => boolean): boolean {
    return call()
  }

  finish(): Recorded {
    const { buffer } = this.backend.arena
    const [told, scratch] = [this.#told, this.#scratch]
    const words = new Int32Array(buffer, told.at, told.used / 4).slice()
    const base = this.#code.addressOf(buffer)
    const held: unknown[] = []
    const pointers = this.#tasks.flatMap(({ arrays, parametersAt, run }) => {
      held.push(run)
      return arrays!.map((array, i): Pointer => {
        const entry = WIDE_PARAMETERS.operands + i * WIDE_PARAMETERS.operandSize
        const word = (parametersAt - told.at + entry) / 4
        const address = readWide(words, word)
        const place = array && this.#standing.get(array)
        if (place !== undefined) {
          const { buffer: memory, byteOffset } = array as TypedArray
          return { word, into: place, value: address - this.#code.addressOf(memory) - byteOffset }
        }
        const from = address - base - scratch.at
        if (from >= 0 && from < scratch.bytes) return { word, into: 'scratch', value: from }
        held.push(array)
        return { word, into: 'address', value: address }
      })
    })
    return {
      kernels: this.#tasks.map((task) => ({
        address: (task as Task & MadeKernel).address,
        parametersAt: task.parametersAt - told.at,
      })),
      told: words,
      pointers,
      scratch: scratch.used,
      steps: this.#places.map(({ storage, step }) => step * (storage as TypedArray).BYTES_PER_ELEMENT),
      held,
    }
  }
}

/** What `describe` adds; undefined where it cannot be kept. Results are some rows of what is so many `times` as large. */
export function recorded(
  code: MachineCode,
  backend: WebAssemblyBackend,
  times: number,
  describe: (recording: Recording) => boolean,
): Recorded | undefined {
  const { arena } = backend
  const at = arena.allocate(TOLD + SCRATCH)
  if (at === undefined) return undefined
  try {
    const recorder = new Recorder(code, backend, at, times)
    return describe(recorder) ? recorder.finish() : undefined
  } catch (error) {
    if (error instanceof NotKept) return undefined
    throw error
  } finally {
    arena.free(at, TOLD + SCRATCH)
  }
}
