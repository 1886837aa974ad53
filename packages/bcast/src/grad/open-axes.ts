// Which axes of a result the gradient of an operand is summed over, where sizes are not all known. An axis is summed over
// where the operand does not have it, or where its size is 1 and the result's is not. Given that the shapes meet, that is
// certain, impossible, or a condition on sizes; the solver of the rules decides which.
import type { Dim } from '../shape/dim.ts'
import { type Alignment, axesFrom, type Relation, type Rule, relationOf } from '../shape/rule.ts'
import type { Condition, Fact, SizeRef } from '../shape/symbolic/condition.ts'
import { domainOf } from '../shape/symbolic/domain.ts'
import {
  type Atom,
  type Clause,
  collectSymbols,
  differs,
  equal,
  formulaOf,
  type Symbols,
  type Term,
} from '../shape/symbolic/formula.ts'
import { reference } from '../shape/symbolic/outcome.ts'
import { canHold } from '../shape/symbolic/solve.ts'

/** Always, never, or exactly when all of these conditions hold. */
export type Answer = boolean | readonly Condition[]

type Shapes = readonly (readonly Dim[])[]

/** Facts of which one holds, as atoms; `true` where one holds whatever the sizes. */
type Choice = readonly Atom[] | true

const choice = (facts: readonly (Atom | boolean)[]): Choice =>
  facts.includes(true) || facts.filter((fact) => typeof fact === 'object')

const isOne = (term: Term): Atom | boolean => equal(term, { size: 1 })
const isNoOne = (term: Term): Atom | boolean => differs(term, 1)

/** Whether a rule can hold where choices hold besides. */
type Possible = (...choices: readonly Choice[]) => boolean

function possibleUnder(relation: Relation, symbols: Symbols, alignment: Alignment, onto: number): Possible {
  const { clauses, groups } = formulaOf(relation, symbols, alignment, onto)
  const domains = symbols.declared.map(({ dim }) => domainOf(dim))
  return (...choices) => {
    // Nobody asks these clauses where they come from.
    const origin: Clause['origin'] = { kind: 'one', operand: 0, axis: 0 }
    const more = choices.flatMap((atoms) => (atoms === true ? [] : [{ atoms, origin }]))
    return canHold(domains, { clauses: [...clauses, ...more], groups })
  }
}

/** The sizes of which one that is not 1 makes the result's other than 1. */
function stretchingTerms(
  relation: Relation,
  { terms }: Symbols,
  { axes }: Alignment,
  onto: number,
  operand: number,
  axis: number,
): readonly Term[] {
  const together = relation === 'common' || relation === 'max'
  return terms.flatMap((own, other) => {
    if (other === operand || !(together || other === onto)) return []
    const at = axes[other]!.indexOf(axis)
    return at < 0 ? [] : [own[at]!]
  })
}

/** Whether the operand's size `own` is 1 while one of `others` is not. */
function stretched(possible: Possible, symbols: Symbols, own: Term, others: readonly Term[]): Answer {
  const one = choice([isOne(own)])
  const wider = choice(others.map(isNoOne))
  if (!possible(one, wider)) return false
  const all = others.map((other) => choice([isNoOne(own), isOne(other)]))
  if (!possible(...all)) return true
  const allOnes = others.map((other) => choice([isOne(other)]))
  const conditionOf = (atoms: Choice): readonly Condition[] =>
    atoms === true ? [] : [{ anyOf: distinct(atoms.map((atom) => factOf(symbols, atom))) }]
  // What follows from the other half need not be said.
  if (!possible(one, ...allOnes)) return conditionOf(one)
  const open = choice(others.map(isNoOne).filter((fact) => fact === true || (fact && possible(one, [fact]))))
  return possible(choice([isNoOne(own)]), wider) ? [...conditionOf(one), ...conditionOf(open)] : conditionOf(wider)
}

const distinct = (facts: readonly Fact[]): readonly Fact[] => [
  ...new Map(facts.map((fact) => [JSON.stringify(fact), fact])).values(),
]

function factOf(symbols: Symbols, atom: Atom): Fact {
  if (atom.kind === 'is') return { size: reference(symbols, atom.symbol), is: atom.size }
  if (atom.kind === 'isnt') return { size: reference(symbols, atom.symbol), isnt: atom.size }
  return { size: reference(symbols, atom.a), is: reference(symbols, atom.b) }
}

/** One place where an operand may go, and what has to hold if it does. */
interface Placing {
  readonly alignment: Alignment
  readonly if: readonly Choice[]
}

