// What every rule answers: the common shape with one index map per operand, or the clause that forbids the shapes.
import type { Index, Shape } from '../tensor.ts'

/** Takes an index of the result to the index of the operand's element that stands there. */
export type IndexMap = (index: Index) => Index

/** What a rule says of shapes: the result and where operands lie in it, or which clause is violated. */
export type RuleResult =
  | { readonly ok: true; readonly shape: number[]; readonly maps: readonly IndexMap[] }
  | { readonly ok: false; readonly clause: string; readonly reason: string }

/** A rule without options, or with its options already given. */
export type Rule = (shapes: readonly Shape[]) => RuleResult

export const fail = (clause: string, reason: string): RuleResult => ({ ok: false, clause, reason })

export const show = (shape: Shape): string => `(${shape.join(',')})`

export const equalShapes = (a: Shape, b: Shape): boolean => a.length === b.length && a.every((size, i) => size === b[i])

export const prependOnes = (shape: Shape, rank: number): number[] => [
  ...Array.from({ length: rank - shape.length }, () => 1),
  ...shape,
]

export const largestRank = (shapes: readonly Shape[]): number =>
  shapes.reduce((rank, shape) => Math.max(rank, shape.length), 0)

/** The operand's axis i lies on the result's axis `axes[i]`; along a size of 1 its only element repeats. */
export const follow =
  (shape: Shape, axes: readonly number[]): IndexMap =>
  (index) =>
    shape.map((size, i) => (size === 1 ? 0 : index[axes[i]!]!))

/** The axes start, start + 1, … that `rank` consecutive operand axes lie on. */
export const run = (start: number, rank: number): number[] => Array.from({ length: rank }, (_, i) => start + i)

export const rightAligned = (shape: Shape, rank: number): IndexMap =>
  follow(shape, run(rank - shape.length, shape.length))

/** Lifts "B onto A" to more operands: all but the first stretch onto the first, whose shape is the result's. */
export const ontoFirst = (
  shapes: readonly Shape[],
  place: (a: Shape, b: Shape) => IndexMap | RuleResult,
): RuleResult => {
  const [a, ...others] = shapes
  if (a === undefined) return { ok: true, shape: [], maps: [] }
  const maps: IndexMap[] = [(index) => index]
  for (const b of others) {
    const placed = place(a, b)
    if (typeof placed !== 'function') return placed
    maps.push(placed)
  }
  return { ok: true, shape: [...a], maps }
}
