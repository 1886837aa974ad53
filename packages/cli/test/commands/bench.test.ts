// `bcast bench`: real measurements in the time it is given, as JSON and as bars.
import { describe, expect, it } from 'vitest'
import { bar, chartLines } from '../../src/bench/chart.ts'
import { called } from '../support/called.ts'
import { bcast } from '../support/program.ts'

describe('bench', () => {
  it('measures every workload, and compares what they compute', async () => {
    const { code, stdout, stderr } = await bcast(['bench', '--seconds', '0.1', '--threads', '1', '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { version, threads, workloads } = JSON.parse(stdout)
    expect({ version, threads, count: workloads.length }).toEqual({ version: 1, threads: 1, count: 8 })
    for (const { bcastMs, loopMs, ratio } of workloads) {
      expect(bcastMs).toBeGreaterThan(0)
      expect(Math.abs(ratio - loopMs / bcastMs)).toBeLessThan(0.02 * ratio)
    }
  })

  it('refuses times and threads that are none', async () => {
    expect((await called(['bench', '--seconds', 'long'])).stderr).toContain('--seconds is "long"; it is a number from')
    expect((await called(['bench', '--threads', '0'])).stderr).toContain('--threads is "0"; it is an integer from 1')
  })
})

describe('bars', () => {
  it('grow by eighths of a character, and are never nothing', () => {
    expect([1, 0.5, 0.53, 0.0001].map((part) => bar(part, 8))).toEqual(['████████', '████', '████▎', '▏'])
  })

  it('are on a scale of the slower one', () => {
    const [fast, slow] = chartLines({ name: 'x + row', bcast: 1, loop: 4 }, 120, false)
    expect(fast).toContain('bcast ██████████ 1.00 ms, 4.00 times as fast')
    expect(slow).toMatch(/loop {2}█+ 4\.00 ms$/)
    expect(slow!.match(/█/g)).toHaveLength(40)
  })
})
