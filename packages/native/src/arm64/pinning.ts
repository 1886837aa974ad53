// Homes of values that bodies read and do not write: constants, operands that stand still, what is computed of them. Those
// that are read most have a register throughout, the others a place.
import { pressure } from '../machine/homes.ts'
import type { Pinned } from './allocation.ts'
import type { Assembler } from './assembler.ts'
import type { Body } from './body.ts'
import type { StackFrame } from './frame.ts'
import type { Literal, Memory } from './registers.ts'
import { readsOf, type Step, type Virtual } from './steps.ts'

/** A value that is in a register throughout, and where it is taken from. */
interface Held {
  readonly register: number
  readonly place: Memory | Literal
}

export interface Pinning {
  readonly pinned: Pinned
  /** What is there before anything of a row is computed: constants, and operands that stand still. */
  readonly before: Pinned
  /** What is computed for a row, and where it has to be put. */
  readonly kept: readonly { readonly value: Virtual; readonly place: Memory }[]
  /** Registers that are left for what bodies compute. */
  readonly others: readonly number[]
  readonly constants: readonly Held[]
  /** Changes from row to row. */
  readonly perRow: readonly Held[]
}

const REGISTERS = 32

/** Registers that are always left: a step needs its operands in registers. */
const LEAST_LEFT = 6

export function pin(asm: Assembler, body: Body, bodies: readonly (readonly Step[])[], stack: StackFrame): Pinning {
  const reads = new Map<number, number>()
  for (const step of bodies.flat()) {
    for (const { virtual } of readsOf(step)) reads.set(virtual, (reads.get(virtual) ?? 0) + 1)
  }
  const literals = new Map<number, Literal>()
  for (const { bytes, virtual } of body.w.constants.values()) literals.set(virtual.virtual, asm.literal(bytes))
  const splats = new Map(body.splats.map(({ value }) => [value.virtual, stack.room(16)] as const))
  const kept = body.hoistedSteps.flatMap(({ to }) =>
    to !== undefined && reads.has(to.virtual) ? [{ value: to, place: stack.room(16) }] : [],
  )
  const before = new Map<number, Memory | Literal>([...literals, ...splats])
  const homes = new Map([...before, ...kept.map(({ value, place }) => [value.virtual, place] as const)])
  const needed =
    Math.max(
      ...bodies.map((steps) =>
        pressure(
          steps.map(readsOf),
          steps.map(({ to }) => to),
          (virtual) => homes.has(virtual),
        ),
      ),
    ) + 2
  const first = [...homes.keys()]
    .filter((virtual) => reads.has(virtual))
    .sort((a, b) => reads.get(b)! - reads.get(a)!)
    .slice(0, Math.max(0, REGISTERS - Math.max(LEAST_LEFT, needed)))
  const held = first.map((virtual, register) => ({ virtual, register, place: homes.get(virtual)! }))
  return {
    pinned: new Map<number, number | Memory | Literal>([
      ...homes,
      ...held.map(({ virtual, register }) => [virtual, register] as const),
    ]),
    before,
    kept,
    others: Array.from({ length: REGISTERS - held.length }, (_, i) => REGISTERS - 1 - i),
    constants: held.filter(({ virtual }) => literals.has(virtual)),
    perRow: held.filter(({ virtual }) => !literals.has(virtual)),
  }
}
