// `bcast eval … -o y.zarr` in this process: memory shared out among threads, a line that says how far it is, and one that
// says what was written.
import { availableParallelism } from 'node:os'
import { formatBytes } from '../arguments/memory-size.ts'
import type { RuleOptions } from '../arguments/rules.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { Expression } from '../expression/syntax.ts'
import type { StoredDType } from '../files/element.ts'
import { doneText } from '../stream/done.ts'
import { Progress } from '../stream/progress.ts'
import { visible } from '../terminal/visible.ts'
import type { OutputCodec } from '../zarr/output.ts'
import type { ZarrPlace } from '../zarr/place.ts'
import { evaluateInChunks, RESUME } from './evaluate-in-chunks.ts'
import type { TaskPlan } from './plan.ts'
import { planEvaluation } from './plan-evaluation.ts'
import { planText } from './plan-text.ts'
import { inThisProcess } from './run-tasks.ts'
import { TaskThreads } from './threads.ts'

export interface ZarrEvaluation {
  readonly expression: string
  readonly root: Expression
  readonly files: ReadonlyMap<string, string>
  readonly place: ZarrPlace
  readonly options: RuleOptions & {
    readonly dtype?: StoredDType
    readonly memory: number
    readonly quiet?: boolean
    readonly chunks?: readonly number[]
    readonly shards?: readonly number[]
    readonly codec?: OutputCodec
    readonly threads?: number
    readonly plan?: boolean
    readonly resume?: boolean
  }
}

/** What Node and the engine take while they work, beside what the process has when it starts. */
const OVERHEAD = 32 << 20
/** What a thread takes before it has an array. */
const THREAD = 16 << 20
/** Less than this for the arrays of a thread is not worth starting with. */
const LEAST = 8 << 20

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** As many threads as are wanted and have room, and the bytes for their arrays. */
function share(limit: number, wanted: number): { threads: number; memory: number } {
  const own = process.memoryUsage.rss() + OVERHEAD
  const threads = Math.min(wanted, Math.floor((limit - own) / (THREAD + LEAST)))
  if (threads >= 1) return { threads, memory: limit - own - threads * THREAD }
  throw new UsageError(
    `--memory is ${formatBytes(limit)}; the program itself takes ${formatBytes(own + THREAD)}, so give it at least ${formatBytes(own + THREAD + LEAST)}.`,
  )
}

const ruleOf = ({ rule, axis, axes, newAxes, strict, untrimmed, innerOnes, broadcast }: RuleOptions): RuleOptions =>
  JSON.parse(JSON.stringify({ rule, axis, axes, newAxes, strict, untrimmed, innerOnes, broadcast }))

/** Two tasks for each thread, so that one reads or writes while another computes; one where memory is little. */
const atOnce = ({ memory, held }: TaskPlan, threads: number, bytes: number): number =>
  threads * (held + 2 * memory <= bytes / threads ? 2 : 1)

export async function evaluateToZarr({ expression, root, files, place, options }: ZarrEvaluation): Promise<void> {
  const { dtype, chunks, shards, codec = { name: 'zstd' } } = options
  const shared = share(options.memory, options.threads ?? availableParallelism())
  const question = { expression, root, files, rule: ruleOf(options), dtype, place, chunks, shards, codec, ...shared }
  const { plan, threads } = await planEvaluation(question)
  if (options.plan === true) {
    process.stdout.write(visible(`${planText(plan)}\n`))
    return
  }
  const { array } = plan.output
  const bytes = plan.reads + plan.writes
  const progress = new Progress(options.quiet === true ? undefined : process.stderr, bytes)
  const start = performance.now()
  const runner = new TaskThreads({ threads: Math.max(1, Math.min(threads, plan.count)), memory: shared.memory })
  let count = 0
  const progressing = {
    begin(done: number): void {
      count = done
    },
    done(): void {
      count++
      progress.update(count / plan.count, `${count} of ${plan.count} chunks`)
    },
  }
  const stopped = (signal: NodeJS.Signals): void => {
    progress.end()
    process.stderr.write(`bcast: stopped at ${count} of ${plan.count} chunks. ${RESUME}\n`)
    for (const each of SIGNALS) process.off(each, stopped)
    // Now without a listener: the process ends as it would have, and its parent sees why.
    process.kill(process.pid, signal)
  }
  for (const signal of SIGNALS) process.on(signal, stopped)
  try {
    const carryOut = inThisProcess(runner, atOnce(plan, threads, shared.memory))
    await evaluateInChunks(plan, carryOut, options.resume === true, progressing)
  } finally {
    for (const signal of SIGNALS) process.off(signal, stopped)
    progress.end()
    await runner.close()
  }
  if (options.quiet === true) return
  const milliseconds = performance.now() - start
  const done = doneText({ output: place.label, dtype: array.dtype, shape: array.shape, bytes, milliseconds })
  process.stderr.write(visible(`${done}\n`))
}
