// Measures one workload: every contender loads the same operands, its results are compared with the reference, then
// all are timed in turns, round after round, and each keeps its best. Turns make what disturbs the machine hit all.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { difference } from './compare.ts'
import { roofline } from './install.ts'
import type { OperandFiles } from './operands.ts'
import type { ReadyPeer } from './peers.ts'
import { PeerProcess } from './process.ts'
import { byteCount, type Mode, type Task } from './task.ts'
import type { Workload } from './workload.ts'

export interface Pace {
  readonly rounds: number
  /** Milliseconds of one turn, and of the turn before the first that does not count. */
  readonly turn: number
  readonly warmUp: number
}

export interface Contender {
  readonly peer: ReadyPeer
  readonly threads: number
  /** Best seconds of one call. */
  readonly seconds: Partial<Record<Mode, number>>
  /** Why there is no time: it cannot, it failed, or its result is wrong. */
  readonly problem?: { readonly kind: 'cannot' | 'wrong'; readonly text: string }
}

export interface Measured {
  readonly workload: Workload
  readonly contenders: readonly Contender[]
  /** Seconds of the C program by thread count, and with a fused multiply-add where that is another bound. */
  readonly roofline: ReadonlyMap<number, number>
  readonly fused: ReadonlyMap<number, number>
}

/** Above this many bytes contenders are not in memory together: each comes, is timed, and goes. */
const TOGETHER = 400 * 2 ** 20
/** Everybody is loaded this often, in the other order each time: who comes first gets the worse pieces of memory. */
const PASSES = 2
/** A contender this many times slower than the fastest has had its say after two rounds. */
const FAR_BEHIND = 5
/** The C program shares its time out among several ways of doing the same; this many turns are enough for all. */
const WAYS = 3
/** Lets threads of the contender before come to rest. */
const REST_MS = 10

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Entry {
  readonly peer: ReadyPeer
  readonly threads: number
  readonly seconds: Partial<Record<Mode, number>>
  process?: PeerProcess
  modes: readonly Mode[]
  problem?: NonNullable<Contender['problem']>
}

export class Bench {
  readonly #files: OperandFiles
  readonly #pace: Pace
  readonly #peers: readonly ReadyPeer[]
  readonly #threads: readonly number[]
  readonly #hasRoofline: boolean
  /** Processes that outlive a workload. */
  readonly #kept = new Map<string, PeerProcess>()

  constructor(
    files: OperandFiles,
    pace: Pace,
    peers: readonly ReadyPeer[],
    threads: readonly number[],
    hasRoofline: boolean,
  ) {
    this.#files = files
    this.#pace = pace
    this.#peers = peers
    this.#threads = threads
    this.#hasRoofline = hasRoofline
  }

