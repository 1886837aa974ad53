// Engines are installed into a throw-away folder, never into the repository: Python ones into a virtual environment,
// onnxruntime by npm. What will not install is skipped with the reason that the installer gives.
import { spawn } from 'node:child_process'
import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError } from './engine.ts'

/** Where engines live between runs; `--clean` removes it. */
export const folder: string = join(tmpdir(), 'bcast-judges')

const VENV = join(folder, 'venv')
const NODE = join(folder, 'node')
const WINDOWS = process.platform === 'win32'

/** The environment's own interpreter. */
export const python: string = WINDOWS ? join(VENV, 'Scripts', 'python.exe') : join(VENV, 'bin', 'python')

/** Where an npm package lies that `ensureNode` has installed. */
export const nodePackage = (name: string): string => join(NODE, 'node_modules', name)

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

interface Finished {
  readonly code: number | null
  readonly output: string
  readonly late: boolean
}

function runCommand(
  file: string,
  args: readonly string[],
  limitMs: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: WINDOWS,
    })
    let output = ''
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, limitMs)
    const take = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-4000)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('error', (error) => {
      clearTimeout(timer)
      resolve({ code: -1, output: error.message, late })
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output, late })
    })
  })
}

/** The line of an installer's output that says why. */
function reasonIn({ output, late }: Finished): string {
  if (late) return 'the installation takes too long'
  const lines = output.split('\n').map((line) => line.trim())
  const telling = lines.findLast((line) => /^(ERROR|npm error)/i.test(line)) ?? lines.findLast((line) => line !== '')
  return (telling ?? 'no reason given').slice(0, 200)
}

const MINUTE = 60_000
/** All installations of one run together; engines that come after it are skipped. */
const TOTAL_LIMIT_MS = 15 * MINUTE
let spent = 0

async function timed(
  file: string,
  args: readonly string[],
  limit: number,
  env?: Readonly<Record<string, string>>,
): Promise<void> {
  const left = TOTAL_LIMIT_MS - spent
  if (left <= 0) throw new EngineError('not installed: 15 minutes of installing are spent, the next run goes on')
  const begun = Date.now()
  const finished = await runCommand(file, args, Math.min(limit, left), env)
  spent += Date.now() - begun
  if (finished.code !== 0) throw new EngineError(`not installed: ${reasonIn(finished)}`)
}

async function ensureVenv(): Promise<void> {
  if (await exists(python)) return
  await mkdir(folder, { recursive: true })
  const { code } = await runCommand('python3', ['--version'], MINUTE)
  if (code !== 0) throw new EngineError('there is no python3')
  await timed('python3', ['-m', 'venv', VENV], 2 * MINUTE)
}

async function imports(module: string): Promise<boolean> {
  const { code } = await runCommand(python, ['-c', `import ${module}`], 2 * MINUTE)
  return code === 0
}

export interface PythonPackage {
  /** As pip names it, with the version that the report speaks of. */
  readonly requirement: string
  readonly module: string
  /** Leave out what it would bring: OpenVINO comes with a package that reports its use. */
  readonly alone?: boolean
  /** Why it is installed only for a run that names its engine; undefined for a package of ordinary size. */
  readonly onlyWhenNamed?: string
}

const hasVersion = async ({ requirement }: PythonPackage): Promise<boolean> => {
  const [name, version] = requirement.split('==')
  const script = `import importlib.metadata as m; assert m.version(${JSON.stringify(name)}).split('+')[0] == ${JSON.stringify(version)}`
  const { code } = await runCommand(python, ['-c', script], MINUTE)
  return code === 0
}

/** Installs a package unless it is there; throws the reason when that fails. */
export async function ensurePython(wanted: PythonPackage, named: boolean): Promise<void> {
  await ensureVenv()
  if (!(await hasVersion(wanted))) {
    if (wanted.onlyWhenNamed !== undefined && !named) throw new EngineError(wanted.onlyWhenNamed)
    const options = ['--quiet', '--disable-pip-version-check', ...(wanted.alone === true ? ['--no-deps'] : [])]
    await timed(python, ['-m', 'pip', 'install', ...options, wanted.requirement], 10 * MINUTE)
  }
  if (!(await imports(wanted.module))) throw new EngineError(`installed, and import ${wanted.module} fails`)
}

/** Installs an npm package into a folder of its own. */
export async function ensureNode(requirement: string, env: Readonly<Record<string, string>>): Promise<void> {
  const name = requirement.slice(0, requirement.lastIndexOf('@'))
  if (await exists(nodePackage(name))) return
  await mkdir(NODE, { recursive: true })
  await writeFile(join(NODE, 'package.json'), '{ "private": true }\n')
  const npm = WINDOWS ? 'npm.cmd' : 'npm'
  await timed(
    npm,
    ['install', '--prefix', NODE, '--no-audit', '--no-fund', '--ignore-scripts', requirement],
    5 * MINUTE,
    env,
  )
}

export const clean = (): Promise<void> => rm(folder, { recursive: true, force: true })
