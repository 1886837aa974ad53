// The program as people run it: in a process of its own, judged by exit code and streams.
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import type {} from './setup.ts'

/** The built program. */
export const program: string = inject('program')

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Call {
  readonly cwd?: string
  readonly input?: string | Uint8Array
  readonly env?: NodeJS.ProcessEnv
}

function run(file: string, args: readonly string[], { cwd, input = '', env }: Call): Promise<Outcome> {
  const plain = { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, COLUMNS: undefined, ...env }
  return new Promise((resolve) => {
    const child = execFile(
      file,
      args,
      { ...(cwd === undefined ? {} : { cwd }), env: plain },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
      },
    )
    // The program may end without reading.
    child.stdin!.on('error', () => {})
    child.stdin!.end(input)
  })
}

export const bcast = (args: readonly string[], call: Call = {}): Promise<Outcome> =>
  run(process.execPath, [program, ...args], call)

/** A folder for files, with a `bin` in which `bcast` is the program; `remove` takes it away. */
export function workplace(): { readonly folder: string; readonly bin: string; readonly remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'bcast-'))
  const bin = mkdtempSync(path.join(tmpdir(), 'bcast-bin-'))
  writeFileSync(path.join(bin, 'bcast'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(path.join(bin, 'bcast'), 0o755)
  const remove = (): void => {
    for (const each of [folder, bin]) rmSync(each, { recursive: true, force: true })
  }
  return { folder, bin, remove }
}

/** A line as typed into bash, with `bcast` on the path. */
export const typed = (line: string, place: { folder: string; bin: string }, call: Call = {}): Promise<Outcome> =>
  run('bash', ['-c', line], {
    ...call,
    cwd: place.folder,
    env: { ...call.env, PATH: `${place.bin}${path.delimiter}${process.env['PATH']}` },
  })
