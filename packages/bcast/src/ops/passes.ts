// A program in passes, slab by slab, so that what the passes leave for each other stays in the cache however large the
// result is.

import { type Allocation, allocate } from '../backend/backends.ts'
import type { Operand as Placed } from '../backend/interpreter/execute.ts'
import { bitsOf, type DType } from '../dtype/dtype.ts'
import { slabs } from '../plan/chunks.ts'
import { type Pass, passesOf } from '../plan/passes.ts'
import { elementCount, type Shape } from '../shape/dim.ts'
import { rowMajorStrides } from '../tensor/layout.ts'
import { type Job, type Works, workFor } from './jobs.ts'

/** Bytes of what passes leave for each other in a slab. */
const SLAB_BYTES = 1 << 22
/** Elements of a slab: enough that the calls cost little, few enough to stay in the cache. */
const LEAST_ELEMENTS = 1 << 14
const MOST_ELEMENTS = 1 << 18

/** The work of a program that no kernel can hold; undefined for any other. */
export function inPasses(...job: Job): Works | undefined {
  const [program, shape] = job
  const passes = shape.includes(0) ? undefined : passesOf(program)
  return passes === undefined ? undefined : worksOf(passes, ...job)
}

function* worksOf(passes: readonly Pass[], ...[, shape, inputs, out, arrays]: Job): Works {
  const { places, dtypes } = placesOf(passes)
  const bytes = dtypes.reduce((sum, dtype) => sum + bitsOf(dtype) / 8, 0)
  const most = Math.min(MOST_ELEMENTS, Math.max(LEAST_ELEMENTS, Math.floor(SLAB_BYTES / bytes)))
  const rooms = dtypes.map((dtype) => allocate(dtype, Math.min(most, elementCount(shape))))
  const held = [...arrays, ...rooms.map(({ storage }) => storage)]
  const strides = [...inputs, out].map((operand) => operand.strides)
  const parts = slabs(
    shape,
    [...strides, rowMajorStrides(shape)],
    (part) => elementCount(part) <= most,
    (part) => part.findIndex((size) => size > 1),
  )
  try {
    for (const slab of parts) {
      const moved = (operand: Placed, i: number): Placed => ({ ...operand, offset: operand.offset + slab.shifts[i]! })
      const own = inputs.map(moved)
      const left = (pass: number): Placed => inRoom(rooms[places[pass]!]!, slab.shape)
      let lowest = -1
      for (const [i, pass] of passes.entries()) {
        const sources = pass.sources.map((source) => ('pass' in source ? left(source.pass) : own[source.operand]!))
        const target = i === passes.length - 1 ? moved(out, inputs.length) : left(i)
        const fault = yield workFor(pass.program, slab.shape, sources, target, held)
        // An element without a value spoils what is made of it and nothing else, so the lowest of all passes is right.
        if (fault >= 0 && (lowest < 0 || fault < lowest)) lowest = fault
      }
      if (lowest >= 0) return slab.shifts.at(-1)! + lowest
    }
    return -1
  } finally {
    for (const { release } of rooms) release?.()
  }
}

const inRoom = ({ storage, offset }: Allocation, shape: Shape): Placed => ({
  storage,
  offset,
  strides: rowMajorStrides(shape),
})

/** Which of a few rooms each pass leaves its result in: one that nobody reads any more is used again. */
function placesOf(passes: readonly Pass[]): { places: readonly number[]; dtypes: readonly DType[] } {
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
