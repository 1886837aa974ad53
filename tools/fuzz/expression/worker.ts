// The process that runs expressions; the one that started it watches for silence. Arguments: seed, first, end.
import { type Message, noMemory, residentPeak } from '../command.ts'
import { exercise, prepare } from './exercise.ts'
import { makeExpression } from './input.ts'

const SLOW = 1000

const [seed, first, end] = process.argv.slice(2).map(Number) as [number, number, number]
const say = (message: Message): void => void process.send!(message)
const codes: Record<string, number> = {}

prepare()
for (let index = first; index < end; index++) {
  if (index % 100 === 0) say({ kind: 'at', index })
  const expression = makeExpression(seed, index)
  const start = performance.now()
  try {
    const outcome = exercise(expression, index)
    codes[outcome] = (codes[outcome] ?? 0) + 1
  } catch (error) {
    say({
      kind: 'crash',
      index,
      mutations: [JSON.stringify(expression)],
      text: String((error as Error).stack ?? error),
    })
  }
  const milliseconds = performance.now() - start
  if (milliseconds > SLOW) say({ kind: 'slow', index, milliseconds })
}
say({ kind: 'end', codes, memory: { ...noMemory, resident: residentPeak() } })
