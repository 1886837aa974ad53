// Runs programs as kernels in the arena: loops are planned, operands that lie elsewhere staged, work split into parts
// for the threads.
import type { TypedArray } from '../../dtype/dtype.ts'
import type { Program } from '../../expr/ir.ts'
import { type Loops, planLoops } from '../../plan/loops.ts'
import { type Periodic, planPeriodic } from '../../plan/periodic.ts'
import { planRows } from '../../plan/rows.ts'
import { signatureOf } from '../../plan/signature.ts'
import { splitLoops } from '../../plan/split.ts'
import { tileLoops } from '../../plan/tiles.ts'
import type { Shape } from '../../shape/dim.ts'
import type { Operand } from '../interpreter/execute.ts'
import type { WasmPlatform } from '../platform.ts'
import { type Prepared, PreparedCalls } from './bound-call.ts'
import { Kernels, type Ready } from './kernels.ts'
import type { Arena } from './memory/arena.ts'
import { arrayClass } from './memory/copy.ts'
import { type Ahead, addressesOf, type Compute, type Cursor, computeStaged, copyWhole } from './memory/staging.ts'
import { Desk } from './memory/unshared.ts'
import { bytesOfParameters, writeParameters } from './parameters.ts'
import { CHUNK, SHARE } from './sizes.ts'
import { canShareWork, MAX_PARTS, runAlone, type SharedTask, Threads } from './threads/pool.ts'

/** Scratch for parameters and copies of operands. */
const SCRATCH = 1 << 20
/** What of it is for parameters. */
const PARAMETER_ROOM = 1 << 16

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
  /** Small computations that are called again. */
  readonly prepared: PreparedCalls

  constructor(platform: WasmPlatform, arena: Arena) {
    this.#platform = platform
    this.arena = arena
    this.#kernels = new Kernels(platform, arena)
    const scratch = arena.allocate(SCRATCH)
    if (scratch === undefined) throw new RangeError('the arena is smaller than its scratch space')
    this.#scratch = scratch
    this.prepared = new PreparedCalls(arena, this.#kernels, { at: scratch, bytes: SCRATCH })
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

  /** Whether a prepared computation is the way to compute at the moment. */
  canCall({ running, total }: Prepared): boolean {
    return !running && (total <= SHARE || !this.#shares)
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
    if (this.arena.shared && Desk.isFor(sizes, cursors)) {
      this.#desk ??= new Desk(this.#platform)
      return this.#desk.run(program, sizes, cursors)
    }
    const stage = { buffer: this.arena.buffer, begin: this.#scratch + PARAMETER_ROOM, end: this.#scratch + SCRATCH }
    const { run } = this.#kernels.get(program, signatureOf({ strides }, 1))
    return computeStaged(stage, sizes, cursors, inPlace, (tile, placed) => {
      writeParameters(this.arena.buffer, this.#scratch, tile, placed, addressesOf(placed), 1)
      return run(this.#scratch) === 0
    })
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
    const parametersSize = bytesOfParameters(cursors.length, sizes.length)
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
      const at = parametersAt + part * parametersSize
      writeParameters(this.arena.buffer, at, sizes.with(loop, count), cursors, addresses, rows)
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
}
