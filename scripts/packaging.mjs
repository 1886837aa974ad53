// Checks what each publishable package would ship: its manifest (publint) and its types under every resolution (attw).
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../packages/', import.meta.url)
let failed = false

for (const name of readdirSync(root)) {
  const folder = new URL(`${name}/`, root)
  const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  if (manifest.private) continue
  const checks = [['publint', ['--strict']]]
  // A package that is only a program has no types to look at.
  if (manifest.exports?.['.'] !== undefined) checks.push(['attw', ['--pack', '.', '--profile', 'esm-only']])
  for (const [tool, args] of checks) {
    console.log(`${manifest.name}: ${tool} ${args.join(' ')}`)
    const { status } = spawnSync('npx', ['--no', '--', tool, ...args], { cwd: fileURLToPath(folder), stdio: 'inherit' })
    failed ||= status !== 0
  }
}

process.exit(failed ? 1 : 0)
