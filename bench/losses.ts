// What a run found wrong: targets that are missed, memory that is too much, results that are not the reference's.
import { meansOf } from './means.ts'
import type { Measured } from './measure.ts'
import type { Own } from './own.ts'
import type { Report } from './report.ts'
import { rowsOf } from './rows.ts'
import { FIRST_CALL_MS, MEMORY_PER_THREAD } from './targets.ts'
import { formatLoss, formatRatio, formatThreads, formatTime, modeTitle } from './text.ts'

const kib = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`

const overweight = (memory: Report['memory']): string[] =>
  'reason' in memory
    ? []
    : memory
        .filter(({ bytes, threads }) => bytes > threads * MEMORY_PER_THREAD)
        .map(({ workload, threads, bytes }) => `${workload} with ${formatThreads(threads)}: ${kib(bytes)}`)

export function memorySentence(memory: Report['memory']): string {
  if ('reason' in memory) return `Memory was not measured: ${memory.reason}.`
  const target = 'the target is 1 MiB for each thread'
  const over = overweight(memory)
  if (over.length > 0)
    return `Memory held at the peak beside operands and result (${target}), LOST: ${over.join('; ')}.`
  const most = Math.max(0, ...memory.map(({ bytes }) => bytes))
  return `Memory: at its peak no workload held more than its operands, its result and ${kib(most)}; ${target} (met).`
}

export const wrongLines = (measured: readonly Measured[]): string[] =>
  measured.flatMap(({ workload, contenders }) =>
    contenders
      .filter(({ problem }) => problem?.kind === 'wrong')
      .map(
        ({ peer, threads, problem }) => `${workload.title}: ${peer.title}, ${formatThreads(threads)}: ${problem!.text}`,
      ),
  )

/** Everything that misses its target, in words. */
export function lossLines({ measured, first, memory }: Report, id: Own): string[] {
  const rows = measured
    .flatMap(rowsOf)
    .flatMap((row) =>
      row[id].losses.map((loss) => `${row.workload.title}, ${modeTitle(row.mode)}: ${formatLoss(loss)}`),
    )
  const means = meansOf(measured)
    .filter((mean) => mean.id === id && !mean.met)
    .map(
      ({ mode, threads, ratio, wanted }) =>
        `streams beyond the caches, ${modeTitle(mode)}: ${formatRatio(ratio)} of the best peer in the geometric mean with ${formatThreads(threads)}, wanted ${wanted}`,
    )
  const own = first.find(({ peer }) => peer.id === id)
  const slow = [...(own?.tasks ?? [])]
    .filter(([, seconds]) => seconds * 1000 >= FIRST_CALL_MS[id])
    .map(([title, seconds]) => `first call of ${title}: ${formatTime(seconds)}, wanted under ${FIRST_CALL_MS[id]} ms`)
  const heavy = id === 'bcast' ? overweight(memory).map((line) => `memory, ${line}`) : []
  return [...rows, ...means, ...slow, ...heavy]
}
