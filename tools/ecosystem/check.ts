// What is checked, and what came of it: one line of the table each.

/** A line of the table: undefined where nothing is wrong. */
export interface Checked {
  readonly what: string
  readonly where: string
  /** What was seen, in a few words. */
  readonly seen: string
  readonly wrong?: string
  /** Why it was not tried. */
  readonly skipped?: string
}

/** What every program of docs/bundlers.md ends with: the result of the call, and of its asynchronous form. */
export const RESULT = '3 and 3'

/** What bcast said among other things. */
export const saidByBcast = (texts: readonly string[]): string[] => texts.filter((text) => text.includes('bcast:'))

/** What is wrong with warnings: each of the wanted ones is there once, and no other. */
export function wrongWarnings(said: readonly string[], wanted: readonly RegExp[]): string | undefined {
  if (said.length === wanted.length && wanted.every((pattern, i) => pattern.test(said[i]!))) return undefined
  return `warned [${said.join(' | ')}], not [${wanted.join(', ')}]`
}

/** A table of plain text. */
export function table(lines: readonly Checked[]): string {
  const rows = lines.map(({ what, where, seen, wrong, skipped }) => [
    wrong !== undefined ? 'FAILED' : skipped !== undefined ? 'skipped' : 'ok',
    what,
    where,
    wrong ?? skipped ?? seen,
  ])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}
