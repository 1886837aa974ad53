// The census for people, on a terminal.
import { framed } from '../check/report/framed.ts'
import { grouped } from '../check/report/groups.ts'
import { tableLines } from '../check/report/table.ts'
import type { Census } from './census.ts'
import { isNumeric, summaryOf, tablesOf } from './tables.ts'

/** How `censusText` is laid out. */
export interface CensusTextOptions {
  /** Columns that tables may take where they can be drawn so. No limit unless said. */
  readonly width?: number
}

/** Files that are not read for the same reason, which is told once. */
function failureLines({ failures }: Census): string[] {
  return grouped(failures, ({ message }) => message).flatMap(([first, ...others]) =>
    others.length === 0
      ? [`${first.name}: ${first.message}`]
      : [`${others.length + 1} ×: ${first.message}`, ...[first, ...others].map(({ name }) => `  ${name}`)],
  )
}

/** A census in sentences and tables, with its summary at the end again where it is long. */
export function censusText(census: Census, { width = Infinity }: CensusTextOptions = {}): string {
  const blocks = tablesOf(census).map(({ title, head, rows }) => [
    title,
    ...tableLines([head, ...rows], { isNumber: (column) => isNumeric(head[column]!), width }),
  ])
  const failed = failureLines(census)
  if (failed.length > 0) blocks.push(['Not read', ...failed])
  return framed(summaryOf(census), blocks)
}
