// Walks through a plan: copies operands that lie elsewhere, writes parameters, and hands kernels to a runner.
import type { TypedArray } from '../../dtype/dtype.ts'
import type { Program } from '../../expr/ir.ts'
import { unitLoop } from '../../plan/copies.ts'
import type { KernelRun } from '../../plan/kernels.ts'
import { parameterBytes } from '../../plan/parameters.ts'
import type { Chunk, Piece } from '../../plan/plan.ts'
import { type Packing, packing } from '../../plan/staging.ts'
import { elementCount, type Shape } from '../../shape/dim.ts'
import type { Placed } from '../../tensor/placed.ts'
import type { Instructions } from '../instructions.ts'
import type { Kernels } from './kernels.ts'
import type { Located } from './located.ts'
import { machine } from './machine/seam.ts'
import { copy, repeatRow } from './memory/copy.ts'
import { writeParameters } from './parameters.ts'
import { partOf } from './part.ts'
import type { Runner } from './task.ts'

/** A memory, and kernels that compute in it. */
export interface KernelHome {
  readonly buffer: ArrayBufferLike
  readonly kernels: Kernels
}

/** What plans are carried out with. */
export interface Workshop {
  readonly shared: KernelHome
  /** A memory of their own for large arrays of the caller; asked for where a plan wants it. */
  unshared(): KernelHome
}

/** What passes leave results in. */
export interface Rooms {
  placed(shape: Shape): readonly Placed[]
  release(): void
}

/** Computes a chunk of a plan, false after a fault; `rooms` are what passes leave results in. */
export function runChunk(
  workshop: Workshop,
  instructions: Instructions,
  { shifts, passes }: Chunk,
  operands: readonly Placed[],
  rooms: readonly Placed[],
  runner: Runner,
): boolean {
  const moved = operands.map(({ storage, offset }, i) => ({ storage, offset: offset + shifts[i]!, strides: [] }))
  return passes.every((pass) => {
    const read = pass.sources.map((source) => ('room' in source ? rooms[source.room]! : moved[source.operand]!))
    const target = pass.room === undefined ? moved.at(-1)! : rooms[pass.room]!
    const own = [...read, target]
    return pass.pieces.every((piece) => runPiece(workshop, instructions, pass.program, piece, own, runner))
  })
}

function runPiece(
  workshop: Workshop,
  instructions: Instructions,
  program: Program,
  piece: Piece,
  operands: readonly Placed[],
  runner: Runner,
): boolean {
  const { loops, copies, kernels, tile } = piece
  const cursors = operands.map(({ storage, offset }, i): Located => {
    const array = storage as TypedArray
    const width = array.BYTES_PER_ELEMENT
    const first = offset + loops.shifts[i]!
    return {
      array,
      memory: array.buffer,
      first,
      width,
      address: array.byteOffset + first * width,
      strides: loops.strides[i]!,
    }
  })
  const { shared } = workshop
  const runAll = (): boolean =>
    kernels.every((run) =>
      piece.machine
        ? machine!.run(shared.kernels, program, run, cursors, runner)
        : runKernel(shared, instructions, program, run, cursors, runner),
    )
  if (copies.bytes === 0) {
    return runAll()
  }
  const home = copies.memory === 'shared' ? shared : workshop.unshared()
  const base = copies.memory === 'shared' ? runner.copies(copies.bytes) : UNSHARED_COPIES
  for (const row of copies.repeated) {
    const cursor = cursors[row.operand]!
    const at = base + row.at
    runner.before(() => repeatRow(cursor.array, cursor.first, row, home.buffer, at))
    cursor.memory = home.buffer
    cursor.address = at
  }
  const result = operands.length - 1
  for (const { operand, at, packing: packed } of copies.whole) {
    const cursor = cursors[operand]!
    const { array, first, width } = cursor
    const address = base + at
    // A result with gaps is read first, so that what lies between its elements comes back unchanged.
    if (operand !== result || packed.gaps) runner.before(() => copy(array, first, packed, home.buffer, address, 'in'))
    cursor.memory = home.buffer
    cursor.address = address + packed.first * width
    cursor.strides = packed.strides
  }
  let done = true
  if (tile === undefined) {
    done = runAll()
  } else {
    const { run } = home.kernels.get(program, tile, instructions)
    const parametersAt = copies.memory === 'shared' ? runner.parameters(parametersOf(cursors)) : UNSHARED_PARAMETERS
    const compute = (sizes: readonly number[], placed: readonly Located[]): boolean => {
      writeParameters(new Int32Array(home.buffer, parametersAt), sizes, placed, 1)
      return run(parametersAt) === 0
    }
    runner.before(() => {
      done = runTiles(home, base, piece, cursors, compute)
      return done
    })
  }
  const written = copies.whole.find(({ operand }) => operand === result)
  if (done && written !== undefined) {
    const { array, first } = cursors[result]!
    runner.after(() => copy(array, first, written.packing, home.buffer, base + written.at, 'out'))
  }
  return done
}

