// Kills workers, submitters and the queue at random moments of evaluations in chunks, and looks at the result: whole and
// equal to the bit, at once or after `--resume`; and at what workers say they computed: no chunk more often than a worker
// that was at it, or the queue while a worker was, was killed, and once more. Submitters cost nothing.
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSink } from '../../packages/cli/src/files/open.ts'
import { makeProgram } from '../../testing/program.ts'
import { hasPostgres, hasRedis, type QueueServer, startPostgres, startRedis } from '../../testing/queue-servers.ts'
import { makeRandom, type Random } from '../../testing/random.ts'
import { pause, Running } from './running.ts'
import { WORKERS, Workforce } from './workforce.ts'

/** Keeps what it is told when it is killed. */
interface KilledQueue {
  readonly name: string
  readonly isThere: boolean
  readonly start: () => Promise<QueueServer>
}

export const queues: Readonly<Record<string, KilledQueue>> = {
  redis: {
    name: 'Redis',
    isThere: hasRedis,
    start: () => startRedis('--appendonly', 'yes', '--appendfsync', 'always'),
  },
  postgres: { name: 'PostgreSQL', isThere: hasPostgres, start: startPostgres },
}

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

/** Chunks of an evaluation, and elements of a chunk. */
const CHUNKS = 420
const ELEMENTS = 1 << 14
const EXPRESSION = 'exp(x) * x + 1'
/** Milliseconds that a round may take; those who are killed late need some seconds to be missed. */
const LONGEST_ROUND = 300_000
/** Milliseconds that a queue which was killed stays away: what workers said of chunks before is heard by then. */
const [SHORTEST_ABSENCE, LONGEST_ABSENCE] = [100, 2000]
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

/** What is killed next, and when: `duration` is that of an evaluation which nobody disturbs. */
function nextKill(random: Random, duration: number): { after: number; what: 'worker' | 'submitter' | 'server' } {
  const chance = random.unit()
  const what = chance < 0.5 ? 'worker' : chance < 0.75 ? 'submitter' : 'server'
  return { after: (random.unit() * duration) / 2, what }
}

export async function killWorkersRepeatedly(
  queue: KilledQueue,
  rounds: number,
  seed: number,
  said: (text: string) => void,
): Promise<WorkerKills> {
  const folder = mkdtempSync(join(tmpdir(), 'bcast-kills-'))
  const program = await makeProgram()
  const server = await queue.start()
  const random = makeRandom(seed)
  const counts = { workers: 0, submitters: 0, servers: 0, resumed: 0, computed: 0, again: 0 }
  const broken: string[] = []
  const [input, output] = [join(folder, 'x.npy'), join(folder, 'y.zarr')]
  const evaluation = ['eval', EXPRESSION, `x=${input}`, '-o', output, '--chunks', `1,${ELEMENTS}`, '--quiet']
  const evaluate = (...more: string[]): Running => new Running(program.file, [...evaluation, ...more])
  const submit = (...more: string[]): Running => evaluate('--workers', server.url, ...more)
  const work = (): Running => new Running(program.file, ['worker', server.url, '--threads', '1', '--verbose'])

  /** Milliseconds that an evaluation takes which nobody disturbs. */
  async function undisturbed(): Promise<number> {
    const workers = new Workforce(work, CHUNKS)
    const start = performance.now()
    if ((await submit().ended) !== 0) throw new Error('the evaluation by workers fails')
    const duration = performance.now() - start
    await workers.end()
    return duration
  }

  async function round(number: number, expected: string, duration: number): Promise<void> {
    const fault = (text: string): void => void broken.push(`round ${number}: ${text}`)
    const kills = 2 + random.below(MOST_KILLS - 1)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, LONGEST_ROUND, 'late')
    })
    let [serverKills, isAway, isOver] = [0, false, false]
    /** Kills of the queue when the submitter began, less one where it was away then. */
    let before = 0
    const workers = new Workforce(work, CHUNKS)
    let submitter = submit()
    const killing = (async () => {
      for (let i = 0; i < kills; i++) {
        const { after, what } = nextKill(random, duration)
        const place = random.below(WORKERS)
        const absence = SHORTEST_ABSENCE + random.unit() * (LONGEST_ABSENCE - SHORTEST_ABSENCE)
        await pause(after)
        if (isOver) return
        if (what === 'worker') counts.workers += workers.kill(place) ? 1 : 0
        else if (what === 'submitter') {
          counts.submitters += submitter.kill('SIGKILL') ? 1 : 0
        } else {
          isAway = true
          await server.kill()
          counts.servers++
          serverKills++
          await pause(absence)
          workers.queueWasKilled()
          await server.start()
          isAway = false
        }
      }
    })()
    for (;;) {
      const code = await Promise.race([submitter.ended, late])
      // One that was killed behind its last step has left a result as well.
      if (code === 0 || (submitter.isKilled && existsSync(output))) break
      if (code === 'late') {
        fault(`it takes more than ${LONGEST_ROUND / 1000} s: ${submitter.said}`)
        submitter.kill('SIGKILL')
        break
      }
      // Killed, or the queue was while it ran: nothing else may end it.
      if (!submitter.isKilled && (code !== 2 || serverKills === before)) {
        fault(`the evaluation ends with ${code}: ${submitter.said}`)
        break
      }
      await pause(200)
      counts.resumed++
      before = serverKills - (isAway ? 1 : 0)
      submitter = submit('--resume')
    }
    clearTimeout(timer)
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
      const most = 1 + killed[chunk]!
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
        `${number} of ${rounds}: ${seconds.toFixed(1)} s, killed ${of('workers')} workers, ${of('submitters')} submitters, ${queue.name} ${of('servers')} times; ${of('again')} chunks again`,
      )
    }
  } finally {
    await server.remove()
    program.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...counts, broken }
}
