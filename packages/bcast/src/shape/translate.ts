// Translation between rules. Every rule puts an operand's axes in order onto axes of the result, so a broadcast under
// any of them is a reshape of each operand followed by numpy's; and the other way round where the rule allows it.
// Only ones come and go in these reshapes, so elements stay where they are.
import { RuleError, ShapeError } from '../errors/index.ts'
import { checkShape, type Dim, formatShape, type Shape } from './dim.ts'
import { questionOf } from './explain.ts'
import type { Failure } from './failure.ts'
import { isFailure, resolve } from './resolve.ts'
import { axesFrom, NO_PART, operandName, type Rule } from './rule.ts'
import { explicit, numpy, onnxLegacy, pdpd, unidirectional } from './rules/index.ts'
import { show } from './show.ts'
import { infer } from './symbolic/infer.ts'

/** Operands respelled for another rule. */
export interface Respelled<D extends Dim = number> {
  readonly shapes: readonly (readonly D[])[]
  /** Whether an operand's shape changed. */
  readonly reshaped: readonly boolean[]
}

/** The shape whose axes numpy puts on the given axes of the result; the shape itself where numpy does so already. */
function respell(shape: readonly Dim[], places: readonly number[], rank: number): readonly Dim[] {
  const offset = rank - shape.length
  if (offset >= 0 && shape.every((dim, axis) => dim === 1 || places[axis] === axis + offset)) return shape
  const first = places.reduce((least, place) => (place >= 0 && place < least ? place : least), rank)
  const spelled: Dim[] = axesFrom(first, rank - first).map(() => 1)
  shape.forEach((dim, axis) => {
    if (places[axis]! >= 0) spelled[places[axis]! - first] = dim
  })
  return spelled
}

/**
 * A broadcast under `rule` as a reshape of each operand followed by numpy broadcasting, with the same result and every
 * element in the same place; or the failure of the broadcast. Symbolic sizes stay as they are: where the rule holds
 * under conditions, so does the translation.
 *
 * @example
 * ```ts
 * toNumpy(pdpd({ axis: 1 }), [[2, 3, 4], [3]]) // { shapes: [[2, 3, 4], [3, 1]], reshaped: [false, true] }
 * ```
 */
export function toNumpy(rule: Rule, shapes: readonly Shape[], onto?: number): Respelled | Failure
export function toNumpy(rule: Rule, shapes: readonly (readonly Dim[])[], onto?: number): Respelled<Dim> | Failure
export function toNumpy(rule: Rule, shapes: readonly (readonly Dim[])[], onto = 0): Respelled<Dim> | Failure {
  if (typeof (rule as Rule | undefined | null)?.align !== 'function') {
    throw new RuleError(`toNumpy: ${show(rule)} is no rule; rules are such as numpy and pdpd({ axis: 1 }).`, {
      value: rule,
    })
  }
  questionOf('toNumpy', shapes, { onto })
  const unranked = shapes.findIndex((shape) => !Array.isArray(shape))
  if (unranked >= 0)
    return { sentence: `the rank of ${operandName(unranked)} is not known`, operands: [unranked], axis: undefined }
  const outcome = infer(rule, shapes, onto)
  if (outcome.verdict === 'error') return outcome.failure
  const { axes, rank, or, undetermined } = outcome.alignment!
  if (axes.some((places) => places.includes(NO_PART))) {
    throw new RuleError(`${rule.label} places matrices and not elements; translate their batch shapes under numpy.`, {
      rule: rule.name,
    })
  }
  if (undetermined !== undefined)
    return { sentence: `${undetermined.what} is not known`, operands: [onto], axis: undefined }
  const open = or?.[0]?.operand
  if (open !== undefined) {
    const sentence = `where ${operandName(open)} goes depends on sizes that are not known`
    return { sentence, operands: [onto, open], axis: undefined }
  }
  const spelled = shapes.map((shape, operand) => respell(shape, axes[operand]!, rank))
  return { shapes: spelled, reshaped: spelled.map((shape, operand) => shape !== shapes[operand]) }
}

