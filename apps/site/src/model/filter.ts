// Which broadcasts of a model are listed: those that have every word of a search, the verdict, and the pattern or finding.
import type { State } from '../state/state.ts'
import type { Row } from './report.ts'

export interface Listed {
  readonly row: Row
  /** Its place among all, by which addresses name it. */
  readonly number: number
}

/** Rows of a page of the table. */
export const PAGE = 50

/** A search for a shape finds it with spaces and without, in brackets and without. */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/\s*,\s*/g, ',')
    .split(/\s+/)
    .filter((word) => word !== '')

export function filterRows(
  rows: readonly Row[],
  { find, verdict, about }: Pick<State, 'find' | 'verdict' | 'about'>,
): Listed[] {
  const words = wordsOf(find)
  const isMeant = ({ searched, verdict: own, patterns, findings }: Row): boolean =>
    (verdict === '' || own === verdict) &&
    (about === '' || patterns.includes(about) || (findings as readonly string[]).includes(about)) &&
    words.every((word) => searched.includes(word))
  return rows.map((row, number) => ({ row, number })).filter(({ row }) => isMeant(row))
}
