// Conditions of a broadcast over Dims: translated from the solver's names, decided as far as bounds and equations go,
// solved for the model's own symbols, and put together so that what cannot hold at once is found.
import { type Condition, formatConditions } from 'bcast'
import type { Dim } from './dim.ts'
import { evaluate, type Sizes } from './evaluate.ts'
import { Facts } from './facts.ts'
import type { Interval } from './interval.ts'
import type { Names } from './naming.ts'
import { constant } from './polynomial.ts'
import { format } from './print.ts'
import { solve } from './solve.ts'

/** Something that is known of sizes. */
export type DimFact =
  | { readonly kind: 'equal' | 'unequal'; readonly left: Dim; readonly right: Dim }
  | { readonly kind: 'within'; readonly dim: Dim; readonly range: Interval }
  /** Nothing about sizes: an operand of unknown rank, or something else that is not known. */
  | { readonly kind: 'other'; readonly text: string }

/** At least one of the facts holds. */
export interface DimCondition {
  readonly anyOf: readonly DimFact[]
}

/** Ranges of at most so many values are listed. */
const MAX_LISTED = 4

function factText(fact: DimFact): string {
  if (fact.kind === 'other') return fact.text
  if (fact.kind !== 'within') return `${format(fact.left)} ${fact.kind === 'equal' ? '=' : '≠'} ${format(fact.right)}`
  const { min, max } = fact.range
  const text = format(fact.dim)
  if (typeof max !== 'bigint') return `${text} >= ${min}`
  return typeof min === 'bigint' ? `${min} <= ${text} <= ${max}` : `${text} <= ${max}`
}

/** The same for facts that say the same; texts of long expressions take time. */
function factKey(fact: DimFact): string {
  if (fact.kind === 'other') return fact.text
  if (fact.kind === 'within') return `${fact.dim.key} ${fact.range.min} ${fact.range.max}`
  return `${fact.left.key} ${fact.kind} ${fact.right.key}`
}

/** As bcast says conditions: `N = 1 or N = 4`, `(N = 1 or N = 4) and M = 3`. */
export function formatDimConditions(conditions: readonly DimCondition[]): string {
  const parts = conditions.map(({ anyOf }) => {
    const text = anyOf.map(factText).join(' or ')
    return anyOf.length > 1 && conditions.length > 1 ? `(${text})` : text
  })
  return parts.join(' and ')
}

/** The solver's conditions in terms of Dims. */
export const translated = (conditions: readonly Condition[], names: Names): DimCondition[] =>
  conditions.map(({ anyOf }) => ({
    anyOf: anyOf.map((fact): DimFact => {
      const other = { kind: 'other', text: formatConditions([{ anyOf: [fact] }]) } as const
      if (!('size' in fact) || typeof fact.size !== 'string') return other
      const left = names.dimOf(fact.size)
      const to = 'is' in fact ? fact.is : fact.isnt
      const right = typeof to === 'object' ? undefined : names.dimOf(to)
      if (left === undefined || right === undefined) return other
      return { kind: 'is' in fact ? 'equal' : 'unequal', left, right }
    }),
  }))

/** The facts that say the same as one; none when it cannot hold, true when it always does. */
function solvedFact(fact: DimFact, facts: Facts): DimFact[] | true {
  if (fact.kind !== 'equal' && fact.kind !== 'unequal') return [fact]
  const [left, right] = [facts.apply(fact.left), facts.apply(fact.right)]
  const solution = solve(left, right)
  if (solution?.kind === 'always' || solution?.kind === 'never') {
    return (solution.kind === 'always') === (fact.kind === 'equal') || []
  }
  if (solution?.kind === 'is') return [{ ...fact, left: solution.symbol, right: solution.value }]
  const equations = solution?.ranges.flatMap((range) => rangeFacts(solution.symbol, range))
  if (fact.kind === 'equal' && equations !== undefined) return equations
  const [only, ...others] = equations ?? []
  // What excludes one value of a symbol excludes it by name; what excludes several stays as it is.
  return others.length === 0 && only?.kind === 'equal' ? [{ ...only, kind: 'unequal' }] : [{ ...fact, left, right }]
}

