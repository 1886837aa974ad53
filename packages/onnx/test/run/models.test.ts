// Real models, run here and in onnxruntime with inputs of several sizes.
import { fromData, type Tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import type { Feed } from '../../../../testing/models/expose.ts'
import { runModel } from '../../../../testing/models/onnxruntime.ts'
import { realModels } from '../../../../testing/models/real-runs.ts'
import { prepareModel } from '../../src/index.ts'
import { readModelFile } from '../../src/node.ts'
import { Random } from '../support/random.ts'
import { difference, fed } from '../support/values.ts'

/** Units in the last place of 1: hundreds of layers are rounded in another order there. */
const MOST = 128

/** Noise in the place of the tones of other tests: the logarithm of an empty band amplifies every rounding. */
function tensorOf({ element, elements, shape }: Feed, random: Random): Tensor {
  const given = elements as Float32Array
  const noise = element === 'float32' ? given.map(() => random.next() - 0.5) : given
  return fromData(element as 'float32', noise, [...shape]) as Tensor
}

describe.each(realModels.map((model) => [model.name, model] as const))('%s', (_, { file, runs }) => {
  it('gives what onnxruntime gives', async () => {
    const { model, files } = readModelFile(file)
    const program = prepareModel(model, { files })
    for (const feeds of runs) {
      const random = new Random(1)
      const inputs = Object.fromEntries(Object.entries(feeds).map(([name, feed]) => [name, tensorOf(feed, random)]))
      const expected = await runModel(
        model,
        Object.fromEntries(Object.entries(inputs).map(([name, x]) => [name, fed(x)])),
      )
      const results = program.run(inputs)
      for (const [name, actual] of expected!) expect(difference(results[name], actual, MOST), name).toBe(undefined)
      for (const result of Object.values(results)) result.dispose()
    }
  })
})
