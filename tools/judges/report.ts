// docs/disagreements.md: what the engines do differently and what decides, one part for each engine. The text depends
// on the answers alone (no dates, no timings), so that a difference in the file is a difference in an engine or in bcast.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath, URL } from 'node:url'
import type { Cause } from './causes/cause.ts'
import type { Disagreement } from './compare.ts'
import { type Engine, engines } from './engines.ts'
import { answerTexts, inputText } from './show.ts'

export interface Finding {
  readonly cause: Cause
  /** Cases, not elements. */
  readonly count: number
  readonly example: Disagreement
}

export interface Report {
  readonly engine: Engine
  readonly version: string
  readonly asked: number
  readonly unsupported: number
  readonly agreed: number
  readonly findings: readonly Finding[]
  readonly unexplained: readonly Disagreement[]
}

const FILE = fileURLToPath(new URL('../../docs/disagreements.md', import.meta.url))

const HEAD = `# Where engines differ from bcast

bcast answers the same random cases as the engines below: operators, element types, broadcasting rules, special values.
Wherever an answer differs, this page gives the smallest case that was found, both answers, and the clause or decision
that settles it. A difference without a known cause fails the command that makes this page: \`npm run judges -- --write\`.
`

/** Text in a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;')

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``

function row({ cause, count, example }: Finding): string {
  const { theirs, ours } = answerTexts(example)
  return `| ${cell(cause.what)} | ${code(inputText(example))} | ${cell(theirs)} | ${cell(ours)} | ${cell(cause.decides)} | ${count} |`
}

const marker = (name: string): string => `<!-- ${name} -->`

function section({ engine, version, asked, unsupported, agreed, findings, unexplained }: Report): string {
  const open = new Set(unexplained.map(({ question }) => question.id)).size
  const compared = asked - unsupported
  const missing = unsupported === 0 ? '' : `; ${unsupported} more need an operator or a type that it lacks`
  return [
    `## ${engine.title} ${version}${engine.part === undefined ? '' : `, ${engine.part}`}`,
    '',
    marker(engine.name),
    '',
    `${engine.asked} ${compared} cases compared, ${agreed} alike${missing}.`,
    ...(open === 0 ? [] : ['', `${open} differences are not explained yet.`]),
    '',
    '| What it does | Example | Its answer | Ours | What decides | Cases |',
    '|---|---|---|---|---|---|',
    ...findings.map(row),
    '',
  ].join('\n')
}

/** The parts of the file as it is, by engine. */
function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of text.split(/^(?=## )/m).slice(1)) {
    const name = /^<!-- (.+) -->$/m.exec(part)?.[1]
    if (name !== undefined) parts.set(name, `${part.trimEnd()}\n`)
  }
  return parts
}

/** The whole page; engines that were not asked keep the part that they had. */
export function page(reports: readonly Report[], before: string): string {
  const parts = partsOf(before)
  for (const report of reports) parts.set(report.engine.name, section(report))
  return [HEAD, ...engines.flatMap(({ name }) => parts.get(name) ?? [])].join('\n')
}

export async function writePage(reports: readonly Report[]): Promise<void> {
  const before = await readFile(FILE, 'utf8').catch(() => '')
  await writeFile(FILE, page(reports, before))
}
