// A run of elements that become one, as runs of kernels: along the run where its elements lie side by side, across it
// where the results do; in parts, of which a long run has several that leave lanes for the end.
import { bitsOf, isFloat } from '../dtype/dtype.ts'
import type { Program } from '../expr/ir.ts'
import type { Combining } from '../expr/reductions.ts'
import { elementCount, type Shape } from '../shape/dim.ts'
import type { CallOperand } from './call.ts'
import { chunks, type Part } from './chunks.ts'
import { CHUNK, MAX_PARTS, SHARE } from './kernels.ts'
import { parameterBytes } from './parameters.ts'
import type { Motion } from './signature.ts'
import { BLOCK, LANES } from './tree.ts'

export interface ReduceCall {
  readonly program: Program
  readonly combine: Combining
  readonly shape: Shape
  readonly run: readonly [first: number, end: number]
  /** Those that are read, then the result, which stays where it is along the run. */
  readonly operands: readonly CallOperand[]
  /** Whether lanes are left apart for whoever goes on with them. */
  readonly open?: boolean
}

/** What a kernel has to know of a reduction. */
export interface ReduceSignature {
  /** Along the run; across it; along runs whose results are so few that whole rows of them lie one behind the other. */
  readonly way: 'along' | 'across' | 'flat'
  readonly motions: readonly Motion[]
  /** Operands that are the same in every row of a lane. */
  readonly still: readonly boolean[]
  /** Elements of a vector; along the run they are lanes of the tree. */
  readonly lanes: number
  /** Rows of a lane that are taken at once across the run. */
  readonly rounds: number
  /** Results that lie side by side where it is flat. */
  readonly columns: number
  /** Columns that are taken together across the run. */
  readonly strip: number
  /** Whether rows lie one behind the other across the run, each of them in whole vectors. */
  readonly joined: boolean
  /** Whether lanes are left apart. */
  readonly open: boolean
}

export const formatReduceSignature = ({ way, motions, lanes, rounds, open }: ReduceSignature): string =>
  `${way} ${open ? 'open ' : ''}${rounds} ${lanes} ${motions.join()}`

export interface ReducePlan {
  readonly signature: ReduceSignature
  /** From the outermost on: results, and the run, which is the last loop along and the last but one otherwise. */
  readonly sizes: readonly number[]
  /** In elements, for each operand, the result's last. */
  readonly strides: readonly (readonly number[])[]
  /** The loop that is cut into parts, and how long each is. */
  readonly split: { readonly loop: number; readonly length: number; readonly parts: number }
  /** Bytes of scratch that each part needs. */
  readonly scratch: number
  /** Results; where lanes are left apart each part leaves `lanes` for each of them. */
  readonly results: number
  /** Whose machine code it was made for, and whether that runs it. */
  readonly code?: unknown
  readonly machine?: boolean
}

/** Bytes of columns that are taken together across a run: long pieces of rows, and lanes that stay in the cache. */
const STRIP = 8192
/** Columns that a part has at least: whole lines of the cache. */
export const PIECE = 64
/** Bytes between lanes of a strip: a load from where a store went 4096 bytes before would wait for it. */
export const LANE_GAP = 576
/** Columns from which on a run is taken across them. */
export const LEAST_COLUMNS = 8
/** Results up to which a long run is cut into parts. */
export const FEW_RESULTS = 256
/** Parts that a run is cut into at most. */
export const MOST_RUN_PARTS = 32

export interface Loop {
  readonly size: number
  /** Strides of the operands. */
  readonly steps: readonly number[]
}

/** Axes joined where every operand steps evenly across both; axes of size 1 go. */
function joined(loops: readonly Loop[]): Loop[] {
  const result: Loop[] = []
  for (const { size, steps } of loops) {
    if (size === 1) continue
    const last = result.at(-1)
    if (last?.steps.every((step, i) => step === steps[i]! * size)) {
      result[result.length - 1] = { size: last.size * size, steps }
    } else result.push({ size, steps })
  }
  return result
}

export const motionOf = (step: number): Motion => (step === 0 ? 'splat' : step === 1 ? 'unit' : 'strided')

/** Whether the order in which elements are combined makes a difference. */
export const isOrdered = ({ program, combine }: ReduceCall): boolean =>
  isFloat(program.code.at(-1)!.dtype) && (combine === 'add' || combine === 'mul')

/** The loops of a reduction. */
export interface ReduceLoops {
  /** Of the results, in the order in which elements lie, so that memory is walked through once. */
  readonly kept: readonly Loop[]
  readonly run: Loop
}

/** Undefined where the run does not step evenly. */
export function loopsOf({ shape, run, operands }: ReduceCall): ReduceLoops | undefined {
  const loopOf = (axis: number): Loop => ({ size: shape[axis]!, steps: operands.map(({ strides }) => strides[axis]!) })
  const axes = shape.map((_, axis) => axis)
  const along = joined(axes.slice(...run).map(loopOf))
  if (along.length > 1) return undefined
  const isKept = (axis: number): boolean => axis < run[0] || axis >= run[1]
  const reach = ({ steps: own }: Loop): number => Math.max(...inputsOf(own).map(Math.abs))
  const kept = joined(
    axes
      .filter(isKept)
      .map(loopOf)
      .filter(({ size }) => size !== 1)
      .sort((a, b) => reach(b) - reach(a)),
  )
  return { kept, run: along[0] ?? { size: 1, steps: operands.map(() => 0) } }
}

