// How the shapes of an expression's arrays meet, operator by operator under a rule: the shape of the result, and where
// in it the axes of each array lie. A number has no shape and goes with any, whatever the rule.
import { type ExplainOptions, type Explanation, explain, type Fix, type Rule, type Shape, ShapeError } from 'bcast'
import { optionsFor } from '../arguments/rule-options.ts'
import { EvaluationError } from './expression-error.ts'
import { type Operator, operators } from './operators.ts'
import { operandNames } from './refusal.ts'
import { type Application, bottomUp, type Expression, type Name, partsOf } from './syntax.ts'

/** An array as it lies in the result: the result's axis for each of its own, or a negative number for none. */
export interface Placement {
  readonly name: string
  readonly axes: readonly number[]
}

export interface Placed {
  readonly shape: Shape
  /** Every array with every placement that it has. */
  readonly placements: readonly Placement[]
  /** Which of them a name in the expression means. */
  readonly placementOf: ReadonlyMap<Name, number>
}

interface Meeting {
  readonly shape: Shape
  /** For each operand its axes in the result; undefined for numbers. */
  readonly axes: readonly (readonly number[] | undefined)[]
}

/** `shapeOf` gives the shape of each array; the rule is each operator's own where none is given. */
export function placeArrays(
  expression: string,
  root: Expression,
  shapeOf: (name: string) => Shape,
  rule: Rule | undefined,
): Placed {
  const meetings = new Map<Application, Meeting>()
  /** The shape of each part; undefined for numbers. */
  const shapes = new Map<Expression, Shape | undefined>()
  const parts = bottomUp(root)
  for (const part of parts) {
    if (part.kind === 'name') shapes.set(part, shapeOf(part.name))
    else if (part.kind !== 'apply') shapes.set(part, shapes.get(partsOf(part)[0]!))
    else {
      const given = part.args.map((arg) => shapes.get(arg))
      if (given.every((shape) => shape === undefined)) continue
      const met = meet(expression, part, given, rule)
      meetings.set(part, met)
      shapes.set(part, met.shape)
    }
  }
  const shape = shapes.get(root) ?? []
  const placements: Placement[] = []
  const placementOf = new Map<Name, number>()
  const numbers = new Map<string, number>()
  /** The result's axis for each axis of a part, where it has a shape. */
  const places = new Map<Expression, readonly number[]>([[root, shape.map((_, axis) => axis)]])
  for (const part of parts.toReversed()) {
    const axes = places.get(part)
    if (axes === undefined) continue
    partsOf(part).forEach((below, i) => {
      const own = part.kind === 'apply' ? meetings.get(part)?.axes[i] : axes.map((_, axis) => axis)
      if (own === undefined) return
      places.set(
        below,
        own.map((axis) => (axis < 0 ? axis : axes[axis]!)),
      )
    })
  }
  for (const part of parts) {
    const axes = places.get(part)
    if (part.kind !== 'name' || axes === undefined) continue
    const key = `${part.name} ${axes.join()}`
    if (!numbers.has(key)) numbers.set(key, placements.push({ name: part.name, axes }) - 1)
    placementOf.set(part, numbers.get(key)!)
  }
  return { shape, placements, placementOf }
}

/** The operand that one-way rules keep, among the arrays: the operator's, or the next one where that is a number. */
const keptOperand = (operator: Operator, arrays: readonly number[], rule: Rule): number =>
  Math.max(
    arrays.findIndex((i) => i >= operator.keeps(rule)),
    0,
  )

/** A fix as it is typed: another rule by the options that choose it. */
const asTyped = ({ changes }: Fix): string =>
  changes.map((change) => (change.kind === 'rule' ? optionsFor(change.rule) : change.code)).join(', ')

function meet(
  expression: string,
  part: Application,
  shapes: readonly (Shape | undefined)[],
  given: Rule | undefined,
): Meeting {
  const arrays = shapes.flatMap((shape, i) => (shape === undefined ? [] : [i]))
  const sizes = arrays.map((i) => shapes[i]!)
  if (sizes.length === 1) {
    const [only] = sizes
    return { shape: only!, axes: shapes.map((shape) => shape?.map((_, axis) => axis)) }
  }
  const operator = operators.get(part.operator)!
  const rule = given ?? operator.rule
  const onto = keptOperand(operator, arrays, rule)
  const refused = (problem: string, details?: string): EvaluationError => {
    const meeting = arrays.map((i) => part.args[i]!)
    const names = operandNames(expression, meeting)
    const below = details === undefined ? names : `${names}\n${details}`
    return new EvaluationError({ expression, span: part.at, problem, details: below })
  }
  const explanation = explained(sizes, { broadcast: rule, onto }, refused)
  const alignment = explanation.verdict === 'ok' ? rule.align(sizes, onto) : undefined
  if (alignment === undefined || 'misfit' in alignment) {
    throw refused(`${explanation.sentence}.`, explanation.details({ code: asTyped }))
  }
  const axes = new Map(arrays.map((i, position) => [i, alignment.axes[position]!]))
  return { shape: explanation.shape as Shape, axes: shapes.map((_, i) => axes.get(i)) }
}

/** Shapes that meet may make more elements than can be counted, which is shown where they meet. */
function explained(
  sizes: readonly Shape[],
  options: ExplainOptions,
  refused: (problem: string) => EvaluationError,
): Explanation {
  try {
    return explain(sizes, options)
  } catch (error) {
    throw error instanceof ShapeError ? refused(error.message) : error
  }
}
