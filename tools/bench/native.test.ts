// bcast with machine code has a column of its own: its times, ratios and targets stand beside bcast's in every form of a
// report, neither is a peer of the other, and a machine without machine code is told of, not failed on.
import { describe, expect, it } from 'vitest'
import { chart } from '../../bench/chart.ts'
import { markdown, terminalText } from '../../bench/forms.ts'
import { json } from '../../bench/json.ts'
import { lossLines } from '../../bench/losses.ts'
import { meansOf } from '../../bench/means.ts'
import type { Contender, Measured } from '../../bench/measure.ts'
import type { ReadyPeer } from '../../bench/peers.ts'
import type { Report } from '../../bench/report.ts'
import { rowsOf } from '../../bench/rows.ts'
import { summaryText } from '../../bench/summary.ts'
import { workloads } from '../../bench/workloads.ts'

const peer = (id: string, title = id, version = ''): ReadyPeer => ({
  ...{ id, title, version, threaded: true, restarts: true },
  command: () => ({ file: '', args: [] }),
})
const bcast = peer('bcast')
const native = peer('native', 'bcast + native', 'machine code (avx512)')
const numpy = peer('numpy', 'NumPy', '2.4')

/** Milliseconds with a fresh result and into memory that is there. */
const timed = (of: ReadyPeer, threads: number, fresh: number, out: number): Contender => ({
  peer: of,
  threads,
  seconds: { fresh: fresh / 1000, out: out / 1000 },
})

function measuredOf(id: string, contenders: readonly Contender[], bound?: number, fused?: number): Measured {
  const map = (ms: number | undefined) => new Map(ms === undefined ? [] : [[1, ms / 1000]])
  const workload = workloads(false).find((each) => each.id === id)!
  return { workload, contenders, roofline: map(bound), fused: map(fused) }
}

const reportOf = (measured: readonly Measured[], more: Partial<Report> = {}): Report => ({
  date: new Date(0),
  measured,
  first: [],
  memory: { reason: 'not asked for' },
  native,
  peers: [numpy],
  absent: [],
  ...more,
})

const both = (id: string, ms: { bcast: number; native: number; numpy: number }, bound?: number) =>
  measuredOf(
    id,
    [1, 2].flatMap((threads) => [
      timed(bcast, threads, ms.bcast, ms.bcast * 2),
      timed(native, threads, ms.native, ms.native * 2),
      timed(numpy, threads, ms.numpy, ms.numpy * 2),
    ]),
    bound,
  )

const texts = (lines: readonly string[], id: string) => lines.filter((line) => line.includes(id))

describe('machine code', () => {
  it('is measured against the best peer, which bcast is not, and bcast not against it', () => {
    const [fresh, out] = rowsOf(both('same', { bcast: 6, native: 2, numpy: 9 }))
    expect(fresh!.bcast.comparisons.map(({ best, ratio }) => [best?.id, ratio?.toFixed(2)])).toEqual([
      ['numpy', '1.50'],
      ['numpy', '1.50'],
    ])
    expect(out!.native.comparisons.map(({ threads, best, ratio }) => [threads, best?.id, ratio?.toFixed(2)])).toEqual([
      [1, 'numpy', '4.50'],
      [2, 'numpy', '4.50'],
    ])
    expect(out!.native.comparisons[0]!.peers.map(({ id }) => id)).toEqual(['numpy'])
  })

  it('has targets of its own: every peer, and the C program', () => {
    const losses = (ms: number, bound: number) =>
      rowsOf(both('same', { bcast: 1, native: ms, numpy: 4 }, bound))[0]!.native.losses.map(
        ({ target, threads, ratio }) => `${target}, ${threads}: ${ratio}`,
      )
    expect(losses(4, 3.64)).toEqual([])
    expect(losses(4, 3.6)).toEqual(['within 1.10 of the C program, 1: 0.9'])
    expect(losses(5, 5)).toEqual(['1.0 of every peer, 1: 0.8', '1.0 of every peer, 2: 0.8'])
  })

  it('is to reach 0.45 of XLA in a matrix product, and nothing else', () => {
    const xla = peer('jax', 'XLA (JAX)')
    const losses = (ms: number) =>
      rowsOf(measuredOf('gemm', [timed(native, 1, ms, ms), timed(xla, 1, 20, 20), timed(numpy, 1, 1, 1)], 8, 7)).map(
        (row) => row.native.losses.length,
      )
    expect(losses(44)).toEqual([0, 0])
    expect(losses(45)).toEqual([1, 1])
    const report = reportOf([measuredOf('gemm', [timed(bcast, 1, 56, 56), timed(native, 1, 28, 28)], 8, 7)])
    expect(markdown(report)).toContain(
      'half of the multiply-add peak takes 14.0 ms; rounded apart from registers alone: 8.00 ms; bcast reaches 0.25 of that speed; bcast + native reaches 0.50 of that speed.',
    )
  })

  it('has something to reach wherever bcast is measured', () => {
    for (const { id, nativeTargets } of workloads(false)) {
      expect([id, nativeTargets.length]).toEqual([id, id === 'gemm' ? 1 : 2])
    }
    expect(workloads(true).every(({ nativeTargets }) => nativeTargets.length === 0)).toBe(true)
  })
})

