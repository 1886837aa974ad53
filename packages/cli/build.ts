// Builds the program as it is installed: one file for each command and for what they share, because of a hundred small
// ones loading takes longer than most commands run. The packages of this repository are in it, others are not.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'

const packages = fileURLToPath(new URL('..', import.meta.url))

/** Entries are files to begin with, named from this package; what is built lies in `folder`, and so must find its dependencies. */
export async function buildProgram(folder: string, entries: readonly string[] = ['src/main.ts']): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: entries.map((entry) => path.resolve(packages, 'cli', entry)),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['bcast-source'],
    external: ['commander', 'yauzl', '@bufbuild/protobuf'],
    logLevel: 'error',
    metafile: true,
    absWorkingDir: packages,
  })
  return metafile
}
