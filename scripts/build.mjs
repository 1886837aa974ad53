// Compiles the packages and puts beside the compiled code what the compiler does not copy; builds the program.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeWorkerFile, writeWorkerText } from '../packages/bcast/build.ts'
import { buildProgram } from '../packages/cli/build.ts'

writeWorkerText()
const { status } = spawnSync('npx', ['--no', '--', 'tsc', '-b'], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
writeWorkerFile(fileURLToPath(new URL('../packages/bcast/dist/', import.meta.url)))
const program = fileURLToPath(new URL('../packages/cli/dist/', import.meta.url))
rmSync(program, { recursive: true, force: true })
await buildProgram(program)
