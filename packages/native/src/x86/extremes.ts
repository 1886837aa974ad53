// Choices between two values by which of them is less: one instruction of the processor, which gives its second operand
// where the two are equal or one is NaN, just as the choice does.
import type { Instruction } from 'bcast/kernels'

/** The larger or the smaller of two values, by number, the one that is given where neither is behind. */
export interface Extreme {
  readonly larger: boolean
  readonly first: number
  readonly second: number
}

interface Extremes {
  /** By the number of the choice. */
  readonly at: ReadonlyMap<number, Extreme>
  /** Comparisons that nobody else asks for. */
  readonly unused: ReadonlySet<number>
}

const known = new WeakMap<readonly Instruction[], Extremes>()

/** The choices of a program that are extremes. */
export function extremesOf(code: readonly Instruction[]): Extremes {
  let own = known.get(code)
  if (own === undefined) known.set(code, (own = found(code)))
  return own
}

function found(code: readonly Instruction[]): Extremes {
  const at = new Map<number, Extreme>()
  for (const [i, instruction] of code.entries()) {
    const extreme = extremeOf(code, instruction)
    if (extreme !== undefined) at.set(i, extreme)
  }
  const asked = new Set(code.flatMap(({ args }, i) => (at.has(i) ? args.slice(1) : args)))
  const unused = code.flatMap(({ op }, i) => (op === 'less' && !asked.has(i) && i < code.length - 1 ? [i] : []))
  return { at, unused: new Set(unused) }
}

function extremeOf(code: readonly Instruction[], { op, args, dtype }: Instruction): Extreme | undefined {
  if (op !== 'select' || (dtype !== 'float32' && dtype !== 'float64')) return undefined
  const [condition, whenTrue, whenFalse] = args as [number, number, number]
  const { op: comparing, args: compared } = code[condition]!
  if (comparing !== 'less') return undefined
  const [a, b] = compared as [number, number]
  // a < b ? a : b, and a < b ? b : a.
  if (whenTrue === a && whenFalse === b) return { larger: false, first: a, second: b }
  if (whenTrue === b && whenFalse === a) return { larger: true, first: b, second: a }
  return undefined
}
