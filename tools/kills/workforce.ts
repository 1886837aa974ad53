// A round's workers, each started again when it dies, as systemd would; and what they say of the chunks that they begin
// and compute, from which follows which of them a kill may have computed again.
import { pause, type Running } from './running.ts'

export const WORKERS = 3

/** Chunks that a worker may be at, with one thread: so many at most it has computed and not told the queue. */
const AT_ONCE = 2

const chunksOf = (said: string, what: 'began' | 'computed'): number[] =>
  [...said.matchAll(new RegExp(`^${what} chunk (\\d+) `, 'gm'))].map(([, chunk]) => Number(chunk))

/** Chunks of a worker of which the queue may not know that they are over. */
function openChunks({ said }: Running): Set<number> {
  const computed = chunksOf(said, 'computed')
  const open = new Set(chunksOf(said, 'began'))
  for (const chunk of computed) open.delete(chunk)
  for (const chunk of computed.slice(-AT_ONCE)) open.add(chunk)
  return open
}

export class Workforce {
  readonly #start: () => Running
  readonly #workers: Running[]
  readonly #past: Running[] = []
  /** How often the queue was killed while a worker was at a chunk. */
  readonly #undermined: number[]
  #isOver = false

  constructor(start: () => Running, chunks: number) {
    this.#start = start
    this.#undermined = Array<number>(chunks).fill(0)
    this.#workers = Array.from({ length: WORKERS }, (_, i) => this.#begin(i))
  }

  #begin(place: number): Running {
    const worker = this.#start()
    void worker.ended.then(async () => {
      if (this.#isOver) return
      await pause(100)
      if (this.#isOver) return
      this.#past.push(worker)
      this.#workers[place] = this.#begin(place)
    })
    return worker
  }

  kill(place: number): boolean {
    return this.#workers[place]!.kill('SIGKILL')
  }

  /** To be called while it is away: nobody can tell it now that a chunk is over. */
  queueWasKilled(): void {
    const open = new Set(this.#workers.filter(({ isKilled }) => !isKilled).flatMap((worker) => [...openChunks(worker)]))
    for (const chunk of open) this.#undermined[chunk]!++
  }

  /** Ends those that are left as a system would; gives what went wrong. */
  async end(): Promise<string[]> {
    this.#isOver = true
    for (const worker of this.#workers) worker.kill('SIGTERM')
    const codes = await Promise.all(this.#workers.map(({ ended }) => ended))
    // One that has not begun to wait knows no signals yet; one that was killed is not started again now.
    const isWrong = ({ said, isKilled }: Running, code: number | null): boolean =>
      code !== 0 && !isKilled && /^Waiting/.test(said)
    const wrong = codes.filter((code, i) => isWrong(this.#workers[i]!, code))
    return wrong.map((code) => `a worker that was told to stop ended with ${code}`)
  }

  /** How often each chunk was computed, and how often somebody was killed for whom it was not over. */
  counts(): { readonly computed: number[]; readonly killed: number[] } {
    const [computed, killed] = [this.#undermined.map(() => 0), [...this.#undermined]]
    for (const worker of [...this.#past, ...this.#workers]) {
      for (const chunk of chunksOf(worker.said, 'computed')) computed[chunk]!++
      if (worker.isKilled) for (const chunk of openChunks(worker)) killed[chunk]!++
    }
    return { computed, killed }
  }
}
