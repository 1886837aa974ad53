// Whether the declarations that are shipped check for whoever uses them: the packed packages under every TypeScript from
// 5.4 on, with ordinary `lib` settings and without skipLibCheck; types and refusals are those of this checkout's tests.
// `node --import tsx tools/ecosystem/typescript.ts` runs it alone.
import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const typeTests = join(root, 'packages/bcast/test/types')

const COMPILERS = ['5.4.5', '5.6.3', '5.9.3', '6.0.3', '7.0.2']

/** What users write into their tsconfig; no `lib` among them, so that each has the default one of its target. */
const SETTINGS: Readonly<Record<string, object>> = {
  nodenext: { module: 'nodenext' },
  'es2020, loose': { module: 'nodenext', target: 'es2020', strict: false },
  'es2022, bundler': { module: 'esnext', moduleResolution: 'bundler', target: 'es2022' },
  'esnext, strictest': {
    module: 'nodenext',
    target: 'esnext',
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
  },
}

/** Every entry that has declarations, and what no setting may say of a tensor. */
const ENTRIES = `
import * as bcast from 'bcast'
import * as real from 'bcast/real'
import * as onnx from '@bcast/onnx'
import * as node from '@bcast/onnx/node'
import * as proto from '@bcast/onnx/proto'
import * as spec from '@bcast/spec'
export { bcast, node, onnx, proto, real, spec }
const x = bcast.tensor([[1, 2, 3], [4, 5, 6]])
export const exact: bcast.Tensor<'float32', [2, 3]> = bcast.add(x, bcast.tensor([1, 2, 3]))
type Indexed<T> = T extends { readonly [index: number]: infer E } ? E : 'nothing'
export const none: Indexed<typeof x> = 'nothing'
`

/** Where the libraries have Symbol.dispose, tensors have it. */
const USING = `
import { sequence, tensor } from 'bcast'
using x = tensor([1, 2])
using calls = sequence(({ input }) => input('float32', [2]))
export const [size, shape]: [number, [2]] = [x.size, calls.tensors.shape as [2]]
`

/** What the type tests take from their runner. */
const RUNNER = `
export { expectTypeOf } from 'expect-type'
export const describe = (_name: string, body: () => void): void => body()
export const it = describe
`

interface Check {
  readonly files: readonly string[]
  readonly options: object
  /** The lines of a file that must not compile, each; undefined where all must. */
  readonly refused?: readonly number[]
}

function install(folder: string): void {
  const npm = (args: readonly string[], cwd: string): string =>
    execFileSync('npm', [...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  npm(['run', '--silent', 'build'], root)
  const packed = ['bcast', 'spec', 'onnx'].map((name) => {
    const [tarball] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], join(root, 'packages', name)))
    return join(folder, tarball.filename)
  })
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}')
  const compilers = COMPILERS.map((version) => `typescript-${version}@npm:typescript@${version}`)
  const others = ['fraction.js@5.3.4', 'expect-type@1.4.0', '@types/node@20.19.25']
  npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packed, ...compilers, ...others], folder)
}

const checked = (source: string): string => source.replace("from 'vitest'", "from './runner.js'")

function write(folder: string): readonly Check[] {
  const tests = readdirSync(typeTests).filter((name) => name.endsWith('.test-d.ts'))
  for (const name of tests) writeFileSync(join(folder, name), checked(readFileSync(join(typeTests, name), 'utf8')))
  writeFileSync(join(folder, 'runner.ts'), RUNNER)
  writeFileSync(join(folder, 'entries.ts'), ENTRIES)
  writeFileSync(join(folder, 'using.ts'), USING)
  copyFileSync(join(typeTests, 'messages/messages.ts'), join(folder, 'messages.ts'))
  const lines = readFileSync(join(folder, 'messages.ts'), 'utf8').split('\n')
  const refused = lines.flatMap((line, i) => (/^[\w.]+\(/.test(line) ? [i + 1] : []))
  const ordinary = Object.values(SETTINGS).map((options) => ({ files: ['entries.ts'], options }))
  const { nodenext } = SETTINGS
  return [
    ...ordinary,
    { files: ['using.ts'], options: { module: 'nodenext', target: 'es2022', lib: ['es2022', 'esnext.disposable'] } },
    { files: ['entries.ts'], options: { ...nodenext, types: ['node'] } },
    { files: tests, options: { ...nodenext, skipLibCheck: true } },
    { files: ['messages.ts'], options: { ...nodenext, skipLibCheck: true }, refused },
  ]
}

/** What is wrong with a check under a compiler. */
async function problems(folder: string, version: string, at: number, check: Check): Promise<readonly string[]> {
  const project = join(folder, `tsconfig.${version}.${at}.json`)
  const compilerOptions = { strict: true, noEmit: true, types: [], ...check.options }
  writeFileSync(project, JSON.stringify({ compilerOptions, files: check.files }))
  const compiler = join(folder, 'node_modules', `typescript-${version}`, 'bin/tsc')
  const output = await new Promise<string>((resolve) => {
    const args = [compiler, '-p', project, '--pretty', 'false']
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 }, (_error, stdout) => resolve(stdout))
  })
  const said = output.split('\n').filter((line) => /error TS/.test(line))
  // The declarations of the protobuf library want TypeScript 5.7, whoever imports them.
  const ours = said.filter((line) => !(/^node_modules\/@bufbuild\//.test(line) && Number.parseFloat(version) < 5.7))
  if (check.refused === undefined) return ours
  const rows = ours.map((line) => Number(/\((\d+),/.exec(line)?.[1]))
  const compiled = check.refused.filter((row) => !rows.includes(row))
  const others = ours.filter((_, i) => !check.refused!.includes(rows[i]!))
  return [...others, ...compiled.map((row) => `messages.ts(${row}): compiles, and must not`)]
}

/** Checks everything; gives what is wrong, in lines. */
export async function checkTypeScript(say: (line: string) => void): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bcast-typescript-'))
  try {
    install(folder)
    const checks = write(folder)
    const failures: string[] = []
    for (const version of COMPILERS) {
      const wrong: string[] = []
      for (const [i, check] of checks.entries()) {
        const found = await problems(folder, version, i, check)
        wrong.push(...found.map((line) => `TypeScript ${version}, ${JSON.stringify(check.options)}: ${line}`))
      }
      say(`TypeScript ${version}: ${checks.length} programs, ${wrong.length} problems`)
      failures.push(...wrong)
    }
    return failures
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const failures = await checkTypeScript(console.log)
  for (const line of failures) console.error(line)
  process.exitCode = failures.length === 0 ? 0 : 1
}
