// Conditions of a verdict, for programs (plain data) and for people ("N = 1 or N = 4"). All conditions must
// hold; each is a choice between facts.
import { OperandError } from '../../errors/index.ts'
import { operandName } from '../rule.ts'

/** A size that is not known: by its name, or by where it stands (axis counted from the right). */
export type SizeRef = string | { readonly operand: number; readonly axis: number }

export type Fact =
  | { readonly size: SizeRef; readonly is: number | SizeRef }
  | { readonly size: SizeRef; readonly isnt: number | SizeRef }
  /** The operand's rank is unknown; its shape must obey the rule together with the others. */
  | { readonly operand: number; readonly obeys: string }
  /** Something outside the shapes is unknown. */
  | { readonly unknown: string }

/** What sizes must satisfy where a verdict depends on them. */
export interface Condition {
  readonly anyOf: readonly Fact[]
}

export const refText = (ref: number | SizeRef): string =>
  typeof ref === 'object' ? `${operandName(ref.operand)}[${ref.axis}]` : String(ref)

function factText(fact: Fact): string {
  if ('unknown' in fact) return `${fact.unknown}, which is not known, allows it`
  if ('obeys' in fact) return `the shape of ${operandName(fact.operand)}, whose rank is unknown, obeys ${fact.obeys}`
  return 'is' in fact ? `${refText(fact.size)} = ${refText(fact.is)}` : `${refText(fact.size)} ≠ ${refText(fact.isnt)}`
}

/**
 * The conditions as one sentence part: `N = 1 or N = 4`, `(N = 1 or N = 4) and M = 3`.
 *
 * @example
 * ```ts
 * formatConditions(explain([['N', 3], [4, 3]]).conditions) // 'N = 1 or N = 4'
 * ```
 */
export function formatConditions(conditions: readonly Condition[], most?: number): string {
  if (!Array.isArray(conditions)) {
    throw new OperandError('formatConditions takes an array of conditions.', { operator: 'formatConditions' })
  }
  const parts = conditions.slice(0, most).map(({ anyOf }) => {
    const text = anyOf.map(factText).join(' or ')
    return anyOf.length > 1 && conditions.length > 1 ? `(${text})` : text
  })
  if (most !== undefined && conditions.length > most) parts.push(`${conditions.length - most} more conditions hold`)
  return parts.join(' and ')
}

/**
 * Whether conditions hold for given sizes. `sizeOf` gives the size of a name or place; `obeys` answers for
 * operands of unknown rank. What is unknown besides never holds.
 *
 * @example
 * ```ts
 * conditionsHold(explain([['N', 3], [4, 3]]).conditions, () => 4) // true
 * ```
 */
export function conditionsHold(
  conditions: readonly Condition[],
  sizeOf: (ref: SizeRef) => number,
  obeys: (operand: number) => boolean = () => false,
): boolean {
  if (
    !Array.isArray(conditions) ||
    !conditions.every((each) => Array.isArray(each?.anyOf)) ||
    typeof sizeOf !== 'function'
  ) {
    throw new OperandError(
      'conditionsHold takes an array of conditions, and a function that gives the size of a name or place.',
      { operator: 'conditionsHold' },
    )
  }
  const value = (ref: number | SizeRef): number => (typeof ref === 'number' ? ref : sizeOf(ref))
  return conditions.every(({ anyOf }) =>
    anyOf.some((fact: Fact) => {
      if ('unknown' in fact) return false
      if ('obeys' in fact) return obeys(fact.operand)
      return 'is' in fact ? sizeOf(fact.size) === value(fact.is) : sizeOf(fact.size) !== value(fact.isnt)
    }),
  )
}

/** The operands that a condition speaks of by place. */
export const operandsOf = ({ anyOf }: Condition): number[] =>
  anyOf.flatMap((fact) => {
    if ('obeys' in fact) return [fact.operand]
    return Object.values<number | SizeRef>(fact).flatMap((ref) => (typeof ref === 'object' ? [ref.operand] : []))
  })

/** The same condition with its operands numbered otherwise. */
export function renumbered({ anyOf }: Condition, to: (operand: number) => number): Condition {
  const ref = <R extends number | SizeRef>(r: R): R => (typeof r === 'object' ? { ...r, operand: to(r.operand) } : r)
  return {
    anyOf: anyOf.map((fact): Fact => {
      if ('unknown' in fact) return fact
      if ('obeys' in fact) return { ...fact, operand: to(fact.operand) }
      return 'is' in fact ? { size: ref(fact.size), is: ref(fact.is) } : { size: ref(fact.size), isnt: ref(fact.isnt) }
    }),
  }
}
