// The program as it is installed, in a folder of its own, for tests that run it.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildProgram } from '../packages/cli/build.ts'

const cli = fileURLToPath(new URL('../packages/cli', import.meta.url))
/** From here it finds its dependencies, as an installed one does. */
const installed = path.join(cli, 'node_modules')

export interface Program {
  /** The file to run; beside its folder lies metafile.json, which says what each file was made of. */
  readonly file: string
  remove(): void
}

/** `entry` is another file to run, such as one of the tests. */
export async function makeProgram(entry = 'src/main.ts'): Promise<Program> {
  mkdirSync(installed, { recursive: true })
  const folder = mkdtempSync(path.join(installed, '.program-'))
  const dist = path.join(folder, 'dist')
  const metafile = await buildProgram(dist, [entry])
  copyFileSync(path.join(cli, 'package.json'), path.join(folder, 'package.json'))
  writeFileSync(path.join(folder, 'metafile.json'), JSON.stringify(metafile))
  return {
    file: path.join(dist, `${path.basename(entry, '.ts')}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
