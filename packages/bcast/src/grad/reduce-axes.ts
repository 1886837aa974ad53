// `reduceAxes`: which axes of the result the gradient of each operand is summed over. Shapes may be symbolic, so this
// brings the solver along; `sumTo` does without.
import { BroadcastError } from '../errors/index.ts'
import { type Dim, isConcrete, type Shape, type SymbolicShape } from '../shape/dim.ts'
import { type ExplainOptions, explain, questionOf } from '../shape/explain.ts'
import { operandName, type Rule } from '../shape/rule.ts'
import { type Condition, renumbered } from '../shape/symbolic/condition.ts'
import { infer } from '../shape/symbolic/infer.ts'
import { ranksBeside } from '../shape/symbolic/unranked.ts'
import { resolveOrThrow } from '../tensor/resolve.ts'
import { type Answer, agreed, answersOf } from './open-axes.ts'
import { summedAxes } from './summed.ts'

/** An axis of the result that is summed over exactly when all conditions hold. */
export interface OpenAxis {
  readonly axis: number
  readonly conditions: readonly Condition[]
}

/** The axes that a gradient is summed over; `null` where the rank of the result decides, and is not known. */
export type SummedAxes = readonly (number | OpenAxis)[] | null

const axesIn = (answers: readonly Answer[]): readonly (number | OpenAxis)[] =>
  answers.flatMap((answer, axis): (number | OpenAxis)[] => {
    if (typeof answer === 'boolean') return answer ? [axis] : []
    return [{ axis, conditions: answer }]
  })

/** The axes of one operand, where some rank is unknown: what all ranks that can be have in common. */
function axesOfUnranked(rule: Rule, shapes: readonly SymbolicShape[], onto: number, operand: number): SummedAxes {
  if (rule.oneWay && operand === onto) return []
  const unknown = shapes[operand] === null ? operand : shapes[onto] === null ? onto : shapes.indexOf(null)
  // Where both it and what it goes onto are unknown, anything can be.
  if (rule.oneWay && shapes[onto] === null && unknown !== onto) return null
  // Sizes meet two by two, so that one unknown shape stands for all others.
  const kept = shapes.flatMap((shape, i) => (shape !== null || i === unknown ? [i] : []))
  const known = kept.flatMap((i) => (i === unknown ? [] : [shapes[i]!]))
  const length = ranksBeside(rule, known)
  if (length === undefined) return null
  const keeps = Math.max(0, kept.indexOf(onto))
  const lists = Array.from({ length }, (_, rank): readonly Answer[] | undefined => {
    const given = known.toSpliced(kept.indexOf(unknown), 0, new Array<Dim>(rank).fill(null))
    if (infer(rule, given, keeps).verdict === 'error') return undefined
    return answersOf(rule, given, keeps)[kept.indexOf(operand)]
  }).filter((answers) => answers !== undefined)
  const [first, ...others] = lists
  if (others.some((answers) => answers.length !== first!.length)) {
    return lists.every((answers) => answers.every((answer) => answer === false)) ? [] : null
  }
  const own = (answer: Answer): Answer =>
    typeof answer === 'boolean' ? answer : answer.map((condition) => renumbered(condition, (i) => kept[i]!))
  const what = `the rank of ${operandName(unknown)}`
  return axesIn(
    first!.map((_, axis) =>
      agreed(
        lists.map((answers) => own(answers[axis]!)),
        what,
      ),
    ),
  )
}

/**
 * The axes of the result that the gradient of each operand is summed over, so that it has the operand's shape again:
 * those that the operand does not have, and those along which it is stretched. Shapes may be symbolic; an axis for which
 * that depends on sizes comes with the conditions under which it is summed over, given that the shapes meet.
 *
 * @example
 * ```ts
 * reduceAxes([[2, 3], [3]]) // [[], [0]]
 * reduceAxes([['N', 3], [4, 3]]) // [[{ axis: 0, conditions: [{ anyOf: [{ size: 'N', is: 1 }] }] }], []]
 * ```
 */
export function reduceAxes(shapes: readonly Shape[], options?: ExplainOptions): readonly (readonly number[])[]
export function reduceAxes(shapes: readonly SymbolicShape[], options?: ExplainOptions): readonly SummedAxes[]
export function reduceAxes(shapes: readonly SymbolicShape[], options: ExplainOptions = {}): readonly SummedAxes[] {
  const { rule, onto } = questionOf('reduceAxes', shapes, options)
  if (shapes.every(isConcrete)) {
    const { shape, axes } = resolveOrThrow(rule, shapes, onto)
    return shapes.map((own, operand) => summedAxes(shape, own, axes[operand]!))
  }
  const outcome = infer(rule, shapes, onto)
  if (outcome.verdict === 'error') {
    const explanation = explain(shapes, options)
    const fields = { ...outcome.failure, shapes: shapes as readonly Shape[], rule: rule.label, explanation }
    throw new BroadcastError(explanation.toString(), fields)
  }
  if (shapes.every((shape): shape is readonly Dim[] => shape !== null)) return answersOf(rule, shapes, onto).map(axesIn)
  return shapes.map((_, operand) => axesOfUnranked(rule, shapes, onto, operand))
}
