// Checks what each publishable package would ship: its files, its manifest (publint) and its types under every resolution
// (attw).
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { faultsOf, packed } from './contents.mjs'

const root = new URL('../packages/', import.meta.url)
let failed = false

for (const name of readdirSync(root)) {
  const folder = fileURLToPath(new URL(name, root))
  const manifest = JSON.parse(readFileSync(new URL(`${name}/package.json`, root), 'utf8'))
  if (manifest.private) continue
  const contents = packed(folder)
  console.log(
    `${manifest.name}: ${contents.files.length} files, ${contents.size} bytes, ${contents.unpackedSize} unpacked`,
  )
  const faults = faultsOf(folder, manifest, contents)
  for (const fault of faults) console.error(`${manifest.name}: ${fault}`)
  failed ||= faults.length > 0
  for (const [tool, args] of [
    ['publint', ['--strict']],
    ['attw', ['--pack', '.', '--profile', 'esm-only']],
  ]) {
    console.log(`${manifest.name}: ${tool} ${args.join(' ')}`)
    const { status } = spawnSync('npx', ['--no', '--', tool, ...args], { cwd: folder, stdio: 'inherit' })
    failed ||= status !== 0
  }
}

process.exit(failed ? 1 : 0)
