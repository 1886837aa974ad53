// Everything that a run found; tables.ts and losses.ts say it in rows and lines, forms.ts and json.ts put it together.
import { availableParallelism, cpus, totalmem } from 'node:os'
import type { FirstCalls } from './first-call.ts'
import type { Measured } from './measure.ts'
import type { AbsentPeer, ReadyPeer } from './peers.ts'
import { rowsOf } from './rows.ts'

export interface MemoryUse {
  readonly workload: string
  readonly threads: number
  /** Held beside operands and result at the peak; negative when memory that was free already is used again. */
  readonly bytes: number
}

export interface Report {
  readonly date: Date
  readonly measured: readonly Measured[]
  readonly first: readonly FirstCalls[]
  readonly memory: readonly MemoryUse[] | { readonly reason: string }
  /** bcast with machine code, or why there is none. */
  readonly native: ReadyPeer | AbsentPeer
  readonly peers: readonly ReadyPeer[]
  readonly absent: readonly AbsentPeer[]
}

export const machine = (): string => {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const gib = Math.round(totalmem() / 2 ** 30)
  return `${model}, ${availableParallelism()} cores, ${gib} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}`
}

/** The numbers of threads that something was measured with. */
export const threadsIn = (measured: readonly Measured[]): number[] => {
  const comparisons = measured
    .flatMap(rowsOf)
    .flatMap(({ bcast, native }) => [...bcast.comparisons, ...native.comparisons])
  return [...new Set(comparisons.map(({ threads }) => threads))].sort((a, b) => a - b)
}
