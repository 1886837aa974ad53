// Runs programs as kernels in the arena. Operands that lie elsewhere are staged through it: small ones whole, large
// ones in tiles that fit the cache, so that a computation needs no more memory than its operands and its result.
import { type Motion, PARAMETERS, parameterBytes } from '../compile/wasm/kernel.ts'
import type { TypedArray } from '../dtype/dtype.ts'
import type { Program } from '../expr/ir.ts'
import { type Loops, planLoops } from '../plan/loops.ts'
import { type Periodic, planPeriodic } from '../plan/periodic.ts'
import { tileLoops } from '../plan/tiles.ts'
import type { Shape } from '../shape/dim.ts'
import type { Arena } from './arena.ts'
import type { Operand } from './interpreter/execute.ts'
import { Kernels, type Ready } from './kernels.ts'
import type { WasmPlatform } from './platform.ts'
import { MAX_PARTS, mayWait, runAlone, Threads } from './threads.ts'

/** Scratch for parameters and staged tiles. */
const SCRATCH = 1 << 20
/** A tile of one staged operand: with two or three operands a tile stays in the second-level cache. */
const TILE = 1 << 16
/** One call computes at most this many elements: a call that never returns stays in the platform's baseline code. */
const CHUNK = 1 << 20
/** Elements below which waking other threads costs more than they save. */
const SHARE = 1 << 15
/** Vectors may read this far past a tile's last element. */
const SLACK = 256

/** `unsupported` computes nothing: the interpreter takes over. */
export type Outcome = 'done' | 'fault' | 'unsupported'

/** An operand as the loops see it, in bytes. */
interface Cursor {
  readonly array: TypedArray
  readonly width: number
  /** Byte stride in each loop. */
  readonly steps: readonly number[]
  /** Position of the first element, in elements of `array`. */
  readonly first: number
  /** Its address where the array lies in the arena. */
  address: number
  readonly staged: boolean
}

export class Engine {
  readonly arena: Arena
  readonly #kernels: Kernels
  readonly #scratch: number
  /** Threads that compute, the calling one included. */
  threads = 1
  #threads: Threads | undefined

  constructor(platform: WasmPlatform, arena: Arena) {
    this.arena = arena
    this.#kernels = new Kernels(platform, arena)
    const scratch = arena.allocate(SCRATCH)
    if (scratch === undefined) throw new RangeError('the arena is smaller than its scratch space')
    this.#scratch = scratch
  }

  /** Throws where the platform does not let kernels be compiled. */
  probe(): void {
    this.#kernels.probe()
  }

  execute(program: Program, shape: Shape, inputs: readonly Operand[], out: Operand): Outcome {
    if (shape.includes(0)) return 'done'
    if (!this.#kernels.supports(program)) return 'unsupported'
    const operands = [...inputs, out]
    const loops = planLoops(
      shape,
      operands.map(({ strides }) => strides),
    )
    const inner = loops.sizes.length - 1
    // Results are written as whole vectors.
    if (loops.sizes[inner] !== 1 && loops.strides.at(-1)![inner] !== 1) return 'unsupported'
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

  /** A row of an operand, repeated. It is short, so that staging it costs next to nothing. */
  #repeated({ storage, offset }: Operand, stride: number, shift: number, { repeat, period }: Periodic): Operand {
    const array = storage as TypedArray
    const row = new (array.constructor as new (length: number) => TypedArray)(repeat * period)
    for (let i = 0; i < period; i++) row[i] = array[offset + shift + i * stride]!
    for (let filled = period; filled < row.length; filled *= 2)
      row.copyWithin(filled, 0, Math.min(filled, row.length - filled))
    return { storage: row, offset: 0, strides: [] }
  }

  #runPieces(program: Program, pieces: readonly Loops[], operands: readonly Operand[]): Outcome {
    const motions = motionsOf(pieces[0]!)
    const ready = this.#kernels.get(program, motions)
    for (const loops of pieces.flatMap((piece) => tileLoops(piece, ready.lanes))) {
      const cursors = operands.map((operand, i) => this.#cursor(operand, loops, i))
      const outcome = this.#runStaged(ready, loops.sizes, cursors)
      if (outcome !== 'done') return outcome
    }
    return 'done'
  }

  #cursor({ storage, offset }: Operand, { strides, shifts }: Loops, i: number): Cursor {
    const array = storage as TypedArray
    const width = array.BYTES_PER_ELEMENT
    const first = offset + shifts[i]!
    const staged = !this.arena.holds(array)
    return {
      array,
      width,
      steps: strides[i]!.map((stride) => stride * width),
      first,
      address: staged ? 0 : array.byteOffset + first * width,
      staged,
    }
  }

