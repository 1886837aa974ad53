// What a check takes: of a real model, and of made-up ones of many nodes. Measured in processor time, which does not
// depend on what else the machine does.
import { checkModel, type Model } from '@bcast/onnx'
import { syntheticModel } from './synthetic.ts'

export interface Timed {
  readonly name: string
  readonly nodes: number
  readonly milliseconds: number
}

/** The best of a few calls, garbage collection included. */
function bestOf(rounds: number, work: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < rounds; i++) {
    const start = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

export const timedCheck = (name: string, model: Model, rounds: number): Timed => ({
  name,
  nodes: model.graph.nodes.length,
  milliseconds: bestOf(rounds, () => checkModel(model)),
})

export const syntheticTimes = (): Timed[] =>
  [25_000, 50_000, 100_000].map((count) => timedCheck('made up', syntheticModel(count), 5))
