// `explain`: how shapes meet under a rule, and why not. Shapes may be symbolic, so this brings the solver along.
import { OperandError, ShapeError } from '../errors/index.ts'
import { checkSymbolicShape, type Dim, type SymbolicShape } from './dim.ts'
import { type Explanation, explanationOf, type Remarks } from './explanation.ts'
import { findFixes } from './fixes.ts'
import type { Inference } from './inference.ts'
import { checkOptionsOf } from './options.ts'
import { outerProductFixes } from './outer-product.ts'
import { operandName, type Rule } from './rule.ts'
import { type RuleOption, ruleOf } from './rule-option.ts'
import { numpy } from './rules/index.ts'
import { formatConditions } from './symbolic/condition.ts'
import { infer } from './symbolic/infer.ts'

/** Options of `explain`. */
export interface ExplainOptions {
  readonly broadcast?: RuleOption
  /** The operand that one-way rules keep; the first by default. */
  readonly onto?: number
}

const OPTIONS: readonly (keyof ExplainOptions)[] = ['broadcast', 'onto']

const WARN_OUTER = 'both operands stretch, so every element of one meets every element of the other'
const MAX_CONDITIONS_SHOWN = 12

/** The rule and the kept operand that options name; throws unless shapes and options are what `name` takes. */
export function questionOf(
  name: string,
  shapes: readonly SymbolicShape[],
  options: ExplainOptions,
): { readonly rule: Rule; readonly onto: number } {
  checkOptionsOf(name, options, OPTIONS)
  const rule = ruleOf(options.broadcast, numpy)
  const { onto = 0 } = options
  if (!Array.isArray(shapes)) throw new ShapeError(`${name} takes an array of shapes, such as [[2, 3], [3]].`, shapes)
  for (const [operand, shape] of shapes.entries()) checkSymbolicShape(shape, `shape of ${operandName(operand)}`)
  if (onto !== 0 && !(Number.isInteger(onto) && onto > 0 && onto < shapes.length)) {
    throw new OperandError(`onto is ${onto}; it is the number of an operand, from 0 to ${shapes.length - 1}.`, {
      operator: name,
      option: 'onto',
    })
  }
  return { rule, onto }
}

/**
 * Explains how shapes meet under a rule (numpy unless said). Shapes may be symbolic.
 *
 * @example
 * ```ts
 * explain([[2, 3, 4], [2, 4]]).sentence // 'cannot broadcast axis -2: 3 vs 2 (shapes [2,3,4] and [2,4])'
 * explain([['N', 3], [4, 1]]).verdict // 'conditional'
 * ```
 */
export function explain(shapes: readonly SymbolicShape[], options: ExplainOptions = {}): Explanation {
  const { rule, onto } = questionOf('explain', shapes, options)
  const outcome = infer(rule, shapes, onto)
  if (outcome.verdict !== 'error') checkSymbolicShape(outcome.shape, 'shape of the result')
  return explanationOf(rule, shapes, outcome, remarks(rule, shapes, onto, outcome))
}

function remarks(rule: Rule, shapes: readonly SymbolicShape[], onto: number, outcome: Inference): Remarks {
  const holdsIf = outcome.verdict === 'conditional' ? formatConditions(outcome.conditions, MAX_CONDITIONS_SHOWN) : ''
  if (!shapes.every((shape): shape is readonly Dim[] => shape !== null)) return { fixes: [], holdsIf }
  const problem = { rule, shapes, onto, infer }
  if (outcome.verdict === 'error') return { fixes: shapes.length > 1 ? findFixes(problem) : [] }
  const outer = outcome.alignment === undefined ? [] : outerProductFixes(problem, outcome.shape, outcome.alignment)
  return { fixes: outer, warning: outer.length > 0 ? WARN_OUTER : undefined, holdsIf }
}
