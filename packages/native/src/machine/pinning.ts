// Homes of values that bodies read and do not write: constants, operands that stand still, what is computed of them. Those
// that are read most have a register throughout, the others a place.
import { pressure, type Virtual } from './homes.ts'

/** A value that is in a register throughout, and where it is taken from. */
export interface Held<Place> {
  readonly virtual: number
  readonly register: number
  readonly place: Place
}

/** Homes of a processor whose code names memory as `Memory`, and constants beside the code as `Literal`. */
export interface Pinning<Memory, Literal> {
  readonly pinned: ReadonlyMap<number, number | Memory | Literal>
  /** What is there before anything of a row is computed: constants, and operands that stand still. */
  readonly before: ReadonlyMap<number, Memory | Literal>
  /** What is computed for a row, and where it has to be put. */
  readonly kept: readonly { readonly value: Virtual; readonly place: Memory }[]
  /** Registers that are left for what bodies compute. */
  readonly others: readonly number[]
  readonly constants: readonly Held<Memory | Literal>[]
  /** Changes from row to row. */
  readonly perRow: readonly Held<Memory | Literal>[]
}

/** Registers that are always left: a step may need its operands in registers of its own. */
const LEAST_LEFT = 6

/** What is read and written by the steps of a processor. */
export interface Bodies<Step, Memory, Literal> {
  readonly bodies: readonly (readonly Step[])[]
  readonly readsOf: (step: Step) => readonly Virtual[]
  readonly writtenBy: (step: Step) => Virtual | undefined
  readonly literals: ReadonlyMap<number, Literal>
  /** Operands that stand still. */
  readonly splats: readonly Virtual[]
  /** What is computed for a row before its bodies. */
  readonly hoisted: readonly Step[]
  /** Memory for a value. */
  readonly room: () => Memory
  /** How many registers there are. */
  readonly registers: number
}

export function pinIn<Step, Memory, Literal>(asked: Bodies<Step, Memory, Literal>): Pinning<Memory, Literal> {
  const { bodies, readsOf, writtenBy, literals, hoisted, room, registers } = asked
  const reads = new Map<number, number>()
  for (const step of bodies.flat()) {
    for (const { virtual } of readsOf(step)) reads.set(virtual, (reads.get(virtual) ?? 0) + 1)
  }
  const splats = asked.splats.map(({ virtual }) => [virtual, room()] as const)
  const kept = hoisted.flatMap((step) => {
    const to = writtenBy(step)
    return to !== undefined && reads.has(to.virtual) ? [{ value: to, place: room() }] : []
  })
  const before = new Map<number, Memory | Literal>([...literals, ...splats])
  const homes = new Map([...before, ...kept.map(({ value, place }) => [value.virtual, place] as const)])
  const needed =
    Math.max(
      ...bodies.map((steps) => pressure(steps.map(readsOf), steps.map(writtenBy), (virtual) => homes.has(virtual))),
    ) + 2
  const first = [...homes.keys()]
    .filter((virtual) => reads.has(virtual))
    .sort((a, b) => reads.get(b)! - reads.get(a)!)
    .slice(0, Math.max(0, registers - Math.max(LEAST_LEFT, needed)))
  const held = first.map((virtual, register) => ({ virtual, register, place: homes.get(virtual)! }))
  return {
    pinned: new Map<number, number | Memory | Literal>([
      ...homes,
      ...held.map(({ virtual, register }) => [virtual, register] as const),
    ]),
    before,
    kept,
    others: Array.from({ length: registers - held.length }, (_, i) => registers - 1 - i),
    constants: held.filter(({ virtual }) => literals.has(virtual)),
    perRow: held.filter(({ virtual }) => !literals.has(virtual)),
  }
}
