// From times to rows: for each workload and mode the best peer at equal thread counts, the ratio to it, and which
// targets are met, by bcast as it is and with machine code.
import type { Contender, Measured } from './measure.ts'
import { isOwn, OWN, type Own } from './own.ts'
import type { Target } from './targets.ts'
import type { Mode } from './task.ts'
import type { Workload } from './workload.ts'

export interface PeerTime {
  readonly id: string
  readonly title: string
  readonly threads: number
  readonly seconds: number
  /** It cannot write into existing memory; this is its time for a fresh result. */
  readonly fresh: boolean
}

/** bcast, as it is or with machine code, and its peers with one number of threads. */
export interface Comparison {
  readonly threads: number
  readonly seconds: number
  readonly peers: readonly PeerTime[]
  readonly best: PeerTime | undefined
  /** How many times faster than the best peer. */
  readonly ratio: number | undefined
}

export interface Loss {
  readonly target: string
  /** It lost against the C program, not against a peer. */
  readonly machine: boolean
  readonly threads: number
  readonly peer: string
  readonly ratio: number
  readonly wanted: number
}

export interface Judged {
  readonly comparisons: readonly Comparison[]
  readonly targets: readonly Target[]
  readonly losses: readonly Loss[]
}

export interface Row extends Readonly<Record<Own, Judged>> {
  readonly workload: Workload
  readonly mode: Mode
}

/** Ratios count as they are shown, to two places. */
export const rounded = (ratio: number): number => Math.round(ratio * 100) / 100

function timesOf(contenders: readonly Contender[], mode: Mode, threads: number): PeerTime[] {
  return contenders
    .filter(({ peer, problem }) => !isOwn(peer.id) && problem === undefined)
    .filter((contender) => contender.threads === (contender.peer.threaded ? threads : 1))
    .flatMap(({ peer: { id, title }, threads: used, seconds }) => {
      const own = seconds[mode]
      const time = own ?? seconds.fresh
      return time === undefined ? [] : [{ id, title, threads: used, seconds: time, fresh: own === undefined }]
    })
}

const fastest = (times: readonly PeerTime[]): PeerTime | undefined =>
  times.reduce<PeerTime | undefined>((best, time) => (best && best.seconds <= time.seconds ? best : time), undefined)

function compare(contenders: readonly Contender[], id: Own, mode: Mode, threads: number): Comparison | undefined {
  const own = contenders.find(({ peer, threads: used }) => peer.id === id && used === threads)
  const seconds = own?.problem === undefined ? own?.seconds[mode] : undefined
  if (seconds === undefined) return undefined
  const peers = timesOf(contenders, mode, threads)
  const best = fastest(peers)
  return { threads, seconds, peers, best, ratio: best === undefined ? undefined : best.seconds / seconds }
}

/** The fastest of those that a target speaks of. */
function opponentOf(
  { threads, peers }: Comparison,
  { peers: ids, except, machine }: Target,
  roofline: Measured['roofline'],
): { readonly title: string; readonly seconds: number } | undefined {
  if (!machine) return fastest(peers.filter(({ id }) => (ids?.includes(id) ?? true) && !except?.includes(id)))
  const seconds = roofline.get(threads)
  return seconds === undefined ? undefined : { title: 'what the machine can do', seconds }
}

function lossesIn(comparison: Comparison, target: Target, roofline: Measured['roofline']): Loss[] {
  const { threads, seconds } = comparison
  const { text, ratio, machine = false } = target
  const wanted = rounded(threads === 1 ? ratio.one : ratio.all)
  const best = opponentOf(comparison, target, roofline)
  if (best === undefined) return []
  const reached = rounded(best.seconds / seconds)
  return reached >= wanted ? [] : [{ target: text, machine, threads, peer: best.title, ratio: reached, wanted }]
}

const threadsOf = (contenders: readonly Contender[]): number[] =>
  [...new Set(contenders.map(({ threads }) => threads))].sort((a, b) => a - b)

function judge({ workload, contenders, roofline }: Measured, id: Own, mode: Mode): Judged {
  const comparisons = threadsOf(contenders).flatMap((threads) => compare(contenders, id, mode, threads) ?? [])
  const all = id === 'bcast' ? workload.targets : workload.nativeTargets
  const targets = all.filter(({ modes }) => modes?.includes(mode) ?? true)
  const losses = comparisons.flatMap((comparison) =>
    targets.flatMap((target) => lossesIn(comparison, target, roofline)),
  )
  return { comparisons, targets, losses }
}

/** The rows of a workload: one for each mode that bcast has. */
export function rowsOf(measured: Measured): Row[] {
  return (['fresh', 'out'] as const).flatMap((mode) => {
    const [bcast, native] = OWN.map((id) => judge(measured, id, mode)) as [Judged, Judged]
    if (bcast.comparisons.length + native.comparisons.length === 0) return []
    return [{ workload: measured.workload, mode, bcast, native }]
  })
}
