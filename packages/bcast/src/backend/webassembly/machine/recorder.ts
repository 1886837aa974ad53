// Tasks of machine code that are described once, to run over other arrays: what their parameters point at is known by the
// arrays that stood for others, and by the memory that they compute in.
import { arrayOver, bitsOf, type DType, dtypeOfArray, type Storage, type TypedArray } from '../../../dtype/dtype.ts'
import type { Job } from '../../backend.ts'
import type { Describing, Place, Recording } from '../../recordings.ts'
import type { WebAssemblyBackend } from '../backend.ts'
import { sumType } from '../codegen/gemm.ts'
import type { Keeping } from '../keeping.ts'
import { sameMemory } from '../memory/arena.ts'
import type { Task } from '../task.ts'
import type { MachineCode, MadeKernel } from './code.ts'
import { readWide } from './parameters.ts'

/** Blocks start at cache lines. */
const ALIGNMENT = 64
/** Room for the parameters of kernels, and for what they compute in: for the rows of one time, and for a call. */
const TOLD = { rows: 1 << 14, call: 1 << 19 } as const
const SCRATCH = { rows: 1 << 22, call: 1 << 20 } as const

/** A task, and how much work it is. */
export interface KeptTask {
  readonly task: Task
  readonly elements: number
}

/** A pointer among parameters. */
export interface Pointer {
  /** Its word, counted from the first that is told. */
  readonly word: number
  /** Where it points: so many bytes into the array of a place, into scratch memory, or at an address. */
  readonly into: number | 'scratch' | 'address'
  readonly value: number
  /** What has to stay, because it points there. */
  readonly held: unknown
}

/** Tasks, and all that they need but the arrays of places. */
export interface Recorded {
  readonly kernels: readonly { readonly address: number; readonly parametersAt: number }[]
  /** The parameters of all, which `parametersAt` counts in. */
  readonly told: Int32Array
  readonly pointers: readonly Pointer[]
  /** Bytes of memory to compute in. */
  readonly scratch: number
  /** Bytes of an element of each place, and by which it moves from one time to the next. */
  readonly places: readonly { readonly width: number; readonly step: number }[]
  /** What is pointed at, or run, and has to stay. */
  readonly held: readonly unknown[]
}

/** A call's tasks, over memory that is theirs until it is given back. */
export interface CallSteps {
  readonly tasks: readonly KeptTask[]
  readonly words: Int32Array
  readonly pointers: readonly Pointer[]
  /** Bytes of an element of each place. */
  readonly widths: readonly number[]
  readonly free: () => void
}

/** Instructions tell in 32 bits how much further on memory is asked for. */
const FARTHEST = 2 ** 30

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

/** What is kept: some rows of what is so many times as large, in one part, or a call as it is. */
type Kind = { readonly times: number } | 'call'

class Recorder implements Recording, Keeping {
  readonly backend: WebAssemblyBackend
  readonly use = 'again'
  readonly threads: number
  readonly tasks: KeptTask[] = []
  readonly #code: MachineCode
  readonly #kind: Kind
  readonly #told: Room
  readonly #scratch: Room
  readonly #places: Place[] = []
  /** The number of the place that an array stands for. */
  readonly #standing = new Map<Storage, number>()
  /** The places that tasks so far have read. */
  readonly #read = new Set<number>()

  /** Over a block of the backend's memory. */
  constructor(code: MachineCode, backend: WebAssemblyBackend, at: number, told: number, scratch: number, kind: Kind) {
    this.backend = backend
    this.threads = kind === 'call' ? backend.threads : 1
    this.#code = code
    this.#kind = kind
    this.#told = new Room(at, told)
    this.#scratch = new Room(at + told, scratch)
  }

  standIn(place: Place): Storage {
    const array = place.storage as TypedArray
    // An array that was taken away is left to the general way, which says so.
    if (!ArrayBuffer.isView(array) || array.length === 0) return refuse()
    const own = arrayOver(dtypeOfArray(array)!, array.buffer, array.byteOffset, array.byteLength)
    this.#standing.set(own, this.#places.push(place) - 1)
    return own
  }

  timesOf(result: Storage): number {
    const isWritten = this.#places[this.#standing.get(result) ?? -1]?.written
    return isWritten && this.#kind !== 'call' ? this.#kind.times : 1
  }

