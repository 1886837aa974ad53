// Compiles the packages and puts beside the compiled code what the compiler does not copy; builds the program.
import { spawnSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildProgram } from '../packages/cli/build.ts'

const { status } = spawnSync('npx', ['--no', '--', 'tsc', '-b'], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
const bcast = new URL('../packages/bcast/', import.meta.url)
copyFileSync(
  new URL('src/backend/webassembly/threads/worker.js', bcast),
  new URL('dist/backend/webassembly/threads/worker.js', bcast),
)
const program = fileURLToPath(new URL('../packages/cli/dist/', import.meta.url))
rmSync(program, { recursive: true, force: true })
await buildProgram(program)
