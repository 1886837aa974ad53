// Random rounds of the property tests: the arguments, the choice of files, and that a failing seed is named and ends with 1.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readArguments } from './arguments.ts'
import { propertyTests } from './property-tests.ts'
import { type Outcome, repeat } from './repeat.ts'
import { runTests } from './run-tests.ts'

const root = path.resolve(import.meta.dirname, '../..')

describe('the arguments', () => {
  it('are minutes, a seed or neither', () => {
    expect(readArguments([])).toEqual({ kind: 'run', seed: undefined, minutes: 10 })
    expect(readArguments(['--minutes', '0.5'])).toEqual({ kind: 'run', seed: undefined, minutes: 0.5 })
    expect(readArguments(['--seed', '-7'])).toMatchObject({ kind: 'wrong' })
    expect(readArguments(['--seed=-7'])).toEqual({ kind: 'run', seed: -7, minutes: Number.POSITIVE_INFINITY })
    expect(readArguments(['--seed', '7', '--minutes', '3'])).toEqual({ kind: 'run', seed: 7, minutes: 3 })
    expect(readArguments(['--help', '--seed', 'x'])).toEqual({ kind: 'help' })
  })

  it.each([
    [['--seed', 'x'], '--seed is "x", not an integer of 32 bits'],
    [['--seed', '1.5'], '--seed is "1.5"'],
    [['--seed', '4294967296'], '--seed is "4294967296"'],
    [['--seed', ''], '--seed is ""'],
    [['--minutes', '0'], '--minutes is "0", not a number above 0'],
    [['--minutes', 'long'], '--minutes is "long"'],
    [['--hours', '1'], "Unknown option '--hours'"],
    [['7'], "Unexpected argument '7'"],
  ])('%j are wrong', (args, message) => {
    expect(readArguments(args)).toEqual({ kind: 'wrong', message: expect.stringContaining(message) })
  })

  it('decide the exit code: 0 for help, 2 when they are wrong', () => {
    const call = (...args: string[]) =>
      spawnSync(process.execPath, ['--import', 'tsx', 'tools/random/main.ts', ...args], { cwd: root, encoding: 'utf8' })
    expect(call('--help')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/^usage: .*--seed S/s),
    })
    expect(call('--seed', 'x')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^--seed is "x".*usage: /s),
    })
  })
})

describe('the files', () => {
  const files = propertyTests(root, ['packages', 'tools', 'testing'])

  it('are those that reach fast-check or the seed, by however many imports', () => {
    for (const file of [
      'packages/cli/test/files/block.test.ts',
      'packages/bcast/test/ops/async.test.ts',
      'packages/onnx/test/run/families.test.ts',
      'tools/fuzz/onnx/onnx.test.ts',
    ])
      expect(files).toContain(file)
  })

  it('are no others', () => {
    for (const file of ['packages/cli/test/main.test.ts', 'tools/trace/trace.test.ts'])
      expect(files).not.toContain(file)
  })
})

describe('seeds', () => {
  async function said(seeds: readonly number[], limit: number, run: (seed: number) => Promise<Outcome>) {
    const lines: string[] = []
    const code = await repeat({ seeds, limit, run, say: (text) => lines.push(text) })
    return { code, lines }
  }

  it('are named as they start, until one fails', async () => {
    const run = async (seed: number): Promise<Outcome> =>
      seed === 5 ? { kind: 'failed', output: 'what went wrong' } : { kind: 'passed' }
    expect(await said([2, 5, 8], 60_000, run)).toEqual({
      code: 1,
      lines: ['seed 2', 'seed 5', 'what went wrong', 'seed 5 fails; repeat it with: npm run test:random -- --seed 5'],
    })
    expect(await said([2, 4], 60_000, run)).toEqual({ code: 0, lines: ['seed 2', 'seed 4', '2 seeds passed'] })
  })

  it('end when the time is over', async () => {
    expect(await said([2, 4], 60_000, async () => ({ kind: 'given up' }))).toEqual({
      code: 0,
      lines: ['seed 2', 'seed 2 was not finished: the time is over', '0 seeds passed'],
    })
    expect(await said([2, 4], 0, async () => ({ kind: 'passed' }))).toEqual({ code: 0, lines: ['0 seeds passed'] })
  })
})

describe('a run of tests', () => {
  const config = path.join(import.meta.dirname, 'fixture/vitest.config.ts')
  const run = (seed: number, milliseconds: number) => runTests({ files: [], seed, milliseconds, bail: true, config })

  it('fails with the seed that a property does not hold for, and passes with another', async () => {
    const failed = await run(5, 600_000)
    expect(failed).toEqual({ kind: 'failed', output: expect.stringContaining('holds for even seeds') })
    expect(failed).toEqual({ kind: 'failed', output: expect.stringMatching(/seed: 5\b/) })
    expect(await run(4, 600_000)).toEqual({ kind: 'passed' })
  })

  it('is given up when its time is over', async () => {
    expect(await run(4, 1)).toEqual({ kind: 'given up' })
  })
})
