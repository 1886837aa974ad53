// `npm run bench:queue`: how many jobs a second go through the queue, to workers that have nothing to do, and how many
// bytes of the server a waiting job takes. Writes docs/bench-queue.md.
import { type ChildProcess, fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { jobOf } from '../../packages/cli/src/workers/job.ts'
import { openQueue } from '../../packages/cli/src/workers/queue.ts'
import { parseQueueUrl } from '../../packages/cli/src/workers/queue-url.ts'
import { workersAt } from '../../packages/cli/src/workers/submit.ts'
import { hasPostgres, hasRedis, type QueueServer, startPostgres, startRedis } from '../../testing/queue-servers.ts'
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
        { title: 'Redis, nothing on disk', jobs: 40_000, start: () => startRedis() },
        { title: 'Redis, on disk every second', jobs: 40_000, start: () => startRedis(...AOF, 'everysec') },
        { title: 'Redis, on disk always', jobs: 40_000, start: () => startRedis(...AOF, 'always') },
      ]
    : []),
  ...(hasPostgres ? [{ title: 'PostgreSQL', jobs: 10_000, start: () => startPostgres() }] : []),
]
const WORKERS = [1, 2, 4]
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
async function bytesPerJob({ url }: QueueServer): Promise<number> {
  const [client, jobs] = [new Redis(url), (await openQueue(parseQueueUrl(url))).jobs()]
  const used = async (): Promise<number> => Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1])
  try {
    await jobs.waitUntilReady()
    const before = await used()
    const plan = planOf(1000)
    await jobs.addBulk(Array.from({ length: plan.count }, (_, index) => jobOf(plan, index)))
    return ((await used()) - before) / plan.count
  } finally {
    await jobs.obliterate({ force: true })
    await jobs.close()
    client.disconnect()
  }
}

const rows: string[][] = [
  ['queue', ...WORKERS.map((count) => `${count} ${count === 1 ? 'worker' : 'workers'}`), 'bytes of a waiting job'],
]
for (const server of servers) {
  const running = await server.start()
  try {
    const rates: string[] = []
    for (const count of WORKERS) rates.push(`${Math.round(await throughput(server, running, count))} jobs/s`)
    const isRedis = running.url.startsWith('redis:')
    rows.push([server.title, ...rates, isRedis ? String(Math.round(await bytesPerJob(running))) : '–'])
  } finally {
    await running.remove()
  }
}

const markdown = [
  '# Speed of the queue',
  '<!-- Written by `npm run bench:queue`; changes by hand are lost. -->',
  `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine()}. Jobs do nothing; the submitter, the workers (${2 * THREADS} jobs at a time each) and the server share the machine. Each rate is of one evaluation from its first job to word of its last.`,
  markdownTable(rows),
].join('\n\n')
console.log(columns(rows).join('\n'))
if (!values.quick) writeFileSync(new URL('../../docs/bench-queue.md', import.meta.url), `${markdown}\n`)
