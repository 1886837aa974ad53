// What one run of a real model takes, on one thread, behind the first: here and in onnxruntime, in turns, so that both
// see the same machine.
import { type Model, prepareModel } from '@bcast/onnx'
import { configure, fromData, type Tensor } from 'bcast'
import { onOneThread } from '../../testing/models/one-thread.ts'
import type { RealModel } from '../../testing/models/real-runs.ts'

/** How long turns go on, in milliseconds, and how many there are at least. */
const PATIENCE = 4000
const LEAST_TURNS = 20

/** In milliseconds. */
export interface Times {
  readonly best: number
  readonly median: number
}

export interface RunTimes {
  /** The shape of the first input. */
  readonly input: string
  readonly here: Times
  readonly onnxruntime: Times
}

/** The largest of a model's runs whose batch is one. */
function typicalRun({ runs }: RealModel): RealModel['runs'][number] {
  const sizeOf = (feeds: RealModel['runs'][number]): number => Object.values(feeds)[0]!.elements.length
  const single = runs.filter((feeds) => Object.values(feeds)[0]!.shape[0] === 1)
  return single.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a))
}

function timesOf(turns: readonly number[]): Times {
  const sorted = turns.toSorted((a, b) => a - b)
  return { best: sorted[0]!, median: sorted[Math.floor(sorted.length / 2)]! }
}

export async function runTimes(real: RealModel, model: Model): Promise<RunTimes> {
  configure({ threads: 1 })
  const feeds = typicalRun(real)
  const program = prepareModel(model)
  const engine = await onOneThread(real.file, feeds)
  const each = Object.entries(feeds)
  const given = Object.fromEntries(
    each.map(([name, { element, elements, shape }]) => [
      name,
      fromData(element as 'float32', elements as Float32Array, [...shape]) as unknown as Tensor,
    ]),
  )
  const here: number[] = []
  const there: number[] = []
  const end = performance.now() + PATIENCE
  while (performance.now() < end || here.length < LEAST_TURNS) {
    const start = performance.now()
    const results = program.run(given)
    here.push(performance.now() - start)
    for (const result of Object.values(results)) result.dispose()
    const next = performance.now()
    await engine.run()
    there.push(performance.now() - next)
  }
  program.dispose()
  await engine.release()
  const input = each[0]![1].shape.join('×')
  return { input, here: timesOf(here.slice(1)), onnxruntime: timesOf(there.slice(1)) }
}
