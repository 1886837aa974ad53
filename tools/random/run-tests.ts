// One run of test files with a seed, in processes of their own that can be given up.
import { spawn } from 'node:child_process'
import path from 'node:path'
import type { Outcome } from './repeat.ts'

const root = path.resolve(import.meta.dirname, '../..')
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')

export interface TestRun {
  readonly files: readonly string[]
  readonly seed: number
  /** After which the run is given up. */
  readonly milliseconds: number
  /** Whether the first failure ends the run. */
  readonly bail: boolean
  /** Vitest's configuration, if it is not the repository's. */
  readonly config?: string
}

export function runTests({ files, seed, milliseconds, bail, config }: TestRun): Promise<Outcome> {
  const options = ['--typecheck.enabled=false', ...(bail ? ['--bail=1'] : []), ...(config ? ['--config', config] : [])]
  const child = spawn(process.execPath, [vitest, 'run', ...options, ...files], {
    cwd: root,
    env: { ...process.env, BCAST_SEED: String(seed), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that the processes it starts end with it.
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  let givenUp = false
  const giveUp = (): void => {
    givenUp = true
    process.kill(-child.pid!, 'SIGKILL')
  }
  const timer = Number.isFinite(milliseconds) ? setTimeout(giveUp, milliseconds) : undefined
  const interrupted = (): void => {
    giveUp()
    process.exit(130)
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
      if (code === 0) resolve({ kind: 'passed' })
      else resolve(givenUp ? { kind: 'given up' } : { kind: 'failed', output })
    })
  })
}
