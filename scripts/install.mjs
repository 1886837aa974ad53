// Makes commands work as the first one after a clone: installs when what is installed differs from the lockfile.
// `--tour` installs what the program itself needs; tests, checks and tools need the development dependencies, too. npm
// writes node_modules/.package-lock.json last, so an interrupted install is seen as a difference.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const read = (path) => {
  try {
    return JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).packages
  } catch {
    return undefined
  }
}

const wanted = read('package-lock.json')
const installed = read('node_modules/.package-lock.json')
// Who has the development dependencies keeps them.
const isTour = process.argv.includes('--tour') && !Object.values(installed ?? {}).some((entry) => entry.dev === true)
const upToDate =
  installed !== undefined &&
  Object.entries(wanted).every(
    ([path, entry]) =>
      !path.includes('node_modules/') ||
      entry.optional === true ||
      (isTour && entry.dev === true) ||
      (installed[path] !== undefined && installed[path].version === entry.version),
  )

if (!upToDate) {
  const only = isTour ? ['--omit=dev'] : []
  console.error(`Installing dependencies (${['npm', 'ci', ...only].join(' ')})…`)
  const { status } = spawnSync('npm', ['ci', ...only, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: new URL('..', import.meta.url),
    // onnxruntime's own install step fetches what only CUDA needs.
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}
