// `npm run kills -- [--count N] [--seed S]`: evaluations killed at random moments; exits with 1 when one leaves half a
// file. With --workers evaluations are in chunks, and workers, submitters and their queue are killed.
import { commandLine } from '../command-line/command-line.ts'
import { killRepeatedly } from './kills.ts'
import { killWorkersRepeatedly, queues } from './workers.ts'

const USAGE = `usage: npm run kills -- [--count N] [--seed S]
       npm run kills -- --workers [--queue redis|postgres] [--rounds N] [--seed S]

Kills bcast eval at random moments while it writes, and looks at what is left of its output. With --workers: kills
workers, those who submit to them, and their queue, until the result is there; then looks whether it is the same.

  --count N   how often (100)
  --workers   three workers, an evaluation of 420 chunks in each round
  --queue Q   redis or postgres, which keeps what they are to compute (redis)
  --rounds N  how many evaluations (50)
  --seed S    which moments (1)
  --help      prints this`

const { values, whole, refuse } = commandLine(USAGE, {
  count: { type: 'string', default: '100' },
  workers: { type: 'boolean', default: false },
  queue: { type: 'string', default: 'redis' },
  rounds: { type: 'string', default: '50' },
  seed: { type: 'string', default: '1' },
})
const [count, rounds] = [whole('count', values.count, 1), whole('rounds', values.rounds, 1)]
const seed = whole('seed', values.seed)

async function ofFiles(): Promise<readonly string[]> {
  const found = await killRepeatedly(count, 2 ** 28, seed, (done) => process.stderr.write(`\r${done} of ${count}`))
  process.stderr.write('\n')
  const { absent, old, whole: complete, broken } = found
  console.log(
    `${count} killed while they wrote; output absent ${absent}, old ${old}, whole ${complete}, broken ${broken.length}`,
  )
  return broken
}

async function ofWorkers(): Promise<readonly string[]> {
  const queue = queues[values.queue]
  if (queue === undefined) return refuse(`--queue is "${values.queue}", neither redis nor postgres`)
  if (!queue.isThere) return refuse(`there is no ${queue.name} on this machine`)
  const found = await killWorkersRepeatedly(queue, rounds, seed, (text) => console.error(text))
  const { workers, submitters, servers, resumed, computed, again, broken } = found
  console.log(
    `${rounds} evaluations; killed: ${workers} workers, ${submitters} submitters, ${queue.name} ${servers} times; resumed ${resumed} times; ${computed} chunks computed, ${again} of them again; broken ${broken.length}`,
  )
  return broken
}

const broken = values.workers ? await ofWorkers() : await ofFiles()
for (const line of broken) console.log(`FAILED ${line}`)
process.exitCode = broken.length === 0 ? 0 : 1
