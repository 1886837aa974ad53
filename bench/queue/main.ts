// `npm run bench:queue`: how many jobs a second go through the queue, to workers that have nothing to do, and how many
// bytes of the server a waiting job takes. Writes docs/bench-queue.md.
import { type ChildProcess, fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { jobOf } from '../../packages/cli/src/workers/job.ts'
import { openQueue } from '../../packages/cli/src/workers/queue.ts'
import { parseQueueUrl } from '../../packages/cli/src/workers/queue-url.ts'
import { WINDOW } from '../../packages/cli/src/workers/submission.ts'
import { workersAt } from '../../packages/cli/src/workers/submit.ts'
import {
  answerOf,
  hasPostgres,
  hasRedis,
  type QueueServer,
  startPostgres,
  startRedis,
} from '../../testing/queue-servers.ts'
import { commandLine } from '../../tools/command-line/command-line.ts'
import { machine } from '../report.ts'
import { columns, markdownTable } from '../text.ts'
import { planOf } from './plan.ts'
import { THREADS } from './settings.ts'

const USAGE = `usage: npm run bench:queue -- [--quick]

Times jobs that do nothing through Redis and PostgreSQL, with one worker and several. Writes docs/bench-queue.md.

  --quick  few jobs: checks that everything works and writes nothing
  --help   prints this`

const { values } = commandLine(USAGE, { quick: { type: 'boolean', default: false } })

interface Server {
  readonly title: string
  readonly jobs: number
  readonly start: () => Promise<QueueServer>
}

const AOF = ['--appendonly', 'yes', '--appendfsync']
const servers: readonly Server[] = [
  ...(hasRedis
    ? [
        { title: 'Redis, nothing on disk', jobs: 20_000, start: () => startRedis() },
        { title: 'Redis, on disk every second', jobs: 20_000, start: () => startRedis(...AOF, 'everysec') },
        { title: 'Redis, on disk always', jobs: 20_000, start: () => startRedis(...AOF, 'always') },
      ]
    : []),
  ...(hasPostgres ? [{ title: 'PostgreSQL', jobs: 5000, start: () => startPostgres() }] : []),
]
const WORKERS = [1, 2, 4]
/** Bytes of a chunk that is spoken of. */
const CHUNK = 8 * 2 ** 20
/** Jobs of the plan that warms up. */
const FIRST = 200

const say = (text: string): void => console.error(text)

function startWorkers(count: number, url: string): ChildProcess[] {
  const file = fileURLToPath(new URL('./worker.ts', import.meta.url))
  return Array.from({ length: count }, () => fork(file, [url]))
}

async function ended(workers: readonly ChildProcess[]): Promise<void> {
  await Promise.all(
    workers.map((worker) => {
      const over = new Promise((resolve) => worker.once('exit', resolve))
      worker.disconnect()
      return over
    }),
  )
}

async function submitted(count: number, url: string): Promise<number> {
  const start = performance.now()
  const workers = await workersAt(parseQueueUrl(url))
  const plan = planOf(count)
  const carryOut = await workers({ plan, resume: false, stop: new AbortController().signal, notice: () => {} })
  await carryOut(
    plan,
    () => false,
    () => {},
  )
  return (performance.now() - start) / 1000
}

/** Jobs a second with so many workers. */
async function throughput({ title, jobs }: Server, { url }: QueueServer, count: number): Promise<number> {
  const wanted = values.quick ? jobs / 100 : jobs
  say(`${title}, ${count} ${count === 1 ? 'worker' : 'workers'}, ${wanted} jobs…`)
  const workers = startWorkers(count, url)
  try {
    await submitted(FIRST, url)
    return wanted / (await submitted(wanted, url))
  } finally {
    await ended(workers)
  }
}

/** Bytes of Redis that a job takes while it waits. */
async function bytesPerJob({ url, port }: QueueServer): Promise<number> {
  const jobs = (await openQueue(parseQueueUrl(url))).jobs()
  const used = async (): Promise<number> =>
    Number(/used_memory:(\d+)/.exec(await answerOf(port, 'INFO memory\r\n'))?.[1])
  try {
    await jobs.waitUntilReady()
    const before = await used()
    const plan = planOf(1000)
    await jobs.addBulk(Array.from({ length: plan.count }, (_, index) => jobOf(plan, index)))
    return ((await used()) - before) / plan.count
  } finally {
    await jobs.obliterate({ force: true })
    await jobs.close()
  }
}

/** Seconds in words. */
function formatDuration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}

/** What the fastest rate of a queue means for arrays of many chunks. */
function scaleOf(title: string, rates: readonly number[], bytes: number | undefined): string[] {
  const best = Math.max(...rates)
  const gib = (best * CHUNK) / 2 ** 30
  const held = bytes === undefined ? '–' : `${((bytes * WINDOW) / 2 ** 20).toFixed(1)} MiB`
  return [
    title,
    `${gib.toFixed(1)} GiB/s`,
    formatDuration(1e6 / best),
    formatDuration(1e8 / best),
    formatDuration(1e5 / best),
    held,
  ]
}

const scale: string[][] = [
  [
    'queue',
    'most bytes written, chunks of 8 MiB',
    '10⁶ chunks',
    '10⁸ chunks',
    '10⁸ in shards of 1000',
    'an evaluation in Redis, at most',
  ],
]
const rows: string[][] = [
  ['queue', ...WORKERS.map((count) => `${count} ${count === 1 ? 'worker' : 'workers'}`), 'bytes of a waiting job'],
]
for (const server of servers) {
  const running = await server.start()
  try {
    const rates: number[] = []
    for (const count of WORKERS) rates.push(await throughput(server, running, count))
    const bytes = running.url.startsWith('redis:') ? await bytesPerJob(running) : undefined
    rows.push([
      server.title,
      ...rates.map((rate) => `${Math.round(rate)} jobs/s`),
      bytes === undefined ? '–' : String(Math.round(bytes)),
    ])
    scale.push(scaleOf(server.title, rates, bytes))
  } finally {
    await running.remove()
  }
}

const markdown = [
  '# Speed of the queue',
  '<!-- Written by `npm run bench:queue`; changes by hand are lost. -->',
  `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine()}. Jobs do nothing; the submitter, the workers (${2 * THREADS} jobs at a time each) and the server share the machine. Each rate is of one evaluation from its first job to word of its last.`,
  markdownTable(rows),
  'What the queue alone allows, at the best of these rates, whatever workers and stores do:',
  markdownTable(scale),
].join('\n\n')
for (const table of [rows, scale]) console.log(`${columns(table).join('\n')}\n`)
if (!values.quick) writeFileSync(new URL('../../docs/bench-queue.md', import.meta.url), `${markdown}\n`)
