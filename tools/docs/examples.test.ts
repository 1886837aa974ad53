// The examples of docs/examples, run as their page says: they print what it prints and draw the pictures it shows, to
// the last digit, because results are the same bits everywhere.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
const page = readFileSync(join(docs, 'training.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'bcast-examples-'))
afterAll(() => rmSync(folder, { recursive: true }))

const examples = readdirSync(join(docs, 'examples')).filter((name) => name !== 'curve.mjs')

it.each(examples)('%s', (name) => {
  const picture = name.replace('.mjs', '.svg')
  const file = join(folder, picture)
  const args = ['--conditions=bcast-source', '--import', 'tsx', join(docs, 'examples', name), file]
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' })
  expect(page).toContain(`(examples/${name})`)
  expect(page).toContain(`\`\`\`text\n${printed}\`\`\``)
  expect(page).toContain(`](${picture})`)
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(docs, picture), 'utf8'))
})
