// Compiles the packages and puts beside the compiled code what the compiler does not copy; builds the program with the
// page that it serves, which are a part of bcast.
import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildPlayground } from '../apps/site/build/playground.ts'
import { writeWorkerFile, writeWorkerText } from '../packages/bcast/build.ts'
import { buildProgram } from '../packages/cli/build.ts'
import { writeProgramFile } from '../packages/native/build.ts'

const packages = new URL('../packages/', import.meta.url)
// What was compiled from a file that is gone would be published.
for (const name of readdirSync(packages)) rmSync(new URL(`${name}/dist`, packages), { recursive: true, force: true })
writeWorkerText()
const { status } = spawnSync('npx', ['--no', '--', 'tsc', '-b'], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
for (const name of readdirSync(packages)) {
  copyFileSync(new URL('../LICENSE', import.meta.url), new URL(`${name}/LICENSE`, packages))
}
const bcast = new URL('bcast/', packages)
writeWorkerFile(fileURLToPath(new URL('dist/', bcast)))
writeProgramFile(fileURLToPath(new URL('native/dist/', packages)))
const program = fileURLToPath(new URL('program/', bcast))
rmSync(program, { recursive: true, force: true })
const parts = await buildPlayground(`${program}site`)
await buildProgram(program, undefined, parts)
