// The C program is a bound only while each of its ways computes the same; it compares them itself.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { prepareRoofline } from '../../bench/install.ts'
import { workloads } from '../../bench/workloads.ts'

const folder = mkdtempSync(join(tmpdir(), 'bcast-test-'))
const program = join(folder, 'roofline')
afterAll(() => rmSync(folder, { recursive: true }))

const hasCompiler = spawnSync('cc', ['--version']).status === 0
const run = (...args: readonly (string | number)[]) => {
  const env = { ...process.env, OMP_NUM_THREADS: '2' }
  return spawnSync(program, args.map(String), { encoding: 'utf8', env })
}

describe.skipIf(!hasCompiler)('the C program (skipped where there is no C compiler)', () => {
  it('compiles', { timeout: 60_000 }, () => {
    expect(prepareRoofline(program)).toBeUndefined()
  })

  it('has the same results whichever way it stores, with one thread and with two', () => {
    const { stdout, status } = run('check')
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })

  it('knows every workload that names it, and says how long each takes', () => {
    const named = workloads(true).flatMap(({ id, roofline, fused }) =>
      [roofline, fused].flatMap((args) => (args === undefined ? [] : [{ id, args }])),
    )
    expect(named.length).toBeGreaterThan(25)
    for (const { id, args } of named) {
      const seconds = Number.parseFloat(run(...args, 1).stdout)
      expect([id, seconds > 0 && seconds < 1]).toEqual([id, true])
    }
    expect(run('nothing', 8, 1).status).toBe(2)
  })
})
