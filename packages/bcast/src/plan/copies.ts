// Which operands kernels need copies of, and how: small ones are copied whole, large ones in tiles that fit the cache,
// so that a computation needs no more memory than its operands and its result. A computation that nobody waits for
// copies them whole before anything runs.
import type { Loops } from './loops.ts'
import { elementsIn, type Packing, packing, roomFor, tileSizes } from './staging.ts'

/** Bytes of an operand that are copied at once: with two or three operands a tile stays in the second-level cache. */
const TILE = 1 << 16
/** Kernels read whole vectors, so they may read this far past a copy's last element. */
export const SLACK = 256
/** Memory for the copies of computations that are waited for. */
export const STAGE_BYTES: number = (1 << 20) - (1 << 16)
/** Bytes of an operand that is worth a memory that copies are faster to. */
const LARGE = 1 << 22

/** An operand copied whole. */
export interface Copy {
  readonly operand: number
  /** Where the copy begins in the memory for copies. */
  readonly at: number
  readonly packing: Packing
}

/** A short row of an operand, repeated to a long one. */
export interface RepeatedRow {
  readonly operand: number
  readonly at: number
  /** From element to element of the row, in the operand. */
  readonly stride: number
  /** Elements of the row, and of all its repetitions. */
  readonly period: number
  readonly length: number
}

/** Operands that are copied tile by tile. */
export interface Tiles {
  readonly sizes: readonly number[]
  readonly places: readonly { readonly operand: number; readonly at: number }[]
}

export interface Copies {
  /** Copies to memory that threads share are slower; large arrays of the caller go to one that they do not. */
  readonly memory: 'shared' | 'unshared'
  readonly repeated: readonly RepeatedRow[]
  readonly whole: readonly Copy[]
  readonly tiles: Tiles | undefined
  /** Bytes that all of them take. */
  readonly bytes: number
}

export const NO_COPIES: Copies = { memory: 'shared', repeated: [], whole: [], tiles: undefined, bytes: 0 }

const aligned = (at: number): number => Math.ceil(at / 16) * 16

/** A loop in which the copy must have stride 1: kernels write results as whole vectors. */
export const unitLoop = ({ sizes, strides }: Pick<Loops, 'sizes' | 'strides'>, operand: number): number =>
  operand === strides.length - 1 ? sizes.length - 1 : -1

/** Whether all operands lie elsewhere and one is large. */
const isLarge = ({ sizes, strides }: Loops, widths: readonly number[], outside: readonly boolean[]): boolean => {
  const inputs = strides.slice(0, -1)
  return inputs.every((_, i) => outside[i]) && inputs.some((own, i) => elementsIn(sizes, own) * widths[i]! > LARGE)
}

/** Places copies one behind another. */
class Places {
  bytes: number = 0

  /** Where the next copy would end. */
  end(bytes: number): number {
    return aligned(this.bytes) + bytes + SLACK
  }

  take(bytes: number): number {
    const at = aligned(this.bytes)
    this.bytes = this.end(bytes)
    return at
  }
}

/**
 * The copies of operands that lie `outside` the kernels' memory, the result last. `repeated` are rows that become long
 * ones; `now` says that the computation is waited for, so that copies and kernels can take turns.
 */
export function planCopies(
  loops: Loops,
  widths: readonly number[],
  outside: readonly boolean[],
  repeated: readonly Omit<RepeatedRow, 'at'>[],
  { now, unshared }: { readonly now: boolean; readonly unshared: boolean },
): Copies {
  const memory = now && unshared && isLarge(loops, widths, outside) ? 'unshared' : 'shared'
  const result = widths.length - 1
  const isRepeated = (operand: number): boolean => repeated.some((row) => row.operand === operand)
  const wanted = widths
    .map((_, operand) => operand)
    .filter((operand) => !isRepeated(operand) && (memory === 'unshared' || outside[operand]))
  if (wanted.length + repeated.length === 0) return NO_COPIES
  const places = new Places()
  const rows = repeated.map((row) => ({ ...row, at: places.take(row.length * widths[row.operand]!) }))
  const whole: Copy[] = []
  const large: number[] = []
  for (const operand of wanted) {
    const own = loops.strides[operand]!
    const bytesOf = ({ length }: Packing): number => length * widths[operand]!
    // What lies between the elements of a result that is not waited for may change before it arrives.
    const gaps = !now && operand === result ? 1 : undefined
    const packed = packing(loops.sizes, own, unitLoop(loops, operand), gaps)
    // Half the room is kept for tiles.
    const isSmall =
      elementsIn(loops.sizes, own) * widths[operand]! <= TILE && places.end(bytesOf(packed)) <= STAGE_BYTES / 2
    if (now && !isSmall) large.push(operand)
    else whole.push({ operand, at: places.take(bytesOf(packed)), packing: packed })
  }
  if (large.length === 0) return { memory, repeated: rows, whole, tiles: undefined, bytes: places.bytes }
  const share = (STAGE_BYTES - places.bytes) / large.length - 2 * SLACK
  const strides = copiedStrides(loops, whole)
  const limits = widths.map((width, operand) =>
    large.includes(operand) ? Math.max(1, Math.floor(Math.min(TILE, share / roomFor(1)) / width)) : Infinity,
  )
  const sizes = tileSizes(
    loops.sizes,
    strides.map((own, operand) => ({ strides: own, limit: limits[operand]! })),
  )
  const tiled = large.map((operand) => ({
    operand,
    at: places.take(roomFor(limits[operand]!) * widths[operand]!),
  }))
  return { memory, repeated: rows, whole, tiles: { sizes, places: tiled }, bytes: places.bytes }
}

/** Strides of operands as they lie when some are copied whole. */
export const copiedStrides = (
  { strides }: Pick<Loops, 'strides'>,
  whole: readonly Copy[],
): readonly (readonly number[])[] =>
  whole.length === 0
    ? strides
    : strides.map((own, operand) => whole.find((copy) => copy.operand === operand)?.packing.strides ?? own)
