// How the shapes of an expression's arrays meet under a rule: the shape of the result, and where in it the axes of each
// array lie. The library says so of the expression without its numbers, which have no shape here and go with any; where
// it refuses, the operator that fails is found by its shapes and shown in the text.
import { BroadcastError, type Explanation, explain, type Fix, fuse, type Rule, type Shape, ShapeError } from 'bcast'
import { optionsFor } from '../arguments/rules.ts'
import { EvaluationError } from './expression-error.ts'
import { operators, type Value } from './operators.ts'
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

/** Arrays that an operator brings together. */
interface Meeting<T> {
  /** In the order of its operands, numbers left out. */
  readonly operands: readonly T[]
  /** The same as they are written. */
  readonly args: readonly Expression[]
  readonly rule: Rule
  /** The one that one-way rules keep: the operator's, or the next where that is a number. */
  readonly onto: number
}

function meetingOf<T>(part: Application, ofPart: (arg: Expression) => T | undefined, given?: Rule): Meeting<T> {
  const operator = operators.get(part.operator)!
  const rule = given ?? operator.rule
  const met = part.args.flatMap((arg, i) => {
    const operand = ofPart(arg)
    return operand === undefined ? [] : [{ i, arg, operand }]
  })
  const kept = met.findIndex(({ i }) => i >= operator.keeps(rule))
  return { operands: met.map(({ operand }) => operand), args: met.map(({ arg }) => arg), rule, onto: Math.max(kept, 0) }
}

/** What every part is made of, bottom up: numbers are nothing, and what is alone stays as it is. */
function gathered<T>(
  parts: readonly Expression[],
  named: (name: Name) => T,
  met: (meeting: Meeting<T>, part: Application) => T,
  rule: Rule | undefined,
): T | undefined {
  const all = new Map<Expression, T | undefined>()
  for (const part of parts) {
    if (part.kind === 'name') all.set(part, named(part))
    else if (part.kind !== 'apply') all.set(part, all.get(partsOf(part)[0]!))
    else {
      const meeting = meetingOf(part, (arg) => all.get(arg), rule)
      all.set(part, meeting.operands.length > 1 ? met(meeting, part) : meeting.operands[0])
    }
  }
  return all.get(parts.at(-1)!)
}

/** Any operator of many operands, for its shapes: it keeps its first. */
const anyOperator = operators.get('max')!

const broughtTogether = ({ operands, rule, onto }: Meeting<Value>): Value => {
  const kept = rule.oneWay ? onto : 0
  return anyOperator.apply([operands[kept]!, ...operands.slice(0, kept), ...operands.slice(kept + 1)], rule)
}

/** `shapeOf` gives the shape of each array; the rule is each operator's own where none is given. */
export function placeArrays(
  expression: string,
  root: Expression,
  shapeOf: (name: string) => Shape,
  rule: Rule | undefined,
): Placed {
  const parts = bottomUp(root)
  const names = parts.filter((part) => part.kind === 'name')
  if (names.length === 0) return { shape: [], placements: [], placementOf: new Map() }
  const together = fuse(
    (...operands: readonly Value[]) => {
      const values = new Map(names.map((name, i) => [name, operands[i]!]))
      return gathered(parts, (name) => values.get(name)!, broughtTogether, rule)
    },
    { operands: names.length },
  )
  try {
    const { shape, operands } = together.infer(
      ...names.map(({ name }) => ({ dtype: 'float32' as const, shape: shapeOf(name) })),
    )
    return { shape, ...numbered(operands.map(({ operand, axes }) => [names[operand]!, axes])) }
  } catch (error) {
    if (error instanceof BroadcastError || error instanceof ShapeError) refuse(expression, parts, shapeOf, rule)
    throw error
  }
}

/** Names that mean one array in one place are one. */
function numbered(placed: readonly (readonly [Name, readonly number[]])[]): Omit<Placed, 'shape'> {
  const placements: Placement[] = []
  const placementOf = new Map<Name, number>()
  const numbers = new Map<string, number>()
  for (const [part, axes] of placed) {
    const key = `${part.name} ${axes.join()}`
    if (!numbers.has(key)) numbers.set(key, placements.push({ name: part.name, axes }) - 1)
    placementOf.set(part, numbers.get(key)!)
  }
  return { placements, placementOf }
}

/** A fix as it is typed: another rule by the options that choose it. */
const asTyped = ({ changes }: Fix): string =>
  changes.map((change) => (change.kind === 'rule' ? optionsFor(change.rule) : change.code)).join(', ')

/** Throws at the first operator whose shapes do not meet, or make more elements than can be counted. */
function refuse(
  expression: string,
  parts: readonly Expression[],
  shapeOf: (name: string) => Shape,
  rule: Rule | undefined,
): void {
  const met = ({ operands, args, rule: broadcast, onto }: Meeting<Shape>, part: Application): Shape => {
    const names = operandNames(expression, args)
    const refused = (problem: string, details?: string): EvaluationError => {
      const below = details === undefined ? names : `${names}\n${details}`
      return new EvaluationError({ expression, span: part.at, problem, details: below })
    }
    let explanation: Explanation
    try {
      explanation = explain(operands, { broadcast, onto })
    } catch (error) {
      throw error instanceof ShapeError ? refused(error.message) : error
    }
    if (explanation.verdict === 'ok') return explanation.shape as Shape
    throw refused(`${explanation.sentence}.`, explanation.details({ code: asTyped }))
  }
  gathered(parts, ({ name }) => shapeOf(name), met, rule)
}
