// Random nodes, run here and in onnxruntime: the same elements, to the bit where operators are exact.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import { supportedOperators } from '../../src/index.ts'
import { type Case, families } from '../support/cases.ts'
import { caseText, disagreement } from '../support/judge.ts'

/** Operators that round on the way, in an order that is each engine's own. */
const approximate: Readonly<Record<string, number>> = {
  ...{ MatMul: 4, Gemm: 4, ReduceSum: 2, ReduceMean: 2, ReduceProd: 4, ReduceL2: 4, Softmax: 4, Pow: 2, Range: 1 },
}

const isSupported = new Set(supportedOperators.map(({ name }) => name))

/** What onnxruntime does not survive, or does in its own way. */
const isSpecial: Readonly<Record<string, (inputs: Case['inputs']) => boolean>> = {
  // Its process ends with a division by zero.
  Div: ([x]) => x!.dtype === 'int64',
  Mod: ([x]) => x!.dtype === 'int64',
  // Of empty sums it leaves what was in memory.
  MatMul: (inputs) => inputs.some((x) => x!.size === 0),
  // ONNX forbids a 0 beside a -1 where zeros are sizes: the other size could be any.
  Reshape: ([, shape]) => [0n, -1n].every((size) => (shape!.toArray() as unknown as bigint[]).includes(size)),
  // Far ends stand for the first element where a slice runs backward; ONNX clamps them to the last.
  Slice: ([, , ends, , steps]) =>
    steps !== undefined &&
    (steps.toArray() as unknown as bigint[]).some((step, i) => step < 0n && Number(ends!.get(i)) >= 2 ** 31 - 1),
}

const runnable = Object.entries(families).filter(
  ([name]) => !['topK', 'nonZero', 'unique', 'compress', 'einsum', 'gatherElements', 'gatherNd'].includes(name),
)

describe('onnxruntime computes the same', () => {
  it.each(runnable)('%s', async (_, cases) => {
    let ran = 0
    const property = fc.asyncProperty(cases, async (each) => {
      if (!isSupported.has(each.op) || isSpecial[each.op]?.(each.inputs)) return
      const wrong = await disagreement(each, approximate[each.op] ?? 0)
      if (wrong === 'refused') return
      ran++
      expect(wrong, caseText(each)).toBe(undefined)
    })
    await fc.assert(property, { numRuns: 20 })
    onDefaultSeed(() => expect(ran).toBeGreaterThan(8))
  })
})
