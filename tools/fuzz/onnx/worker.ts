// The process that runs inputs; the one that started it watches for silence. Arguments: seed, first, end.
import { readModel } from '@bcast/onnx'
import { type Message, noMemory, residentPeak } from '../command.ts'
import { exercise } from './exercise.ts'
import { makeInput } from './input.ts'
import { readSeeds } from './seeds.ts'

const MEBIBYTE = 2 ** 20
const SLOW = 1000
/** Collecting garbage takes longer than most inputs; ordinary ones are measured now and then. */
const MEASURE_ONE_IN = 50

const [seed, first, end] = process.argv.slice(2).map(Number) as [number, number, number]
const say = (message: Message): void => void process.send!(message)
const { gc } = globalThis as { gc?: () => void }

function used(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Memory that a model takes beside its bytes: what is in use while it is held, less what was before. */
function growth(bytes: Uint8Array): number {
  gc?.()
  const before = used()
  try {
    const model = readModel(bytes)
    gc?.()
    const taken = used() - before
    return model.irVersion > 0 ? taken : 0
  } catch {
    // The exercise tells what is wrong with it; what reading took until then counts, garbage included.
    return used() - before
  }
}

/** The default allowance of `readModel`, and a quarter for garbage: lists leave their smaller selves behind as they grow. */
const allowed = (size: number): number => 1.25 * (2 ** 26 + 8 * size)

const seeds = readSeeds()
const codes: Record<string, number> = {}
const memory = { ...noMemory }

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
  if (bytes.length >= MEBIBYTE || mutations.includes('multiply') || index % MEASURE_ONE_IN === 0) {
    const taken = growth(bytes)
    memory.most = Math.max(memory.most, taken)
    if (bytes.length >= MEBIBYTE) memory.ratio = Math.max(memory.ratio, taken / bytes.length)
    if (taken > allowed(bytes.length)) {
      say({ kind: 'crash', index, mutations, text: `${bytes.length} bytes took ${taken} bytes of memory` })
    }
  }
}
say({ kind: 'end', codes, memory: { ...memory, resident: residentPeak() } })
