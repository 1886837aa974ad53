// Stages over some rows, then over the next, told to a backend that goes from one to the next by itself.
import { recordings } from '../backend/recording.ts'
import type { Place, RecordedRows, Recording, Recordings, RowSweep } from '../backend/recordings.ts'
import type { DType, Storage } from '../dtype/dtype.ts'
import type { Stage } from '../expr/stages.ts'
import { fewRows, type Rows } from '../plan/sweeps.ts'
import { elementCount, type Shape } from '../shape/dim.ts'
import { rowMajor } from '../tensor/layout.ts'
import { checkReach, type Lying, placedOf } from '../tensor/placed.ts'
import { Tensor } from '../tensor/tensor.ts'
import { type Computation, NOT_DONE } from './computation.ts'
import { placingWith } from './result.ts'
import { isWhollyIn } from './settled.ts'
import { type Members, rowsOf, someRows } from './stage.ts'

/** Calls of the same stages that are told apart at most; the oldest go first. */
const MOST_KNOWN = 16

/** Steps, and where the elements of what they were told over began. */
interface Kept {
  readonly run: RecordedRows
  readonly offsets: readonly number[]
}

/** What is kept of stages by how their operands lie; undefined where it cannot be. */
type Known = Map<string, Kept | undefined>

const known = new WeakMap<Recordings, WeakMap<readonly Stage[], Known>>()

function knownOf(sweeps: Recordings, stages: readonly Stage[]): Known {
  let own = known.get(sweeps)
  if (own === undefined) known.set(sweeps, (own = new WeakMap()))
  let made = own.get(stages)
  if (made === undefined) own.set(stages, (made = new Map()))
  return made
}

/** What is read and written, each as it is seen by the stages: with the axis that rows are on, or without. */
interface Seen {
  readonly operand: number
  readonly axis: number
  readonly lying: Lying
}

const nameOf = (operand: number, axis: number): string => `${operand} ${axis}`

function seenBy({ stages, members, operands, sourceOf, inside }: Members): Map<string, Seen> {
  const seen = new Map<string, Seen>()
  const see = (operand: number, axis: number): void => {
    if (!inside.has(operand)) seen.set(nameOf(operand, axis), { operand, axis, lying: sourceOf(operand) })
  }
  for (const i of members) {
    for (const { operand, axes } of stages[i]!.inputs) see(operand, axes.indexOf(0))
    see(operands + i, 0)
  }
  return seen
}

/** Computes as many rows as a backend does in one go, and gives how many. */
export function* inOneGo(own: Members, rows: Rows): Computation<number> {
  const sweeps = recordings()
  if (sweeps === undefined) return 0
  if (rows.all * rows.bytes <= sweeps.least) return 0
  const few = fewRows(rows, sweeps.cache)
  const seen = seenBy(own)
  const arrays = [...seen.values()].map(({ lying }) => lying.storage)
  for (let from = 0; from < rows.all; ) {
    const each = Math.min(few, rows.all - from)
    const times = Math.floor((rows.all - from) / each)
    const now = (): number => {
      for (const { lying } of seen.values()) checkReach(lying.layout.shape, placedOf(lying))
      const elements = rows.elements * own.members.length * each * times
      const found = kept(sweeps, own, { times, elements }, { from, each }, seen)
      if (found === undefined) return NOT_DONE
      const shifts = offsetsOf(seen).map((offset, i) => offset - found.offsets[i]!)
      return found.run(arrays, shifts) ? -1 : NOT_DONE
    }
    const position = yield { now, async: async () => NOT_DONE, arrays, repeated: undefined }
    if (position === NOT_DONE) return from
    from += each * times
  }
  return rows.all
}

/** The rows of one time, the first of them. */
interface Some {
  readonly from: number
  readonly each: number
}

const offsetsOf = (seen: ReadonlyMap<string, Seen>): number[] =>
  [...seen.values()].map(({ lying }) => lying.layout.offset)

function kept(
  sweeps: Recordings,
  own: Members,
  sweep: RowSweep,
  some: Some,
  seen: ReadonlyMap<string, Seen>,
): Kept | undefined {
  const known = knownOf(sweeps, own.stages)
  let key = `${own.members[0]} ${some.from} ${some.each} ${sweep.times}`
  for (const [name, { lying }] of seen) key += `;${name} ${lying.layout.strides}`
  if (!known.has(key)) {
    if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value!)
    const run = sweeps.rows(sweep, (recording) => describedIn(recording, own, some, seen))
    known.set(key, run && { run, offsets: offsetsOf(seen) })
  }
  return known.get(key)
}

/** Adds the first rows of all stages, over arrays that stand for others. */
function describedIn(recording: Recording, own: Members, some: Some, seen: ReadonlyMap<string, Seen>): boolean {
  const { stages, members, operands, inside } = own
  const read = new Set(members.flatMap((i) => stages[i]!.inputs.map(({ operand }) => operand)))
  const parts = new Map<string, Lying>()
  for (const [name, { operand, axis, lying }] of seen) {
    const { storage, layout } = rowsOf(lying, axis, some.from, some.each)
    const moves = axis >= 0 && lying.layout.shape[axis] !== 1
    const place: Place = { storage, step: moves ? some.each * layout.strides[axis]! : 0, written: !read.has(operand) }
    parts.set(name, { storage: recording.standIn(place), layout })
  }
  const storageFor = (dtype: DType, shape: Shape): Storage => recording.allocate(dtype, elementCount(shape))
  for (const i of members) {
    if (!inside.has(operands + i)) continue
    const { dtype, result } = stages[i]!
    const shape = [some.each, ...result.slice(1)]
    parts.set(nameOf(operands + i, 0), { storage: storageFor(dtype, shape), layout: rowMajor(shape) })
  }
  return placingWith(
    (dtype, shape) => new Tensor(dtype, rowMajor(shape), storageFor(dtype, shape)),
    () =>
      isWhollyIn(
        recording,
        someRows(own, some.each, (operand, axis) => parts.get(nameOf(operand, axis))!),
      ),
  )
}
