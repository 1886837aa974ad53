// The command line as one file that Node runs as it is: starting it takes a fraction of what compiling on the way takes.
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const packages = (path: string): string => fileURLToPath(new URL(`../../packages/${path}`, import.meta.url))

/** Bundles it into a folder; gives the file to run. */
export async function bundleProgram(folder: string): Promise<string> {
  const outdir = join(folder, 'dist')
  mkdirSync(outdir, { recursive: true })
  await build({
    entryPoints: [packages('cli/src/main.ts')],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    conditions: ['bcast-source'],
    // Packages that are not modules themselves ask for Node's own at run time.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  })
  copyFileSync(packages('bcast/src/runtime/worker.js'), join(outdir, 'worker.js'))
  copyFileSync(packages('cli/package.json'), join(folder, 'package.json'))
  return join(outdir, 'main.mjs')
}
