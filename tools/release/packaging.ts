// `npm run packaging`: checks what each package would ship, its files, its manifest (publint) and its types under every
// resolution (attw).
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { commandLine } from '../command-line/command-line.ts'
import { faultsOf, pack } from './contents.ts'
import { published, root } from './packages.ts'

commandLine(
  `usage: npm run packaging

Checks what each package would ship, as it is built: its files, its manifest, its types under every resolution.

  --help  prints this`,
  {},
)

const tools: readonly (readonly [string, ...string[]])[] = [
  ['publint', '--strict'],
  ['attw', '--pack', '.', '--profile', 'esm-only'],
]
let failed = false

for (const { folder, manifest } of published) {
  const contents = pack(folder)
  const { files, size, unpackedSize } = contents
  console.log(`${manifest.name}: ${files.length} files, ${size} bytes, ${unpackedSize} unpacked`)
  const faults = faultsOf(folder, manifest, contents)
  for (const fault of faults) console.error(`${manifest.name}: ${fault}`)
  failed ||= faults.length > 0
  for (const tool of tools) {
    console.log(`${manifest.name}: ${tool.join(' ')}`)
    const { status } = spawnSync('npx', ['--no', '--', ...tool], { cwd: path.join(root, folder), stdio: 'inherit' })
    failed ||= status !== 0
  }
}

process.exitCode = failed ? 1 : 0
