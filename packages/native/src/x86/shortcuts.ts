// Several instructions of a program that one of the processor's does: what they leave between them is not computed.
import type { Instruction } from 'bcast/kernels'
import type { Level } from './vectors.ts'

/** What one instruction computes of two values, by their numbers. */
export interface Shortcut {
  /** The larger or the smaller, where the second is given if neither is behind; or the first times a power of two. */
  readonly kind: 'max' | 'min' | 'scale'
  readonly first: number
  readonly second: number
}

export interface Shortcuts {
  /** By the number of the instruction that they stand for. */
  readonly at: ReadonlyMap<number, Shortcut>
  /** Instructions that nobody asks for then. */
  readonly unused: ReadonlySet<number>
}

const known: Readonly<Record<Level, WeakMap<readonly Instruction[], Shortcuts>>> = {
  avx2: new WeakMap(),
  avx512: new WeakMap(),
}

export function shortcutsOf(code: readonly Instruction[], level: Level): Shortcuts {
  let own = known[level].get(code)
  if (own === undefined) known[level].set(code, (own = found(code, level)))
  return own
}

function found(code: readonly Instruction[], level: Level): Shortcuts {
  const at = new Map<number, Shortcut>()
  for (const [i, instruction] of code.entries()) {
    if (instruction.dtype !== 'float32' && instruction.dtype !== 'float64') continue
    const shortcut = extremeOf(code, instruction) ?? (level === 'avx512' ? scaledOf(code, instruction) : undefined)
    if (shortcut !== undefined) at.set(i, shortcut)
  }
  const read = new Set(code.flatMap(({ args }) => args))
  // What nobody asks for anyway may have a fault of its own.
  const asked = new Set(code.flatMap((_, i) => (read.has(i) ? [] : [i])))
  const unused = new Set<number>()
  for (let i = code.length - 1; i >= 0; i--) {
    if (!asked.has(i)) {
      unused.add(i)
      continue
    }
    const shortcut = at.get(i)
    for (const arg of shortcut === undefined ? code[i]!.args : [shortcut.first, shortcut.second]) asked.add(arg)
  }
  return { at, unused }
}

/** `a < b ? a : b`, and `a < b ? b : a`: the processor gives its second operand as well where they are equal or NaN. */
function extremeOf(code: readonly Instruction[], { op, args }: Instruction): Shortcut | undefined {
  if (op !== 'select') return undefined
  const [condition, whenTrue, whenFalse] = args as [number, number, number]
  const { op: comparing, args: compared } = code[condition]!
  if (comparing !== 'less') return undefined
  const [a, b] = compared as [number, number]
  if (whenTrue === a && whenFalse === b) return { kind: 'min', first: a, second: b }
  if (whenTrue === b && whenFalse === a) return { kind: 'max', first: b, second: a }
  return undefined
}

/**
 * `x * 2^a * 2^b` for integers a = round(k / 2) and b = k - a: x is of modest size there, so that the first product is exact
 * and the second is rounded as x * 2^k is.
 */
function scaledOf(code: readonly Instruction[], { op, args }: Instruction): Shortcut | undefined {
  if (op !== 'mul') return undefined
  const [inner, second] = args.map((arg) => code[arg]!) as [Instruction, Instruction]
  if (inner.op !== 'mul' || second.op !== 'power2') return undefined
  const first = code[inner.args[1]!]!
  const difference = code[second.args[0]!]!
  if (first.op !== 'power2' || difference.op !== 'sub') return undefined
  const [k, half] = difference.args as [number, number]
  const rounded = code[half]!
  if (first.args[0] !== half || rounded.op !== 'round') return undefined
  const { op: halving, args: halved } = code[rounded.args[0]!]!
  if (halving !== 'mul' || halved[0] !== k) return undefined
  const { op: factor, value } = code[halved[1]!]!
  return factor === 'constant' && Number(value) === 0.5
    ? { kind: 'scale', first: inner.args[0]!, second: k }
    : undefined
}
