// Checks that are programs of their own and can be run alone: the packages in a registry, machine code, a fresh
// clone, JSR, and every
// TypeScript.
import { spawn } from 'node:child_process'
import { root } from '../release/packages.ts'
import type { Checked } from './check.ts'

interface Part {
  readonly name: string
  readonly file: string
}

export const parts: readonly Part[] = ['registry', 'native', 'clone', 'jsr', 'typescript'].map((name) => ({
  name,
  file: `tools/ecosystem/${name}.ts`,
}))

/** Runs one; what it prints goes to stderr too, for it takes minutes. */
export const checkPart = ({ name, file }: Part): Promise<Checked> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', file], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
      process.stderr.write(chunk)
    })
    child.on('error', reject)
    child.on('close', (code) => {
      const seen = printed.trim().split('\n').at(-1) ?? ''
      resolve({ what: name, where: '', seen, ...(code === 0 ? {} : { wrong: `exit code ${code}: ${printed.trim()}` }) })
    })
  })