describe('streams beyond the caches', () => {
  const measured = [
    both('same', { bcast: 2, native: 1, numpy: 4 }),
    both('row', { bcast: 2, native: 4, numpy: 1 }),
    both('transposed', { bcast: 1, native: 1, numpy: 100 }),
    both('1e3', { bcast: 1, native: 1, numpy: 100 }),
  ]

  it('are judged by the geometric mean of their ratios, and nothing else is in it', () => {
    const [first] = meansOf(measured).filter(({ id }) => id === 'native')
    expect(first).toMatchObject({ mode: 'fresh', threads: 1, count: 2, wanted: 1.3, met: false })
    expect(first!.ratio).toBeCloseTo(1)
    expect(texts(lossLines(reportOf(measured), 'native'), 'streams')).toHaveLength(4)
    expect(texts(lossLines(reportOf(measured), 'bcast'), 'streams')).toEqual([])
    expect(meansOf(measured.slice(0, 1)).every(({ met }) => met)).toBe(true)
  })

  it('all have more bytes than caches, and no strides', () => {
    const streams = workloads(false).filter((each) => each.streams)
    expect(streams.length).toBeGreaterThan(10)
    for (const { operands, result, op } of streams) {
      const elements = result.shape.reduce((n, size) => n * size, 1)
      expect([op, elements >= 6_000_000, operands.length > 1]).toEqual([op, true, true])
      expect(['addTransposed', 'addStrided', 'sum', 'gemm']).not.toContain(op)
    }
  })
})

