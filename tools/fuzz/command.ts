// Runs inputs in another process, in batches, and ends one that falls silent: a hang is a finding, not a wait.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Silence } from './silence.ts'

/** What a worker says, input by input or in numbers. */
export type Message =
  | { readonly kind: 'at'; readonly index: number }
  | { readonly kind: 'crash'; readonly index: number; readonly mutations: readonly string[]; readonly text: string }
  | { readonly kind: 'slow'; readonly index: number; readonly milliseconds: number }
  | { readonly kind: 'end'; readonly codes: Readonly<Record<string, number>>; readonly memory: MemoryFigures }

export interface MemoryFigures {
  /** The most that a file took, in bytes. */
  readonly most: number
  /** The most as a multiple of the file, for files of a mebibyte and more. */
  readonly ratio: number
  /** The most that the process was resident with, whatever it did. */
  readonly resident: number
}

/** A program that runs inputs; its arguments are those given here, then seed, first and end. */
export interface Worker {
  readonly program: URL
  readonly args: readonly string[]
}

export interface FuzzReport {
  readonly codes: Readonly<Record<string, number>>
  readonly memory: MemoryFigures
  /** Crashes, hangs and deaths, in words. */
  readonly failures: readonly string[]
  readonly slow: readonly string[]
}

/** Nothing was measured. */
export const noMemory: MemoryFigures = { most: 0, ratio: 0, resident: 0 }

/** The most that this process was resident with, in bytes. */
export const residentPeak = (): number => process.resourceUsage().maxRSS * 1024

const BATCH = 5000
/** Mebibytes of heap; an input that takes more, in whatever step, ends the process. */
const HEAP = 1024
/** Silence that counts as a hang, and how often it is looked for, in milliseconds. */
const PATIENCE = { computing: 60_000, waiting: 600_000 }
const LOOK = 5000

type Batch = { -readonly [K in keyof FuzzReport]: FuzzReport[K] } & { failures: string[]; slow: string[] }

function runBatch(worker: Worker, seed: number, first: number, end: number): Promise<Batch> {
  const report: Batch = { codes: {}, memory: noMemory, failures: [], slow: [] }
  return new Promise((resolve) => {
    const child = fork(fileURLToPath(worker.program), [...worker.args, ...[seed, first, end].map(String)], {
      execArgv: [
        '--expose-gc',
        `--max-old-space-size=${HEAP}`,
        '--conditions=bcast-source',
        '--import',
        import.meta.resolve('tsx'),
      ],
    })
    let at = first
    const silence = new Silence(child.pid!, PATIENCE)
    const timer = setInterval(() => {
      const hang = silence.hang()
      if (hang === undefined) return
      report.failures.push(`hang near input ${at}: ${hang} in silence`)
      clearInterval(timer)
      child.kill('SIGKILL')
    }, LOOK)
    child.on('message', (message: Message) => {
      silence.broken()
      if (message.kind === 'at') at = message.index
      else if (message.kind === 'crash') {
        report.failures.push(`input ${message.index} (${message.mutations.join(', ')}): ${message.text}`)
      } else if (message.kind === 'slow') {
        report.slow.push(`input ${message.index}: ${Math.round(message.milliseconds)} ms`)
      } else Object.assign(report, { codes: message.codes, memory: message.memory })
    })
    child.on('exit', (code, signal) => {
      clearInterval(timer)
      if (code !== 0 && signal !== 'SIGKILL')
        report.failures.push(`the process died near input ${at} (${code ?? signal})`)
      resolve(report)
    })
  })
}

/** Runs `count` inputs of a seed; `progress` hears after each batch. */
export async function fuzz(
  worker: Worker,
  seed: number,
  count: number,
  progress: (done: number) => void,
): Promise<FuzzReport> {
  const codes: Record<string, number> = {}
  const memory = { ...noMemory }
  const failures: string[] = []
  const slow: string[] = []
  for (let first = 0; first < count; first += BATCH) {
    const end = Math.min(count, first + BATCH)
    const batch = await runBatch(worker, seed, first, end)
    for (const [code, n] of Object.entries(batch.codes)) codes[code] = (codes[code] ?? 0) + n
    memory.ratio = Math.max(memory.ratio, batch.memory.ratio)
    memory.most = Math.max(memory.most, batch.memory.most)
    memory.resident = Math.max(memory.resident, batch.memory.resident)
    failures.push(...batch.failures)
    slow.push(...batch.slow)
    progress(end)
  }
  return { codes, memory, failures, slow }
}
