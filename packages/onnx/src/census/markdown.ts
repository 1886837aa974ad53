// The census as a document: sentences, tables, and what the patterns mean.
import { markdownRow } from '../check/report/table.ts'
import type { Census } from './census.ts'
import { patternMeanings } from './pattern.ts'
import { isNumeric, summaryOf, type Table, tablesOf } from './tables.ts'

function tableText({ title, head, rows }: Table): string {
  const rule = `|${head.map((name) => (isNumeric(name) ? '---:' : '---')).join('|')}|`
  return [`## ${title}`, '', markdownRow(head), rule, ...rows.map(markdownRow)].join('\n')
}

/** A census as Markdown tables. */
export function censusMarkdown(census: Census): string {
  const { failures } = census
  const meanings = Object.entries(patternMeanings).map(([pattern, meaning]) => `- **${pattern}**: ${meaning}.`)
  const unread = failures.map(({ name, message }) => markdownRow([name, message]))
  const blocks = [
    '# Broadcasts in models',
    summaryOf(census)
      .map((sentence) => `- ${sentence}`)
      .join('\n'),
    ...tablesOf(census).map(tableText),
    ...(unread.length === 0 ? [] : [['## Not read', '', '| model | error |', '|---|---|', ...unread].join('\n')]),
    ['## Patterns', '', ...meanings].join('\n'),
  ]
  return `${blocks.join('\n\n')}\n`
}
