// A report for programs: every time of the run, in seconds.
import { meansOf } from './means.ts'
import { machine, type Report } from './report.ts'
import { type Judged, rowsOf } from './rows.ts'

const judged = ({ comparisons, targets, losses }: Judged) => ({
  comparisons: comparisons.map(({ threads, seconds, peers: times, best, ratio }) => ({
    threads,
    seconds,
    best: best?.id,
    ratio,
    peers: times.map(({ id, threads: used, seconds: time, fresh }) => ({ id, threads: used, seconds: time, fresh })),
  })),
  targets: targets.map(({ text }) => text),
  losses,
})

export function json({ date, measured, first, memory, native, peers, absent }: Report): string {
  const value = {
    date: date.toISOString(),
    machine: machine(),
    native: 'reason' in native ? { reason: native.reason } : { engine: native.version },
    peers: peers.map(({ id, title, version }) => ({ id, title, version })),
    absent,
    workloads: measured.map((one) => ({
      id: one.workload.id,
      title: one.workload.title,
      rows: rowsOf(one).map((row) => ({ mode: row.mode, ...judged(row.bcast), native: judged(row.native) })),
      roofline: Object.fromEntries(one.roofline),
      fused: Object.fromEntries(one.fused),
      problems: one.contenders.flatMap(({ peer, threads, problem }) =>
        problem === undefined ? [] : [{ peer: peer.id, threads, ...problem }],
      ),
    })),
    means: meansOf(measured).map(({ id, mode, threads, ratio, count, wanted }) => ({
      id,
      mode,
      threads,
      ratio,
      workloads: count,
      wanted,
    })),
    first: first.map(({ peer, tasks }) => ({ peer: peer.id, seconds: Object.fromEntries(tasks) })),
    memory,
  }
  return `${JSON.stringify(value, undefined, 2)}\n`
}
