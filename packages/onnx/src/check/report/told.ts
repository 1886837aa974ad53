// Findings as people are told of them: those of one kind together, of one cause as one, and of many causes the first few.
// The text of a report and a page show the same groups.
import type { CheckFinding } from '../finding.ts'
import { placeText, quote } from '../words.ts'
import { type Group, grouped, placesText } from './groups.ts'

/** Findings of one kind and cause. */
export interface ToldFinding {
  /** The one that is told. */
  readonly first: CheckFinding
  /** How many there are. */
  readonly count: number
  /** Where the others are, the first few by name; empty without any. */
  readonly also: string
}

/** Findings of one kind with one severity. */
export interface ToldKind {
  readonly severity: CheckFinding['severity']
  readonly id: CheckFinding['id']
  readonly told: readonly ToldFinding[]
  /** Causes beyond those, counted; undefined where all are told. */
  readonly rest: (ToldFinding & { readonly causes: number }) | undefined
}

/** Causes of one kind that are told; a model may have a kind of finding at every node, each with its own sizes. */
const MOST_CAUSES = 5

/** Where it is, in a few words. */
function placeOf({ node, frame, name, path }: CheckFinding): string {
  if (node !== undefined) return placeText(node, frame)
  return name === undefined ? path : `${quote(name)} in ${path}`
}

const toldOf = ([first, ...others]: Group<CheckFinding>): ToldFinding => ({
  first,
  count: others.length + 1,
  also: placesText(others.map(placeOf)),
})

function restOf(causes: readonly Group<CheckFinding>[]): ToldKind['rest'] {
  if (causes.length === 0) return undefined
  const firsts = causes.map(([first]) => first) as [CheckFinding, ...CheckFinding[]]
  const count = causes.reduce((sum, { length }) => sum + length, 0)
  return { ...toldOf(firsts), count, causes: causes.length }
}

/**
 * The findings of a report by kind and cause, as `reportText` tells them.
 *
 * @example
 * ```ts
 * groupFindings(checkModel(model).findings).map(({ id }) => id) // ['broadcast-error']
 * ```
 */
export function groupFindings(findings: readonly CheckFinding[]): readonly ToldKind[] {
  return grouped(findings, ({ severity, id }) => `${severity} ${id}`).map((kind) => {
    const causes = grouped(kind, ({ cause, clause }) => JSON.stringify([cause, clause]))
    const told = causes.length <= MOST_CAUSES + 1 ? causes : causes.slice(0, MOST_CAUSES)
    const { severity, id } = kind[0]
    return { severity, id, told: told.map(toldOf), rest: restOf(causes.slice(told.length)) }
  })
}
