// Builds the program as it is installed with bcast: one file for each command and for what they share, because of a
// hundred small ones loading takes longer than most commands run. Everything is in it, so that bcast depends on nothing.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'
import { notices } from './notices.ts'

const packages = fileURLToPath(new URL('..', import.meta.url))

/** Packages in CommonJS ask for Node's modules by `require`. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

/** What packages would load if it were installed, and do without. */
const OPTIONAL = ['msgpackr-extract', 'pg-native', 'supports-color']
/** What packages load for what is not used here: jobs that are repeated at certain hours. */
const UNUSED = ['cron-parser']

/** Leaves packages out, so that the program never loads what happens to lie near it. */
const leftOut: Plugin = {
  name: 'left out',
  setup({ onResolve, onLoad }) {
    const filter = new RegExp(`^(${[...OPTIONAL, ...UNUSED].join('|')})$`)
    onResolve({ filter }, ({ path: name }) => ({ path: name, namespace: 'left out' }))
    onLoad({ filter: /^/, namespace: 'left out' }, ({ path: name }) => ({
      contents: UNUSED.includes(name) ? 'module.exports = {}' : `throw new Error('${name} is left out')`,
    }))
  },
}

/**
 * Entries are files to begin with, named from this package; what is built lies in `folder`. `others` are files that lie
 * there already as part of something else, whose licences go along.
 */
export async function buildProgram(
  folder: string,
  entries: readonly string[] = ['src/main.ts'],
  others: readonly string[] = [],
): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: [
      ...entries.map((entry) => ({ in: path.resolve(packages, 'cli', entry), out: path.basename(entry, '.ts') })),
      // What threads begin with, where `packages/cli/src/tasks/threads.ts` looks for it.
      { in: path.resolve(packages, 'cli/src/tasks/thread.ts'), out: 'tasks/thread' },
    ],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['bcast-source'],
    // Of a module for bundlers what is not used is left out.
    mainFields: ['module', 'main'],
    plugins: [leftOut],
    // Names stay, so that the stack of a defect can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 120,
    banner: { js: REQUIRE },
    logLevel: 'error',
    metafile: true,
    absWorkingDir: packages,
  })
  const inputs = [...Object.keys(metafile.inputs), ...others.map((file) => path.relative(packages, file))]
  writeFileSync(path.join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(inputs, packages))
  return metafile
}
