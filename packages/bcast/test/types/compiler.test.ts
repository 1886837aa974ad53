// What a user sees from the real compiler: the exact messages of calls that must not compile, and what the types cost.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const compiler = here('../../../../node_modules/typescript/bin/tsc')

async function compile(project: string, ...flags: string[]): Promise<string> {
  const args = [compiler, '-p', project, '--pretty', 'false', '--singleThreaded', ...flags]
  return promisify(execFile)(process.execPath, args).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  )
}

describe('messages', async () => {
  const output = await compile(here('messages'))

  it('says at the argument why the call does not compile', async () => {
    const source = (await readFile(here('messages/messages.ts'), 'utf8')).split('\n')
    const said = output
      .trim()
      .split('\n')
      .map((line) => {
        const [, row, message] = /messages\.ts\((\d+),\d+\): error TS\d+: (.*)/.exec(line) ?? [undefined, '0', line]
        return `${source[Number(row) - 1]}\n  ${message}`
      })
    await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('messages/messages.txt')
  })

  it('refuses every call of the file', async () => {
    const source = (await readFile(here('messages/messages.ts'), 'utf8')).split('\n')
    const calls = source.filter((line) => /^[\w.]+\(/.test(line))
    const refused = output.trim().split('\n')
    expect(refused).toHaveLength(calls.length)
  })
})

describe('cost', () => {
  const call = (i: number) => {
    const [a, b, c, d] = [2 + (i % 7), 3 + (i % 5), 4 + (i % 3), 5 + (i % 11)]
    const x = `export const x${i} = tensor(new Float32Array(1), { shape: [${a}, ${b}, ${c}, ${d}] })`
    const y = `export const y${i} = tensor(new Float32Array(1), { shape: [${b}, 1, ${d}] })`
    return [`${x}\n${y}`, `export const z${i} = add(x${i}, y${i})`]
  }

  async function instantiations(lines: readonly string[]): Promise<number> {
    const folder = await mkdtemp(join(tmpdir(), 'bcast-types-'))
    try {
      const base = JSON.parse(await readFile(here('../../../../tsconfig.base.json'), 'utf8'))
      const compilerOptions = {
        ...base.compilerOptions,
        noEmit: true,
        incremental: false,
        paths: { bcast: [here('../../src/index.ts')] },
      }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['calls.ts'] }))
      await writeFile(join(folder, 'package.json'), '{"type":"module"}')
      await writeFile(join(folder, 'calls.ts'), ["import { add, tensor } from 'bcast'", 'export { add }', ...lines].join('\n'))
      const output = await compile(folder, '--extendedDiagnostics')
      expect(output).not.toContain('error TS')
      return Number(/Instantiations:\s+(\d+)/.exec(output)?.[1])
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  it('500 calls at rank 4 stay within 500 instantiations each, half a second in all', async () => {
    const calls = Array.from({ length: 500 }, (_, i) => call(i))
    const without = await instantiations(calls.map(([operands]) => operands!))
    const added = (await instantiations(calls.flat())) - without
    expect(added).toBeGreaterThan(500)
    expect(added).toBeLessThan(500 * 500)
  })
})