  /** Operands that all lie in the arena: the largest loop is split into parts for the threads. */
  #runParts({ run, id, bytes, lanes }: Ready, sizes: readonly number[], cursors: readonly Cursor[]): Outcome {
    const total = sizes.reduce((product, size) => product * size, 1)
    const split = sizes.indexOf(Math.max(...sizes))
    const size = sizes[split]!
    const perStep = total / size
    const wanted = Math.min(CHUNK, Math.max(SHARE, Math.ceil(total / (4 * this.threads))))
    const align = split === sizes.length - 1 ? lanes : 1
    const least = Math.ceil(size / MAX_PARTS)
    const length = Math.ceil(Math.max(1, least, Math.floor(wanted / perStep)) / align) * align
    const parts = Math.ceil(size / length)
    const parametersSize = parameterBytes(cursors.length, Math.max(0, sizes.length - 2))
    for (let part = 0; part < parts; part++) {
      const begin = part * length
      const count = Math.min(length, size - begin)
      const addresses = cursors.map(({ address, steps }) => address + begin * steps[split]!)
      this.#writeParameters(this.#scratch + part * parametersSize, sizes.with(split, count), cursors, addresses)
    }
    const task = { run, id, bytes, parts, parametersAt: this.#scratch, parametersSize }
    const shared = this.threads > 1 && mayWait && parts > 1 && total > SHARE
    if (shared) this.#team().start(this.threads - 1)
    return (shared ? this.#team().share(task) : runAlone(task)) === 0 ? 'done' : 'fault'
  }

  #team(): Threads {
    this.#threads ??= new Threads(this.arena)
    return this.#threads
  }

