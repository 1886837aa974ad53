// What a process does that runs inputs of files: says where it is, what broke, what took long or too much memory. The
// one that started it watches for silence.
import { type Message, noMemory, residentPeak } from './command.ts'

const SLOW = 1000
/** What an input may take beside its bytes: blocks of a mebibyte on the way through an archive. */
const ALLOWED = 2 ** 25
/** Collecting garbage takes longer than most inputs, so memory is measured now and then. */
const MEASURE_ONE_IN = 500

export interface Work<T extends { readonly mutations: readonly string[] }> {
  /** The input of a number: the same for the same seed. */
  make(seed: number, index: number): T | Promise<T>
  sizeOf(input: T): number
  /** Whether memory is measured for it, besides those that are measured anyway. */
  isMeasured(input: T): boolean
  /** What became of it; throws what is neither an array nor a typed error. */
  exercise(input: T): Promise<string>
}

/** Runs the inputs that the last arguments of the process name: seed, first, end. */
export async function work<T extends { readonly mutations: readonly string[] }>(work: Work<T>): Promise<void> {
  const [seed, first, end] = process.argv.slice(-3).map(Number) as [number, number, number]
  const say = (message: Message): void => void process.send!(message)
  const { gc } = globalThis as { gc?: () => void }
  const used = (): number => process.memoryUsage().arrayBuffers
  const codes: Record<string, number> = {}
  let most = 0
  for (let index = first; index < end; index++) {
    if (index % 100 === 0) say({ kind: 'at', index })
    const input = await work.make(seed, index)
    const { mutations } = input
    const measured = index % MEASURE_ONE_IN === 0 || work.isMeasured(input)
    if (measured) gc?.()
    const before = used()
    const start = performance.now()
    try {
      const outcome = await work.exercise(input)
      codes[outcome] = (codes[outcome] ?? 0) + 1
    } catch (error) {
      say({ kind: 'crash', index, mutations, text: String((error as Error).stack ?? error) })
    }
    const milliseconds = performance.now() - start
    if (milliseconds > SLOW) say({ kind: 'slow', index, milliseconds })
    const taken = used() - before
    if (measured) most = Math.max(most, taken)
    if (measured && taken > ALLOWED) {
      say({ kind: 'crash', index, mutations, text: `${work.sizeOf(input)} bytes took ${taken} bytes of memory` })
    }
  }
  say({ kind: 'end', codes, memory: { ...noMemory, most, resident: residentPeak() } })
}
