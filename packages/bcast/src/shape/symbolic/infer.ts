// The three-valued verdict of a rule over symbolic shapes: holds with this shape, fails for this reason, or
// holds exactly when these conditions hold. Names are one size across all axes and operands together.
import { type Dim, isConcrete, type SymbolicShape } from '../dim.ts'
import { type Failure, misfitFailure, mismatch, mustBeOne, outside } from '../failure.ts'
import { type Inference, inferConcrete } from '../inference.ts'
import { type Alignment, isMisfit, type Rule, relationOf } from '../rule.ts'
import { domainOf } from './domain.ts'
import { collectSymbols, formulaOf, type Symbols, type Term } from './formula.ts'
import { conditionsOf, resultShape, settled } from './outcome.ts'
import { type Conflict, solve } from './solve.ts'
import { inferUnranked } from './unranked.ts'

type Shapes = readonly (readonly Dim[])[]

const solveFor = (rule: Rule, symbols: Symbols, alignment: Alignment, onto: number) =>
  solve(
    symbols.declared.map(({ dim }) => domainOf(dim)),
    formulaOf(relationOf(rule, alignment), symbols, alignment, onto),
  )

/** Verdict for shapes whose ranks are known. */
function inferRanked(rule: Rule, shapes: Shapes, onto: number): Inference {
  const alignment = rule.align(shapes, onto)
  if (isMisfit(alignment)) return { verdict: 'error', failure: misfitFailure(shapes, alignment), alignment: undefined }
  const symbols = collectSymbols(shapes)
  if (alignment.undetermined !== undefined) return inferUndetermined(rule, shapes, symbols, alignment, onto)
  const solution = solveFor(rule, symbols, alignment, onto)
  if ('conflict' in solution) {
    return { verdict: 'error', failure: failureOf(shapes, symbols, alignment, onto, solution), alignment }
  }
  const shape = resultShape(relationOf(rule, alignment), symbols, alignment, onto, solution)
  const conditions = conditionsOf(symbols, solution)
  return conditions.length === 0
    ? { verdict: 'ok', shape, alignment }
    : { verdict: 'conditional', shape, conditions, alignment }
}

/** A placement that is not known: an error if none of those possible can hold. */
function inferUndetermined(
  rule: Rule,
  shapes: Shapes,
  symbols: Symbols,
  alignment: Alignment,
  onto: number,
): Inference {
  const { what, candidates } = alignment.undetermined!
  const none = candidates.length > 0 && candidates.every((each) => 'conflict' in solveFor(rule, symbols, each, onto))
  if (none) {
    const operands = [onto, shapes.findIndex((_, operand) => operand !== onto)]
    const failure = misfitFailure(shapes, { misfit: `${what} is not known, and none fits`, operands })
    return { verdict: 'error', failure, alignment: undefined }
  }
  return { verdict: 'conditional', shape: shapes[onto]!, conditions: [{ anyOf: [{ unknown: what }] }], alignment }
}

/** The failure that a conflict means, with what other axes had settled about the sizes that meet. */
function failureOf(
  shapes: Shapes,
  symbols: Symbols,
  { rank, axes }: Alignment,
  onto: number,
  { conflict, state }: Conflict,
): Failure {
  const { origin } = conflict
  const because = (failure: Failure, terms: readonly (Term | undefined)[]): Failure => {
    const known = new Set(terms.flatMap((term) => (term && settled(symbols, state, term)) ?? []))
    return known.size === 0 ? failure : { ...failure, sentence: `${failure.sentence}, where ${[...known].join(', ')}` }
  }
  if (origin.kind !== 'meeting') {
    const { kind, operand, axis } = origin
    const failure = kind === 'one' ? mustBeOne(shapes, operand, axis) : outside(shapes, onto, operand, axis)
    return because(failure, [symbols.terms[operand]![axis]])
  }
  const { resultAxis, operands } = origin
  const own = operands.map((operand) => axes[operand]!.indexOf(resultAxis))
  const [[p, a], [q, b]] = operands.map(
    (operand, i) => [operand, own[i]! < 0 ? 1 : shapes[operand]![own[i]!]!] as const,
  ) as [readonly [number, Dim], readonly [number, Dim]]
  return because(
    mismatch(shapes, rank, resultAxis, [p, a], [q, b]),
    operands.map((operand, i) => symbols.terms[operand]![own[i]!]),
  )
}

/** The verdict of a rule over shapes that may hold symbols; `onto` is the operand that one-way rules keep. */
export function infer(rule: Rule, shapes: readonly SymbolicShape[], onto = 0): Inference {
  if (shapes.length === 0) return { verdict: 'ok', shape: [], alignment: { rank: 0, axes: [] } }
  if (shapes.every(isConcrete)) {
    const outcome = inferConcrete(rule, shapes, onto)
    // Options that are not known leave even concrete shapes open.
    if (outcome.alignment?.undetermined === undefined) return outcome
  }
  if (shapes.every((shape) => shape !== null)) return inferRanked(rule, shapes, onto)
  return inferUnranked(rule, shapes, onto, inferRanked)
}
