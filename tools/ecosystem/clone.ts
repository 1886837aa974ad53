// `node --import tsx tools/ecosystem/clone.ts`: the first command in a fresh clone is `npm start`; it must show the tour,
// soon and without bringing half a gigabyte.
import { mkdtempSync, rmSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { commandLine } from '../command-line/command-line.ts'
import { root } from '../release/packages.ts'
import { run, succeed } from './registry/run.ts'

const MOST_BYTES = 120e6

commandLine(
  `usage: node --import tsx tools/ecosystem/clone.ts

Clones what is committed, runs npm start there, and weighs what it brought; at most ${MOST_BYTES / 1e6} MB.

  --help  prints this`,
  {},
)

/** Bytes of all files below a folder, links not followed. */
async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder, { recursive: true })) {
    const status = await lstat(path.join(folder, name))
    if (status.isFile()) bytes += status.size
  }
  return bytes
}

const folder = mkdtempSync(path.join(tmpdir(), 'bcast-clone-'))
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
try {
  succeed('git', ['clone', '--quiet', root, folder], root, env)
  const begin = performance.now()
  const { code, stdout, stderr } = run('npm', ['start'], folder, env)
  const seconds = (performance.now() - begin) / 1000
  const bytes = await bytesIn(folder)
  console.log(
    `npm start in a fresh clone: ${seconds.toFixed(1)} s, ${(bytes / 1e6).toFixed(0)} MB with the clone itself`,
  )
  const isShown = code === 0 && stdout.includes('npm start -- explain')
  if (!isShown) console.log(`FAILED: exit code ${code}\n${stdout}${stderr}`)
  if (bytes > MOST_BYTES) console.log(`FAILED: more than ${MOST_BYTES / 1e6} MB`)
  process.exitCode = isShown && bytes <= MOST_BYTES ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
