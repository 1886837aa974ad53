// What is asked: shapes under a rule, out of whatever the field holds; with the fix that was chosen applied. A pure
// function of the state and of what the readers of messages and expressions found.
import { parseShape, type RuleOptions, ruleFor, UsageError } from '@bcast/cli/shapes'
import { BcastError, type Explanation, explain, type Rule, type SymbolicShape } from 'bcast'
import type { State } from './state.ts'

export interface Question {
  readonly shapes: readonly SymbolicShape[]
  readonly rule: Rule
  readonly onto: number
}

export interface Answered {
  readonly kind: 'answer'
  readonly question: Question
  readonly explanation: Explanation
  /** The one before the fix was applied; the same where none was. */
  readonly given: Explanation
}

export interface Problem {
  readonly kind: 'problem'
  readonly text: string
  /** Shapes that may be meant, as they are typed. */
  readonly meant?: string
}

export type Answer = Answered | Problem

export const MOST_SHAPES = 6
/** More axes than any framework has; explanations of more take long to search for fixes. */
export const MOST_AXES = 64

const problem = (text: string): Answer => ({ kind: 'problem', text })

/** Errors that are about what was given are told; others are faults of the page. */
const told = (error: unknown): Answer => {
  if (error instanceof BcastError || error instanceof UsageError) return problem(error.message)
  throw error
}

/** The shapes that texts mean; throws where one means none. */
export function shapesOf(texts: readonly string[]): SymbolicShape[] {
  if (texts.length > MOST_SHAPES) {
    throw new UsageError(
      `${texts.length} shapes, and the page draws up to ${MOST_SHAPES}. bcast explain takes any number.`,
    )
  }
  return texts.map((text) => {
    const shape = parseShape(text)
    if (shape === null || shape.length <= MOST_AXES) return shape
    throw new UsageError(`A shape has ${shape.length} axes, and the page takes up to ${MOST_AXES}.`)
  })
}

/** Options that the page offers have their defaults here: explicit needs axes, and those at the end are what numpy takes. */
export function ruleOf(options: RuleOptions, shapes: readonly SymbolicShape[], onto: number): Rule {
  if (options.rule !== 'explicit' || options.axes !== undefined || options.newAxes !== undefined)
    return ruleFor(options)
  const rank = shapes[onto]?.length ?? 0
  const own = shapes.find((_, operand) => operand !== onto)?.length ?? 0
  return ruleFor({ ...options, axes: Array.from({ length: own }, (_, i) => Math.max(0, rank - own) + i) })
}

/** Explains a question, with the fix of the state applied. */
export function answerOf(question: Question, fix: State['fix']): Answer {
  try {
    const { shapes, rule, onto } = question
    const given = explain(shapes, { broadcast: rule, onto })
    const chosen = fix === undefined ? undefined : given.fixes[fix]
    if (chosen === undefined) return { kind: 'answer', question, explanation: given, given }
    const fixed = { shapes: chosen.shapes, rule: chosen.rule, onto }
    return {
      ...{ kind: 'answer', question: fixed, given },
      explanation: explain(fixed.shapes, { broadcast: fixed.rule, onto }),
    }
  } catch (error) {
    return told(error)
  }
}

/** The answer to shapes that were typed. */
export function answerShapes(
  texts: readonly string[],
  { rule, onto, fix }: Pick<State, 'rule' | 'onto' | 'fix'>,
): Answer {
  try {
    const shapes = shapesOf(texts)
    const kept = onto < shapes.length ? onto : 0
    return answerOf({ shapes, rule: ruleOf(rule, shapes, kept), onto: kept }, fix)
  } catch (error) {
    return told(error)
  }
}
