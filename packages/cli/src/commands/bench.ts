// `bcast bench`: how fast the engine is here, in ten seconds.
import { availableParallelism, cpus } from 'node:os'
import { configure } from 'bcast'
import { Command } from 'commander'
import { chartLines } from '../bench/chart.ts'
import { type Measured, measure } from '../bench/measure.ts'
import { workloads } from '../bench/workloads.ts'
import { wantsColour } from '../colour.ts'
import { examplesText } from '../examples.ts'
import { UsageError } from '../usage-error.ts'

interface Options {
  readonly seconds: number
  readonly threads: number
  readonly json?: boolean
}

const examples = [
  { line: 'bcast bench', shows: 'bars: the engine against plain loops, in less than ten seconds' },
  { line: 'bcast bench --seconds 1 --threads 1 --json', shows: 'a glance with one thread, for programs' },
]

/** What making the operands takes, out of the ten seconds. */
const DEFAULT_SECONDS = 8

const numberFrom =
  (flag: string, least: number, most: number) =>
  (text: string): number => {
    const value = Number(text)
    if (text.trim() !== '' && value >= least && value <= most) return value
    throw new UsageError(`${flag} is ${JSON.stringify(text)}; it is a number from ${least} to ${most}.`)
  }

function machine(threads: number): string {
  const model = cpus()[0]?.model.trim() ?? process.arch
  return `${model}, ${availableParallelism()} cores, Node ${process.versions.node}, ${threads} ${threads === 1 ? 'thread' : 'threads'}`
}

function rounded({ name, bcast, loop }: Measured): object {
  const three = (value: number): number => Number(value.toPrecision(3))
  return { name, bcastMs: three(bcast), loopMs: three(loop), ratio: three(loop / bcast) }
}

export function benchCommand(): Command {
  const cores = availableParallelism()
  return new Command('bench')
    .description('measure how fast the engine is here, against plain JavaScript loops, in ten seconds')
    .option('--seconds <n>', 'for how long to measure', numberFrom('--seconds', 0.1, 600), DEFAULT_SECONDS)
    .option('--threads <n>', 'threads of the engine; loops have one', numberFrom('--threads', 1, 256), cores)
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(examples))
    .action(({ seconds, threads, json }: Options) => {
      configure({ threads })
      const all = workloads()
      const share = seconds / all.length
      const colour = wantsColour(process.env, process.stdout.isTTY === true)
      if (json !== true) process.stdout.write(`${machine(threads)}; best of several calls, results compared\n\n`)
      const measured = all.map((workload) => {
        const one = measure(workload, share)
        if (json !== true)
          process.stdout.write(`${chartLines(one, process.stdout.columns ?? 100, colour).join('\n')}\n\n`)
        return one
      })
      if (json !== true) return
      const report = { version: 1, machine: machine(threads), threads, workloads: measured.map(rounded) }
      process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    })
}
