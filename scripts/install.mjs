// Makes `npm start` and `npm test` work as the first command after a clone: installs when what is
// installed differs from the lockfile. npm writes node_modules/.package-lock.json last, so an
// interrupted install is seen as a difference.
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
const upToDate =
  installed !== undefined &&
  Object.entries(wanted).every(
    ([path, entry]) =>
      !path.startsWith('node_modules/') ||
      entry.optional === true ||
      (installed[path] !== undefined && installed[path].version === entry.version),
  )

if (!upToDate) {
  console.error('Installing dependencies (npm ci)…')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: new URL('..', import.meta.url),
    // onnxruntime's own install step fetches what only CUDA needs.
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}
