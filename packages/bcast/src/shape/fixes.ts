// What would make a failing broadcast hold: a search over small edits, cheapest first, each result tried with the
// rule itself. Nothing is suggested that was not seen to succeed.
import { isCountable } from './dim.ts'
import { applyEdit, type Edit, editCost, editsOf } from './edit.ts'
import { type Candidate, describeFix, type Fix, type Found, type Problem, type Shapes } from './fix.ts'
import { type Alignment, axesFrom, NO_PART, type Rule } from './rule.ts'
import { numpy } from './rules/numpy.ts'
import { pdpdFrom } from './rules/starting-at.ts'

const MAX_COST = 4
const MAX_OUTER_COST = 3
const MAX_TRIES = 800
/** Each try looks at all sizes, so that many operands leave fewer tries. */
const MAX_SIZES = 40_000
const MAX_FIXES = 4

/** Rules that a caller may have meant instead: what the rule itself names, else numpy and every start of pdpd. */
function otherRules({ rule, shapes, onto }: Problem): readonly Rule[] {
  const axes = axesFrom(0, shapes[onto]!.length)
  const others = rule.others?.(axes) ?? [numpy, ...axes.map(pdpdFrom)]
  return others.filter((other) => other.label !== rule.label)
}

/** The axes of an operand that a fix may touch: not those that take no part, such as MatMul's matrices. */
const freeAxes = (shapes: Shapes, alignment: Alignment | undefined, operand: number): number =>
  alignment?.axes[operand]?.filter((place) => place !== NO_PART).length ?? shapes[operand]!.length

/** The edits that could settle a disagreement in which this operand takes part. */
function* editsFor(
  { rule, onto }: Problem,
  shapes: Shapes,
  alignment: Alignment | undefined,
  operand: number,
): Generator<Edit> {
  // A scalar does not become a matrix by a size of 1, and an option that is not known stays so.
  if ((rule.name === 'matmulBatch' && alignment === undefined) || alignment?.undetermined !== undefined) return
  for (const edit of editsOf(operand, shapes[operand]!, freeAxes(shapes, alignment, operand))) {
    // What all others go onto has no use for new axes.
    if (edit.kind !== 'insert' || !rule.oneWay || operand !== onto) yield edit
  }
}

/** Candidates that hold, by number of changes. Only operands that disagree are edited: no other edit can help. */
function searchEdits(problem: Problem, rule: Rule): Found[] {
  const { shapes: base, onto, infer } = problem
  const sizes = base.reduce((count, { length }) => count + length + 1, 0)
  const most = Math.min(MAX_TRIES, Math.ceil(MAX_SIZES / sizes))
  const levels: Candidate[][] = axesFrom(0, MAX_COST + 1).map(() => [])
  const isOpen = (level: Candidate[] | undefined): level is Candidate[] => level !== undefined && level.length < most
  const found: Found[] = []
  const seen = new Set<string>()
  let limit = MAX_COST
  levels[0]!.push({ rule, shapes: base, edits: [] })
  for (let cost = 0; cost <= limit; cost++) {
    for (const candidate of levels[cost]!) {
      const key = JSON.stringify(candidate.shapes)
      if (seen.has(key)) continue
      if (seen.size === most) return found
      seen.add(key)
      const outcome = infer(candidate.rule, candidate.shapes, onto)
      if (outcome.verdict !== 'error') {
        const fix = describeFix(problem, candidate, outcome)
        found.push(fix)
        // What is dearer by more than 1 would not be shown.
        if (!fix.outer) limit = Math.min(limit, fix.cost + 1)
        continue
      }
      if (!isOpen(levels[cost + 1]) && !isOpen(levels[cost + 2])) continue
      for (const operand of new Set(outcome.failure.operands)) {
        for (const edit of editsFor(problem, candidate.shapes, outcome.alignment, operand)) {
          const level = levels[cost + editCost(edit)]
          if (!isOpen(level)) continue
          const shapes = candidate.shapes.with(operand, applyEdit(candidate.shapes[operand]!, edit))
          level.push({ ...candidate, shapes, edits: [...candidate.edits, edit] })
        }
      }
    }
  }
  return found
}

/** Fixes for shapes of known rank that fail under a rule, best first. */
export function findFixes(problem: Problem): Fix[] {
  const { rule, shapes, onto, infer } = problem
  const byRule = otherRules(problem).flatMap((other) => {
    const outcome = infer(other, shapes, onto)
    return outcome.verdict === 'error' ? [] : [describeFix(problem, { rule: other, shapes, edits: [] }, outcome)]
  })
  const byEdit = searchEdits(problem, rule)
  if (byEdit.length > 0 || byRule.length > 0 || rule.name === 'matmulBatch') return best(byEdit, byRule)
  return best(
    searchEdits(problem, numpy).filter(({ outer }) => !outer),
    [],
  )
}

/** Where each operand's sizes land, counted from the right: fixes that agree in this are one fix. */
const landing = ({ shapes, alignment: { axes, rank } }: Found): string =>
  JSON.stringify(
    shapes.map((shape, operand) =>
      shape!.flatMap((dim, axis) => {
        const place = axes[operand]![axis]!
        return dim === 1 ? [] : [place < 0 ? `own ${axis - shape!.length}` : place - rank, dim]
      }),
    ),
  )

/** Those that always hold and grow nothing, if there are any; else the next best kind. */
function mostMeant(found: readonly Found[]): readonly Found[] {
  const plain = found.filter(({ outer }) => !outer)
  if (plain.length === 0) return found.filter(({ cost }) => cost <= MAX_OUTER_COST)
  const certain = plain.filter(({ verdict }) => verdict === 'ok')
  return certain.length > 0 ? certain : plain
}

/** The cheapest fixes: distinct, not much dearer than the cheapest, one change of rule at most. */
export function best(byEdit: readonly Found[], byRule: readonly Found[]): Fix[] {
  const offered = mostMeant([...byEdit, ...byRule].filter(({ result }) => isCountable(result)))
  const size = ({ result }: Fix): number =>
    (result ?? []).reduce<number>((product, dim) => product * (typeof dim === 'number' ? dim : 8), 1)
  // Ties go to edits before rules, fewer edits, the smaller result, and a later operand: the first is usually the data.
  const byRuleAlone = ({ edits }: Fix): number => (edits.length === 0 ? 1 : 0)
  const firstOperand = ({ edits }: Fix): number => edits[0]?.operand ?? -1
  const sorted = offered.toSorted(
    (a, b) =>
      a.cost - b.cost ||
      byRuleAlone(a) - byRuleAlone(b) ||
      a.edits.length - b.edits.length ||
      size(a) - size(b) ||
      firstOperand(b) - firstOperand(a),
  )
  const seen = new Set<string>()
  const distinct = sorted.filter((fix) => {
    const key = `${fix.rule.label} ${landing(fix)}`
    return !seen.has(key) && seen.add(key)
  })
  const near = distinct.filter(({ cost }) => cost <= distinct[0]!.cost + 1)
  const changed = near.find(({ edits }) => edits.length === 0)
  const chosen = near.filter(({ edits }) => edits.length > 0).slice(0, MAX_FIXES - 1)
  return near.filter((fix) => fix === changed || chosen.includes(fix)).map(({ alignment: _, outer: __, ...fix }) => fix)
}
