// The plan of a reduction for machine code: longer strips, because its vectors are; rows of few results as they lie; no
// more parts than threads can use, because code is as fast from its first element on.
import { bitsOf } from '../dtype/dtype.ts'
import { elementCount } from '../shape/dim.ts'
import { MAX_PARTS, PARAMETER_ROOM, SHARE } from './kernels.ts'
import { parameterBytes } from './parameters.ts'
import {
  FEW_RESULTS,
  inputsOf,
  isOrdered,
  isUnit,
  LANE_GAP,
  LEAST_COLUMNS,
  type Loop,
  loopsOf,
  motionOf,
  PIECE,
  type ReduceCall,
  type ReducePlan,
  splitResults,
  splitRun,
  widthsOf,
} from './reduce.ts'
import { BLOCK, LANES } from './tree.ts'

/** Bytes of columns that are taken together across a run. */
const STRIP = 16_384
/** Bytes of a row up to which rows that lie one behind the other are taken as one. */
const MOST_JOINED = 4096
/** Rows of a lane that are taken together across a run, while the code stays short. */
const ROUNDS = 8
/** Instructions up to which it does. */
const SHORT = 8
/** Bytes of scratch that keep lanes apart from the rows, and whole lines of the cache. */
const SLACK = 4096 + 64 + LANE_GAP

/** What is known of the processor. */
export interface Vectors {
  /** Bytes of its longest vector, and how many of them a loop can carry. */
  readonly bytes: number
  readonly carried: number
  /** Bytes of columns that short programs compute at once: one vector, or several short ones. */
  readonly columns: number
}

/** Undefined where elements have to be copied first, or moved some other way. */
export function planMachineReduce(call: ReduceCall, threads: number, vectors: Vectors): ReducePlan | undefined {
  const { operands, program } = call
  if (operands.some(({ resident }) => !resident)) return undefined
  const own = loopsOf(call)
  if (own === undefined) return undefined
  const { kept, run } = own
  const length = run.size
  const column = kept.at(-1)
  const widths = widthsOf(program)
  const width = bitsOf(program.code.at(-1)!.dtype) / 8
  const runLanes = isOrdered(call) ? LANES : Math.max(LANES, vectors.bytes / Math.max(...widths))
  const way = wayOf(own.run, column, runLanes * width, vectors)
  if (way === undefined) return undefined
  const loops = way === 'along' ? [...kept, run] : [...kept.slice(0, -1), run, column!]
  const inner = loops.at(-1)!
  const isShort = program.code.length <= SHORT
  const lanes =
    way === 'across'
      ? columnLanes(
          program.code.map(({ dtype }) => bitsOf(dtype) / 8),
          inner.size,
          isShort ? vectors.columns : vectors.bytes,
        )
      : runLanes
  const columns = way === 'flat' ? inner.size : 1
  const rounds = way === 'across' && isShort ? roundsOf(length) : 1
  const sizes = loops.map(({ size }) => size)
  const total = elementCount(sizes)
  const results = total / length
  const most = Math.min(MAX_PARTS, Math.floor(PARAMETER_ROOM / parameterBytes(operands.length + 1, sizes.length)))
  const wanted = threads === 1 ? 1 : Math.min(most, Math.ceil(total / Math.max(SHARE, total / (4 * threads))))
  const runLoop = way === 'along' ? sizes.length - 1 : sizes.length - 2
  const strip = STRIP / width
  const share = Math.ceil(inner.size / threads / PIECE) * PIECE
  const joined =
    way === 'across' && inner.size % lanes === 0 && inner.size * width <= MOST_JOINED && isBehind(run, inner)
  // Rows that lie one behind the other stay whole.
  const split =
    way === 'flat' || joined
      ? splitResults(sizes.slice(0, -1), runLoop, wanted, 1)
      : splitResults(sizes, runLoop, wanted, way === 'across' ? Math.min(strip, share) : 1)
  const isCut = call.open !== true && split.parts < wanted && results <= FEW_RESULTS && length > SHARE
  const depth = Math.ceil(Math.log2(Math.max(2, length / (BLOCK * (way === 'along' ? lanes : LANES))))) + 2
  const laneBytes = (Math.ceil(Math.min(strip, inner.size) / lanes) * lanes + 2 * lanes) * width + LANE_GAP
  const scratch =
    way === 'across' ? depth * LANES * laneBytes + SLACK : (depth + 1) * Math.max(16, lanes * width) * columns + SLACK
  return {
    signature: {
      way,
      motions: inputsOf(inner.steps).map(motionOf),
      still: inputsOf(run.steps).map((step) => rounds > 1 && step === 0),
      lanes,
      rounds,
      columns,
      strip,
      joined,
      open: isCut || call.open === true,
    },
    sizes,
    strides: operands.map((_, i) => loops.map(({ steps }) => steps[i]!)),
    split: isCut ? splitRun(length, runLoop, wanted, lanes) : whole(split, sizes, way === 'across' ? lanes : 1),
    scratch: Math.ceil(scratch / 64) * 64,
    results,
  }
}

function wayOf(
  run: Loop,
  column: Loop | undefined,
  bytes: number,
  vectors: Vectors,
): ReducePlan['signature']['way'] | undefined {
  const steps = inputsOf(run.steps)
  const isAlong = isUnit(steps)
  if (column === undefined || column.steps.at(-1) !== 1 || !isUnit(inputsOf(column.steps))) {
    return isAlong ? 'along' : undefined
  }
  if (isAlong && steps.includes(1)) return 'along'
  const parts = Math.max(1, bytes / vectors.bytes)
  if (isBehind(run, column) && bytes >= 16 && column.size * parts <= vectors.carried && column.size <= LEAST_COLUMNS)
    return 'flat'
  return column.size >= LEAST_COLUMNS ? 'across' : isAlong ? 'along' : undefined
}

/** Whether every row lies right behind the one before it. */
const isBehind = (run: Loop, column: Loop): boolean =>
  inputsOf(run.steps).every((step, i) => step === column.steps[i]! * column.size)

/** Elements of a vector across the run: those of 4 bytes fill so many, and there is at least one vector of them. */
function columnLanes(widths: readonly number[], columns: number, bytes: number): number {
  const wide = widths.filter((width) => width >= 4)
  let lanes = bytes / (wide.length > 0 ? Math.min(...wide) : Math.max(1, ...widths))
  while (lanes > columns) lanes /= 2
  return lanes
}

/** Rounds that are taken together: a power of two, of which a short run has at least one whole group. */
const roundsOf = (length: number): number => Math.max(1, Math.min(ROUNDS, 2 ** Math.floor(Math.log2(length / LANES))))

/** Parts of which the last has a whole vector, too. */
function whole(split: ReducePlan['split'], sizes: readonly number[], lanes: number): ReducePlan['split'] {
  const size = sizes[split.loop]!
  let { length, parts } = split
  while (split.loop === sizes.length - 1 && parts > 1 && size - (parts - 1) * length < lanes) {
    length += PIECE
    parts = Math.ceil(size / length)
  }
  return { loop: split.loop, length, parts }
}
