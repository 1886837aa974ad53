// Every command of the README runs as printed, in a folder with the files it speaks of, and prints what it says.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeExampleFiles } from './files.ts'
import { typed, workplace } from './program.ts'

const place = workplace()
beforeAll(() => writeExampleFiles(place.folder))
afterAll(place.remove)

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$(?:\n```text\n([\s\S]*?)^```$)?/gm)].map(
  ([, commands, output]) => ({ commands: commands!, output }),
)

describe('README', () => {
  it('has examples', () => {
    expect(blocks.length).toBeGreaterThan(3)
  })

  it.each(blocks)('$commands', async ({ commands, output }) => {
    const lines = commands.split('\n').filter((line) => /\bbcast /.test(line) && !line.startsWith('npm'))
    const outcomes = []
    for (const line of lines) outcomes.push(await typed(line, place))
    for (const { code, stderr } of outcomes) {
      expect([0, 1]).toContain(code)
      expect(stderr).not.toMatch(/^bcast: /m)
    }
    if (output !== undefined) expect(outcomes.map(({ stdout }) => stdout).join('')).toBe(output)
  })
})
