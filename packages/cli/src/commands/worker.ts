// `bcast worker redis://…`: computes chunks of evaluations that were begun anywhere with --workers, until it is stopped.
import { availableParallelism } from 'node:os'
import { Argument, Command, Option } from 'commander'
import { engineOption } from '../arguments/engine-option.ts'
import { formatBytes, parseMemorySize } from '../arguments/memory-size.ts'
import { type EngineChoice, startEngine, WEBASSEMBLY } from '../engine/engine.ts'
import { examplesText } from '../help/examples.ts'
import { parseThreads } from '../tasks/options.ts'
import { share } from '../tasks/share.ts'
import { TaskThreads } from '../tasks/threads.ts'
import { version } from '../terminal/version.ts'
import { visible } from '../terminal/visible.ts'
import { parseQueueUrl, type QueueUrl } from '../workers/queue-url.ts'

interface Options {
  readonly threads?: number
  readonly memory?: number
  readonly engine?: EngineChoice
  readonly quiet?: boolean
  readonly verbose?: boolean
}

/** Of a thread, unless said. */
const MEMORY = 512 * 2 ** 20

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const QUEUES = `
A queue is a Redis or Valkey (redis://HOST:6379, rediss:// with TLS) or a PostgreSQL from 13 on
(postgres://USER:PASSWORD@HOST/DATABASE). Workers and evaluations that name the same queue find each other there. They
are of the same version of bcast, and reach the arrays by the same paths or addresses. A worker that dies loses nothing:
another takes its chunks over within seconds. When it is told to stop it finishes what it computes.
`

const examples = [
  { line: 'bcast worker redis://localhost:6379', shows: 'takes chunks until Ctrl-C' },
  {
    line: 'bcast worker redis://localhost:6379 --threads 2 --memory 1GiB --quiet',
    shows: 'a smaller share of the machine',
  },
  {
    line: "bcast eval '(x - m) / s' x=x.npy m=m.npy s=s.npy -o y.zarr --workers redis://localhost:6379",
    shows: 'what gives it something to do, typed elsewhere',
  },
]

const threadsText = (count: number): string => `${count} ${count === 1 ? 'thread' : 'threads'}`

async function serve(url: QueueUrl, options: Options): Promise<void> {
  const engine = await startEngine(options.engine)
  const machineCode = engine !== WEBASSEMBLY
  const stop = new AbortController()
  const wanted = options.threads ?? availableParallelism()
  const { threads, memory } = share(options.memory ?? wanted * MEMORY, wanted)
  const say = (text: string): void => void process.stderr.write(visible(`${text}\n`))
  const notice = options.quiet === true ? () => {} : say
  const chunk = options.verbose === true ? say : () => {}
  const { openQueue } = await import('../workers/queue.ts')
  const { work } = await import('../workers/work.ts')
  const queue = await openQueue(url)
  for (const warning of queue.warnings) say(warning)
  const runner = new TaskThreads({ threads, memory, machineCode })
  // A second one ends it at once.
  for (const signal of SIGNALS) process.once(signal, () => stop.abort())
  notice(
    `Waiting for chunks at ${url.shown}, ${threadsText(threads)} with ${formatBytes(memory / threads)} each${machineCode ? `, ${engine}` : ''}. Ctrl-C ends it.`,
  )
  const own = { version: version(), threads, memory: memory / threads, notice }
  try {
    await work(
      queue,
      runner,
      {
        ...own,
        began: ({ output }, index) => chunk(`began chunk ${index} of ${output.place.label}`),
        done: ({ output }, { index, milliseconds }) =>
          chunk(`computed chunk ${index} of ${output.place.label} in ${Math.ceil(milliseconds)} ms`),
      },
      stop.signal,
    )
  } finally {
    await runner.close()
  }
}

export function workerCommand(): Command {
  return new Command('worker')
    .description('compute chunks of evaluations that were begun with --workers, here or on other machines')
    .addArgument(new Argument('<queue>', 'where they wait, such as redis://localhost:6379').argParser(parseQueueUrl))
    .option('--threads <n>', 'as many as there are cores unless said', parseThreads)
    .addOption(
      new Option('--memory <size>', 'the most memory to take, such as 4GiB; 512MiB a thread unless said').argParser(
        parseMemorySize,
      ),
    )
    .addOption(engineOption())
    .option('--quiet', 'no word of what it waits for and works on')
    .option('--verbose', 'a line for each chunk that is begun, and that is computed')
    .addHelpText('after', `${QUEUES}${examplesText(examples)}`)
    .action(serve)
}
