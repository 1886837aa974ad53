// A call to its plan: everything that can be settled before memory is touched, as plain data. Chunks of the result one
// after another, in each the passes of the program, in each pass loops in pieces, in each piece copies and kernels.
import { bitsOf, type DType } from '../dtype/dtype.ts'
import type { Program } from '../expr/ir.ts'
import { elementCount, type Shape } from '../shape/dim.ts'
import { rowMajorStrides } from '../tensor/layout.ts'
import type { Call, CallOperand } from './call.ts'
import { chunks } from './chunks.ts'
import { type Copies, copiedStrides, NO_COPIES, planCopies } from './copies.ts'
import { type KernelRun, planKernels } from './kernels.ts'
import { type Loops, planLoops } from './loops.ts'
import type { Pass } from './passes.ts'
import { planPeriodic } from './periodic.ts'
import { type Signature, signatureOf } from './signature.ts'
import { elementsIn } from './staging.ts'

export interface Plan {
  /** What passes leave for each other, an array for each. */
  readonly rooms: readonly { readonly dtype: DType; readonly count: number }[]
  readonly chunks: readonly Chunk[]
}

/** Part of the result. */
export interface Chunk {
  readonly shape: Shape
  /** How far each operand's first element moves. */
  readonly shifts: readonly number[]
  readonly passes: readonly PlannedPass[]
}

/** A program over a chunk. */
export interface PlannedPass {
  readonly program: Program
  /** What it reads, and the room that it writes to, which the last pass has none of. */
  readonly sources: readonly PlannedSource[]
  readonly room: number | undefined
  readonly pieces: readonly Piece[]
}

/** An operand of the call, or what an earlier pass left. */
export type PlannedSource = { readonly operand: number } | { readonly room: number }

export interface Piece {
  /** Over operands as they are given. */
  readonly loops: Loops
  readonly copies: Copies
  /** Over operands and copies, where none is copied in tiles. */
  readonly kernels: readonly KernelRun[]
  /** Of the kernel that runs each tile. */
  readonly tile: Signature | undefined
}

export interface PlanOptions {
  /** Threads that compute. */
  readonly threads: number
  /** Whether it is waited for. */
  readonly now: boolean
  /** Whether there is a memory that threads do not share. */
  readonly unshared: boolean
  /** The passes of a program that one kernel cannot hold. */
  readonly passesOf: ((program: Program) => readonly Pass[] | undefined) | undefined
}

/** Bytes that the copies of a chunk may take where all are made before anything runs. */
const COPIED_BYTES = 1 << 23
/** Bytes of what passes leave for each other in a chunk. */
const ROOM_BYTES = 1 << 22
/** Elements of a chunk of passes: enough that the calls cost little, few enough to stay in the cache. */
const LEAST_ELEMENTS = 1 << 14
const MOST_ELEMENTS = 1 << 18

export function planCall(call: Call, options: PlanOptions): Plan {
  const { program, shape, operands } = call
  const passes = options.passesOf?.(program)
  if (passes === undefined && options.now) {
    // The common case, without ceremony.
    const pass = { program, sources: operandsOf(program), room: undefined, pieces: planPieces(call, options) }
    return { rooms: [], chunks: [{ shape, shifts: operands.map(() => 0), passes: [pass] }] }
  }
  const rooms = passes === undefined ? NO_ROOMS : roomsOf(passes)
  const most = passes === undefined ? Number.POSITIVE_INFINITY : elementsAtOnce(rooms.dtypes)
  const known = new Map<string, readonly PlannedPass[]>()
  const planned = (part: Shape): readonly PlannedPass[] => {
    const key = part.join()
    let own = known.get(key)
    if (own === undefined) known.set(key, (own = planPasses({ ...call, shape: part }, passes, rooms, options)))
    return own
  }
  const size = (part: Shape): boolean => elementCount(part) <= most
  const parts = options.now ? chunksOf(call, size, firstAxis) : chunksForCopies(call, size)
  return {
    rooms: rooms.dtypes.map((dtype) => ({ dtype, count: Math.min(most, elementCount(shape)) })),
    chunks: [...parts].map((part) => ({ ...part, passes: planned(part.shape) })),
  }
}

const operandsOf = ({ inputs }: Program): readonly PlannedSource[] => inputs.map((_, operand) => ({ operand }))

const chunksOf = (
  { shape, operands }: Call,
  fits: (part: Shape) => boolean,
  axisOf: (part: Shape) => number,
): Iterable<{ readonly shape: Shape; readonly shifts: readonly number[] }> =>
  chunks(
    shape,
    operands.map(({ strides }) => strides),
    fits,
    axisOf,
  )

const firstAxis = (part: Shape): number => part.findIndex((size) => size > 1)

