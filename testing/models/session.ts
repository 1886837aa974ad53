// Models as onnxruntime runs them here: with one thread, for threads that wait for work would take the processor from
// other tests, and silent.
import * as ort from 'onnxruntime-node'

export type Level = 'disabled' | 'basic' | 'extended' | 'all'

type Results = Awaited<ReturnType<ort.InferenceSession['run']>>

/** The outputs of one run by name; throws what onnxruntime says where it refuses the model or the run. */
export async function runOnce(
  bytes: Uint8Array,
  feeds: ort.InferenceSession.FeedsType,
  level: Level = 'disabled',
): Promise<Results> {
  const session = await ort.InferenceSession.create(bytes, {
    graphOptimizationLevel: level,
    logSeverityLevel: 4,
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  })
  try {
    return await session.run(feeds, { logSeverityLevel: 4 })
  } finally {
    await session.release()
  }
}