  /** Splits the outermost loop so that calls stay short and staged tiles small, and runs each part. */
  #runStaged(ready: Ready, sizes: readonly number[], cursors: readonly Cursor[]): Outcome {
    const staged = cursors.filter((cursor) => cursor.staged)
    if (staged.length === 0) return this.#runParts(ready, sizes, cursors)
    const { run } = ready
    const outermost = sizes[0]!
    const perStep = sizes.slice(1).reduce((product, size) => product * size, 1)
    const parameters = this.#scratch
    const room = this.#scratch + parameterBytes(cursors.length, Math.max(0, sizes.length - 2))
    let length = Math.max(1, Math.min(outermost, Math.floor(CHUNK / perStep)))
    // Operands that stay put or fit whole are staged once; the others a tile at a time.
    while (length > 1 && staged.some((cursor) => reach(cursor, sizes, length).bytes > TILE && cursor.steps[0] !== 0))
      length = Math.ceil(length / 2)
    const need = staged.reduce((sum, cursor) => sum + reach(cursor, sizes, length).bytes + 2 * SLACK, 0)
    if (room + need > this.#scratch + SCRATCH) return 'unsupported'

    const result = cursors.at(-1)!
    for (let begin = 0; begin < outermost; begin += length) {
      const count = Math.min(length, outermost - begin)
      let free = room
      const addresses = cursors.map((cursor) => {
        if (!cursor.staged) return cursor.address + begin * cursor.steps[0]!
        const { low, bytes } = reach(cursor, sizes, count)
        const from = cursor.first + (begin * cursor.steps[0]!) / cursor.width
        const at = Math.ceil((free + SLACK) / 16) * 16
        free = at + bytes
        // A result with gaps is read first, so that what lies between its elements comes back unchanged.
        if (cursor !== result || bytes !== count * perStep * cursor.width)
          this.#copyIn(cursor, from + low / cursor.width, at, bytes)
        return at - low
      })
      this.#writeParameters(parameters, [count, ...sizes.slice(1)], cursors, addresses)
      const fault = run(parameters)
      if (result.staged) {
        const { low, bytes } = reach(result, sizes, count)
        this.#copyOut(
          result,
          result.first + (begin * result.steps[0]! + low) / result.width,
          addresses.at(-1)! + low,
          bytes,
        )
      }
      if (fault !== 0) return 'fault'
    }
    return 'done'
  }

  #view({ array }: Cursor, address: number, bytes: number): TypedArray {
    const View = array.constructor as new (buffer: ArrayBufferLike, offset: number, length: number) => TypedArray
    return new View(this.arena.buffer, address, bytes / array.BYTES_PER_ELEMENT)
  }

  #copyIn(cursor: Cursor, from: number, address: number, bytes: number): void {
    const part = cursor.array.subarray(from, from + bytes / cursor.width)
    ;(this.#view(cursor, address, bytes) as { set(source: unknown): void }).set(part)
  }

  #copyOut(cursor: Cursor, to: number, address: number, bytes: number): void {
    ;(cursor.array as { set(source: unknown, at: number): void }).set(this.#view(cursor, address, bytes), to)
  }

  #writeParameters(
    at: number,
    sizes: readonly number[],
    cursors: readonly Cursor[],
    addresses: readonly number[],
  ): void {
    const words = new Int32Array(
      this.arena.buffer,
      at,
      parameterBytes(cursors.length, Math.max(0, sizes.length - 2)) / 4,
    )
    const inner = sizes.length - 1
    const rows = inner > 0 ? sizes[inner - 1]! : 1
    const outer = Math.max(0, inner - 1)
    words[PARAMETERS.inner / 4] = sizes[inner]!
    words[PARAMETERS.rows / 4] = rows
    words[PARAMETERS.outer / 4] = outer
    let i = PARAMETERS.operands / 4
    cursors.forEach(({ steps }, c) => {
      words[i++] = addresses[c]!
      words[i++] = steps[inner]!
      words[i++] = inner > 0 ? steps[inner - 1]! : 0
    })
    // What the loops inside have moved an operand by, which a step of the next one takes back.
    const moved = cursors.map(({ steps }) => (inner > 0 ? rows * steps[inner - 1]! : 0))
    for (let loop = inner - 2; loop >= 0; loop--) {
      words[i++] = sizes[loop]!
      words[i++] = 0
      cursors.forEach(({ steps }, c) => {
        words[i++] = steps[loop]! - moved[c]!
        moved[c] = moved[c]! + (sizes[loop]! - 1) * steps[loop]!
      })
    }
  }
}

/** The bytes an operand touches in `count` steps of the outermost loop: where they start from its first, and how many. */
function reach({ steps, width }: Cursor, sizes: readonly number[], count: number): { low: number; bytes: number } {
  let low = 0
  let high = 0
  steps.forEach((step, loop) => {
    const distance = ((loop === 0 ? count : sizes[loop]!) - 1) * step
    if (distance < 0) low += distance
    else high += distance
  })
  return { low, bytes: high - low + width }
}

/** How each operand moves on the innermost loop. */
const motionsOf = ({ strides }: Loops): Motion[] =>
  strides.slice(0, -1).map((own) => {
    const step = own.at(-1)!
    if (step === 0) return 'splat'
    return step === 1 ? 'unit' : 'strided'
  })
