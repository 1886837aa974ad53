// `bcast eval … -o y.zarr`: memory shared out among threads of this process, or workers elsewhere; a line that says how
// far it is, and one that says what was written.
import { availableParallelism } from 'node:os'
import type { RuleOptions } from '../arguments/rules.ts'
import { type EngineChoice, startEngine, WEBASSEMBLY } from '../engine/engine.ts'
import type { Expression } from '../expression/syntax.ts'
import type { StoredDType } from '../files/element.ts'
import { doneText } from '../stream/done.ts'
import { Progress } from '../stream/progress.ts'
import { visible } from '../terminal/visible.ts'
import type { OutputCodec } from '../zarr/output.ts'
import type { ZarrPlace } from '../zarr/place.ts'
import { evaluateInChunks, RESUME } from './evaluate-in-chunks.ts'
import type { TaskPlan } from './plan.ts'
import { type Planned, planEvaluation } from './plan-evaluation.ts'
import { planText } from './plan-text.ts'
import { type CarryOut, inThisProcess } from './run-tasks.ts'
import { share, tasksPerThread } from './share.ts'
import { TaskThreads } from './threads.ts'

/** What the command line says of a result in chunks. */
export interface ZarrOptions extends RuleOptions {
  readonly dtype?: StoredDType
  readonly memory: number
  readonly quiet?: boolean
  readonly chunks?: readonly number[]
  readonly shards?: readonly number[]
  readonly codec?: OutputCodec
  readonly threads?: number
  readonly engine?: EngineChoice
  readonly plan?: boolean
  readonly resume?: boolean
}

export interface ZarrEvaluation {
  readonly expression: string
  readonly root: Expression
  readonly files: ReadonlyMap<string, string>
  readonly place: ZarrPlace
  readonly options: ZarrOptions
  /** Who carries out the tasks in place of this process. */
  readonly workers?: Workers
}

/** Asked before anything is known of what is done. They are told to stop, and say sentences for people. */
export type Workers = (asked: {
  readonly plan: TaskPlan
  readonly resume: boolean
  readonly stop: AbortSignal
  readonly notice: (text: string) => void
}) => Promise<CarryOut>

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const ruleOf = ({ rule, axis, axes, newAxes, strict, untrimmed, innerOnes, broadcast }: RuleOptions): RuleOptions =>
  JSON.parse(JSON.stringify({ rule, axis, axes, newAxes, strict, untrimmed, innerOnes, broadcast }))

/** Has threads of this process carry out tasks. */
const inThreads =
  (most: number, memory: number, machineCode: boolean): CarryOut =>
  async (plan, isDone, tell) => {
    const threads = Math.max(1, Math.min(most, plan.count))
    const runner = new TaskThreads({ threads, memory, machineCode })
    try {
      await inThisProcess(runner, threads * tasksPerThread(plan, memory / threads))(plan, isDone, tell)
    } finally {
      await runner.close()
    }
  }

export async function evaluateToZarr(evaluation: ZarrEvaluation): Promise<void> {
  const { expression, root, files, place, options } = evaluation
  const { dtype, chunks, shards, codec = { name: 'zstd' } } = options
  const computesHere = evaluation.workers === undefined && options.plan !== true
  const engine = computesHere ? await startEngine(options.engine) : WEBASSEMBLY
  const shared = share(options.memory, options.threads ?? availableParallelism())
  const question = { expression, root, files, rule: ruleOf(options), dtype, place, chunks, shards, codec, ...shared }
  const planned = await planEvaluation(question)
  try {
    if (options.plan === true) process.stdout.write(visible(`${planText(planned.plan)}\n`))
    else await carryOutPlan(evaluation, planned, shared.memory, engine !== WEBASSEMBLY)
  } finally {
    await planned.close()
  }
}

async function carryOutPlan(
  evaluation: ZarrEvaluation,
  { plan, threads }: Planned,
  memory: number,
  machineCode: boolean,
): Promise<void> {
  const { place, options, workers } = evaluation
  const { array } = plan.output
  const bytes = plan.reads + plan.writes
  const progress = new Progress(options.quiet === true ? undefined : process.stderr, bytes)
  const start = performance.now()
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
  const stop = new AbortController()
  const stopped = (signal: NodeJS.Signals): void => {
    progress.end()
    process.stderr.write(`bcast: stopped at ${count} of ${plan.count} chunks. ${RESUME}\n`)
    for (const each of SIGNALS) process.off(each, stopped)
    // Now without a listener: the process ends as it would have, and its parent sees why.
    if (workers === undefined) process.kill(process.pid, signal)
    else stop.abort(signal)
  }
  const notice = (text: string): void => {
    progress.end()
    process.stderr.write(visible(`${text}\n`))
  }
  const resume = options.resume === true
  for (const signal of SIGNALS) process.on(signal, stopped)
  try {
    const asked = { plan, resume, stop: stop.signal, notice }
    const carryOut = workers === undefined ? inThreads(threads, memory, machineCode) : await workers(asked)
    await evaluateInChunks(plan, carryOut, resume, progressing)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    process.kill(process.pid, stop.signal.reason)
  } finally {
    for (const signal of SIGNALS) process.off(signal, stopped)
    progress.end()
  }
  if (options.quiet === true) return
  const milliseconds = performance.now() - start
  const done = doneText({ output: place.label, dtype: array.dtype, shape: array.shape, bytes, milliseconds })
  process.stderr.write(visible(`${done}\n`))
}
