// The page as one folder: what Vite builds, the documentation beside it, and the worker that keeps both for visits
// without a network.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { writeDocs } from '../docs/build.ts'
import { folder } from './folder.ts'
import { writeOffline } from './offline.ts'
import { firstLoad, sizesText } from './sizes.ts'

const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url))

/** Builds the page and says how large it is. */
export async function buildSite(into: string = folder): Promise<string> {
  await build({ configFile, logLevel: 'warn', build: { outDir: into, emptyOutDir: true } })
  await writeDocs(join(into, 'docs'))
  writeOffline(into)
  return sizesText(firstLoad(into), into)
}
