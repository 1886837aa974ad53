// Inference and runs read one node alike, whatever the version of its operator set: attributes that a version does not
// have say nothing to either, and defaults are the same for both. onnxruntime cannot tell, for it refuses such nodes.
import { BcastError } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newTally } from '../../../../testing/models/agree.ts'
import { OnnxError, prepareModel, tensorProtoOf } from '../../src/index.ts'
import { elementsOf } from '../../src/model/tensor-data.ts'
import { type Case, families as shaped } from '../support/cases.ts'
import { judgeRun } from '../support/directory.ts'
import { caseText, modelOfCase } from '../support/judge.ts'
import { Random } from '../support/random.ts'
import { families as computed } from './families/index.ts'

const NEWEST = 25

/** What inference says wrongly of a run; undefined for a node that does not run. */
function faultsOf(each: Case): readonly string[] | undefined {
  const { given, model } = modelOfCase(each)
  try {
    const results = prepareModel(model).run(given)
    const inputs = new Map(Object.values(given).map((x, i) => [i, tensorProtoOf(x)]))
    const outputs = Object.values(results).map((x, i) => {
      const elements = x.dtype === 'string' ? undefined : (elementsOf(x).map(Number) as readonly number[])
      return [i, { element: x.dtype, shape: x.shape, elements }] as const
    })
    return judgeRun(model, inputs, new Map(outputs), newTally())
  } catch (error) {
    if (error instanceof BcastError || error instanceof OnnxError) return undefined
    throw error
  }
}

describe('what inference says of a node is true of its run at every opset', () => {
  const opset = fc.integer({ min: 1, max: NEWEST })
  const seeded = computed.map(([generate]) => {
    const cases = fc.integer({ min: 0, max: 1e6 }).map((seed) => generate(new Random(seed)))
    return [generate(new Random(0)).op, cases] as const
  })
  it.each([...Object.entries(shaped), ...seeded])('%s', (_, cases) => {
    const property = fc.property(cases, opset, (each, version) => {
      const moved = { ...each, opset: version }
      expect(faultsOf(moved) ?? [], caseText(moved)).toEqual([])
    })
    fc.assert(property, { numRuns: 9 })
  })
})
