// The process that runs inputs; the one that started it watches for silence. Arguments: seed, first, end.
import { readModel } from '@bcast/onnx'
import { exercise } from './exercise.ts'
import { makeInput } from './input.ts'
import { readSeeds } from './seeds.ts'

/** What the worker says, input by input or in numbers. */
export type Message =
  | { readonly kind: 'at'; readonly index: number }
  | { readonly kind: 'crash'; readonly index: number; readonly mutations: readonly string[]; readonly text: string }
  | { readonly kind: 'slow'; readonly index: number; readonly milliseconds: number }
  | { readonly kind: 'end'; readonly codes: Readonly<Record<string, number>>; readonly memory: MemoryFigures }

export interface MemoryFigures {
  /** Growth of memory while reading, as a multiple of the file, for files of a mebibyte and more. */
  readonly ratio: number
  /** Growth of memory while reading a smaller file, in bytes. */
  readonly small: number
}

const MEBIBYTE = 2 ** 20
const SLOW = 1000
/** Collecting garbage takes longer than most inputs; small files are measured now and then. */
const MEASURE_ONE_IN = 50

const [seed, first, end] = process.argv.slice(2).map(Number) as [number, number, number]
const say = (message: Message): void => void process.send!(message)
const { gc } = globalThis as { gc?: () => void }

function used(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Memory that is in use after reading, garbage included. */
function growth(bytes: Uint8Array): number {
  gc?.()
  const before = used()
  try {
    readModel(bytes)
  } catch {
    // The exercise tells what is wrong with it.
  }
  return used() - before
}

const seeds = readSeeds()
const codes: Record<string, number> = {}
const memory = { ratio: 0, small: 0 }

for (let index = first; index < end; index++) {
  if (index % 100 === 0) say({ kind: 'at', index })
  const { bytes, mutations } = makeInput(seed, index, seeds)
  const start = performance.now()
  try {
    const { code } = exercise(bytes)
    codes[code] = (codes[code] ?? 0) + 1
  } catch (error) {
    say({ kind: 'crash', index, mutations, text: String((error as Error).stack ?? error) })
  }
  const milliseconds = performance.now() - start
  if (milliseconds > SLOW) say({ kind: 'slow', index, milliseconds })
  if (bytes.length >= MEBIBYTE) memory.ratio = Math.max(memory.ratio, growth(bytes) / bytes.length)
  else if (index % MEASURE_ONE_IN === 0) memory.small = Math.max(memory.small, growth(bytes))
}
say({ kind: 'end', codes, memory })