/** Chunks of which each needs few copies; a single one where all operands lie in the kernels' memory. */
function chunksForCopies(call: Call, isSmall: (part: Shape) => boolean) {
  const { shape, operands } = call
  const result = operands.at(-1)!
  // Kernels write elements that lie side by side; a result that has none is copied wherever it lies.
  const scattered = !result.strides.some((stride, axis) => shape[axis]! > 1 && Math.abs(stride) === 1)
  const copied = operands.filter((operand) => !operand.resident || (scattered && operand === result))
  const bytes = (part: Shape): number =>
    copied.reduce((sum, { strides, width }) => sum + elementsIn(part, strides) * width, 0)
  // The axis farthest out in the result's memory along which copies get smaller.
  const copiesAxis = (part: Shape): number =>
    part.reduce((best, size, axis) => {
      const shrinks = size > 1 && copied.some(({ strides }) => strides[axis] !== 0)
      return shrinks && (best < 0 || Math.abs(result.strides[axis]!) > Math.abs(result.strides[best]!)) ? axis : best
    }, -1)
  const fewCopies = (part: Shape): boolean => bytes(part) <= COPIED_BYTES || copiesAxis(part) < 0
  return chunksOf(
    call,
    (part) => fewCopies(part) && isSmall(part),
    (part) => (fewCopies(part) ? firstAxis(part) : copiesAxis(part)),
  )
}

interface Rooms {
  /** The room of each pass but the last. */
  readonly places: readonly number[]
  readonly dtypes: readonly DType[]
}

const NO_ROOMS: Rooms = { places: [], dtypes: [] }

/** Which of a few rooms each pass leaves its result in: one that nobody reads any more is used again. */
function roomsOf(passes: readonly Pass[]): Rooms {
  const dtypes: DType[] = []
  const free: number[] = []
  const places: number[] = []
  const lastReadBy = passes.map((): number[] => [])
  passes.forEach(({ lastReader }, i) => {
    lastReadBy[lastReader]!.push(i)
  })
  passes.forEach(({ program }, i) => {
    if (i === passes.length - 1) return
    const { dtype } = program.code.at(-1)!
    const at = free.findIndex((room) => dtypes[room] === dtype)
    places.push(at < 0 ? dtypes.push(dtype) - 1 : free.splice(at, 1)[0]!)
    // Only behind the pass, because it still reads what it is the last reader of.
    for (const earlier of lastReadBy[i]!) free.push(places[earlier]!)
  })
  return { places, dtypes }
}

function elementsAtOnce(dtypes: readonly DType[]): number {
  const bytes = dtypes.reduce((sum, dtype) => sum + bitsOf(dtype) / 8, 0)
  return Math.min(MOST_ELEMENTS, Math.max(LEAST_ELEMENTS, Math.floor(ROOM_BYTES / bytes)))
}

function planPasses(
  call: Call,
  passes: readonly Pass[] | undefined,
  { places, dtypes }: Rooms,
  options: PlanOptions,
): readonly PlannedPass[] {
  const { program, shape, operands } = call
  if (passes === undefined)
    return [{ program, sources: operandsOf(program), room: undefined, pieces: planPieces(call, options) }]
  const strides = rowMajorStrides(shape)
  const inRoom = (room: number): CallOperand => ({ strides, width: bitsOf(dtypes[room]!) / 8, resident: true })
  return passes.map((pass, i) => {
    const room = places[i]
    const sources = pass.sources.map(
      (source): PlannedSource => ('pass' in source ? { room: places[source.pass]! } : source),
    )
    const read = sources.map((source) => ('room' in source ? inRoom(source.room) : operands[source.operand]!))
    const own = {
      program: pass.program,
      shape,
      operands: [...read, room === undefined ? operands.at(-1)! : inRoom(room)],
    }
    return { program: pass.program, sources, room, pieces: planPieces(own, options) }
  })
}

function planPieces(call: Call, options: PlanOptions): readonly Piece[] {
  const { operands, shape } = call
  if (shape.includes(0)) return []
  const loops = planLoops(
    shape,
    operands.map(({ strides }) => strides),
  )
  const periodic = planPeriodic(loops)
  if (periodic === undefined) return [planPiece(call, loops, [], options)]
  const { period, repeat } = periodic
  const rows = periodic.repeated.map((operand) => ({
    operand,
    stride: loops.strides[operand]!.at(-1)!,
    period,
    length: repeat * period,
  }))
  return periodic.pieces.map((piece) => planPiece(call, piece, rows, options))
}

function planPiece(
  { program, operands }: Call,
  loops: Loops,
  rows: Parameters<typeof planCopies>[3],
  options: PlanOptions,
): Piece {
  const { sizes, strides } = loops
  const result = operands.length - 1
  const inner = sizes.length - 1
  // Kernels write results as whole vectors; one that jumps on the inner axis is copied wherever it lies.
  const jumps = sizes[inner] !== 1 && strides[result]![inner] !== 1
  const outside = operands.map(({ resident }, i) => !resident || (jumps && i === result))
  const widths = operands.map(({ width }) => width)
  const copies =
    rows.length > 0 || outside.includes(true) ? planCopies(loops, widths, outside, rows, options) : NO_COPIES
  if (copies.tiles !== undefined) {
    return { loops, copies, kernels: [], tile: signatureOf(program, loops, 1) }
  }
  const placed = { sizes, strides: copiedStrides(loops, copies.whole), shifts: operands.map(() => 0) }
  return { loops, copies, kernels: planKernels(program, placed, widths, options.threads), tile: undefined }
}
