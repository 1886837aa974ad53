// Runs programs as kernels in the arena: loops are planned, operands that lie elsewhere staged, work split into parts
// for the threads.
import { PARAMETERS, parameterBytes } from '../compile/wasm/kernel.ts'
import type { TypedArray } from '../dtype/dtype.ts'
import type { Program } from '../expr/ir.ts'
import { type Loops, planLoops } from '../plan/loops.ts'
import { type Periodic, planPeriodic } from '../plan/periodic.ts'
import { planRows } from '../plan/rows.ts'
import { signatureOf } from '../plan/signature.ts'
import { splitLoops } from '../plan/split.ts'
import { elementsIn } from '../plan/staging.ts'
import { tileLoops } from '../plan/tiles.ts'
import type { Shape } from '../shape/dim.ts'
import type { Arena } from './arena.ts'
import type { Operand } from './interpreter/execute.ts'
import { Kernels, type Ready, type Run } from './kernels.ts'
import { arrayClass } from './move.ts'
import type { WasmMemory, WasmPlatform } from './platform.ts'
import { type Ahead, type Compute, type Cursor, computeStaged, copyWhole, SLACK } from './staging.ts'
import { canShareWork, MAX_PARTS, runAlone, type SharedTask, Threads } from './threads.ts'

/** Scratch for parameters and copies of operands. */
const SCRATCH = 1 << 20
/** What of it is for parameters. */
const PARAMETER_ROOM = 1 << 16
/** One call computes at most this many elements: a call that never returns stays in the platform's baseline code. */
const CHUNK = 1 << 20
/** Elements below which waking other threads costs more than they save. */
export const SHARE: number = 1 << 15

/** Small foreign operands of prepared calls are staged whole: this many bytes each, this many of them. */
const STAGE = 1 << 13
const STAGES = 8

/** Bytes of the desk, and of an operand that is worth it. */
const DESK = 1 << 20
const LARGE = 1 << 22

/** A small memory that is not shared: the platform copies arrays into it much faster than into one that is. */
class Desk {
  readonly memory: WasmMemory
  readonly kernels: Kernels

  constructor(platform: WasmPlatform) {
    const pages = DESK / 65_536
    this.memory = new platform.Memory({ initial: pages, maximum: pages, shared: false })
    this.kernels = new Kernels(platform, { memory: this.memory, shared: false, maximum: pages })
  }
}

/** A small computation with everything settled but where its operands lie. */
export interface Prepared {
  readonly run: Run
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

/** Takes tasks instead of having them run at once. */
export interface TaskList extends Ahead {
  add(task: SharedTask): void
}

/** `unsupported` computes nothing: the interpreter takes over. */
export type Outcome = 'done' | 'fault' | 'unsupported'

export class Engine {
  readonly arena: Arena
  readonly #platform: WasmPlatform
  readonly #kernels: Kernels
  #desk: Desk | undefined
  readonly #scratch: number
  /** Threads that compute, the calling one included. */
  threads = 1
  #threads: Threads | undefined
  /** Where tasks go, if anywhere; otherwise they run at once. */
  aside: TaskList | undefined
  /** Gives parameter blocks back. */
  readonly #forgotten: FinalizationRegistry<{ readonly at: number; readonly bytes: number }>
  readonly #stages = new Map<unknown, TypedArray>()

  constructor(platform: WasmPlatform, arena: Arena) {
    this.#platform = platform
    this.arena = arena
    this.#kernels = new Kernels(platform, arena)
    const scratch = arena.allocate(SCRATCH)
    if (scratch === undefined) throw new RangeError('the arena is smaller than its scratch space')
    this.#scratch = scratch
    this.#forgotten = new FinalizationRegistry(({ at, bytes }) => arena.free(at, bytes))
  }

  /** Whether the engine must not be used any more; see Threads. */
  get failed(): boolean {
    return this.#threads?.failed === true
  }

  /** Throws where the platform does not let kernels be compiled. */
  probe(): void {
    this.#kernels.probe()
  }

  /** Whether kernels can compute a program; otherwise the interpreter does. */
  supports(program: Program): boolean {
    return this.#kernels.supports(program)
  }

