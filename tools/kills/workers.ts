// Kills workers, submitters and Redis at random moments of evaluations in chunks, and looks at the result: whole and equal
// to the bit, at once or after `--resume`; and at what workers say they computed: no chunk more often than a worker that
// had begun it, a submitter or Redis was killed, and once more.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSink } from '../../packages/cli/src/files/open.ts'
import { makeProgram } from '../../testing/program.ts'
import { startRedis } from '../../testing/queue-servers.ts'
import { makeRandom, type Random } from '../judges/random.ts'
import { pause, Running } from './running.ts'

export interface WorkerKills {
  readonly workers: number
  readonly submitters: number
  readonly servers: number
  /** Evaluations that went on by --resume. */
  readonly resumed: number
  /** Chunks that were computed, and those of them that had been computed before. */
  readonly computed: number
  readonly again: number
  /** What must not be, in words. */
  readonly broken: readonly string[]
}

const WORKERS = 3
/** Chunks of an evaluation, and elements of a chunk. */
const CHUNKS = 420
const ELEMENTS = 1 << 14
const EXPRESSION = 'exp(x) * x + 1'
/** Milliseconds that a round may take; those who are killed late need some seconds to be missed. */
const LONGEST_ROUND = 300_000
/** Milliseconds that something which was killed stays away, at most. */
const LONGEST_ABSENCE = 2000
/** Kills in a round, at most. */
const MOST_KILLS = 5

