// One run of a small model in onnxruntime.

import { type Model, writeModel } from '@bcast/onnx'
import type * as ort from 'onnxruntime-node'
import type { Actual } from './agree.ts'
import { runOnce } from './session.ts'

/** What onnxruntime gives for a tensor; its names of element types are ours. */
export const actualOf = ({ dims, type, data }: ort.Tensor): Actual => ({
  element: type,
  shape: dims,
  elements: type === 'string' ? undefined : (data as ArrayLike<number | bigint>),
})

/** The outputs of a run, by name; undefined when onnxruntime refuses the model or the run. */
export async function runModel(
  model: Pick<Model, 'proto'>,
  feeds: Readonly<Record<string, ort.Tensor>>,
): Promise<Map<string, Actual> | undefined> {
  try {
    const results = await runOnce(writeModel(model), feeds)
    return new Map(Object.entries(results).map(([name, result]) => [name, actualOf(result as ort.Tensor)]))
  } catch {
    return undefined
  }
}
