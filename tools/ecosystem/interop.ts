// Every program of docs/interop.md with the library that its heading names, in the version that it names: it must print
// what the page says.
import { readFileSync } from 'node:fs'
import type { Checked } from './check.ts'
import { project, run } from './install.ts'

const text = readFileSync(new URL('../../docs/interop.md', import.meta.url), 'utf8')

/** What a library asks for besides itself. */
const BESIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '@tensorflow/tfjs-core': { '@tensorflow/tfjs-backend-cpu': '4.22.0' },
}

export interface Interop {
  readonly name: string
  readonly packages: Readonly<Record<string, string>>
  readonly file: string
  readonly program: string
  readonly printed: string
}

/** Programs under their headings: a package and its version, or words where there is none. */
export const programs: readonly Interop[] = text
  .split(/^## /m)
  .slice(1)
  .map((part) => {
    const [title] = part.split('\n') as [string]
    const [, library, version] = /^(\S+) (\d\S*)$/.exec(title) ?? []
    const found = /^```js (\S+)\n([\s\S]*?)^```\n```text\n([\s\S]*?)^```$/m.exec(part)
    if (found === null) throw new Error(`docs/interop.md: "${title}" has no program and what it prints`)
    const [, file, program, printed] = found as unknown as readonly [string, string, string, string]
    const packages = library === undefined ? {} : { [library]: version!, ...BESIDE[library] }
    return { name: `interop: ${title}`, packages, file, program, printed }
  })

export async function checkInterop(each: Interop, pack: string): Promise<Checked> {
  const { name, packages, file, program, printed } = each
  const folder = await project(packages, pack, [[file, program]])
  const { code, stdout, stderr } = await run(process.execPath, [file], folder)
  // TensorFlow.js greets whoever uses it.
  const said = stdout.replace(/^\n=+\n[\s\S]*?\n=+\n/, '')
  const line = { what: name, where: 'Node', seen: said.trim().split('\n').at(-1)! }
  return code === 0 && said === printed ? line : { ...line, wrong: `exit ${code}: ${said}${stderr}`.trim() }
}
