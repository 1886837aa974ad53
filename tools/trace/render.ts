// Draws the table. Gaps are drawn as gaps; no line numbers, no dates, nothing that changes by itself.
import { type Assessment, assess } from './assess.ts'
import type { Document } from './clause.ts'
import type { CodePlace, Evidence, TestPlace } from './collect.ts'

const cell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', String.raw`\|`)
const plain = (text: string): string => text.replace(/[\\[\]`*_<>|]/g, String.raw`\$&`)
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const link = (text: string, path: string): string => `[${plain(text)}](../${encodeURI(path)})`
const ids = (list: readonly string[]): string => list.map((id) => `\`${id}\``).join(', ')

const codeCell = (places: readonly CodePlace[]): string => {
  const symbols = new Map<string, string[]>()
  for (const { path, symbol } of places) {
    symbols.set(path, [...(symbols.get(path) ?? []), ...(symbol === undefined ? [] : [symbol])])
  }
  return [...symbols]
    .map(([path, names]) => link(path, path) + (names.length === 0 ? '' : `: ${ids(names)}`))
    .join('<br>')
}

const testsCell = (places: readonly TestPlace[]): string => {
  const links = places.map(({ path, title }) => link(title === '' ? path : title, path))
  return [...new Set(links)].join('<br>')
}

const implementedCell = ({ clause, code, implemented }: Assessment): string => {
  if (code.length > 0) return codeCell(code)
  if (clause.deferred !== undefined) return `deferred: ${cell(clause.deferred)}`
  const follows = clause.restsOn === undefined ? '' : `follows from ${ids(clause.restsOn)}`
  return implemented ? follows : ['**no code**', follows].filter((text) => text !== '').join(', ')
}

const shownCell = ({ clause, tests }: Assessment): string => {
  if (tests.length > 0) return testsCell(tests)
  return clause.deferred === undefined ? '**no test**' : 'deferred'
}

const meaningCell = ({ clause }: Assessment): string => {
  const note = clause.note === undefined ? '' : `<br>Note: ${clause.note}`
  return cell(`${clause.text} (${clause.where})${note}`)
}

const section = ({ title, source }: Document, rows: readonly Assessment[]): string =>
  [
    `## ${title}`,
    '',
    `Source: <${source}>`,
    '',
    row(['clause', 'meaning', 'implemented in', 'shown by']),
    row(['---', '---', '---', '---']),
    ...rows.map((one) => row([`\`${one.clause.id}\``, meaningCell(one), implementedCell(one), shownCell(one)])),
  ].join('\n')

const summary = ({ title }: Document, rows: readonly Assessment[]): string => {
  const count = (holds: (one: Assessment) => boolean): string => String(rows.filter(holds).length)
  return row([
    title,
    String(rows.length),
    count((one) => one.implemented),
    count((one) => one.tests.length > 0),
    count((one) => one.clause.deferred !== undefined),
  ])
}

export const render = (documents: readonly Document[], evidence: Evidence): string => {
  const assessed = documents.map((document) => [document, assess(document, evidence)] as const)
  return `${[
    '# Traceability',
    '',
    'Every clause of the documents that bcast implements, the code behind it and the tests that show it.',
    'Meanings are in our own words; the documents are the authority. A note tells a defect of a document, or how',
    'bcast reads it where it is silent. Made by `npm run trace -- --write`; `npm run trace` fails when it is stale.',
    '',
    row(['document', 'clauses', 'implemented', 'shown', 'deferred']),
    row(['---', '---', '---', '---', '---']),
    ...assessed.map(([document, rows]) => summary(document, rows)),
    '',
    assessed.map(([document, rows]) => section(document, rows)).join('\n\n'),
  ].join('\n')}\n`
}
