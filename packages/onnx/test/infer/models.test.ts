// Real models, run in onnxruntime with every value inside exposed: what inference says is true of each of them, for
// inputs of fixed sizes, and for those that the file leaves open.
import { describe, expect, it } from 'vitest'
import { judgeRun, realModels, shapesOf } from '../../../../testing/models/real-runs.ts'
import { checkModel, inferShapes } from '../../src/index.ts'
import { readModelFile } from '../../src/node.ts'

describe.each(realModels)('$name', ({ file, runs }) => {
  const { model } = readModelFile(file)

  it('cannot be faulted', () => {
    const open = inferShapes(model)
    expect(open.findings).toEqual([])
    expect(open.complete).toBe(true)
  })

  it.each(runs)('agrees with a run, $#', async (feeds) => {
    const { values, fixed, open } = await judgeRun(model, feeds)
    expect([...fixed.faults, ...open.faults]).toEqual([])
    const compared = [fixed, open].map(({ tally }) => tally.fixed + tally.symbolic + tally.unknown.length)
    expect(compared).toEqual([values, values])
  })

  it('passes a check that knows its inputs, with no broadcast of unknown rank', () => {
    for (const feeds of runs) {
      const { passes, verdicts } = checkModel(model, { inputs: shapesOf(feeds), fixes: false })
      expect([passes, verdicts.unknown]).toEqual([true, 0])
    }
  })
})
