// Checks that are programs of their own, because they take the repository apart or bring servers with them.
import { fileURLToPath } from 'node:url'
import type { Checked } from './check.ts'
import { run } from './install.ts'

export interface Apart {
  readonly name: string
  /** What it does, in a few words. */
  readonly what: string
}

export const apart: readonly Apart[] = [
  { name: 'typescript', what: 'declarations under TypeScript 5.4 to 7' },
  { name: 'registry', what: 'published to a registry, installed with every package manager' },
  { name: 'clone', what: 'npm start in a fresh clone' },
  { name: 'jsr', what: 'what JSR would take' },
]

export async function checkApart({ name, what }: Apart): Promise<Checked> {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const args = ['--conditions=bcast-source', '--import', 'tsx', `tools/ecosystem/${name}.ts`]
  const { code, stdout, stderr } = await run(process.execPath, args, root)
  const line = { what: name, where: what, seen: stdout.trim().split('\n').at(-1)! }
  return code === 0 ? line : { ...line, wrong: `exit ${code}: ${stdout}${stderr}`.trim() }
}