function rangeFacts(dim: Dim, range: Interval): DimFact[] {
  const { min, max } = range
  if (typeof min !== 'bigint' || typeof max !== 'bigint' || max - min >= MAX_LISTED)
    return [{ kind: 'within', dim, range }]
  const values = Array.from({ length: Number(max - min) + 1 }, (_, i) => min + BigInt(i))
  return values.map((value) => ({ kind: 'equal', left: dim, right: constant(value) }))
}

/** Solved facts by the keys of those that were given. */
type Solved = Map<string, DimFact[] | true>

/** The condition solved, each fact once; true when it always holds. */
function solvedCondition({ anyOf }: DimCondition, facts: Facts, before: Solved): DimCondition | true {
  const solved = new Map<string, DimFact>()
  for (const fact of anyOf) {
    const key = factKey(fact)
    const same = before.get(key) ?? solvedFact(fact, facts)
    before.set(key, same)
    if (same === true) return true
    for (const each of same) solved.set(factKey(each), each)
  }
  return { anyOf: [...solved.values()] }
}

export interface Settled {
  readonly conditions: readonly DimCondition[]
  /** What the conditions settle about the symbols. */
  readonly facts: Facts
}

/**
 * Conditions that must all hold, solved together: each that leaves one equation is put into the others. Undefined when
 * they cannot hold together.
 */
export function settle(given: readonly DimCondition[]): Settled | undefined {
  const facts = new Facts()
  const learned: DimCondition[] = []
  // N operands that meet have N squared conditions of which most facts are the same.
  const before: Solved = new Map()
  let open = given
  for (let changed = true; changed; ) {
    changed = false
    const left: DimCondition[] = []
    for (const condition of open) {
      const solved = solvedCondition(condition, facts, before)
      if (solved === true) continue
      const [first, ...others] = solved.anyOf
      if (first === undefined) return undefined
      const isEquation = others.length === 0 && first.kind === 'equal'
      if (isEquation && facts.equate(first.left, first.right) === 'learned') {
        learned.push(solved)
        before.clear()
        changed = true
      } else left.push(solved)
    }
    open = left
  }
  const together = chooseTogether(open)
  return together && { conditions: [...learned, ...together], facts }
}

/** A choice between constants for one Dim, by the Dim's key; undefined for other conditions. */
function choicesOf({ anyOf }: DimCondition): { readonly key: string; readonly values: Set<string> } | undefined {
  const [first] = anyOf
  if (first?.kind !== 'equal') return undefined
  const { key } = first.left
  const isChoice = anyOf.every(
    (fact) =>
      fact.kind === 'equal' && fact.left.key === key && fact.right.terms.every(({ monomial }) => monomial.degree === 0),
  )
  return isChoice ? { key, values: new Set(anyOf.map((fact) => (fact as typeof first).right.key)) } : undefined
}

/** Choices between constants of the same Dim in one: what all of them allow; undefined when that is nothing. */
function chooseTogether(open: readonly DimCondition[]): DimCondition[] | undefined {
  const chosen = new Map<string, DimCondition>()
  const others: DimCondition[] = []
  for (const condition of open) {
    const choices = choicesOf(condition)
    if (choices === undefined) others.push(condition)
    else {
      const allowed = (chosen.get(choices.key) ?? condition).anyOf
      const anyOf = allowed.filter((fact) => fact.kind === 'equal' && choices.values.has(fact.right.key))
      if (anyOf.length === 0) return undefined
      chosen.set(choices.key, { anyOf })
    }
  }
  return [...chosen.values(), ...others]
}

/** Whether conditions hold for given sizes; what is not about sizes never does. */
export function dimConditionsHold(conditions: readonly DimCondition[], sizes: Sizes): boolean {
  const holds = (fact: DimFact): boolean => {
    if (fact.kind === 'other') return false
    if (fact.kind !== 'within')
      return (evaluate(fact.left, sizes) === evaluate(fact.right, sizes)) === (fact.kind === 'equal')
    const value = evaluate(fact.dim, sizes)
    return value >= fact.range.min && value <= fact.range.max
  }
  return conditions.every(({ anyOf }) => anyOf.some(holds))
}
