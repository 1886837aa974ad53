// Tables of reports: columns of equal width for a terminal, and rows of Markdown.

/** Columns are at most this wide: a long cell sticks out, so that it does not push every other line out too. */
const WIDEST = 48

export interface TableOptions {
  /** Whether a column holds numbers, which end flush. */
  readonly isNumber?: (column: number) => boolean
  /** What a row has beyond it goes below, a line for each cell. No limit unless said. */
  readonly width?: number
}

const GAP = '  '

/** The cells that a line of so many columns has room for, the first one always, and below them the others. */
function rowLines(cells: readonly string[], width: number): string[] {
  const whole = cells.join(GAP).trimEnd()
  if (whole.length <= width) return [whole]
  const fitting = cells.findIndex(
    (_, i) =>
      cells
        .slice(0, i + 1)
        .join(GAP)
        .trimEnd().length > width,
  )
  const beside = Math.max(1, fitting)
  const below = cells.slice(beside).map((cell) => cell.trim())
  return [
    cells.slice(0, beside).join(GAP).trimEnd(),
    ...below.filter((cell) => cell !== '').map((cell) => `    ${cell}`),
  ]
}

/** Lines of columns of equal width. */
export function tableLines(
  rows: readonly (readonly string[])[],
  { isNumber = () => false, width = Infinity }: TableOptions = {},
): string[] {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, Math.min(cell.length, WIDEST))),
    [],
  )
  const padded = (cell: string, i: number): string =>
    isNumber(i) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)
  return rows.flatMap((row) => rowLines(row.map(padded), width))
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

export const markdownRow = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
