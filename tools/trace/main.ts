// `npm run trace` checks the traceability table, `npm run trace -- --write` makes it anew.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine } from '../command-line/command-line.ts'
import { check } from './check.ts'
import { collect, kindOf, type SourceFile } from './collect.ts'
import { documents } from './documents.ts'
import { render } from './render.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tablePath = join(root, 'docs/traceability.md')

/** Paths of all files below a folder of the repository; what is installed or built is not looked at. */
const walk = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : walk(path)
    return entry.isFile() ? [path] : []
  })

const sources = (): SourceFile[] =>
  ['packages', 'tools']
    .flatMap(walk)
    .filter((path) => kindOf(path) !== undefined)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const report = (problems: readonly string[]): void => {
  for (const problem of problems) console.error(problem)
  console.error(`\ntrace: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`)
}

const USAGE = `usage: npm run trace [-- --write]

Checks that every clause of the documents has code that implements it and tests that show it, as docs/traceability.md
says.

  --write  makes docs/traceability.md anew
  --help   prints this`

const main = (write: boolean): number => {
  const evidence = collect(sources())
  const rendered = render(documents, evidence)
  if (write) writeFileSync(tablePath, rendered)
  const committed = existsSync(tablePath) ? readFileSync(tablePath, 'utf8') : undefined
  const problems = check(documents, evidence, committed, rendered)
  if (problems.length > 0) {
    report(problems)
    // The table shows its gaps, so writing it succeeded; only the check fails for them.
    return write ? 0 : 1
  }
  const total = documents.reduce((sum, { clauses }) => sum + clauses.length, 0)
  console.log(`trace: ${total} clauses, all traced`)
  return 0
}

const { values } = commandLine(USAGE, { write: { type: 'boolean', default: false } })
process.exitCode = main(values.write)
