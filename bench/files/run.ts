// Runs one program to its end: seconds from start to exit, and for Node its peak resident size.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
/** The program as it is built. */
export const program: string = here('../../packages/bcast/program/main.js')

/** Seconds of any program. */
export function timed(file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  const start = performance.now()
  const { status, stderr, error } = spawnSync(file, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (status !== 0) throw new Error(`${file} ${args.join(' ')} failed: ${error?.message ?? stderr}`)
  return (performance.now() - start) / 1000
}

/** Seconds of `bcast eval`, as it is built, on this Node or another. */
export const evalSeconds = (args: readonly string[], node: string = process.execPath): number =>
  timed(node, [program, 'eval', ...args])

/** Its peak resident size in bytes, in a run of its own. */
export function evalPeak(folder: string, args: readonly string[], node: string = process.execPath): number {
  const file = join(folder, 'peak')
  timed(node, ['--import', here('peak.mjs'), program, 'eval', ...args], { BCAST_PEAK: file })
  return Number(readFileSync(file, 'utf8')) * 1024
}

/** Seconds of dd. */
export const ddSeconds = (from: string, to: string): number =>
  timed('dd', [`if=${from}`, `of=${to}`, 'bs=4M', 'status=none'])

export const pythonSeconds = (python: string, program: string): number => timed(python, ['-c', program])