/** Every file below a folder with what is in it. */
function digestOf(folder: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    try {
      hash.update(`${name}\n`).update(readFileSync(join(folder, name)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error
    }
  }
  return hash.digest('hex')
}

async function makeInput(file: string): Promise<void> {
  const elements = Float32Array.from({ length: CHUNKS * ELEMENTS }, (_, i) => (i % 1000) / 100)
  const sink = await openSink(file, { dtype: 'float32', shape: [CHUNKS, ELEMENTS] })
  await sink.write(elements)
  await sink.finish()
}

/** A round's workers, each started again when it dies, as systemd would. */
class Workforce {
  readonly #start: () => Running
  readonly #workers: Running[]
  /** Ended ones, with whether they were killed. */
  readonly #past: { readonly worker: Running; readonly isKilled: boolean }[] = []
  #isOver = false

  constructor(start: () => Running) {
    this.#start = start
    this.#workers = Array.from({ length: WORKERS }, (_, i) => this.#begin(i))
  }

  #begin(place: number): Running {
    const worker = this.#start()
    void worker.ended.then(async () => {
      if (this.#isOver) return
      this.#past.push({ worker, isKilled: worker.isKilled })
      await pause(100)
      if (!this.#isOver) this.#workers[place] = this.#begin(place)
    })
    return worker
  }

  kill(place: number): boolean {
    return this.#workers[place]!.kill('SIGKILL')
  }

  /** Ends those that are left as a system would; gives what went wrong. */
  async end(): Promise<string[]> {
    this.#isOver = true
    for (const worker of this.#workers) worker.kill('SIGTERM')
    const codes = await Promise.all(this.#workers.map(({ ended }) => ended))
    // One that has not begun to wait knows no signals yet.
    const wrong = codes.filter((code, i) => code !== 0 && /^Waiting/.test(this.#workers[i]!.said))
    return wrong.map((code) => `a worker that was told to stop ended with ${code}`)
  }

  /** How often each chunk was computed, and how often a worker was killed that had begun it. */
  counts(): { readonly computed: number[]; readonly killed: number[] } {
    const [computed, killed] = [Array<number>(CHUNKS).fill(0), Array<number>(CHUNKS).fill(0)]
    const all = [...this.#past, ...this.#workers.map((worker) => ({ worker, isKilled: worker.isKilled }))]
    for (const { worker, isKilled } of new Map(all.map((each) => [each.worker, each])).values()) {
      for (const [, chunk] of worker.said.matchAll(/^computed chunk (\d+) /gm)) computed[Number(chunk)]!++
      if (!isKilled) continue
      const began = [...worker.said.matchAll(/^began chunk (\d+) /gm)].map(([, chunk]) => Number(chunk))
      for (const chunk of new Set(began)) killed[chunk]!++
    }
    return { computed, killed }
  }
}

/** What is killed next, and when: `duration` is that of an evaluation which nobody disturbs. */
function nextKill(random: Random, duration: number): { after: number; what: 'worker' | 'submitter' | 'server' } {
  const chance = random.unit()
  const what = chance < 0.5 ? 'worker' : chance < 0.75 ? 'submitter' : 'server'
  return { after: (random.unit() * duration) / 2, what }
}

export async function killWorkersRepeatedly(
  rounds: number,
  seed: number,
  said: (text: string) => void,
): Promise<WorkerKills> {
  const folder = mkdtempSync(join(tmpdir(), 'bcast-kills-'))
  const program = await makeProgram()
  const redis = await startRedis('--appendonly', 'yes', '--appendfsync', 'always')
  const random = makeRandom(seed)
  const counts = { workers: 0, submitters: 0, servers: 0, resumed: 0, computed: 0, again: 0 }
  const broken: string[] = []
  const [input, output] = [join(folder, 'x.npy'), join(folder, 'y.zarr')]
  const evaluation = ['eval', EXPRESSION, `x=${input}`, '-o', output, '--chunks', `1,${ELEMENTS}`, '--quiet']
  const evaluate = (...more: string[]): Running => new Running(program.file, [...evaluation, ...more])
  const submit = (...more: string[]): Running => evaluate('--workers', redis.url, ...more)
  const work = (): Running => new Running(program.file, ['worker', redis.url, '--threads', '1', '--verbose'])

  /** Milliseconds that an evaluation takes which nobody disturbs. */
  async function undisturbed(): Promise<number> {
    const workers = new Workforce(work)
    const start = performance.now()
    if ((await submit().ended) !== 0) throw new Error('the evaluation by workers fails')
    const duration = performance.now() - start
    await workers.end()
    return duration
  }

  async function round(number: number, expected: string, duration: number): Promise<void> {
    const fault = (text: string): void => void broken.push(`round ${number}: ${text}`)
    const [end, kills] = [Date.now() + LONGEST_ROUND, 2 + random.below(MOST_KILLS - 1)]
    let [common, serverKills, isAway, isOver] = [0, 0, false, false]
    /** Kills of Redis when the submitter began, less one where it was away then. */
    let before = 0
    const workers = new Workforce(work)
    let submitter = submit()
    const killing = (async () => {
      for (let i = 0; i < kills; i++) {
        const { after, what } = nextKill(random, duration)
        const [place, absence] = [random.below(WORKERS), random.unit() * LONGEST_ABSENCE]
        await pause(after)
        if (isOver) return
        if (what === 'worker') counts.workers += workers.kill(place) ? 1 : 0
        else if (what === 'submitter') {
          if (!submitter.kill('SIGKILL')) continue
          counts.submitters++
          common++
        } else {
          isAway = true
          await redis.kill()
          counts.servers++
          common++
          serverKills++
          await pause(absence)
          await redis.start()
          isAway = false
        }
      }
    })()
    for (;;) {
      const code = await Promise.race([submitter.ended, pause(Math.max(0, end - Date.now())).then(() => 'late')])
      if (code === 0) break
      if (code === 'late') {
        fault(`it takes more than ${LONGEST_ROUND / 1000} s: ${submitter.said}`)
        submitter.kill('SIGKILL')
        break
      }
      // Killed, or Redis was while it ran: nothing else may end it.
      if (!submitter.isKilled && (code !== 2 || serverKills === before)) {
        fault(`the evaluation ends with ${code}: ${submitter.said}`)
        break
      }
      await pause(200)
      counts.resumed++
      before = serverKills - (isAway ? 1 : 0)
      submitter = submit('--resume')
    }
    isOver = true
    await killing
    for (const text of await workers.end()) fault(text)
    let found = 'nothing'
    try {
      found = digestOf(output)
    } catch {}
    if (found !== expected) fault('the result is not whole, or not the same')
    const others = readdirSync(folder).filter((name) => !['x.npy', 'y.zarr'].includes(name))
    if (others.length > 0) fault(`${others.join(', ')} is left`)
    const { computed, killed } = workers.counts()
    for (const [chunk, times] of computed.entries()) {
      counts.computed += times
      counts.again += Math.max(0, times - 1)
      if (times === 0) fault(`chunk ${chunk} was computed by nobody`)
      const most = 1 + killed[chunk]! + common
      if (times > most) fault(`chunk ${chunk} was computed ${times} times, and at most ${most} were allowed`)
    }
  }

  try {
    await makeInput(input)
    if ((await evaluate().ended) !== 0) throw new Error('the evaluation itself fails')
    const expected = digestOf(output)
    const duration = await undisturbed()
    for (let number = 1; number <= rounds; number++) {
      rmSync(output, { recursive: true, force: true })
      const [start, before] = [performance.now(), { ...counts }]
      await round(number, expected, duration)
      const [seconds, of] = [
        (performance.now() - start) / 1000,
        (key: keyof typeof counts) => counts[key] - before[key],
      ]
      said(
        `${number} of ${rounds}: ${seconds.toFixed(1)} s, killed ${of('workers')} workers, ${of('submitters')} submitters, Redis ${of('servers')} times; ${of('again')} chunks again`,
      )
    }
  } finally {
    await redis.remove()
    program.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...counts, broken }
}
