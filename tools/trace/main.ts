// `npm run trace` checks the traceability table, `npm run trace -- --write` makes it anew.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

const main = (options: readonly string[]): number => {
  const write = options.includes('--write')
  if (options.some((option) => option !== '--write')) {
    console.error('usage: npm run trace [-- --write]')
    return 2
  }
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

process.exitCode = main(process.argv.slice(2))
