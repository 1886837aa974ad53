// A call to its plan: everything that can be settled before memory is touched, as plain data. Chunks of the result one
// after another, in each the passes of the program, in each pass loops in pieces, in each piece copies and kernels.
import type { DType } from '../dtype/dtype.ts'
import type { Program } from '../expr/ir.ts'
import type { Shape } from '../shape/dim.ts'
import type { Call } from './call.ts'
import { chunksOf } from './chunks.ts'
import { type Copies, copiedStrides, NO_COPIES, planCopies } from './copies.ts'
import { type KernelRun, planKernels } from './kernels.ts'
import { type Loops, planLoops } from './loops.ts'
import { planPeriodic } from './periodic.ts'
import { type Signature, signatureOf } from './signature.ts'

export interface Plan {
  /** What passes leave for each other, an array for each. */
  readonly rooms: readonly { readonly dtype: DType; readonly count: number }[]
  readonly chunks: readonly Chunk[]
  /** Whose machine code it was made for. */
  readonly code?: unknown
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
  /** Whether its kernels are machine code. */
  readonly machine?: true
}

export interface PlanOptions {
  /** Threads that compute. */
  readonly threads: number
  /** Whether it is waited for. */
  readonly now: boolean
  /** Whether there is a memory that threads do not share. */
  readonly unshared: boolean
}

/** A call of a program that one kernel can hold. */
export function planCall(call: Call, options: PlanOptions): Plan {
  const { program, shape, operands } = call
  const sources = program.inputs.map((_, operand) => ({ operand }))
  const passes = (part: Shape): readonly PlannedPass[] => [
    { program, sources, room: undefined, pieces: planPieces({ program, shape: part, operands }, options) },
  ]
  if (options.now) return { rooms: [], chunks: [{ shape, shifts: operands.map(() => 0), passes: passes(shape) }] }
  const parts = [...chunksOf(call, false, () => true)]
  return { rooms: [], chunks: parts.map((part) => ({ ...part, passes: passes(part.shape) })) }
}

export function planPieces(call: Call, options: PlanOptions): readonly Piece[] {
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