/** The rules that a numpy broadcast can be translated to: `explicit` goes by its option's name. */
export type Target = (typeof TARGETS)[number]

const TARGETS = ['unidirectional', 'pdpd', 'onnxLegacy', 'axesMapping', 'broadcastAxes'] as const

/** A call as another rule spells it, with the same result. */
export interface Translation extends Respelled {
  /** The rule with the options that put B where numpy does. */
  readonly rule: Rule
}

/** Why a call has no spelling under another rule. */
export interface NoTranslation {
  /** Why there is none, as a sentence without its full stop. */
  readonly reason: string
}

/** The part of B that must be named: outer ones that stretch are left out, so that it is a run of A where it can be. */
function coreOf(b: Shape, stretched: (axis: number) => boolean): { start: number; end: number } {
  const ones = b.every((size) => size === 1)
  const first = ones ? 0 : b.findIndex((size) => size !== 1)
  const last = ones ? b.length - 1 : b.findLastIndex((size) => size !== 1)
  const start = axesFrom(0, first).findLast(stretched) ?? -1
  const end = axesFrom(last + 1, b.length - last - 1).find(stretched) ?? b.length
  return { start: start + 1, end }
}

/**
 * A numpy broadcast of B onto A under another rule: its options, and B as that rule needs it spelled. A is never
 * reshaped. There is none when A would change, or when the rule cannot put B where numpy does.
 *
 * @example
 * ```ts
 * fromNumpy([[2, 3, 4], [3, 1]], 'axesMapping').shapes // [[2, 3, 4], [3]]
 * ```
 */
export function fromNumpy(shapes: readonly [Shape, Shape], target: Target): Translation | NoTranslation {
  if (!Array.isArray(shapes) || shapes.length !== 2) {
    throw new ShapeError('fromNumpy takes the shapes of A and B, such as [[2, 3], [3]].', shapes)
  }
  const [a, b] = shapes as readonly [Shape, Shape]
  checkShape(a, 'shape of A')
  checkShape(b, 'shape of B')
  if (!TARGETS.includes(target)) {
    throw new RuleError(`fromNumpy: ${show(target)} is no target; targets are ${TARGETS.join(', ')}.`, {
      value: target,
    })
  }
  const outcome = resolve(numpy, [a, b])
  if (isFailure(outcome)) return { reason: outcome.sentence }
  const result = outcome.shape
  // A result of higher rank differs too, since A has no size there.
  if (result.some((size, axis) => size !== a[axis])) {
    return {
      reason: `A would change from ${formatShape(a)} to ${formatShape(result)}, and under ${target} it keeps its shape`,
    }
  }
  const offset = a.length - b.length
  const stretched = (axis: number): boolean => b[axis] === 1 && a[offset + axis] !== 1
  const translation = (rule: Rule, shape: Shape): Translation => ({
    rule,
    shapes: [a, shape],
    reshaped: [false, shape.length !== b.length],
  })
  if (target === 'unidirectional') return translation(unidirectional, b)

  if (target === 'axesMapping' || target === 'broadcastAxes') {
    const kept = axesFrom(0, b.length).filter((axis) => !stretched(axis))
    const axesMapping = kept.map((axis) => offset + axis)
    const broadcastAxes = axesFrom(0, a.length).filter((axis) => !axesMapping.includes(axis))
    const shape = kept.map((axis) => b[axis]!)
    return translation(target === 'axesMapping' ? explicit({ axesMapping }) : explicit({ broadcastAxes }), shape)
  }

  const { start, end } = coreOf(b, stretched)
  const core = b.slice(start, end)
  const axis = offset + start
  if (target === 'pdpd') return translation(pdpd({ axis }), core)
  const inner = core.findIndex((_, i) => stretched(start + i))
  if (inner < 0 || core.every((size) => size === 1)) return translation(onnxLegacy({ broadcast: true, axis }), core)
  return {
    reason: `B ${formatShape(b)} is no run of A's sizes ${formatShape(a)}: its 1 on axis ${start + inner - b.length} stretches between others`,
  }
}