/** Of the operands that are read. */
export const inputsOf = (own: readonly number[]): readonly number[] => own.slice(0, -1)
export const isUnit = (own: readonly number[]): boolean => own.every((step) => step === 0 || step === 1)

/** Bytes of what a program reads and computes. */
export const widthsOf = ({ inputs, code }: Program): readonly number[] =>
  [...inputs, ...code.map(({ dtype }) => dtype)].map((dtype) => (dtype === 'bool' ? 1 : bitsOf(dtype) / 8))

/** The plan of a reduction for so many threads; undefined where elements have to be copied first. */
export function planReduce(call: ReduceCall, threads: number): ReducePlan | undefined {
  const { operands, program } = call
  if (operands.some(({ resident }) => !resident)) return undefined
  const own = loopsOf(call)
  if (own === undefined) return undefined
  const { kept, run } = own
  const { size: length, steps } = run
  const column = kept.at(-1)
  const canAcross = column !== undefined && column.size >= LEAST_COLUMNS && column.steps.at(-1) === 1
  const way = !isUnit(inputsOf(steps)) && canAcross && isUnit(inputsOf(column.steps)) ? 'across' : 'along'
  const loops = way === 'along' ? [...kept, run] : [...kept.slice(0, -1), run, column!]
  const inner = loops.at(-1)!
  const widths = widthsOf(program)
  const width = bitsOf(program.code.at(-1)!.dtype) / 8
  const narrow = 4 / Math.min(...widths)
  const lanes =
    way === 'across'
      ? Math.max(narrow, (program.code.length > 24 ? 16 : 32) / Math.max(...widths))
      : isOrdered(call)
        ? LANES
        : Math.max(LANES, 32 / width)
  // Fewer visits to the lanes, while the code stays short.
  const rounds = way === 'across' && program.code.length <= 8 ? 8 : 1
  const sizes = loops.map(({ size }) => size)
  const total = elementCount(sizes)
  const results = total / length
  const parameters = parameterBytes(operands.length + 1, sizes.length)
  const most = Math.min(MAX_PARTS, Math.floor((1 << 16) / parameters))
  const perPart = threads === 1 ? CHUNK : Math.min(CHUNK, Math.max(SHARE, total / (4 * threads)))
  const wanted = Math.min(most, Math.max(1, Math.ceil(total / perPart)))
  const runLoop = way === 'along' ? sizes.length - 1 : sizes.length - 2
  // Threads share a strip where there is but one.
  const strip = STRIP / width
  const columns = Math.min(strip, Math.ceil(inner.size / threads / PIECE) * PIECE)
  const split = splitResults(sizes, runLoop, wanted, way === 'across' ? columns : 1)
  const isCut = call.open !== true && split.parts < wanted && results <= FEW_RESULTS && length > SHARE
  const depth = Math.ceil(Math.log2(Math.max(2, length / (BLOCK * (way === 'along' ? lanes : LANES))))) + 2
  const laneBytes = Math.ceil(Math.min(strip, inner.size) / lanes) * lanes * width + LANE_GAP
  return {
    signature: {
      way,
      motions: inputsOf(inner.steps).map(motionOf),
      still: [],
      lanes,
      rounds,
      columns: 1,
      strip,
      joined: false,
      open: isCut || call.open === true,
    },
    sizes,
    strides: operands.map((_, i) => loops.map(({ steps: own }) => own[i]!)),
    split: isCut ? splitRun(length, runLoop, wanted, lanes) : split,
    scratch: depth * (way === 'along' ? Math.max(16, lanes * width) : LANES * laneBytes) + (way === 'along' ? 0 : 4096),
    results,
  }
}

type Split = ReducePlan['split']

/** Parts of the results: of the outermost loop that is long enough. */
export function splitResults(sizes: readonly number[], runLoop: number, wanted: number, lanes: number): Split {
  const last = sizes.length - 1
  const loops = sizes.map((_, loop) => loop).filter((loop) => loop !== runLoop)
  const [longest] = [...loops].sort((a, b) => sizes[b]! - sizes[a]!)
  const loop = loops.find((each) => sizes[each]! >= wanted) ?? longest
  if (loop === undefined || wanted === 1) return { loop: loop ?? 0, length: sizes[loop ?? 0]!, parts: 1 }
  const align = loop === last ? lanes : 1
  const length = Math.ceil(Math.ceil(sizes[loop]! / wanted) / align) * align
  return { loop, length, parts: Math.ceil(sizes[loop]! / length) }
}

/** Parts of a run that are whole subtrees: a power of two of blocks. */
export function splitRun(size: number, loop: number, wanted: number, lanes: number): Split {
  const least = size / Math.min(wanted, MOST_RUN_PARTS)
  let length = Math.max(lanes, LANES) * BLOCK
  while (length < least) length *= 2
  return { loop, length, parts: Math.ceil(size / length) }
}

/** Parts of which each has all elements of some results, at most so many elements unless one result has more. */
export function partsOfResults(
  shape: Shape,
  [first, end]: readonly [number, number],
  strides: readonly (readonly number[])[],
  most: number,
): Iterable<Part> {
  const isKept = (axis: number): boolean => axis < first || axis >= end
  return chunks(
    shape,
    strides,
    (part) => elementCount(part) <= most || part.every((size, axis) => size === 1 || !isKept(axis)),
    (part) => part.findIndex((size, axis) => size > 1 && isKept(axis)),
  )
}
