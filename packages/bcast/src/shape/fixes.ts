// What would make a failing broadcast hold: a search over small edits, cheapest first, each result tried with the
// rule itself. Nothing is suggested that was not seen to succeed.
import type { Dim, SymbolicShape } from './dim.ts'
import { applyEdit, describeEdits, type Edit, editCost, editsOf } from './edit.ts'
import { type Alignment, axesFrom, largestRank, NO_PART, operandName, type Rule } from './rule.ts'
import { numpy, onnxLegacy, paddle, pdpd } from './rules/index.ts'
import { type Inference, infer } from './symbolic/infer.ts'

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
  /** The result's shape with the fix applied. */
  readonly result: SymbolicShape
  readonly verdict: 'ok' | 'conditional'
  /** How much it changes: a 1 more or less counts 1, an axis moved or another rule 2, and what is rarely meant more. */
  readonly cost: number
}

type Shapes = readonly (readonly Dim[])[]

interface Candidate {
  readonly shapes: Shapes
  readonly edits: readonly Edit[]
}

interface Found extends Fix {
  readonly alignment: Alignment | undefined
  readonly outer: boolean
}

const MAX_COST = 4
const MAX_TRIES = 800
const MAX_FIXES = 4
/** Changing the rule changes what the program means, so it costs as much as moving an axis. */
const RULE_COST = 2
/** A result larger than every operand is rarely what was meant. */
const OUTER_COST = 2
/** The operand of highest rank is usually the data; its parameters are easier to change. */
const DATA_COST = 1
const CONDITION_COST = 1

/** Rules that a caller may have meant instead, as values and as code. */
function otherRules(rule: Rule, rank: number): { other: Rule; code: string }[] {
  const from = (make: (axis: number) => Rule, name: string, options = '') =>
    axesFrom(0, rank).map((axis) => ({ other: make(axis), code: `${name}({ ${options}axis: ${axis} })` }))
  const plain = { other: numpy, code: 'numpy' }
  const candidates = (() => {
    switch (rule.name) {
      case 'matmulBatch':
        return []
      case 'onnxLegacy':
        return [
          { other: onnxLegacy({ broadcast: true }), code: 'onnxLegacy({ broadcast: true })' },
          ...from((axis) => onnxLegacy({ broadcast: true, axis }), 'onnxLegacy', 'broadcast: true, '),
          plain,
        ]
      case 'paddle':
        return [plain, ...from((axis) => paddle({ axis }), 'paddle')]
      default:
        return [plain, ...from((axis) => pdpd({ axis }), 'pdpd')]
    }
  })()
  return candidates.filter(({ other }) => other.label !== rule.label)
}

const cores = (shape: readonly Dim[]): string => JSON.stringify(shape.filter((dim) => dim !== 1))

/** Whether no operand holds all that the result holds, as in an outer product. */
const growsAll = (shapes: Shapes, result: SymbolicShape): boolean =>
  result !== null && !shapes.some((shape) => cores(shape) === cores(result))

const editsData = (base: Shapes, edits: readonly Edit[]): boolean => {
  const most = largestRank(base)
  return base.some(({ length }) => length < most) && edits.some(({ operand }) => base[operand]!.length === most)
}

/** The fix that a candidate is, given that it holds. */
function describe(
  rule: Rule,
  base: Shapes,
  { shapes, edits }: Candidate,
  outcome: Exclude<Inference, { verdict: 'error' }>,
  ruleCode?: string,
): Found {
  const parts = base.flatMap((from, operand) => {
    const own = edits.filter((edit) => edit.operand === operand)
    return own.length === 0 ? [] : [describeEdits(operandName(operand), from, own)]
  })
  if (ruleCode !== undefined) parts.push({ text: `use rule ${rule.label}`, code: `{ broadcast: ${ruleCode} }` })
  const outer = growsAll(shapes, outcome.shape)
  const cost =
    edits.reduce((sum, edit) => sum + editCost(edit), 0) +
    (ruleCode === undefined ? 0 : RULE_COST) +
    (outer ? OUTER_COST : 0) +
    (editsData(base, edits) ? DATA_COST : 0) +
    (outcome.verdict === 'conditional' ? CONDITION_COST : 0)
  return {
    text: parts.map(({ text }) => text).join(' and '),
    code: parts.map(({ code }) => code).join(', '),
    shapes,
    rule,
    edits,
    result: outcome.shape,
    verdict: outcome.verdict,
    cost,
    alignment: outcome.alignment,
    outer,
  }
}

/** The axes of an operand that a fix may touch: not those that take no part, such as MatMul's matrices. */
const freeAxes = (shapes: Shapes, alignment: Alignment | undefined, operand: number): number =>
  alignment?.axes[operand]?.filter((place) => place !== NO_PART).length ?? shapes[operand]!.length

