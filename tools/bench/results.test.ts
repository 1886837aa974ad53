// What the benchmark trusts before it times anything, and what it says of targets: results are compared each by its own
// size, and sums with what the machine needs to read them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { difference } from '../../bench/compare.ts'
import type { Contender, Measured } from '../../bench/measure.ts'
import { rowsOf } from '../../bench/rows.ts'
import { reduction } from '../../bench/targets.ts'
import { elementCount, WIDTH } from '../../bench/task.ts'
import { workloads } from '../../bench/workloads.ts'

const folder = mkdtempSync(join(tmpdir(), 'bcast-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(name: string, ...results: readonly (readonly number[])[]): string {
  const file = join(folder, name)
  writeFileSync(file, new Uint8Array(Float32Array.from(results.flat()).buffer))
  return file
}

describe('results of several kinds', () => {
  const right = fileOf('right', [1000], [1e-7, -3e-7])
  const sizes = [4, 8]

  it('agree where each lies within the tolerance of its largest element', () => {
    expect(difference(fileOf('a', [1000.001], [1.0001e-7, -3e-7]), right, sizes, [1e-4, 1e-4])).toBeUndefined()
    expect(difference(fileOf('a', [1001], [1e-7, -3e-7]), right, sizes, [1e-2, 0])).toBeUndefined()
    expect(difference(right, right, sizes, [0, 0])).toBeUndefined()
  })

  it('differ where a small one does beside a large one', () => {
    expect(difference(fileOf('b', [1000], [2e-7, -3e-7]), right, sizes, [1e-4, 1e-4])).toMatch(
      /^element 0 of result 1 is 2\.0/,
    )
    expect(difference(fileOf('c', [1001], [1e-7, -3e-7]), right, sizes, [1e-4, 1e-4])).toBe(
      'element 0 of result 0 is 1001, not 1000',
    )
    expect(difference(fileOf('d', [1000], [Number.NaN, -3e-7]), right, sizes, [1e-4, 1e-4])).toMatch(
      'element 0 of result 1 is NaN',
    )
    expect(difference(fileOf('e', [1000], [1e-7]), right, sizes, [1e-4, 1e-4])).toBe('8 bytes where 12 are right')
    expect(difference(fileOf('f', [1000], [1e-7, 3e-7]), right, sizes, [0, 0])).toBe('differs from byte 11 on')
  })
})

describe('the targets of a sum', () => {
  const contender = (id: string, seconds: number): Contender => ({
    peer: { id, title: id, threaded: false, restarts: true, version: '', command: () => ({ file: '', args: [] }) },
    threads: 1,
    seconds: { fresh: seconds },
  })
  const lossesAt = (own: number, read: number): readonly string[] => {
    const workload = { ...workloads(false).find(({ id }) => id === 'sum-rows')!, targets: reduction }
    const measured: Measured = {
      workload,
      contenders: [contender('bcast', own), contender('numpy', 2)],
      roofline: new Map([[1, read]]),
      fused: new Map(),
    }
    return rowsOf(measured).flatMap(({ bcast }) =>
      bcast.losses.map(({ target, peer, ratio }) => `${target}: ${ratio} of ${peer}`),
    )
  }

  it('are the best peer and reading the bytes once', () => {
    expect(lossesAt(1, 0.9)).toEqual([])
    expect(lossesAt(1, 0.5)).toEqual(['within 1.15 of reading the bytes once: 0.5 of what the machine can do'])
    expect(lossesAt(4, 4)).toEqual(['1 of every peer: 0.5 of numpy'])
  })
})

describe.each([true, false])('workloads, small: %s', (small) => {
  it('have names of their own, and sums the shape that is left', () => {
    const all = workloads(small)
    for (const key of ['id', 'title'] as const) expect(new Set(all.map((each) => each[key])).size).toBe(all.length)
    for (const { operands, result, axes, roofline } of all) {
      if (axes === undefined) continue
      const { shape, dtype } = operands[0]!
      const kept = shape.filter((_, axis) => !axes.includes(axis))
      expect(elementCount(result.shape)).toBe(elementCount(kept))
      expect(elementCount(roofline!.slice(1) as number[]) * WIDTH[dtype]).toBe(elementCount(shape) * 4)
    }
  })
})
