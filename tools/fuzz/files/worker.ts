// The process that runs inputs; the one that started it watches for silence. Arguments: npy or npz, seed, first, end.
import { type Message, noMemory, residentPeak } from '../command.ts'
import { exercise } from './exercise.ts'
import { type Kind, makeInput } from './input.ts'

const SLOW = 1000
/** What an input may take beside its bytes: blocks of a mebibyte on the way through an archive. */
const ALLOWED = 2 ** 25
/** Collecting garbage takes longer than most inputs, so memory is measured now and then. */
const MEASURE_ONE_IN = 500

const kind = process.argv[2] as Kind
const [seed, first, end] = process.argv.slice(3).map(Number) as [number, number, number]
const say = (message: Message): void => void process.send!(message)
const { gc } = globalThis as { gc?: () => void }

const used = (): number => process.memoryUsage().arrayBuffers
const codes: Record<string, number> = {}
let most = 0

for (let index = first; index < end; index++) {
  if (index % 100 === 0) say({ kind: 'at', index })
  const { bytes, mutations } = makeInput(kind, seed, index)
  const measured = index % MEASURE_ONE_IN === 0 || mutations.includes('bomb')
  if (measured) gc?.()
  const before = used()
  const start = performance.now()
  try {
    const outcome = await exercise(kind, bytes)
    codes[outcome] = (codes[outcome] ?? 0) + 1
  } catch (error) {
    say({ kind: 'crash', index, mutations, text: String((error as Error).stack ?? error) })
  }
  const milliseconds = performance.now() - start
  if (milliseconds > SLOW) say({ kind: 'slow', index, milliseconds })
  const taken = used() - before
  if (measured) most = Math.max(most, taken)
  if (measured && taken > ALLOWED) {
    say({ kind: 'crash', index, mutations, text: `${bytes.length} bytes took ${taken} bytes of memory` })
  }
}
say({ kind: 'end', codes, memory: { ...noMemory, most, resident: residentPeak() } })
