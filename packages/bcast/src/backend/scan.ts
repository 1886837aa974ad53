// Running sums along an axis, line by line, in plain TypeScript on every backend: each sum needs the one before it, so
// that a loop over typed arrays is as fast as a kernel would be.
import { arrayOver, type DType, isInteger, isWide, type Storage, type TypedArray } from '../dtype/dtype.ts'
import { type Real, realArithmetic } from '../dtype/real.ts'
import { planLoops } from '../plan/loops.ts'
import type { Shape } from '../shape/dim.ts'
import { checkReach, type Placed } from '../tensor/placed.ts'
import { nextTurn } from './platform.ts'
import { float32Sums, float64Sums, int32Sums, int64Sums, type Lines, type Sums } from './sums.ts'

/** Sums of `from` along an axis into `to`, both seen in a shape; they may be the same elements in the same order. */
export interface ScanJob {
  /** Of 32 or 64 bits, or real. */
  readonly dtype: DType
  readonly shape: Shape
  readonly axis: number
  readonly from: Placed
  readonly to: Placed
}

/** Elements that are summed before other things get their turn. */
const PAUSE = 1 << 18

/** Lines that share what is fetched into the cache, so that each may be summed by itself. */
const FEW = 16

const realSums = (): Sums<Real[]> => {
  const { add } = realArithmetic()
  const each: Sums<Real[]>['along'] = (from, to, lines, begin, end) => {
    const { alongFrom, alongTo, acrossFrom, acrossTo, count } = lines
    for (let line = 0; line < count; line++) {
      const [at, place] = [lines.from + line * acrossFrom, lines.to + line * acrossTo]
      for (let i = begin; i < end; i++) {
        const x = from[at + i * alongFrom]!
        to[place + i * alongTo] = i === 0 ? x : add(to[place + (i - 1) * alongTo]!, x)
      }
    }
  }
  return { along: each, across: each }
}

/** Unsigned integers wrap as signed ones do. */
const signed = (dtype: DType): DType => (isInteger(dtype) ? (isWide(dtype) ? 'int64' : 'int32') : dtype)

const typed: Readonly<Record<string, unknown>> = {
  float32: float32Sums,
  float64: float64Sums,
  int32: int32Sums,
  int64: int64Sums,
}

const sumsOf = (dtype: DType): Sums<never> => (typed[signed(dtype)] ?? realSums()) as Sums<never>

function arrayOf(dtype: DType, storage: Storage): never {
  if (dtype === 'real') return storage as never
  const { buffer, byteOffset, byteLength } = storage as TypedArray
  return arrayOver(signed(dtype), buffer, byteOffset, byteLength) as never
}

/** Runs along lines that lie side by side, in steps of about `PAUSE` elements; gives how many each was. */
function* runLines(sums: Sums<never>, from: never, to: never, lines: Lines, length: number): Generator<number> {
  const { acrossFrom, acrossTo, count } = lines
  if (count > FEW && Math.abs(acrossTo) < Math.abs(lines.alongTo)) {
    const step = Math.max(1, Math.floor(PAUSE / count))
    for (let begin = 0; begin < length; begin += step) {
      const end = Math.min(length, begin + step)
      sums.across(from, to, lines, begin, end)
      yield (end - begin) * count
    }
    return
  }
  const step = Math.max(4, Math.floor(PAUSE / length))
  for (let line = 0; line < count; line += step) {
    const own = {
      ...lines,
      from: lines.from + line * acrossFrom,
      to: lines.to + line * acrossTo,
      count: Math.min(step, count - line),
    }
    for (let begin = 0; begin < length; begin += PAUSE) {
      const end = Math.min(length, begin + PAUSE)
      sums.along(from, to, own, begin, end)
      yield (end - begin) * own.count
    }
  }
}

/** Does it step by step; gives how many elements each step was. */
function* steps({ dtype, shape, axis, from, to }: ScanJob): Generator<number> {
  const others = <T>(values: readonly T[]): T[] => values.filter((_, i) => i !== axis)
  const { sizes, strides, shifts } = planLoops(others(shape), [others(from.strides), others(to.strides)])
  const [fromStrides, toStrides] = strides as [readonly number[], readonly number[]]
  const sums = sumsOf(dtype)
  const [source, target] = [arrayOf(dtype, from.storage), arrayOf(dtype, to.storage)]
  const inner = sizes.length - 1
  const length = shape[axis]!
  function* within(loop: number, at: number, place: number): Generator<number> {
    if (loop < inner) {
      for (let i = 0; i < sizes[loop]!; i++) {
        yield* within(loop + 1, at + i * fromStrides[loop]!, place + i * toStrides[loop]!)
      }
      return
    }
    const lines = {
      from: at,
      to: place,
      alongFrom: from.strides[axis]!,
      alongTo: to.strides[axis]!,
      acrossFrom: fromStrides[inner]!,
      acrossTo: toStrides[inner]!,
      count: sizes[inner]!,
    }
    yield* runLines(sums, source, target, lines, length)
  }
  yield* within(0, from.offset + shifts[0]!, to.offset + shifts[1]!)
}

/** Throws when an array no longer holds what a job speaks of. */
export const checkScan = ({ shape, from, to }: ScanJob): void => {
  checkReach(shape, from)
  checkReach(shape, to)
}

/** Computes a job. */
export function scan(job: ScanJob): void {
  checkScan(job)
  for (const _ of steps(job));
}

/** The same, letting other things have their turn; only in turn. */
export async function scanAsync(job: ScanJob): Promise<void> {
  checkScan(job)
  let summed = 0
  for (const count of steps(job)) {
    summed += count
    if (summed < PAUSE) continue
    summed = 0
    await new Promise<void>(nextTurn)
    checkScan(job)
  }
}
