// Runs a command of the machine and keeps what it prints.
import { spawnSync } from 'node:child_process'

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const LIMIT = 5 * 60_000

export function run(file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Outcome {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd,
    env,
    encoding: 'utf8',
    timeout: LIMIT,
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
  })
  return { code: status ?? -1, stdout: stdout ?? '', stderr: `${stderr ?? ''}${error?.message ?? ''}` }
}

/** For commands without which nothing can be said. */
export function succeed(file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): void {
  const { code, stdout, stderr } = run(file, args, cwd, env)
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} in ${cwd} ended with ${code}\n${stdout}${stderr}`)
}
