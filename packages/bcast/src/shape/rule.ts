// What a broadcasting rule is: where each operand's axes go in the result (`align`), and what the sizes that
// meet on one axis must satisfy (`relation`). Everything else (result shapes, symbolic verdicts, views,
// explanations, translations) is derived from these two, so no other code knows a rule.
import { operandName } from '../errors/operand-name.ts'
import type { Dim } from './dim.ts'

export { operandName }

export type RuleName =
  | 'numpy'
  | 'unidirectional'
  | 'bidirectional'
  | 'explicit'
  | 'pdpd'
  | 'paddle'
  | 'onnxLegacy'
  | 'sonnx'
  | 'none'
  | 'openvinoPrelu'
  | 'matmulBatch'

/**
 * What sizes that meet must satisfy. A is the operand that all others go onto.
 * - common: all sizes that are not 1 are equal; the result has that size
 * - max: every size is 1 or the largest; the result has the largest
 * - onto: each size is 1 or A's; the result is A's
 * - equal: each size is A's
 * - run: an operand's sizes are all A's, or all 1
 * - prefix: an operand's sizes are A's up to some axis and 1 from there on
 */
export type Relation = 'common' | 'max' | 'onto' | 'equal' | 'run' | 'prefix'

/** An operand's axis outside the result: its size must be 1. */
export const MUST_BE_ONE = -1
/** An operand's axis that takes no part at all (the matrix axes of MatMul). */
export const NO_PART = -2
/** An operand's axis that no size makes fit, so that only another placement is left to it. */
export const NOWHERE = -3

export interface Place {
  readonly operand: number
  readonly axis: number
}

export interface Alignment {
  /** Rank of the result. */
  readonly rank: number
  /** For each operand and each of its axes: the result's axis, or MUST_BE_ONE, NO_PART, NOWHERE. */
  readonly axes: readonly (readonly number[])[]
  /** What sizes must satisfy here, where that is not what the rule says in general. */
  readonly relation?: Relation
  /** Further sizes that must be 1. */
  readonly ones?: readonly Place[]
  /**
   * Where sizes that are not known could put an operand instead: it also fits if its sizes equal A's on these
   * axes. Sizes that are known decide inside `align`, so concrete shapes never see this.
   */
  readonly or?: readonly { readonly operand: number; readonly axes: readonly number[] }[]
  /** What is not known that decides the placement, and all placements it could mean; empty when too many. */
  readonly undetermined?: { readonly what: string; readonly candidates: readonly Alignment[] }
}

/** Ranks or options that cannot be brought together, whatever the sizes. */
export interface Misfit {
  readonly misfit: string
  readonly operands: readonly number[]
}

/** A broadcasting rule: how the axes of operands meet, and what their sizes must satisfy. */
export interface Rule<N extends RuleName = RuleName, O = unknown> {
  readonly name: N
  readonly options: O
  readonly relation: Relation
  /** Whether one operand keeps its shape and the others go onto it. */
  readonly oneWay: boolean
  /** The requirement in words, for explanations. */
  readonly requirement: string
  /** The clause of the document that states it. */
  readonly clause: string
  /** As it prints: `pdpd(axis=1)`. */
  readonly label: string
  /** How many axes the options count: a rank larger than this and every operand's is like any other such rank. */
  readonly reach?: number
  /** Rules that a caller may have meant instead, given A's axes; numpy and pdpd where a rule does not say. */
  others?(axes: readonly number[]): readonly Rule[]
  align(shapes: readonly (readonly Dim[])[], onto: number): Alignment | Misfit
}

/** The relation that holds for an alignment. */
export const relationOf = (rule: Rule, alignment: Alignment): Relation => alignment.relation ?? rule.relation

export const isMisfit = (alignment: Alignment | Misfit): alignment is Misfit => 'misfit' in alignment

/** The largest rank; 0 without operands. */
export const largestRank = (shapes: readonly (readonly unknown[])[]): number => {
  let rank = 0
  for (const { length } of shapes) if (length > rank) rank = length
  return rank
}

/** The axes start, start + 1, … of `rank` axes in a row. */
export function axesFrom(start: number, rank: number): number[] {
  const axes: number[] = new Array(rank)
  for (let axis = 0; axis < rank; axis++) axes[axis] = start + axis
  return axes
}

/** Axes of a rank-`rank` operand, right-aligned in a result of rank `resultRank`. */
export const rightAligned = (rank: number, resultRank: number): number[] => axesFrom(resultRank - rank, rank)

/** Right-aligns every operand to the largest rank. */
export function alignRight(shapes: readonly (readonly Dim[])[]): Alignment {
  const rank = largestRank(shapes)
  return { rank, axes: shapes.map((shape) => rightAligned(shape.length, rank)) }
}

/** The misfit of an operand with more axes than the one it must go onto. */
export function rankMisfit(shapes: readonly (readonly Dim[])[], onto: number): Misfit | undefined {
  const rank = shapes[onto]!.length
  const operand = shapes.findIndex((shape) => shape.length > rank)
  if (operand < 0) return undefined
  return {
    misfit: `${operandName(operand)} has rank ${shapes[operand]!.length}, more than ${operandName(onto)}'s ${rank}, and ${operandName(onto)} keeps its shape`,
    operands: [onto, operand],
  }
}

/** Two dimensions known to be the same size without looking further. */
export const sameDim = (a: Dim | undefined, b: Dim | undefined): boolean =>
  a === b && (typeof a === 'number' || typeof a === 'string')

/** Two dimensions known to differ without looking further. */
export const otherDim = (a: Dim | undefined, b: Dim | undefined): boolean =>
  a !== b && typeof a === 'number' && typeof b === 'number'
