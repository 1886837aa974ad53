// ONNX's own shape inference says the same wherever it answers; where it does not, the list says why. `npm run models`
// asks it about every real model and run, which takes a minute.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { knownRefusals, listedValues } from '../../../../testing/models/onnx-disagreements.ts'
import { bareModel, compareWithOnnx } from '../../../../testing/models/onnxsim.ts'
import { facts, filesIn } from '../../../../testing/models/packaged.ts'
import { realModels, shapesOf } from '../../../../testing/models/real-runs.ts'
import { needs } from '../../../../testing/needs.ts'
import { readModelFile } from '../../src/node.ts'

describe('real models', () => {
  it.each<[string, number | undefined, number]>([
    ['silero_vad_legacy.onnx', undefined, 100],
    ['silero_vad_v5.onnx', 0, 400],
    ['silero_vad_v6.onnx', 2, 400],
    ['ch_ppocr_mobile_v2.0_cls_infer.onnx', 1, 1200],
  ])('%s, run %s', async (name, run, least) => {
    const { file, runs } = realModels.find((each) => each.name === name)!
    const inputs = run === undefined ? {} : shapesOf(runs[run]!)
    const compared = await compareWithOnnx(bareModel(readModelFile(file).model, inputs))
    expect(compared!.alike).toBeGreaterThan(least)
    expect(compared!.disagreements.map(({ value }) => value).sort()).toEqual(listedValues(name, run))
  })
})

const models = filesIn(facts, 'model.onnx')

describe('ONNX test directories', needs('conformance', models.length > 0), () => {
  it('are seen alike, but for those that ONNX refuses', async () => {
    const refused: string[] = []
    let alike = 0
    for (const file of models) {
      const compared = await compareWithOnnx(bareModel(readModelFile(file).model))
      if (compared === undefined) refused.push(path.basename(path.dirname(file)))
      else {
        expect(compared.disagreements, file).toEqual([])
        alike += compared.alike
      }
    }
    expect(refused.sort()).toEqual([...knownRefusals.directories].sort())
    expect(alike).toBeGreaterThan(600)
  })
})
