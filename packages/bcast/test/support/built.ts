// The package as it ships, compiled into a folder of its own, for what only shows there: processes that must end,
// memory seen from outside, pages of a browser.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { writeWorkerFile } from '../../build.ts'

const run = promisify(execFile)
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export interface Built {
  readonly folder: string
  /** The URL of a compiled file. */
  readonly url: (file: string) => string
  /** Runs a module's text in a process of its own that must end by itself. */
  readonly run: (script: string, ...flags: readonly string[]) => Promise<{ stdout: string; stderr: string }>
  readonly remove: () => Promise<void>
}

/** Compiles the package. A process that does not end within `patience` milliseconds is killed, and its run fails. */
export async function build(patience = 120_000): Promise<Built> {
  const folder = await mkdtemp(join(tmpdir(), 'bcast-built-'))
  const options = ['--outDir', folder, '--composite', 'false', '--incremental', 'false', '--declaration', 'false']
  const more = ['--isolatedDeclarations', 'false', '--sourceMap', 'false', '--declarationMap', 'false']
  const compiler = here('../../../../node_modules/typescript/bin/tsc')
  // Types are checked elsewhere.
  await run(process.execPath, [compiler, '-p', here('../../tsconfig.json'), '--noCheck', ...options, ...more])
  writeWorkerFile(folder)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return {
    folder,
    url: (file) => pathToFileURL(join(folder, file)).href,
    run: (script, ...flags) =>
      run(process.execPath, [...flags, '--input-type=module', '--eval', script], {
        timeout: patience,
        killSignal: 'SIGKILL',
        env: { ...process.env, NODE_OPTIONS: '' },
      }),
    remove: () => rm(folder, { recursive: true }),
  }
}

/** Flags of a process that may read files and start no workers, and what it says of that. */
export const noWorkers: readonly string[] = [
  process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
  '--allow-fs-read=*',
]
export const forbidden: unknown = expect.stringMatching(
  /^bcast: worker threads do not run here, .*Cause: Access to this API has been restricted/,
)
