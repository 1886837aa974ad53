// Every command of the repository has help, and refuses options that it does not have.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { scripts: Record<string, string> }

/** The commands and the files that they run. The program has help of its own, which its own tests call. */
const commands = Object.entries(scripts)
  .map(([name, line]) => ({ name, file: /--import tsx (\S+\.ts)$/.exec(line)?.[1] }))
  .filter(({ name, file }) => name !== 'start' && file !== undefined)

interface Outcome {
  readonly file: string
  readonly word: string
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const { stdout, stderr } = spawnSync(
  process.execPath,
  [
    ...['--conditions=bcast-source', '--import', 'tsx', 'tools/command-line/fixture/call-all.ts'],
    commands.map(({ file }) => file).join(),
    '--help,--unheard-of',
  ],
  { cwd: root, encoding: 'utf8' },
)
const outcomes: readonly Outcome[] = stdout === '' ? [] : JSON.parse(stdout)

it('are called', () => {
  expect(stderr).toBe('')
  expect(commands.length).toBeGreaterThan(9)
  expect(outcomes.length).toBe(2 * commands.length)
})

describe.each(commands)('npm run $name', ({ name, file }) => {
  const called = (word: string) => outcomes.find((outcome) => outcome.file === file && outcome.word === word)

  it('prints help', () => {
    expect(called('--help')).toMatchObject({ code: 0, stderr: '' })
    expect(called('--help')!.stdout).toMatch(new RegExp(`^usage: npm run ${name}\\b`))
    expect(called('--help')!.stdout).toMatch(/--help +prints this/)
  })

  it('refuses an option that it does not have', () => {
    expect(called('--unheard-of')).toMatchObject({ code: 2, stdout: '' })
    expect(called('--unheard-of')!.stderr).toMatch(/^Unknown option '--unheard-of'/)
    expect(called('--unheard-of')!.stderr).toContain(`usage: npm run ${name}`)
  })
})