  execute(program: Program, shape: Shape, inputs: readonly Operand[], out: Operand): Outcome {
    if (shape.includes(0)) return 'done'
    if (!this.supports(program)) return 'unsupported'
    const operands = [...inputs, out]
    const loops = planLoops(
      shape,
      operands.map(({ strides }) => strides),
    )
    const periodic = planPeriodic(loops)
    if (periodic === undefined) return this.#runPieces(program, [loops], operands)
    const long = periodic.repeated.map((i) => ({
      i,
      operand: this.#repeated(operands[i]!, loops.strides[i]![1]!, loops.shifts[i]!, periodic),
    }))
    const replaced = operands.map((operand, i) => long.find((entry) => entry.i === i)?.operand ?? operand)
    const pieces = periodic.pieces.map((piece) => ({
      ...piece,
      shifts: piece.shifts.map((shift, i) => (periodic.repeated.includes(i) ? 0 : shift)),
    }))
    return this.#runPieces(program, pieces, replaced)
  }

  /**
   * A small computation made ready to be called again with operands of the same strides: everything but the addresses
   * is settled. Undefined where the general way is needed.
   */
  prepare(
    program: Program,
    shape: Shape,
    strides: readonly (readonly number[])[],
    widths: readonly number[],
  ): Prepared | undefined {
    const total = shape.reduce((product, size) => product * size, 1)
    if (total === 0 || total > CHUNK || widths.length > STAGES || !this.#kernels.supports(program)) return undefined
    const loops = planLoops(shape, strides)
    const { sizes, strides: steps, shifts } = loops
    const inner = sizes.length - 1
    if (sizes[inner] !== 1 && steps.at(-1)![inner] !== 1) return undefined
    const ends = strides.map((own) => own.map((stride, axis) => (shape[axis]! - 1) * stride))
    const lows = ends.map((own) => own.reduce((sum, end) => sum + Math.min(0, end), 0))
    const highs = ends.map((own) => own.reduce((sum, end) => sum + Math.max(0, end), 0))
    // A result outside the arena is copied as it comes, so it has no gaps.
    if (highs.at(-1)! - lows.at(-1)! + 1 !== total) return undefined
    const { run, lanes } = this.#kernels.get(program, signatureOf(loops, 1))
    // Many elements may be worth another plan than the loops as they are.
    const isPlain =
      planPeriodic(loops) === undefined &&
      tileLoops(loops, lanes)[0] === loops &&
      planRows(loops, widths).every(({ rows }) => rows === 1)
    if (total > SHARE && !isPlain) return undefined
    const cursors = steps.map((own, i) => ({ strides: own, width: widths[i]! }))
    const bytes = parameterBytes(cursors.length, Math.max(0, sizes.length - 2))
    const at = this.arena.allocate(bytes)
    if (at === undefined) return undefined
    const none = cursors.map(() => 0)
    this.#writeParameters(at, sizes, cursors, none, 1)
    const words = new Int32Array(this.arena.buffer, at, bytes / 4)
    const prepared = { run, words, at, total, running: false, shifts, widths, lows, highs }
    this.#forgotten.register(prepared, { at, bytes })
    return prepared
  }

  /** Whether a prepared computation is the way to compute at the moment. */
  canCall({ running, total }: Prepared): boolean {
    return !running && (total <= SHARE || !this.#shares)
  }

  /** Runs a prepared computation; gives undefined, having done nothing, where an operand is too large to be staged. */
  call(prepared: Prepared, operands: readonly TypedArray[], offsets: readonly number[]): number | undefined {
    const { run, words, shifts, widths, lows, highs } = prepared
    const result = operands.length - 1
    let spilled = -1
    for (let i = 0; i < operands.length; i++) {
      const array = operands[i]!
      const width = widths[i]!
      const first = offsets[i]!
      let base = array.byteOffset
      if (!this.arena.holds(array)) {
        const low = first + lows[i]!
        const count = highs[i]! - lows[i]! + 1
        // An array that has shrunk is left to the general way, which says so.
        if (count * width > STAGE || low + count > array.length) return undefined
        const at = this.#stage(array, i, i === result ? 0 : low, i === result ? 0 : count)
        if (i === result) spilled = at
        base = this.#scratch + at - low * width
      }
      words[(PARAMETERS.operands + i * PARAMETERS.operandSize) / 4] = base + (first + shifts[i]!) * width
    }
    prepared.running = true
    const fault = run(prepared.at)
    prepared.running = false
    if (spilled >= 0 && fault === 0) {
      const [array, from] = [operands[result]!, spilled / widths[result]!]
      const [low, high] = [lows[result]!, highs[result]!]
      const made = this.#stages.get(array.constructor)!.subarray(from, from + high - low + 1)
      ;(array as { set(source: unknown, at: number): void }).set(made, offsets[result]! + low)
    }
    return fault
  }

  /** Copies part of a foreign array into its place in the scratch space; gives where that is. */
  #stage(array: TypedArray, slot: number, from: number, count: number): number {
    const at = SCRATCH - (slot + 1) * (STAGE + 2 * SLACK) - SLACK
    let view = this.#stages.get(array.constructor)
    if (view === undefined) {
      view = new (arrayClass(array))(this.arena.buffer, this.#scratch, SCRATCH / array.BYTES_PER_ELEMENT)
      this.#stages.set(array.constructor, view)
    }
    const part = count === array.length ? array : array.subarray(from, from + count)
    if (count > 0) (view as { set(source: unknown, at: number): void }).set(part, at / array.BYTES_PER_ELEMENT)
    return at
  }

  /** A row of an operand, repeated. It is short, so that staging it costs next to nothing. */
  #repeated({ storage, offset }: Operand, stride: number, shift: number, { repeat, period }: Periodic): Operand {
    const array = storage as TypedArray
    const row = new (arrayClass(array))(repeat * period)
    for (let i = 0; i < period; i++) row[i] = array[offset + shift + i * stride]!
    for (let filled = period; filled < row.length; filled *= 2)
      row.copyWithin(filled, 0, Math.min(filled, row.length - filled))
    return { storage: row, offset: 0, strides: [] }
  }

  #runPieces(program: Program, pieces: readonly Loops[], operands: readonly Operand[]): Outcome {
    return pieces.every((piece) => this.#runPiece(program, piece, operands)) ? 'done' : 'fault'
  }

  #runPiece(program: Program, { sizes, strides, shifts }: Loops, operands: readonly Operand[]): boolean {
    const inner = sizes.length - 1
    const result = operands.length - 1
    // Kernels write results as whole vectors; one that jumps on the inner axis is staged wherever it lies.
    const jumps = sizes[inner] !== 1 && strides[result]![inner] !== 1
    const cursors = operands.map(({ storage, offset }, i): Cursor => {
      const array = storage as TypedArray
      const width = array.BYTES_PER_ELEMENT
      const first = offset + shifts[i]!
      const staged = (jumps && i === result) || !this.arena.holds(array)
      const address = staged ? 0 : array.byteOffset + first * width
      return { array, width, strides: strides[i]!, first, address, staged }
    })
    const inPlace: Compute = (given, placed) => this.#runInPlace(program, given, placed)
    if (!cursors.some(({ staged }) => staged)) return inPlace(sizes, cursors)
    if (this.aside !== undefined) return inPlace(sizes, copyWhole(this.arena, this.aside, sizes, cursors))
    const inputs = cursors.slice(0, -1)
    if (this.arena.shared && inputs.every(({ staged }) => staged) && inputs.some((input) => isLarge(sizes, input)))
      return this.#runOnDesk(program, sizes, cursors)
    const stage = { buffer: this.arena.buffer, begin: this.#scratch + PARAMETER_ROOM, end: this.#scratch + SCRATCH }
    const { run } = this.#kernels.get(program, signatureOf({ strides }, 1))
    return computeStaged(stage, sizes, cursors, inPlace, (tile, placed) => {
      this.#writeParameters(this.#scratch, tile, placed, addressesOf(placed), 1)
      return run(this.#scratch) === 0
    })
  }

  /** Computes operands of the caller on the desk, to which and from which everything is copied. */
  #runOnDesk(program: Program, sizes: readonly number[], cursors: readonly Cursor[]): boolean {
    this.#desk ??= new Desk(this.#platform)
    const { kernels, memory } = this.#desk
    const { run } = kernels.get(program, signatureOf({ strides: cursors.map(({ strides }) => strides) }, 1))
    const compute: Compute = (tile, placed) => {
      this.#writeParameters(0, tile, placed, addressesOf(placed), 1, memory.buffer)
      return run(0) === 0
    }
    const stage = { buffer: memory.buffer, begin: PARAMETER_ROOM, end: DESK - SLACK }
    const copied = cursors.map((cursor) => ({ ...cursor, staged: true }))
    return computeStaged(stage, sizes, copied, compute, compute)
  }

  #runInPlace(program: Program, sizes: readonly number[], cursors: readonly Cursor[]): boolean {
    const loops = { sizes, strides: cursors.map(({ strides }) => strides), shifts: cursors.map(() => 0) }
    const widths = cursors.map(({ width }) => width)
    return planRows(loops, widths).every((piece) => {
      const ready = this.#kernels.get(program, signatureOf(piece.loops, piece.rows))
      return tileLoops(piece.loops, ready.lanes).every((tile) => {
        const placed = cursors.map((cursor, i) => ({
          ...cursor,
          strides: tile.strides[i]!,
          address: cursor.address + tile.shifts[i]! * cursor.width,
        }))
        return this.#runParts(ready, piece.rows, tile.sizes, placed)
      })
    })
  }

