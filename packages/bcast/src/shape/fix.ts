// One suggestion: what it changes, in words and as code, what it leads to, and what it costs. The costs decide which
// suggestion comes first, so all of them stand here.
import type { Dim, SymbolicShape } from './dim.ts'
import { describeEdits, type Edit, editCost } from './edit.ts'
import type { Infer, Inference } from './inference.ts'
import { type Alignment, largestRank, operandName, type Rule } from './rule.ts'

/** One thing to do: another shape for an operand, or another rule. */
export type Change =
  | { readonly kind: 'shape'; readonly operand: number; readonly text: string; readonly code: string }
  | { readonly kind: 'rule'; readonly rule: Rule; readonly text: string; readonly code: string }

/** A change of shapes or of the call that makes it work. */
export interface Fix {
  /** `reshape B from (2,4) to (2,1,4)`. */
  readonly text: string
  /** The same as code: `b.reshape(2, 1, 4)`. */
  readonly code: string
  /** All operands' shapes with the fix applied. */
  readonly shapes: readonly SymbolicShape[]
  /** The rule to use, changed or as it was. */
  readonly rule: Rule
  readonly edits: readonly Edit[]
  /** What is done, one by one: `text` and `code` are theirs together. */
  readonly changes: readonly Change[]
  /** The result's shape with the fix applied. */
  readonly result: SymbolicShape
  readonly verdict: 'ok' | 'conditional'
  /** How much it changes: a 1 more or less counts 1, an axis moved or another rule 2, and what is rarely meant more. */
  readonly cost: number
}

export type Shapes = readonly (readonly Dim[])[]

/** Changing the rule changes what the program means, so it costs as much as moving an axis. */
const RULE_COST = 2
/** A result larger than every operand is rarely what was meant. */
const OUTER_COST = 2
/** The operand that others go onto, or the one of highest rank, is the data; its parameters are easier to change. */
const DATA_COST = 1
const CONDITION_COST = 1

/** What a failing broadcast was. */
export interface Problem {
  readonly rule: Rule
  readonly shapes: Shapes
  readonly onto: number
  /** Judges shapes like these. */
  readonly infer: Infer<readonly Dim[]>
}

/** Changed shapes, perhaps under another rule. */
export interface Candidate {
  readonly rule: Rule
  readonly shapes: Shapes
  readonly edits: readonly Edit[]
}

/** A fix with what is needed to choose between fixes. */
export interface Found extends Fix {
  readonly alignment: Alignment
  /** Whether the result is larger than every operand. */
  readonly outer: boolean
}

const core = (dims: readonly Dim[]): string => JSON.stringify(dims.filter((dim) => dim !== 1))

/** Whether no operand holds all that the result holds, as in an outer product. */
export const growsAll = (shapes: Shapes, result: SymbolicShape, { axes }: Alignment): boolean =>
  result !== null &&
  shapes.every((shape, operand) => core(shape.filter((_, axis) => axes[operand]![axis]! >= 0)) !== core(result))

/** Whether two shapes hold the same sizes in the same order, ones aside. */
export const sameCore = (a: readonly Dim[], b: readonly Dim[]): boolean => core(a) === core(b)

function editsData({ rule, shapes, onto }: Problem, edits: readonly Edit[]): boolean {
  if (rule.oneWay) return edits.some(({ operand }) => operand === onto)
  const most = largestRank(shapes)
  return shapes.some(({ length }) => length < most) && edits.some(({ operand }) => shapes[operand]!.length === most)
}

/** A rule as code: `numpy`, `pdpd({ axis: 1 })`. */
function ruleCode({ name, options }: Rule): string {
  const given = Object.entries(options as object).map(([option, value]) => `${option}: ${value}`)
  return given.length === 0 ? name : `${name}({ ${given.join(', ')} })`
}

/** What a candidate changes. */
function changesOf(problem: Problem, { rule, edits }: Candidate): Change[] {
  const changes = problem.shapes.flatMap((from, operand): Change[] => {
    const own = edits.filter((edit) => edit.operand === operand)
    return own.length === 0 ? [] : [{ kind: 'shape', operand, ...describeEdits(operandName(operand), from, own) }]
  })
  if (rule.label === problem.rule.label) return changes
  return [...changes, { kind: 'rule', rule, text: `use rule ${rule.label}`, code: `{ broadcast: ${ruleCode(rule)} }` }]
}

/** The fix that a candidate is, given that it holds. */
export function describeFix(
  problem: Problem,
  candidate: Candidate,
  { shape, verdict, alignment }: Exclude<Inference, { verdict: 'error' }>,
): Found {
  const { rule, shapes, edits } = candidate
  const changes = changesOf(problem, candidate)
  const outer = growsAll(shapes, shape, alignment!)
  const cost =
    edits.reduce((sum, edit) => sum + editCost(edit), 0) +
    (changes.some(({ kind }) => kind === 'rule') ? RULE_COST : 0) +
    (outer ? OUTER_COST : 0) +
    (editsData(problem, edits) ? DATA_COST : 0) +
    (verdict === 'conditional' ? CONDITION_COST : 0)
  return {
    text: changes.map(({ text }) => text).join(' and '),
    code: changes.map(({ code }) => code).join(', '),
    shapes,
    rule,
    edits,
    changes,
    result: shape,
    verdict,
    cost,
    alignment: alignment!,
    outer,
  }
}
