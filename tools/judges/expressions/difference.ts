// When an element of PyTorch's and ours are alike: within the roundings that the expression lets grow. How much they
// grow there is measured: what float64 gives moves when every value that is read is a little off.
import type { TensorData } from '../case.ts'
import { elementsOf } from '../elements.ts'
import type { ExpressionCase } from './expression.ts'

/** A tensor as PyTorch has it, as it has it in float64, and how far that moves by the unit of what is off. */
export interface Part {
  readonly given: TensorData
  readonly exact: TensorData
  readonly spread: TensorData
}

export type Verdict =
  | 'alike'
  /** They differ, and ours is as near to what float64 gives. */
  | 'nearer'
  /** They differ by no more than roundings become there, which is a tenth of the element or more. */
  | 'undecided'
  | 'different'

export interface Judged {
  /** 0 for the value, else the gradient of an operand from 1 on. */
  readonly part: number
  readonly at: number
  readonly verdict: Verdict
  readonly ours: number
  readonly theirs: number
  readonly exact: number
}

/** The relative size of a rounding, and the smallest number. */
const UNITS: Readonly<Record<string, readonly [unit: number, least: number]>> = {
  float16: [2 ** -11, 2 ** -24],
  bfloat16: [2 ** -8, 2 ** -133],
  float32: [2 ** -24, 2 ** -149],
  float64: [2 ** -53, 2 ** -1074],
}

/** Roundings of one edge of an expression: a derivative takes several operations, a sum over axes many. */
const ROUNDINGS = 64

/** The coarsest unit of the types that an expression passes through. */
export function unitOf({ inputs, steps, delta }: ExpressionCase): readonly [unit: number, least: number] {
  const types = [...inputs, delta].map(({ dtype }) => dtype)
  for (const step of steps) if (step.kind === 'cast') types.push(step.to)
  return types.map((dtype) => UNITS[dtype]!).reduce((a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1])])
}

interface Element {
  readonly ours: number
  readonly theirs: number
  readonly exact: number
  readonly spread: number
}

export function verdictOf({ ours, theirs, exact, spread }: Element, [unit, least]: readonly [number, number]): Verdict {
  if (ours === theirs || (Number.isNaN(ours) && Number.isNaN(theirs))) return 'alike'
  const allowed = ROUNDINGS * (unit * (spread + Math.abs(theirs)) + least)
  const distance = Math.abs(ours - theirs)
  if (Number.isFinite(distance) && distance <= allowed) return 10 * allowed > Math.abs(ours) ? 'undecided' : 'alike'
  // Of float64 nothing is known that is nearer.
  const isNarrow = unit > UNITS['float64']![0]
  const [own, other] = [Math.abs(ours - exact), Math.abs(theirs - exact)]
  return isNarrow && (ours === exact || (Number.isFinite(own) && !(own > 2 * other))) ? 'nearer' : 'different'
}

const numbers = (tensor: TensorData): number[] => elementsOf(tensor) as number[]

/** Every element with what both make of it; or what is wrong with a part as a whole. */
export function judgeParts(
  question: ExpressionCase,
  ours: readonly TensorData[],
  theirs: readonly Part[],
): Judged[] | string {
  const unit = unitOf(question)
  const judged: Judged[] = []
  for (const [part, { given, exact, spread }] of theirs.entries()) {
    const own = ours[part]!
    if (own.dtype !== given.dtype || `${own.shape}` !== `${given.shape}`) {
      return `part ${part} is ${given.dtype} (${given.shape}), ours ${own.dtype} (${own.shape})`
    }
    const [a, b, c, d] = [own, given, exact, spread].map(numbers) as [number[], number[], number[], number[]]
    a.forEach((value, at) => {
      const element = { ours: value, theirs: b[at]!, exact: c[at]!, spread: d[at]! }
      judged.push({ part, at, verdict: verdictOf(element, unit), ...element })
    })
  }
  return judged
}