  /** Runs the loops in parts, which the threads share. */
  #runParts(
    { run, id, bytes, lanes }: Ready,
    rows: number,
    sizes: readonly number[],
    cursors: readonly Cursor[],
  ): boolean {
    const total = sizes.reduce((product, size) => product * size, 1)
    const parametersSize = parameterBytes(cursors.length, Math.max(0, sizes.length - 2))
    const { loop, length, parts } = splitLoops(sizes, {
      elements: Math.min(CHUNK, Math.max(SHARE, Math.ceil(total / (4 * this.threads)))),
      most: Math.min(MAX_PARTS, Math.floor(PARAMETER_ROOM / parametersSize)),
      lanes,
      rows,
    })
    const parametersAt = this.placed(parts * parametersSize, this.#scratch)
    for (let part = 0; part < parts; part++) {
      const begin = part * length
      const count = Math.min(length, sizes[loop]! - begin)
      const addresses = cursors.map(({ address, strides, width }) => address + begin * strides[loop]! * width)
      this.#writeParameters(parametersAt + part * parametersSize, sizes.with(loop, count), cursors, addresses, rows)
    }
    const task = { run, id, bytes, parts, parametersAt, parametersSize }
    return this.runTask(task, total > SHARE) === 0
  }

  /** Where a task's parameters or copies go: to memory of their own, or, where it runs at once, to `scratch`. */
  placed(bytes: number, scratch: number): number {
    return this.aside?.room(bytes) ?? scratch
  }

  /** Whether other threads could take part. */
  get #shares(): boolean {
    return this.threads > 1 && canShareWork
  }