/** Where parameters and copies lie in the memory that is not shared. */
const UNSHARED_PARAMETERS = 0
export const UNSHARED_COPIES: number = 1 << 16

const parametersOf = (cursors: readonly Located[]): number => parameterBytes(cursors.length, cursors[0]!.strides.length)

/** Runs loops in parts, which threads may share. */
function runKernel(
  home: KernelHome,
  instructions: Instructions,
  program: Program,
  kernelRun: KernelRun,
  cursors: readonly Located[],
  runner: Runner,
): boolean {
  const { signature, loops, split } = kernelRun
  const { run, id, bytes } = home.kernels.get(program, signature, instructions)
  const parametersSize = parameterBytes(cursors.length, loops.sizes.length)
  const parametersAt = runner.parameters(split.parts * parametersSize)
  for (let part = 0; part < split.parts; part++) {
    const own = partOf(kernelRun, cursors, part)
    writeParameters(
      new Int32Array(home.buffer, parametersAt + part * parametersSize),
      own.sizes,
      own.operands,
      signature.rows,
    )
  }
  return runner.run({ run, id, bytes, parts: split.parts, parametersAt, parametersSize }, elementCount(loops.sizes))
}

/** Loops cut into tiles; operands are copied tile by tile. */
function runTiles(
  { buffer }: KernelHome,
  base: number,
  { loops, copies }: Piece,
  cursors: readonly Located[],
  compute: (sizes: readonly number[], placed: readonly Located[]) => boolean,
): boolean {
  const { sizes } = loops
  const { sizes: tile, places } = copies.tiles!
  const strides = cursors.map((cursor) => cursor.strides)
  const result = cursors.length - 1
  const held = cursors.map((_, i): { at: number; packed: Packing; position: number } | undefined => {
    const place = places.find(({ operand }) => operand === i)
    return place && { at: base + place.at, packed: packing([], []), position: -1 }
  })
  const origin = sizes.map(() => 0)
  let counts: readonly number[] = []
  for (;;) {
    const wanted = sizes.map((size, loop) => Math.min(tile[loop]!, size - origin[loop]!))
    const resized = wanted.some((count, loop) => count !== counts[loop])
    counts = wanted
    const placed = cursors.map((cursor, i): Located => {
      const { array, first, width, address } = cursor
      const moved = strides[i]!.reduce((sum, stride, loop) => sum + stride * origin[loop]!, 0)
      const own = held[i]
      if (own === undefined) return { ...cursor, address: address + moved * width }
      if (resized) own.packed = packing(counts, strides[i]!, unitLoop(loops, i))
      const { at, packed } = own
      // A part that several tiles in a row use is copied once.
      const present = own.position === first + moved
      own.position = first + moved
      if (i === result ? packed.gaps : !present) copy(array, own.position, packed, buffer, at, 'in')
      return { ...cursor, memory: buffer, strides: packed.strides, address: at + packed.first * width }
    })
    if (!compute(counts, placed)) return false
    const written = held[result]
    if (written !== undefined) copy(cursors[result]!.array, written.position, written.packed, buffer, written.at, 'out')
    let loop = sizes.length - 1
    for (; loop >= 0; loop--) {
      origin[loop] = origin[loop]! + tile[loop]!
      if (origin[loop]! < sizes[loop]!) break
      origin[loop] = 0
    }
    if (loop < 0) return true
  }
}
