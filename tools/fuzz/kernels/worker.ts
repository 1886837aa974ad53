// The process that runs kernels of machine code; the one that started it watches for silence, and for its death: a byte
// beyond an operand ends it. Arguments: seed, first, end.
import { runCase } from '../../../testing/kernels/kernel.ts'
import { type Message, noMemory, residentPeak } from '../command.ts'
import { makeKernel } from './input.ts'

const [seed, first, end] = process.argv.slice(-3).map(Number) as [number, number, number]
const say = (message: Message): void => void process.send!(message)
const codes: Record<string, number> = {}

for (let index = first; index < end; index++) {
  if (index % 100 === 0) say({ kind: 'at', index })
  const { random, made, mutations } = makeKernel(seed, index)
  try {
    const outcome = runCase(random, made)
    codes[outcome] = (codes[outcome] ?? 0) + 1
  } catch (error) {
    say({ kind: 'crash', index, mutations, text: String((error as Error).stack ?? error) })
  }
}
say({ kind: 'end', codes, memory: { ...noMemory, resident: residentPeak() } })
