// Every command of the README and of the documentation runs as printed, in a folder with the files it speaks of, and
// prints what it says.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeExampleFiles } from './support/example-files.ts'
import { ran } from './support/line.ts'
import { workplace } from './support/program.ts'

const place = workplace()
beforeAll(() => writeExampleFiles(place.folder))
afterAll(place.remove)

function blocksOf(file: string): { commands: string; output: string | undefined }[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$(?:\n```text\n([\s\S]*?)^```$)?/gm)]
    .map(([, commands, output]) => ({ commands: commands!, output }))
    .filter(({ commands }) => /\bbcast /.test(commands))
}

const files = [
  '../README.md',
  '../../bcast/README.md',
  '../../../README.md',
  ...['guide', 'files', 'zarr', 'onnx'].map((page) => `../../../docs/${page}.md`),
]

describe.each(files)('%s', (file) => {
  const blocks = blocksOf(file)

  it('has examples', () => {
    expect(blocks.length).toBeGreaterThan(0)
  })

  it.each(blocks)('$commands', async ({ commands, output }) => {
    const lines = commands
      .split('\n')
      .filter((line) => /\bbcast /.test(line))
      .map((line) => line.replace(/^npx /, ''))
    const outcomes = []
    for (const line of lines) outcomes.push(await ran(line, place))
    for (const { code, stderr } of outcomes) {
      expect([0, 1]).toContain(code)
      expect(stderr).not.toMatch(/^bcast: /m)
    }
    if (output !== undefined) expect(outcomes.map(({ stdout }) => stdout).join('')).toBe(output)
  })
})
