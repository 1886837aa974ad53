// What the compiler does not do for the package: the worker becomes a script of its own, as a text among the sources and
// as a file beside the compiled code.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const threads = 'backend/webassembly/threads'
const source = fileURLToPath(new URL(`src/${threads}/`, import.meta.url))

function workerScript(): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(source, 'worker.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  })
  return outputFiles[0]!.text.trim()
}

/** The module that holds the worker as text. */
export const workerTextModule = (): string =>
  `// Generated from worker.ts by the build: the worker as text, for threads that have no file to start from.
export const workerText: string =
  '${workerScript().replaceAll(/['\\]/g, '\\$&')}'
`

/** Writes it where the compiler finds it. */
export const writeWorkerText = (): void => writeFileSync(join(source, 'worker-text.ts'), workerTextModule())

/** Puts the worker's file into a folder of compiled code, where a page looks for it, with the types of a script. */
export function writeWorkerFile(folder: string): void {
  writeFileSync(join(folder, threads, 'bcast-worker.js'), `${workerScript()}\n`)
  writeFileSync(join(folder, threads, 'bcast-worker.d.ts'), 'export {}\n')
}