  aheadOf(operand: Storage): number {
    const place = this.#standing.get(operand)
    // What is read for the first time comes just now; asking for more would only have it wait.
    if (this.#kind === 'call' || place === undefined || !this.#read.has(place)) return 0
    const { storage, step } = this.#places[place]!
    const bytes = step * (storage as TypedArray).BYTES_PER_ELEMENT
    return Math.abs(bytes) <= FARTHEST ? bytes : 0
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

  before(work: () => unknown, stays?: boolean): void {
    // The memory that rows are described in is not the one they are computed in.
    if (stays !== true || this.#kind !== 'call') refuse()
    work()
  }

  after(): void {
    refuse()
  }

  run(task: Task, elements: number): boolean {
    if (task.pointers === undefined || (this.#kind !== 'call' && task.parts !== 1)) return refuse()
    this.tasks.push({ task, elements })
    for (const { array } of task.pointers) {
      const place = array && this.#standing.get(array)
      if (place !== undefined && !this.#places[place]!.written) this.#read.add(place)
    }
    return true
  }

  add(job: Job): boolean {
    if (!this.backend.takes(job)) return false
    const plan = this.backend.planOf(job, true, this.use, this.threads)
    return plan.rooms.length === 0 && plan.chunks.every((chunk) => this.backend.runChunk(job, chunk, [], this))
  }

  multiplies(dtype: DType): boolean {
    return this.#kind === 'call' && this.#code.tile(sumType(dtype)) !== undefined
  }

  describe(call: () => boolean): boolean {
    return call()
  }

  /** Bytes that are used of the room for parameters, and of that for what is computed. */
  get used(): { readonly told: number; readonly scratch: number } {
    return { told: this.#told.used, scratch: this.#scratch.used }
  }

  /** The parameters of all tasks. */
  get words(): Int32Array {
    return new Int32Array(this.backend.arena.buffer, this.#told.at, this.#told.used / 4)
  }

  pointers(): readonly Pointer[] {
    const [told, scratch, words] = [this.#told, this.#scratch, this.words]
    const base = this.#code.addressOf(this.backend.arena.buffer)
    return this.tasks.flatMap(({ task: { pointers, parametersAt, parametersSize, parts } }) =>
      Array.from({ length: parts }, (_, part) =>
        pointers!.map(({ at, array }): Pointer => {
          const word = (parametersAt - told.at + part * parametersSize + at) / 4
          const address = readWide(words, word)
          const place = array && this.#standing.get(array)
          if (place !== undefined) {
            const { buffer, byteOffset } = array as TypedArray
            return { word, into: place, value: address - this.#code.addressOf(buffer) - byteOffset, held: undefined }
          }
          const from = address - base - scratch.at
          if (from >= 0 && from < scratch.bytes) return { word, into: 'scratch', value: from, held: undefined }
          return this.#isOfPlace(array) ? refuse() : { word, into: 'address', value: address, held: array }
        }),
      ).flat(),
    )
  }

  /** Whether it is the memory of a place in another array, such as one of another type: then nobody knows which place. */
  #isOfPlace(array: Storage | undefined): boolean {
    return this.#places.some(
      ({ storage }) => array !== undefined && sameMemory((storage as TypedArray).buffer, (array as TypedArray).buffer),
    )
  }

  /** Bytes of an element of each place, and by which it moves from one time to the next. */
  places(): readonly { readonly width: number; readonly step: number }[] {
    return this.#places.map(({ storage, step }) => {
      const width = (storage as TypedArray).BYTES_PER_ELEMENT
      return { width, step: step * width }
    })
  }
}

/** What `describe` adds to a recorder, as `use` makes of it; undefined where it cannot be kept. `use` may keep its memory. */
function recorded<T>(
  code: MachineCode,
  backend: WebAssemblyBackend,
  kind: Kind,
  describe: Describing,
  use: (recorder: Recorder, at: number, bytes: number) => T,
): T | undefined {
  const { arena } = backend
  const told = TOLD[kind === 'call' ? 'call' : 'rows']
  const scratch = SCRATCH[kind === 'call' ? 'call' : 'rows']
  const bytes = told + scratch
  const at = arena.allocate(bytes)
  if (at === undefined) return undefined
  let isKept = false
  try {
    const recorder = new Recorder(code, backend, at, told, scratch, kind)
    if (!describe(recorder)) return undefined
    isKept = kind === 'call'
    return use(recorder, at, bytes)
  } catch (error) {
    if (error instanceof NotKept) return undefined
    throw error
  } finally {
    if (!isKept) arena.free(at, bytes)
  }
}

/** Steps over some rows of what is so many `times` as large. */
export const recordRows = (
  code: MachineCode,
  backend: WebAssemblyBackend,
  times: number,
  describe: Describing,
): Recorded | undefined =>
  recorded(code, backend, { times }, describe, (recorder): Recorded => {
    const { tasks, words, used } = recorder
    const first = tasks[0]!.task.parametersAt
    const pointers = recorder.pointers()
    return {
      kernels: tasks.map(({ task }) => ({
        address: (task as Task & MadeKernel).address,
        parametersAt: task.parametersAt - first,
      })),
      told: words.slice(),
      pointers,
      scratch: used.scratch,
      places: recorder.places(),
      held: [...tasks.map(({ task }) => task.run), ...pointers.map(({ held }) => held)],
    }
  })

/** The steps of a call in memory of its own, of which what is not used goes back. */
export const recordCall = (
  code: MachineCode,
  backend: WebAssemblyBackend,
  describe: Describing,
): CallSteps | undefined =>
  recorded(code, backend, 'call', describe, (recorder, at): CallSteps => {
    const { tasks, words, used } = recorder
    const { arena } = backend
    // No block is empty: freeing one would free what lies behind it.
    const give = (address: number, bytes: number): void => {
      if (bytes > 0) arena.free(address, bytes)
    }
    give(at + used.told, TOLD.call - used.told)
    give(at + TOLD.call + used.scratch, SCRATCH.call - used.scratch)
    const free = (): void => {
      give(at, used.told)
      give(at + TOLD.call, used.scratch)
    }
    // What stood for arrays would keep those.
    const bare = tasks.map(({ task, elements }) => ({ task: { ...task, pointers: undefined }, elements }))
    return {
      tasks: bare,
      words,
      pointers: recorder.pointers(),
      widths: recorder.places().map(({ width }) => width),
      free,
    }
  })
