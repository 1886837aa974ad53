// What streams that no cache holds reach together: the geometric mean of their ratios to the best peer.
import type { Measured } from './measure.ts'
import { OWN, type Own } from './own.ts'
import { rounded, rowsOf } from './rows.ts'
import { STREAMS } from './targets.ts'
import type { Mode } from './task.ts'

export interface Mean {
  readonly id: Own
  readonly mode: Mode
  readonly threads: number
  readonly ratio: number
  /** How many workloads it is the mean of. */
  readonly count: number
  readonly wanted: number | undefined
  readonly met: boolean
}

/** The mean for each engine, mode and number of threads that there are. */
export function meansOf(measured: readonly Measured[]): Mean[] {
  const rows = measured.filter(({ workload }) => workload.streams).flatMap(rowsOf)
  return OWN.flatMap((id) =>
    (['fresh', 'out'] as const).flatMap((mode) => {
      const ratios = new Map<number, number[]>()
      for (const row of rows) {
        if (row.mode !== mode) continue
        for (const { threads, ratio } of row[id].comparisons) {
          if (ratio !== undefined) ratios.set(threads, [...(ratios.get(threads) ?? []), ratio])
        }
      }
      return [...ratios].map(([threads, all]) => {
        const ratio = Math.exp(all.reduce((sum, each) => sum + Math.log(each), 0) / all.length)
        const wanted = STREAMS[id]
        const met = wanted === undefined || rounded(ratio) >= wanted
        return { id, mode, threads, ratio, count: all.length, wanted, met }
      })
    }),
  )
}
