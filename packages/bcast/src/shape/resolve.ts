// Applies a rule to concrete shapes: the result's shape and where each operand's axes go, or the first failure.
// This is the path of every eager call, so success takes one pass over the sizes; only a failure looks again.
import type { Shape } from './dim.ts'
import { type Failure, misfitFailure, mismatch, mustBeOne, outside } from './failure.ts'
import { type Alignment, isMisfit, MUST_BE_ONE, type Rule } from './rule.ts'

export type { Failure } from './failure.ts'

export interface Resolution {
  readonly shape: readonly number[]
  /** For each operand and each of its axes: the result's axis, or a negative number for none. */
  readonly axes: readonly (readonly number[])[]
}

/** The size that all sizes on an axis have that are not 1; undefined when they differ. */
function common(shapes: readonly Shape[], { rank, axes }: Alignment): number[] | undefined {
  const result: number[] = []
  for (let axis = 0; axis < rank; axis++) result.push(1)
  for (let operand = 0; operand < shapes.length; operand++) {
    const shape = shapes[operand]!
    const places = axes[operand]!
    for (let axis = 0; axis < shape.length; axis++) {
      const size = shape[axis]!
      const place = places[axis]!
      if (size === 1 || place < 0) continue
      if (result[place] === 1) result[place] = size
      else if (result[place] !== size) return undefined
    }
  }
  return result
}

/** The largest size on each axis. Read literally, the maximum of 0 and 1 is 1 and 0 is neither; padded sizes are 1. */
function largest(shapes: readonly Shape[], alignment: Alignment): number[] | undefined {
  const result = common(shapes, alignment)
  const allZero = (axis: number) =>
    alignment.axes.every((places, operand) => shapes[operand]![places.indexOf(axis)] === 0)
  return result?.every((size, axis) => size !== 0 || allZero(axis)) ? result : undefined
}

/** Whether B's first `end` sizes are A's where they lie, or ones that stretch. */
function goesOnto(b: Shape, places: readonly number[], a: Shape, end: number, stretches: boolean): boolean {
  for (let axis = 0; axis < end; axis++) {
    const size = b[axis]!
    const place = places[axis]!
    if (size === 1 && stretches) continue
    if (place < 0 || size !== a[place]) return false
  }
  return true
}

/** How many of B's leading axes are compared: the ones after them are ones that go anywhere. */
function comparedAxes(relation: Rule['relation'], b: Shape): number {
  let end = b.length
  if (relation === 'run') return b.every((size) => size === 1) ? 0 : end
  if (relation === 'prefix') while (end > 0 && b[end - 1] === 1) end--
  return end
}

/** A's shape, if all others go onto it. */
function kept(rule: Rule, shapes: readonly Shape[], { axes, ones }: Alignment, onto: number): number[] | undefined {
  const a = shapes[onto]!
  for (let operand = 0; operand < shapes.length; operand++) {
    if (operand === onto) continue
    const b = shapes[operand]!
    const end = comparedAxes(rule.relation, b)
    if (!goesOnto(b, axes[operand]!, a, end, rule.relation === 'onto')) return undefined
  }
  const placed = ones?.every(({ operand, axis }) => shapes[operand]![axis] === 1) ?? true
  return placed ? a.slice() : undefined
}

function fitted(rule: Rule, shapes: readonly Shape[], alignment: Alignment, onto: number): number[] | undefined {
  if (rule.relation === 'common') return common(shapes, alignment)
  return rule.relation === 'max' ? largest(shapes, alignment) : kept(rule, shapes, alignment, onto)
}

/** The failure furthest to the right, what lies beyond the result first; among operands there, the first. */
function failureOf(rule: Rule, shapes: readonly Shape[], { rank, axes, ones = [] }: Alignment, onto: number): Failure {
  const together = rule.relation === 'common' || rule.relation === 'max'
  const compared = together ? [] : shapes.map((shape) => comparedAxes(rule.relation, shape))
  for (const [operand, shape] of shapes.entries()) {
    const stretches = rule.relation === 'onto'
    const beyond = (place: number, axis: number): boolean =>
      place === MUST_BE_ONE && axis < compared[operand]! && !(stretches && shape[axis] === 1)
    const own = axes[operand]!.findIndex(beyond)
    if (own >= 0) return outside(shapes, onto, operand, own)
  }
  for (let axis = rank - 1; axis >= 0; axis--) {
    let first: [number, number] | undefined
    let padded: [number, number] | undefined
    for (const [operand, shape] of shapes.entries()) {
      const own = axes[operand]!.indexOf(axis)
      const size = own < 0 ? 1 : shape[own]!
      if (!together) {
        if (operand === onto || own < 0 || own >= compared[operand]!) continue
        const kept = shapes[onto]![axis]!
        if (size !== kept && !(size === 1 && rule.relation === 'onto')) {
          return mismatch(shapes, rank, axis, [onto, kept], [operand, size])
        }
      } else if (size === 1) padded ??= [operand, 1]
      else if (first !== undefined && first[1] !== size) return mismatch(shapes, rank, axis, first, [operand, size])
      else first ??= [operand, size]
    }
    if (rule.relation === 'max' && first?.[1] === 0 && padded !== undefined) {
      return mismatch(shapes, rank, axis, first, padded)
    }
  }
  const { operand, axis } = ones.find((place) => shapes[place.operand]![place.axis] !== 1)!
  return mustBeOne(shapes, operand, axis)
}

/** Brings concrete shapes together under a rule; `onto` is the operand that one-way rules keep. */
export function resolve(rule: Rule, shapes: readonly Shape[], onto = 0): Resolution | Failure {
  if (shapes.length === 0) return { shape: [], axes: [] }
  const alignment = rule.align(shapes, onto)
  if (isMisfit(alignment)) return misfitFailure(shapes, alignment)
  if (alignment.undetermined !== undefined) {
    return { sentence: `${alignment.undetermined.what} is not known`, operands: [onto], axis: undefined }
  }
  const applied = alignment.relation === undefined ? rule : { ...rule, relation: alignment.relation }
  const shape = fitted(applied, shapes, alignment, onto)
  return shape === undefined ? failureOf(applied, shapes, alignment, onto) : { shape, axes: alignment.axes }
}

/** Whether an outcome (of resolve, or of a translation) is a failure. */
export const isFailure = <T extends object>(outcome: T | Failure): outcome is Failure => 'sentence' in outcome