/** Candidates that hold, by number of changes. Only operands that disagree are edited: no other edit can help. */
function searchEdits(rule: Rule, base: Shapes, onto: number): Found[] {
  const found: Found[] = []
  const seen = new Set<string>()
  const levels: Candidate[][] = Array.from({ length: MAX_COST + 1 }, () => [])
  levels[0]!.push({ shapes: base, edits: [] })
  let limit = MAX_COST
  for (let cost = 0; cost <= limit; cost++) {
    for (const candidate of levels[cost]!) {
      const key = JSON.stringify(candidate.shapes)
      if (seen.has(key)) continue
      if (seen.size === MAX_TRIES) return found
      seen.add(key)
      const outcome = infer(rule, candidate.shapes, onto)
      if (outcome.verdict !== 'error') {
        const fix = describe(rule, base, candidate, outcome)
        found.push(fix)
        if (!fix.outer) limit = Math.min(limit, fix.cost + 1)
        continue
      }
      for (const operand of new Set(outcome.failure.operands)) {
        const shape = candidate.shapes[operand]!
        for (const edit of editsOf(operand, shape, freeAxes(candidate.shapes, outcome.alignment, operand))) {
          const level = levels[cost + editCost(edit)]
          if (level === undefined || level.length === MAX_TRIES) continue
          level.push({
            shapes: candidate.shapes.with(operand, applyEdit(shape, edit)),
            edits: [...candidate.edits, edit],
          })
        }
      }
    }
  }
  return found
}

/** Fixes for shapes of known rank that fail under `rule`, best first. */
export function findFixes(rule: Rule, shapes: Shapes, onto: number): Fix[] {
  const byRule = otherRules(rule, shapes[onto]!.length).flatMap(({ other, code }) => {
    const outcome = infer(other, shapes, onto)
    return outcome.verdict === 'error' ? [] : [describe(other, shapes, { shapes, edits: [] }, outcome, code)]
  })
  return best(searchEdits(rule, shapes, onto), byRule)
}

/** Where each operand's sizes land, counted from the right: fixes that agree in this are one fix. */
const landing = ({ shapes, alignment }: Found): string =>
  JSON.stringify(
    shapes.map((shape, operand) =>
      shape!.flatMap((dim, axis) => {
        const place = alignment!.axes[operand]![axis]!
        return dim === 1 ? [] : [place < 0 ? `own ${axis - shape!.length}` : place - alignment!.rank, dim]
      }),
    ),
  )

/** The cheapest fixes: distinct, not much dearer than the cheapest, one change of rule at most. */
function best(byEdit: readonly Found[], byRule: readonly Found[]): Fix[] {
  const meant = byEdit.some(({ outer }) => !outer) ? byEdit.filter(({ outer }) => !outer) : byEdit
  const size = ({ result }: Fix): number =>
    (result ?? []).reduce<number>((product, dim) => product * (typeof dim === 'number' ? dim : 8), 1)
  // Ties go to fewer edits, then to the smaller result, then to a later operand: the first is usually the data.
  const sorted = meant.toSorted(
    (a, b) =>
      a.cost - b.cost ||
      a.edits.length - b.edits.length ||
      size(a) - size(b) ||
      b.edits[0]!.operand - a.edits[0]!.operand,
  )
  const seen = new Set<string>()
  const distinct = sorted.filter((fix) => !seen.has(landing(fix)) && seen.add(landing(fix)))
  const other = byRule.toSorted((a, b) => a.cost - b.cost).slice(0, 1)
  const cheapest = Math.min(...[...distinct.slice(0, 1), ...other].map(({ cost }) => cost))
  const chosen = distinct.filter(({ cost }) => cost <= cheapest + 1).slice(0, MAX_FIXES - 1)
  return [...chosen, ...other].sort((a, b) => a.cost - b.cost).map(({ alignment: _, outer: __, ...fix }) => fix)
}

/**
 * For `(N)` against `(N,1)`, which holds as `(N,N)`: the respelling that makes them meet element by element. Empty
 * when the result is no larger than an operand, or when no such respelling exists.
 */
export function outerProductFixes(rule: Rule, shapes: Shapes, result: SymbolicShape, onto: number): Fix[] {
  const [a, b] = shapes
  if (shapes.length !== 2 || cores(a!) !== cores(b!) || !growsAll(shapes, result)) return []
  const operand = b!.length > a!.length ? 1 : 0
  const target = shapes[1 - operand]!
  const edits: Edit[] = []
  let shape = shapes[operand]!
  while (shape.length > target.length && shape.includes(1)) {
    const edit: Edit = { kind: 'drop', operand, at: shape.lastIndexOf(1) }
    edits.push(edit)
    shape = applyEdit(shape, edit)
  }
  const candidate = { shapes: shapes.with(operand, shape), edits }
  const outcome = infer(rule, candidate.shapes, onto)
  if (edits.length === 0 || outcome.verdict === 'error' || growsAll(candidate.shapes, outcome.shape)) return []
  return best([describe(rule, shapes, candidate, outcome)], [])
}
