// The page without its documentation, as it goes with the program: a part of the package of bcast.
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { writeOffline } from './offline.ts'

/** Where people read instead. */
const DOCUMENTATION = 'https://github.com/bcast/bcast#readme'

/** Builds it into a folder, and gives the files of other packages that are part of it. */
export async function buildPlayground(into: string): Promise<readonly string[]> {
  const parts = new Set<string>()
  const collecting: Plugin = {
    name: 'collecting',
    moduleParsed: ({ id }) => {
      if (id.includes('/node_modules/')) parts.add(id.replace(/[?].*$/, ''))
    },
  }
  await build({
    configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)),
    logLevel: 'error',
    plugins: [collecting],
    worker: { plugins: () => [collecting] },
    define: { DOCUMENTATION: JSON.stringify(DOCUMENTATION) },
    build: { outDir: into, emptyOutDir: true },
  })
  writeOffline(into)
  return [...parts].sort()
}
