// Shapes whose rank is not known. An unknown rank is a choice between ranks, each with unknown sizes, and for each
// rank the verdict is exact; so the rule holds if it holds for every rank, fails if it fails for every rank, and
// what all ranks where it can hold have in common (conditions, sizes of the result) is known besides.
//
// Ranks 0 to K + reach + 1 stand for all, where K is the largest rank known and `reach` counts the axes that the
// rule's options name: beyond, one more axis only adds an axis that meets nothing. Where that is too many to try, nothing
// more is said than that the unknown shape has to obey the rule.
//
// One unknown operand stands for all unknown ones. If one of them fits in some shape, the others fit in the same
// shape, since sizes meet two by two; and two of them never hold always, since (2) and (3) are among their shapes.
// It is A itself when A is unknown, because the others can then copy any operand that goes onto A.
import type { Dim, SymbolicShape } from '../dim.ts'
import type { Failure } from '../failure.ts'
import type { Inference } from '../inference.ts'
import { largestRank, operandName, type Rule } from '../rule.ts'
import { type Condition, operandsOf, renumbered } from './condition.ts'
import { joinDims } from './outcome.ts'

/** Axes that an option may name before ranks are too many to try: it may be any integer. */
const MOST_REACH = 256

type Ranked = (rule: Rule, shapes: readonly (readonly Dim[])[], onto: number) => Inference
type Holding = Exclude<Inference, { verdict: 'error' }>

const joinShapes = (a: SymbolicShape, b: SymbolicShape): SymbolicShape =>
  a === null || b === null || a.length !== b.length ? null : a.map((dim, axis) => joinDims(dim, b[axis]!))

const conditionsOf = (outcome: Holding): readonly Condition[] =>
  outcome.verdict === 'conditional' ? outcome.conditions : []

/** The conditions that all outcomes share. */
function sharedConditions([first, ...others]: readonly Holding[]): Condition[] {
  const keys = others.map((outcome) => new Set(conditionsOf(outcome).map((condition) => JSON.stringify(condition))))
  return conditionsOf(first!).filter((condition) => keys.every((set) => set.has(JSON.stringify(condition))))
}

/** The failure of known shapes among themselves, if there is one; else the one that says most of the unknown shape. */
function failureAmong(outcomes: readonly Inference[], at: number, kept: readonly number[], onto: number): Failure {
  const failures = outcomes.flatMap((outcome) => (outcome.verdict === 'error' ? [outcome.failure] : []))
  const known = failures.find(({ operands }) => !operands.includes(at))
  // The scalar is the first to fit anywhere, and the largest rank the first to take anything.
  const failure = known ?? failures.at(kept[at] === onto ? -1 : 0)!
  const sentence = known ? failure.sentence : `no shape of ${operandName(kept[at]!)} fits: ${failure.sentence}`
  return { ...failure, sentence, operands: failure.operands.map((operand) => kept[operand]!) }
}

/** How many ranks, from 0 on, stand for all that an operand beside these can have; undefined where they are too many. */
export function ranksBeside(rule: Rule, known: readonly (readonly Dim[])[]): number | undefined {
  const reach = rule.reach ?? 0
  return reach > MOST_REACH ? undefined : largestRank(known) + reach + 2
}

/** Verdict for shapes of which some have no known rank. */
export function inferUnranked(
  rule: Rule,
  shapes: readonly SymbolicShape[],
  onto: number,
  inferRanked: Ranked,
): Inference {
  const unknown = shapes.flatMap((shape, operand) => (shape === null ? [operand] : []))
  const chosen = shapes[onto] === null ? onto : unknown[0]!
  const kept = shapes.flatMap((shape, operand) => (shape !== null || operand === chosen ? [operand] : []))
  const known = kept.flatMap((operand) => (operand === chosen ? [] : [shapes[operand]!]))
  const at = kept.indexOf(chosen)

  const obeys = unknown.map((operand): Condition => ({ anyOf: [{ operand, obeys: rule.label }] }))
  const length = ranksBeside(rule, known)
  if (length === undefined) return { verdict: 'conditional', shape: null, conditions: obeys, alignment: undefined }

  const outcomes = Array.from({ length }, (_, rank) =>
    inferRanked(rule, known.toSpliced(at, 0, new Array<null>(rank).fill(null)), kept.indexOf(onto)),
  )
  const holding = outcomes.filter((outcome) => outcome.verdict !== 'error')
  if (holding.length === 0)
    return { verdict: 'error', failure: failureAmong(outcomes, at, kept, onto), alignment: undefined }
  const shape = holding.map((outcome) => outcome.shape).reduce(joinShapes)
  const always = unknown.length === 1 && outcomes.every((outcome) => outcome.verdict === 'ok')
  if (always) return { verdict: 'ok', shape, alignment: undefined }
  const shared = sharedConditions(holding)
    .filter((condition) => !operandsOf(condition).includes(at))
    .map((condition) => renumbered(condition, (operand) => kept[operand]!))
  return { verdict: 'conditional', shape, conditions: [...shared, ...obeys], alignment: undefined }
}
