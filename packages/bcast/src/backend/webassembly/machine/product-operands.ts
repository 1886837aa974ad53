// Operands of a product in strips: packed a block at a time, or all of them once where they never change.
import { bitsOf, type DType, type Storage } from '../../../dtype/dtype.ts'
import { MAX_PARTS } from '../../../plan/kernels.ts'
import { GATHERING, PACKING } from '../../../plan/product-parameters.ts'
import type { Runner } from '../task.ts'
import type { ProductKernel } from './code.ts'
import type { ProductKernels } from './product-kernels.ts'

/** Elements up to which packing is over before a thread would have begun. */
const PACKED_ALONE = 1 << 16

/** Addresses of tables of offsets, for lines that no steps describe. */
export interface Tables {
  readonly along: number
  readonly across: number
  readonly unit: number
}

/** The rows of A, or the columns of B, as lines: where the first begins, steps from line to line and along each. */
export interface Lines {
  readonly at: number
  readonly array: Storage
  readonly across: number
  readonly along: number
  readonly tables?: Tables | undefined
  /** Lanes of a strip, and how many lines behind one strip the next begins. */
  readonly lanes: number
  readonly advance: number
}

/** Part of an operand: some of its lines, and some elements of each. */
export interface Piece {
  readonly line: number
  readonly lines: number
  readonly start: number
  readonly length: number
}

export interface PackedTypes {
  readonly dtype: DType
  /** Of sums. */
  readonly type: DType
  /** Lanes of a vector. */
  readonly lanes: number
}

/** Bytes from strip to strip of so many elements of each line. */
export const stripBytes = ({ lanes }: Lines, { type }: PackedTypes, length: number): number =>
  (lanes * length * bitsOf(type)) / 8

/** Where a piece lies among all of them, packed one behind another; every element of a line is in one. */
export function placeAmong(lines: Lines, types: PackedTypes, { line, lines: count, start }: Piece, k: number): number {
  const { advance } = lines
  return stripBytes(lines, types, (line / advance) * k + Math.ceil(count / advance) * start)
}

/** Has a piece packed into strips at an address. */
export function packPiece(
  kernels: ProductKernels,
  runner: Runner,
  lines: Lines,
  types: PackedTypes,
  piece: Piece,
  target: number,
  threads: number,
): void {
  const { at, array, across, along, tables, lanes, advance } = lines
  const { line, lines: count, start, length } = piece
  const { dtype, type } = types
  const size = bitsOf(dtype) / 8
  const strip = stripBytes(lines, types, length)
  const isShared = threads > 1 && count * length > PACKED_ALONE
  const perPart = isShared ? Math.ceil(count / advance / Math.min(2 * threads, MAX_PARTS)) * advance : count
  const motion = count === 1 || across === size ? 'unit' : length === 1 || along === size ? 'turned' : 'strided'
  // Signs do not matter to packing.
  const packed = bitsOf(dtype) === 16 ? dtype : type
  const kernel: ProductKernel =
    tables === undefined ? { kind: 'pack', dtype: packed, lanes, advance, motion } : { kind: 'gather', type }
  const told = kernels.parameters(
    runner,
    Math.ceil(count / perPart),
    tables === undefined ? PACKING.bytes : GATHERING.bytes,
  )
  for (let part = 0; part < told.parts; part++) {
    const first = part * perPart
    const own = Math.min(perPart, count - first)
    const to = target + (first / advance) * strip
    if (tables === undefined) {
      told.point(part, PACKING.source, at + (line + first) * across + start * along, array)
      told.write(part, PACKING.across, across)
      told.write(part, PACKING.along, along)
      told.write(part, PACKING.lines, own)
      told.write(part, PACKING.length, length)
      told.point(part, PACKING.target, to)
      told.write(part, PACKING.targetStrip, strip)
    } else {
      told.point(part, GATHERING.source, at, array)
      told.point(part, GATHERING.across, tables.across + 4 * (line + first))
      told.point(part, GATHERING.unit, tables.unit + (4 * (line + first)) / types.lanes)
      told.write(part, GATHERING.lines, own)
      told.point(part, GATHERING.along, tables.along + 4 * start)
      told.write(part, GATHERING.length, length)
      told.point(part, GATHERING.target, to)
      told.write(part, GATHERING.targetStrip, strip)
    }
  }
  kernels.run(runner, kernel, told, count * length)
}
