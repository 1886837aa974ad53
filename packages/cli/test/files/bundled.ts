// A program of the tests as one file, which starts in a quarter of the time that compiling on the way takes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll } from 'vitest'

const cli = fileURLToPath(new URL('../../', import.meta.url))

/** Path of the compiled program; `entry` is relative to the package. */
export async function bundled(entry: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bcast-program-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const outfile = path.join(folder, 'program.mjs')
  await build({
    entryPoints: [path.join(cli, entry)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['bcast-source'],
    // Some packages are CommonJS.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  })
  return outfile
}
