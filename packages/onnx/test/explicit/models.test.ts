// The real models, made explicit: they pass the strict check as far as shapes can be known, and compute the same bits.
import { describe, expect, it } from 'vitest'
import { differenceInRun, realModels, shapesOf } from '../../../../testing/models/real-runs.ts'
import { checkModel, checkStructure, dimConstant, makeExplicit, nodeLabel, writeModel } from '../../src/index.ts'
import { readModelFile } from '../../src/node.ts'

/** Nodes that are rewritten, nodes and constants added, nodes left, findings that a strict check is left with. */
const counts: Readonly<Record<string, readonly number[]>> = {
  'ch_PP-OCRv4_det_infer.onnx': [167, 334, 0, 0, 3],
  'ch_PP-OCRv4_rec_infer.onnx': [218, 416, 1, 9, 0],
  'ch_ppocr_mobile_v2.0_cls_infer.onnx': [46, 92, 0, 0, 0],
  'silero_vad_legacy.onnx': [10, 12, 0, 0, 0],
  'silero_vad_v5.onnx': [4, 0, 0, 0, 0],
  'silero_vad_v6.onnx': [4, 0, 0, 0, 0],
}

/** What the expanded operands take for the first run of each. */
const bytes: Readonly<Record<string, number>> = {
  'ch_PP-OCRv4_det_infer.onnx': 953_216,
  'ch_PP-OCRv4_rec_infer.onnx': 26_437_056,
  'ch_ppocr_mobile_v2.0_cls_infer.onnx': 4_285_448,
  'silero_vad_legacy.onnx': 24_768,
  'silero_vad_v5.onnx': 0,
  'silero_vad_v6.onnx': 0,
}

/** Voice detectors have a branch for each rate, and sizes for one do not fit the other. */
const unfitting: Readonly<Record<string, RegExp>> = {
  'silero_vad_v5.onnx': /input 0 has rank 5; it must be 3\. Runs that come to it fail\.$/,
  'silero_vad_v6.onnx': /input 0 has rank 5; it must be 3\. Runs that come to it fail\.$/,
}

describe.each(realModels)('$name', ({ name, file, runs }) => {
  const { model } = readModelFile(file)
  const { model: explicit, report } = makeExplicit(model)

  it('has no implicit broadcast left', () => {
    expect(checkStructure(explicit)).toEqual([])
    const { findings } = checkModel(explicit, { profile: 'sonnx-strict', fixes: false })
    expect(findings.filter(({ id }) => id === 'implicit-broadcast').map(({ message }) => message)).toEqual([])
    const { rewritten, kept, unproven, totals } = report
    expect([rewritten.length, totals.nodes, totals.constants, kept.length, unproven.length]).toEqual(counts[name])
  })

  it('hardly grows', () => {
    const added = report.totals.nodes + report.totals.constants
    expect(writeModel(explicit).length - writeModel(model).length).toBeLessThanOrEqual(120 * added)
  })

  it('is left alone the second time', () => {
    const again = makeExplicit(explicit)
    expect(again.report.rewritten.map(({ node }) => nodeLabel(node))).toEqual([])
    expect(again.model === explicit).toBe(true)
  })

  it.each(runs)('computes the same bits, $#', async (feeds) => {
    expect(await differenceInRun(model, explicit, feeds)).toBeUndefined()
  })

  it('computes the same bits when constants are folded', async () => {
    expect(await differenceInRun(model, explicit, runs[0]!, 'basic')).toBeUndefined()
  })

  it('computes the same bits for given inputs', async () => {
    const [feeds] = runs
    const fixed = makeExplicit(model, { inputs: shapesOf(feeds!) })
    expect(Number(dimConstant(fixed.report.totals.bytes))).toBe(bytes[name])
    const expected = unfitting[name]
    expect(fixed.report.unproven).toEqual(expected === undefined ? [] : [expect.stringMatching(expected)])
    expect(await differenceInRun(model, fixed.model, feeds!)).toBeUndefined()
  })
})
