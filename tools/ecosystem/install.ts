// Folders in which a user might work: packages of pinned versions, installed once and kept, and bcast as it is packed
// now. What npm cannot install is missing, with the reason it gives.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const library = fileURLToPath(new URL('../../packages/bcast', import.meta.url))
/** Outside the repository, whose packages nobody should find, and kept between runs. */
const cache = join(tmpdir(), 'bcast-ecosystem')

/** Says why packages are not there. */
export class NotInstalled extends Error {}

export interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const LIMIT_MS = 300_000

/** Runs a program to its end, with the programs of a folder's packages at hand. */
export const run = (file: string, args: readonly string[], folder: string, shell = false): Promise<Finished> =>
  new Promise((resolve) => {
    const options = { cwd: folder, env: environment(folder), timeout: LIMIT_MS, maxBuffer: 2 ** 26, shell }
    execFile(file, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr })
    })
  })

export const environment = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [join(folder, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
  NODE_OPTIONS: '',
  NODE_ENV: undefined,
  // Nobody is told that this was built, or that a newer version exists.
  NEXT_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  DENO_NO_UPDATE_CHECK: '1',
  // It would fetch what only CUDA needs.
  ONNXRUNTIME_NODE_INSTALL: 'skip',
})

/** Packs bcast as `npm publish` would, and unpacks it; gives the folder. */
export async function packed(): Promise<string> {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'packed-'))
  const { code, stdout, stderr } = await run('npm', ['pack', '--silent', '--pack-destination', folder], library)
  if (code !== 0) throw new Error(`npm pack: ${stderr}`)
  const unpacked = await run('tar', ['-xzf', stdout.trim()], folder)
  if (unpacked.code !== 0) throw new Error(`tar: ${unpacked.stderr}`)
  return folder
}

/** A folder of its own with the packages and bcast installed, and the given files. */
export async function project(
  packages: Readonly<Record<string, string>>,
  pack: string,
  files: Iterable<readonly [name: string, text: string]>,
): Promise<string> {
  const named = Object.entries(packages).map(([name, version]) => `${name}-${version}`.replaceAll(/[^\w.]+/g, '-'))
  const folder = join(cache, named[0] ?? 'nothing')
  const manifest = `${JSON.stringify({ private: true, type: 'module', dependencies: packages }, null, 2)}\n`
  const stamp = 'installed.json'
  if ((await readFile(join(folder, stamp), 'utf8').catch(() => '')) !== manifest) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(join(folder, 'node_modules'), { recursive: true })
    await writeFile(join(folder, 'package.json'), manifest)
    if (named.length > 0) await install(folder)
    await writeFile(join(folder, stamp), manifest)
  }
  // Everything else is of an earlier run.
  for (const made of await readdir(folder))
    if (!['node_modules', 'package.json', stamp].includes(made)) await rm(join(folder, made), { recursive: true })
  await rm(join(folder, 'node_modules/bcast'), { recursive: true, force: true })
  await cp(join(pack, 'package'), join(folder, 'node_modules/bcast'), { recursive: true })
  for (const [name, text] of files) {
    await mkdir(join(folder, dirname(name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

async function install(folder: string): Promise<void> {
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  // A download that broke off is tried once more.
  const { code, stdout, stderr } = await run('npm', args, folder).then((first) =>
    first.code === 0 ? first : run('npm', args, folder),
  )
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '')
  if (code !== 0)
    throw new NotInstalled(lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? `npm exits with ${code}`)
}
