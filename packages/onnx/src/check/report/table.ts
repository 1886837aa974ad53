// Tables of reports: columns of equal width for a terminal, and rows of Markdown.

/** Columns are at most this wide: a long cell sticks out, so that it does not push every other line out too. */
const WIDEST = 48

/** Lines of columns of equal width; a column of numbers ends flush. */
export function tableLines(
  rows: readonly (readonly string[])[],
  isNumber: (column: number) => boolean = () => false,
): string[] {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, Math.min(cell.length, WIDEST))),
    [],
  )
  return rows.map((row) =>
    row
      .map((cell, i) => (isNumber(i) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd(),
  )
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

export const markdownRow = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
