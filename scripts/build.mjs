// Compiles the packages and puts beside the compiled code what the compiler does not copy.
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'

const { status } = spawnSync('npx', ['--no', '--', 'tsc', '-b'], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
const bcast = new URL('../packages/bcast/', import.meta.url)
copyFileSync(new URL('src/runtime/worker.js', bcast), new URL('dist/runtime/worker.js', bcast))
