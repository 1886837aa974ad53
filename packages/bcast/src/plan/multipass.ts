// Plans of programs that take several passes: chunk by chunk, so that what passes leave for each other stays in the
// cache however large the result is.
import { bitsOf, type DType } from '../dtype/dtype.ts'
import { elementCount, type Shape } from '../shape/dim.ts'
import { rowMajorStrides } from '../tensor/layout.ts'
import type { Call, CallOperand } from './call.ts'
import { chunksOf } from './chunks.ts'
import { type Pass, passesOf } from './passes.ts'
import { type Plan, type PlannedPass, type PlannedSource, type PlanOptions, planCall, planPieces } from './plan.ts'

/** Bytes of what passes leave for each other in a chunk. */
const ROOM_BYTES = 1 << 22
/** Elements of a chunk of passes: enough that the calls cost little, few enough to stay in the cache. */
const LEAST_ELEMENTS = 1 << 14
const MOST_ELEMENTS = 1 << 18

/** A call of any program that kernels can compute. */
export function planWithPasses(call: Call, options: PlanOptions): Plan {
  const { shape, program } = call
  const passes = shape.includes(0) ? undefined : passesOf(program)
  if (passes === undefined) return planCall(call, options)
  const rooms = roomsOf(passes)
  const most = elementsAtOnce(rooms.dtypes)
  const known = new Map<string, readonly PlannedPass[]>()
  const planned = (part: Shape): readonly PlannedPass[] => {
    const key = part.join()
    let own = known.get(key)
    if (own === undefined) known.set(key, (own = planPasses({ ...call, shape: part }, passes, rooms, options)))
    return own
  }
  const parts = chunksOf(call, options.now, (part) => elementCount(part) <= most)
  return {
    rooms: rooms.dtypes.map((dtype) => ({ dtype, count: Math.min(most, elementCount(shape)) })),
    chunks: [...parts].map((part) => ({ ...part, passes: planned(part.shape) })),
  }
}

interface Rooms {
  /** The room of each pass but the last. */
  readonly places: readonly number[]
  readonly dtypes: readonly DType[]
}

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
  passes: readonly Pass[],
  { places, dtypes }: Rooms,
  options: PlanOptions,
): readonly PlannedPass[] {
  const { shape, operands } = call
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
