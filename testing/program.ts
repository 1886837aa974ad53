// The program as it is installed, in a folder of its own, for tests that run it.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildProgram } from '../packages/cli/build.ts'

const manifest = fileURLToPath(new URL('../packages/bcast/package.json', import.meta.url))

export interface Program {
  /** The file to run; beside its folder lies metafile.json, which says what each file was made of. */
  readonly file: string
  remove(): void
}

/** `entry` is another file to run, such as one of the tests. */
export async function makeProgram(entry = 'src/main.ts'): Promise<Program> {
  // Far from the repository, whose packages it would find.
  const folder = mkdtempSync(path.join(tmpdir(), 'bcast-program-'))
  const program = path.join(folder, 'program')
  const metafile = await buildProgram(program, [entry])
  copyFileSync(manifest, path.join(folder, 'package.json'))
  writeFileSync(path.join(folder, 'metafile.json'), JSON.stringify(metafile))
  return {
    file: path.join(program, `${path.basename(entry, '.ts')}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
