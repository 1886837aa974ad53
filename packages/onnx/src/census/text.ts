// The census for people, on a terminal.
import { tableLines } from '../check/report/table.ts'
import type { Census } from './census.ts'
import { isNumeric, summaryOf, tablesOf } from './tables.ts'

export function censusText(census: Census): string {
  const blocks = [summaryOf(census)]
  for (const { title, head, rows } of tablesOf(census)) {
    blocks.push([title, ...tableLines([head, ...rows], (column) => isNumeric(head[column]!))])
  }
  const { failures } = census
  if (failures.length > 0) blocks.push(['Not read', ...failures.map(({ name, message }) => `${name}: ${message}`)])
  return blocks.map((lines) => lines.join('\n')).join('\n\n')
}