  /** Runs all parts of a task, together with the other threads where that is worth waking them and they are free. */
  runTask(task: SharedTask, worthSharing: boolean): number {
    if (this.aside !== undefined) {
      this.aside.add(task)
      return 0
    }
    if (!worthSharing || !this.#shares || task.parts === 1) return runAlone(task)
    if (!this.arena.shared || this.team.busy) return runAlone(task)
    this.team.start(this.threads - 1)
    return this.team.share(task)
  }

  /** Makes a kernel that is not a program's ready to run in tasks. */
  load(bytes: Uint8Array<ArrayBuffer>): Ready {
    return this.#kernels.load(bytes, 1)
  }

  get team(): Threads {
    this.#threads ??= new Threads(this.arena)
    return this.#threads
  }

  #writeParameters(
    at: number,
    sizes: readonly number[],
    cursors: readonly Pick<Cursor, 'strides' | 'width'>[],
    addresses: readonly number[],
    rowsAtOnce: number,
    buffer: ArrayBufferLike = this.arena.buffer,
  ): void {
    const words = new Int32Array(buffer, at, parameterBytes(cursors.length, Math.max(0, sizes.length - 2)) / 4)
    const inner = sizes.length - 1
    const rows = inner > 0 ? sizes[inner - 1]! : 1
    const outer = Math.max(0, inner - 1)
    words[PARAMETERS.inner / 4] = sizes[inner]!
    words[PARAMETERS.rows / 4] = rows / rowsAtOnce
    words[PARAMETERS.outer / 4] = outer
    let i = PARAMETERS.operands / 4
    cursors.forEach(({ strides, width }, c) => {
      words[i++] = addresses[c]!
      words[i++] = strides[inner]! * width
      words[i++] = inner > 0 ? strides[inner - 1]! * width : 0
    })
    // What the loops inside have moved an operand by, which a step of the next one takes back.
    const moved = cursors.map(({ strides }) => (inner > 0 ? rows * strides[inner - 1]! : 0))
    for (let loop = inner - 2; loop >= 0; loop--) {
      words[i++] = sizes[loop]!
      words[i++] = 0
      cursors.forEach(({ strides, width }, c) => {
        words[i++] = (strides[loop]! - moved[c]!) * width
        moved[c] = moved[c]! + (sizes[loop]! - 1) * strides[loop]!
      })
    }
  }
}

/** Whether an operand is worth kernels of the desk's own. */
const isLarge = (sizes: readonly number[], { strides, width }: Cursor): boolean =>
  elementsIn(sizes, strides) * width > LARGE

const addressesOf = (cursors: readonly Cursor[]): number[] => cursors.map(({ address }) => address)
