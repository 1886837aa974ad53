// A model in onnxruntime on one thread, to be run again and again.
import * as ort from 'onnxruntime-node'
import type { Feeds } from './feeds.ts'

export interface OneThread {
  run(): Promise<void>
  release(): Promise<void>
}

export async function onOneThread(file: string, feeds: Feeds): Promise<OneThread> {
  const session = await ort.InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1 })
  const given = Object.fromEntries(
    Object.entries(feeds).map(([name, { element, elements, shape }]) => [
      name,
      new ort.Tensor(element, elements as never, [...shape]),
    ]),
  )
  return {
    run: async () => {
      await session.run(given)
    },
    release: () => session.release(),
  }
}
