// Which operands of a node are expanded, and to what. A target is the least that Expand needs to be told: a vector of
// numbers where the sizes are known, else the shape of another operand. Expand broadcasts its data and its target with
// each other, so a target may have 1 where the data already has the size; a 0 that meets a 1 stays 0.
import { isFull, isOneOn, openAxes, rankOf, resultRank, type Site, sizeOn } from './site.ts'

export type Target =
  | { readonly kind: 'sizes'; readonly sizes: readonly number[] }
  /** The shape of another operand; `expanded`: after that one was expanded itself. */
  | { readonly kind: 'operand'; readonly operand: number; readonly expanded: boolean }
  /** The shape of the product in Gemm; sizes that are not numbers are taken from A and B. */
  | { readonly kind: 'product'; readonly sizes: readonly (number | undefined)[] }

export interface Expansion {
  /** Its place among the operands that meet. */
  readonly operand: number
  /** One after the other; more than one only where shapes of several operands come together. */
  readonly targets: readonly Target[]
}

const shapeOf = (operand: number, expanded = false): Target => ({ kind: 'operand', operand, expanded })

/** Sizes as numbers, where those that matter to an operand are. A result of numbers alone is given in full. */
function sizesFor(site: Site, operand: number): Target | undefined {
  const [rank, open] = [resultRank(site), openAxes(site, operand)]
  if (rank === undefined || open === undefined) return undefined
  const sizes = Array.from({ length: rank }, (_, i) => sizeOn(site, rank - i))
  if (open.some((axis) => sizes[rank - axis] === undefined)) return undefined
  const isStatic = sizes.every((size) => size !== undefined)
  return { kind: 'sizes', sizes: sizes.map((size, i) => (isStatic || open.includes(rank - i) ? size! : 1)) }
}

/** Another operand that has every size which this one may lack. */
function siblingFor(site: Site, operand: number, operands: readonly number[]): Target | undefined {
  const open = openAxes(site, operand)
  const hasAll = (other: number): boolean => {
    const lacking = openAxes(site, other)
    return lacking !== undefined && open!.every((axis) => !lacking.includes(axis))
  }
  const sibling = open && operands.find((other) => other !== operand && hasAll(other))
  return sibling === undefined ? undefined : shapeOf(sibling)
}

/** The operand that has most of the result for certain; it is the one to be completed by the others. */
function leading(site: Site, operands: readonly number[]): number {
  const missing = (operand: number): number => openAxes(site, operand)?.length ?? Number.POSITIVE_INFINITY
  return operands.reduce((best, operand) => (missing(operand) < missing(best) ? operand : best))
}

/** Others that may have what an operand lacks: a size, or an axis of size 1. */
function completing(site: Site, operand: number, operands: readonly number[]): readonly number[] {
  const [open, rank] = [openAxes(site, operand), rankOf(site, operand) ?? 0]
  const addsNothing = (other: number): boolean =>
    open?.every((axis) => isOneOn(site, other, axis)) === true && (rankOf(site, other) ?? rank + 1) <= rank
  return operands.filter((other) => other !== operand && !addsNothing(other))
}

/**
 * Operands that meet in any direction. `operands` are the different values among them. Where sizes are not certain,
 * one operand is completed by the shapes of all others, and the others take its shape: whichever size is the 1, the
 * result is right.
 */
export function planMeeting(site: Site, operands: readonly number[]): readonly Expansion[] {
  const open = operands.filter((operand) => !isFull(site, operand))
  const certain = open.map((operand) => sizesFor(site, operand) ?? siblingFor(site, operand, operands))
  if (certain.every((target) => target !== undefined)) {
    return open.map((operand, i) => ({ operand, targets: [certain[i]!] }))
  }
  if (operands.length === 2) {
    return open.map((operand, i) => ({
      operand,
      targets: [certain[i] ?? shapeOf(operands.find((other) => other !== operand)!)],
    }))
  }
  const whole = open.find((_, i) => certain[i] !== undefined)
  const lead = whole ?? leading(site, open)
  const targetsOf = (operand: number, i: number): readonly Target[] => {
    if (certain[i] !== undefined) return [certain[i]]
    return operand === lead ? completing(site, lead, operands).map((other) => shapeOf(other)) : [shapeOf(lead, true)]
  }
  const expansions = open.map((operand, i) => ({ operand, targets: targetsOf(operand, i) }))
  // The others read its shape.
  return expansions.sort((a, b) => Number(b.operand === lead) - Number(a.operand === lead))
}

/**
 * Whether an operand of a one-way broadcast has the shape of the first, as far as Expand can help: where the
 * first has a 1, it has one too or the run fails.
 */
const isSettled = (site: Site, operand: number): boolean =>
  openAxes(site, operand)?.every((axis) => sizeOn(site, axis) === 1 && (rankOf(site, operand) ?? 0) >= axis) ?? false

/** Operands onto the first, which keeps its shape; `operands` are the different values among them. */
export const planOneWay = (site: Site, operands: readonly number[]): readonly Expansion[] =>
  operands
    .filter((operand) => operand > 0 && !isSettled(site, operand))
    .map((operand) => ({ operand, targets: [sizesFor(site, operand) ?? shapeOf(0)] }))

/** C onto the product of Gemm. */
export function planAddend(site: Site): readonly Expansion[] {
  if (isSettled(site, 1)) return []
  const sizes = [2, 1].map((axis) => sizeOn(site, axis))
  return [{ operand: 1, targets: [sizesFor(site, 1) ?? { kind: 'product', sizes }] }]
}