  async measure(workload: Workload): Promise<Measured> {
    const task = this.#files.task(workload)
    const entries: Entry[] = this.#peers.flatMap((peer) =>
      this.#threads
        .filter((threads) => threads === 1 || peer.threaded)
        .map((threads) => ({ peer, threads, seconds: {}, modes: [] })),
    )
    const specs = [...workload.operands, workload.result, ...(workload.also ?? [])]
    const bytes = specs.reduce((sum, spec) => sum + byteCount(spec), 0)
    const apart = bytes > TOGETHER
    await this.#writeReference(entries, task)
    const [best, fused] = [new Map<number, number>(), new Map<number, number>()]
    const timeRoofline = (): void => {
      this.#timeRoofline(workload.roofline, best)
      this.#timeRoofline(workload.fused, fused)
    }
    for (let pass = 0; pass < PASSES; pass++) {
      const order = pass % 2 === 0 ? entries : entries.toReversed()
      for (const group of apart ? order.map((entry) => [entry]) : [order]) {
        for (const entry of group) await this.#load(entry, task, workload)
        await this.#rounds(group, Math.ceil(this.#pace.rounds / PASSES), () => {
          if (!apart) timeRoofline()
        })
        for (const entry of group) await this.#unload(entry)
      }
      if (apart) timeRoofline()
    }
    return { workload, contenders: entries, roofline: best, fused }
  }

  /** The plain loop says what is right. */
  async #writeReference(entries: readonly Entry[], task: Task): Promise<void> {
    const { peer } = entries.find((entry) => entry.peer.id === 'loop')!
    const process = new PeerProcess(peer.command(1))
    await process.ask({ do: 'load', task })
    const { error } = await process.ask({ do: 'result', mode: 'fresh', file: this.#files.referenceFile })
    await process.close()
    if (error !== undefined) throw new Error(`no reference for ${task.op}: ${error}`)
  }

  #process(entry: Entry): PeerProcess {
    const { peer, threads } = entry
    if (peer.restarts) return new PeerProcess(peer.command(threads))
    const key = `${peer.id} ${threads}`
    let process = this.#kept.get(key)
    if (process === undefined || !process.alive) this.#kept.set(key, (process = new PeerProcess(peer.command(threads))))
    return process
  }

  async #load(entry: Entry, task: Task, workload: Workload): Promise<void> {
    if (entry.problem !== undefined) return
    const process = (entry.process = this.#process(entry))
    const { error, modes = [] } = await process.ask({ do: 'load', task })
    if (error !== undefined) {
      entry.problem = { kind: 'cannot', text: error }
      return
    }
    entry.modes = modes
    for (const mode of modes) {
      const file = this.#files.resultFile
      const written = await process.ask({ do: 'result', mode, file })
      if (written.error !== undefined) entry.problem = { kind: 'cannot', text: written.error }
      else {
        const sizes = [workload.result, ...(workload.also ?? [])].map(byteCount)
        const { tolerance = 0 } = workload
        const tolerances = sizes.map((_, i) => (typeof tolerance === 'number' ? tolerance : tolerance[i]!))
        const text = difference(file, this.#files.referenceFile, sizes, tolerances)
        if (text !== undefined) entry.problem = { kind: 'wrong', text: `${mode}: ${text}` }
      }
      rmSync(file, { force: true })
      if (entry.problem !== undefined) return
    }
  }

  async #unload(entry: Entry): Promise<void> {
    if (entry.process === undefined) return
    if (entry.peer.restarts) await entry.process.close()
    else await entry.process.ask({ do: 'unload' })
    delete entry.process
  }

  async #rounds(entries: readonly Entry[], rounds: number, also: () => void): Promise<void> {
    const { turn, warmUp } = this.#pace
    for (const entry of entries) for (const mode of entry.modes) await this.#turn(entry, mode, warmUp, false)
    for (let round = 0; round < rounds; round++) {
      // Backward every other time, so that nobody always follows the same one.
      const order = round % 2 === 0 ? entries : entries.toReversed()
      for (const entry of order) {
        for (const mode of entry.modes) {
          const fastest = Math.min(...entries.map(({ seconds }) => seconds[mode] ?? Number.POSITIVE_INFINITY))
          if (round > 1 && (entry.seconds[mode] ?? 0) > FAR_BEHIND * fastest) continue
          await this.#turn(entry, mode, turn, true)
        }
      }
      also()
    }
  }

  async #turn(entry: Entry, mode: Mode, ms: number, counts: boolean): Promise<void> {
    if (entry.problem !== undefined || entry.process === undefined) return
    await rest(REST_MS)
    const { seconds, error } = await entry.process.ask({ do: 'time', mode, ms, least: 1 })
    if (seconds === undefined) entry.problem = { kind: 'cannot', text: error ?? 'gave no time' }
    else if (counts) entry.seconds[mode] = Math.min(seconds, entry.seconds[mode] ?? Number.POSITIVE_INFINITY)
  }

  #timeRoofline(args: Workload['roofline'], best: Map<number, number>): void {
    if (args === undefined || !this.#hasRoofline) return
    for (const threads of this.#threads) {
      const { stdout } = spawnSync(roofline, [...args.map(String), String(WAYS * this.#pace.turn)], {
        encoding: 'utf8',
        env: { ...process.env, OMP_NUM_THREADS: String(threads) },
      })
      const seconds = Number.parseFloat(stdout)
      if (seconds > 0) best.set(threads, Math.min(seconds, best.get(threads) ?? Number.POSITIVE_INFINITY))
    }
  }

  async close(): Promise<void> {
    for (const process of this.#kept.values()) await process.close()
  }
}
