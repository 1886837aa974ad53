// `bcast bench`: how fast the engine is here, within ten seconds.
import { availableParallelism, cpus } from 'node:os'
import { configure } from 'bcast'
import { Command } from 'commander'
import { engineOption } from '../arguments/engine-option.ts'
import { chartLines } from '../bench/chart.ts'
import { type Measured, measure } from '../bench/measure.ts'
import { workloads } from '../bench/workloads.ts'
import { type EngineChoice, startEngine } from '../engine/engine.ts'
import { UsageError } from '../errors/usage-error.ts'
import { examplesText } from '../help/examples.ts'
import { wantsColour } from '../terminal/colour.ts'

interface Options {
  readonly seconds: number
  readonly threads: number
  readonly engine?: EngineChoice
  readonly json?: boolean
}

const examples = [
  { line: 'bcast bench', shows: 'bars: the engine against plain loops, in a few seconds' },
  { line: 'bcast bench --seconds 1 --threads 1 --json', shows: 'a glance with one thread, for programs' },
  { line: 'bcast bench --engine webassembly', shows: 'without machine code, where @bcast/native is installed' },
]

const DEFAULT_SECONDS = 5

const numberFrom =
  (flag: string, least: number, most: number, kind: 'a number' | 'an integer') =>
  (text: string): number => {
    const value = Number(text)
    const isKind = kind === 'a number' || Number.isInteger(value)
    if (text.trim() !== '' && isKind && value >= least && value <= most) return value
    throw new UsageError(`${flag} is ${JSON.stringify(text)}; it is ${kind} from ${least} to ${most}.`)
  }

function machine(threads: number, engine: string): string {
  const model = cpus()[0]?.model.trim() ?? process.arch
  return `${model}, ${availableParallelism()} cores, Node ${process.versions.node}, ${threads} ${threads === 1 ? 'thread' : 'threads'}, ${engine}`
}

function rounded({ name, bcast, loop }: Measured): object {
  const three = (value: number): number => Number(value.toPrecision(3))
  return { name, bcastMs: three(bcast), loopMs: three(loop), ratio: three(loop / bcast) }
}

export function benchCommand(): Command {
  const cores = availableParallelism()
  return new Command('bench')
    .description('measure how fast the engine is here, against plain JavaScript loops, within ten seconds')
    .option(
      '--seconds <n>',
      'how long it may take, more or less',
      numberFrom('--seconds', 0.1, 600, 'a number'),
      DEFAULT_SECONDS,
    )
    .option(
      '--threads <n>',
      'threads of the engine; loops have one',
      numberFrom('--threads', 1, 256, 'an integer'),
      cores,
    )
    .addOption(engineOption())
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(examples))
    .action(async ({ seconds, threads, engine: choice, json }: Options) => {
      const end = performance.now() + seconds * 1000
      configure({ threads })
      const engine = await startEngine(choice)
      const all = workloads()
      const colour = wantsColour(process.env, process.stdout.isTTY === true)
      if (json !== true)
        process.stdout.write(`${machine(threads, engine)}; best of several calls, results compared\n\n`)
      const measured = all.map((workload, i) => {
        const one = measure(workload, (end - performance.now()) / (all.length - i))
        if (json !== true)
          process.stdout.write(`${chartLines(one, process.stdout.columns ?? 100, colour).join('\n')}\n\n`)
        return one
      })
      if (json !== true) return
      const report = {
        version: 1,
        machine: machine(threads, engine),
        engine,
        threads,
        workloads: measured.map(rounded),
      }
      process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    })
}