/** The answers for each axis of the result where an operand lies so; undefined where it cannot. */
function answersAt(
  { alignment, if: choices }: Placing,
  relation: Relation,
  symbols: Symbols,
  onto: number,
  operand: number,
): readonly Answer[] | undefined {
  const possible = possibleUnder(relation, symbols, alignment, onto)
  if (!possible(...choices)) return undefined
  return axesFrom(0, alignment.rank).map((axis): Answer => {
    const own = alignment.axes[operand]!.indexOf(axis)
    if (own < 0) return true
    const others = stretchingTerms(relation, symbols, alignment, onto, operand, axis)
    return stretched((...more) => possible(...choices, ...more), symbols, symbols.terms[operand]![own]!, others)
  })
}

const sameAnswer = (a: Answer, b: Answer): boolean => JSON.stringify(a) === JSON.stringify(b)

/** What all answers say, or that it depends on something which is not known. */
export const agreed = (answers: readonly Answer[], what: string): Answer =>
  answers.every((answer) => sameAnswer(answer, answers[0]!)) ? answers[0]! : [{ anyOf: [{ unknown: what }] }]

const clausesOf = (answer: Answer): readonly Condition[] =>
  answer === true ? [] : answer === false ? [{ anyOf: [] }] : answer

/** One answer where all these sizes are equal, another where they are not. */
function either(pairs: readonly (readonly [SizeRef, number | SizeRef])[], there: Answer, elsewhere: Answer): Answer {
  if (sameAnswer(there, elsewhere)) return there
  const joined = (facts: readonly Fact[], { anyOf }: Condition): Condition => ({
    anyOf: distinct([...facts, ...anyOf]),
  })
  const apart = pairs.map(([size, other]): Fact => ({ size, isnt: other }))
  return [
    ...clausesOf(there).map((condition) => joined(apart, condition)),
    ...clausesOf(elsewhere).flatMap((condition) =>
      pairs.map(([size, other]) => joined([{ size, is: other }], condition)),
    ),
  ]
}

/** A size that is not known, and the size that it is compared with. */
function compared(symbols: Symbols, a: Term, b: Term): readonly [SizeRef, number | SizeRef] {
  if ('size' in a) return [reference(symbols, (b as { symbol: number }).symbol), a.size]
  return [reference(symbols, a.symbol), 'size' in b ? b.size : reference(symbols, b.symbol)]
}

/** That two sizes differ; nothing where the solver has no word for it. */
function differ(a: Term, b: Term): Choice {
  if ('size' in a) return choice([differs(b, a.size)])
  return 'size' in b ? choice([differs(a, b.size)]) : true
}

/** The answers where an operand goes to other axes if its sizes equal A's there. */
function answersEither(
  rule: Rule,
  symbols: Symbols,
  given: Alignment,
  onto: number,
  operand: number,
): readonly Answer[] {
  const relation = relationOf(rule, given)
  const other = given.or?.find((each) => each.operand === operand)
  const alignment = { ...given, or: given.or?.filter((each) => each !== other) ?? [] }
  if (other === undefined) return answersAt({ alignment, if: [] }, relation, symbols, onto, operand)!
  const [own, kept] = [symbols.terms[operand]!, symbols.terms[onto]!]
  const pairs = other.axes
    .map((place, axis) => [own[axis]!, kept[place]!] as const)
    .filter(([a, b]) => equal(a, b) !== true)
  const moved = { ...alignment, axes: alignment.axes.with(operand, other.axes) }
  const equalities = pairs.map(([a, b]) => choice([equal(a, b)]))
  const there = answersAt({ alignment: moved, if: equalities }, relation, symbols, onto, operand)
  const apart = pairs.map(([a, b]) => differ(a, b))
  const unequal = apart.includes(true) ? [] : [apart.flatMap((atoms) => (atoms === true ? [] : atoms))]
  const elsewhere = answersAt({ alignment, if: unequal }, relation, symbols, onto, operand)
  if (there === undefined || elsewhere === undefined) return (there ?? elsewhere)!
  const facts = pairs.map(([a, b]) => compared(symbols, a, b))
  return there.map((answer, axis) => either(facts, answer, elsewhere[axis]!))
}

/** The answers for each operand and each axis of the result, for shapes of known ranks that can meet. */
export function answersOf(rule: Rule, shapes: Shapes, onto: number): readonly (readonly Answer[])[] {
  const alignment = rule.align(shapes, onto) as Alignment
  const symbols = collectSymbols(shapes)
  const { undetermined } = alignment
  return shapes.map((_, operand) => {
    if (undetermined === undefined) return answersEither(rule, symbols, alignment, onto, operand)
    const possible = undetermined.candidates.flatMap((candidate) => {
      const answers = answersAt({ alignment: candidate, if: [] }, relationOf(rule, candidate), symbols, onto, operand)
      return answers === undefined ? [] : [answers]
    })
    return axesFrom(0, alignment.rank).map((axis): Answer => {
      if (operand === onto) return false
      // Without candidates there were too many to try.
      const answers = possible.map((each) => each[axis]!)
      return agreed(answers.length === 0 ? [true, false] : answers, undetermined.what)
    })
  })
}