describe('a report', () => {
  const measured = [both('same', { bcast: 6, native: 3, numpy: 4.5 }, 3)]
  const first = [
    { peer: bcast, tasks: new Map([['where', 0.0015]]) },
    { peer: native, tasks: new Map([['where', 0.0015]]) },
  ]
  const report = reportOf(measured, { first })

  it('has the column in every table, with a cross where its own target is missed', () => {
    for (const text of [terminalText(report), markdown(report)]) {
      expect(text).toMatch(/NumPy 4\.50 ms[ |]+6\.00 ms[ |]+0\.75 ✗[ |]+3\.00 ms[ |]+1\.50 /)
      expect(text).toMatch(/bcast \+ native[ |]+1\.50 ms[ |]+1\.50 ms[ |]+under 1 ms[ |]+LOST/)
      expect(text).toMatch(/bcast[ |]+1\.50 ms[ |]+1\.50 ms[ |]+under 2 ms[ |]+met/)
      expect(text).toContain('machine code (avx512)')
    }
    expect(lossLines(report, 'native')).toContain('first call of where: 1.50 ms, wanted under 1 ms')
    const summary = summaryText(report)
    expect(summary).toMatch(/\| 1 thread \| bcast \| fresh \| out \| bcast \+ native \| fresh \| out \|/)
    // More threads are in docs/bench.md.
    expect(summary).not.toMatch(/\| 2 threads \| bcast/)
    expect(summary).toMatch(/\| bcast \+ native \| 1\.50 \|/)
    expect(summary).toMatch(/\| 6\.00 ms \| 0\.75 ✗ \| 0\.75 ✗ \| 3\.00 ms \| 1\.50 \| 1\.50/)
    expect(chart(measured).match(/class="native(One|All)"\/><text[^>]*>1\.50 /g)).toHaveLength(4)
  })

  it('marks a ratio to peers by peers alone, and what is behind the C program there', () => {
    const text = markdown(reportOf([both('same', { bcast: 6, native: 3, numpy: 4.5 }, 5)]))
    expect(text).toContain('| 6.00 ms | 1.50 | NumPy')
    expect(text).toContain('| (4096,4096) + (4096,4096) | 5.00 ms | 0.42 | 0.83 ✗ |')
  })

  it('keeps what programs read of it, and has the column beside that', () => {
    const { workloads: all, ...whole } = JSON.parse(json(report))
    expect(whole).toMatchObject({ native: { engine: 'machine code (avx512)' }, peers: [{ id: 'numpy' }], absent: [] })
    expect(whole.first).toEqual([
      { peer: 'bcast', seconds: { where: 0.0015 } },
      { peer: 'native', seconds: { where: 0.0015 } },
    ])
    expect(Object.keys(all[0])).toEqual(expect.arrayContaining(['id', 'title', 'rows', 'roofline', 'problems']))
    const [row] = all[0].rows
    expect(row).toMatchObject({ mode: 'fresh', targets: ['1.0 of every peer'] })
    expect(row.comparisons[0]).toEqual({
      ...{ threads: 1, seconds: 0.006, best: 'numpy', ratio: expect.closeTo(0.75) },
      peers: [{ id: 'numpy', threads: 1, seconds: 0.0045, fresh: false }],
    })
    expect(row.native.comparisons[1]).toMatchObject({
      threads: 2,
      seconds: 0.003,
      best: 'numpy',
      ratio: expect.closeTo(1.5),
    })
    expect(row.losses).toHaveLength(2)
    expect(row.native.losses).toEqual([])
  })

  it('says why the column is empty where there is no machine code', () => {
    const without = measured.map((one) => ({
      ...one,
      contenders: one.contenders.filter((each) => each.peer.id !== 'native'),
    }))
    const reason = 'there is machine code for Linux on x86-64 so far, and this is darwin on arm64.'
    const told = reportOf(without, { native: { id: 'native', title: 'bcast + native', reason } })
    const why = /bcast \+ native has no times here: there is machine code for Linux .* darwin on arm64\.(?!\.)/
    for (const text of [terminalText(told), markdown(told), summaryText(told)]) {
      expect(text).toMatch(why)
      expect(text).toMatch(/6\.00 ms[ |]+0\.75 ✗[ |]+(0\.75 ✗[ |]+)?–[ |]+–/)
    }
    expect(JSON.parse(json(told))).toMatchObject({ native: { reason } })
    expect(chart(without)).not.toContain('class="native')
    expect(lossLines(told, 'native')).toEqual([])
  })

  it('leaves wrong results of the column out', () => {
    const problem = { kind: 'wrong', text: 'differs from byte 0 on' } as const
    const [one] = measured
    const wrong = reportOf([
      { ...one!, contenders: one!.contenders.map((each) => (each.peer === native ? { ...each, problem } : each)) },
    ])
    expect(rowsOf(wrong.measured[0]!)[0]!.native.comparisons).toEqual([])
    expect(markdown(wrong)).toContain('bcast + native, 2 threads: differs from byte 0 on')
  })
})
