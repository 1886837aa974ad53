// Random nodes, run here and in onnxruntime: the same elements, to the bit where operators are exact.
import type { Tensor } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prepareModel, supportedOperators } from '../../src/index.ts'
import { type Case, families } from '../support/cases.ts'
import { modelOf, node } from '../support/infer.ts'
import { runModel } from '../support/run.ts'
import { difference, fed } from '../support/values.ts'

/** Operators that round on the way, in an order that is each engine's own. */
const approximate: Readonly<Record<string, number>> = {
  ...{ MatMul: 4, Gemm: 4, ReduceSum: 2, ReduceMean: 2, ReduceProd: 4, ReduceL2: 4, Softmax: 4, Pow: 2, Range: 1 },
}

const isSupported = new Set(supportedOperators.map(({ name }) => name))

function modelOfCase({ op, opset, inputs, attributes, outputs }: Case) {
  const given = Object.fromEntries(inputs.flatMap((x, i) => (x === undefined ? [] : [[`x${i}`, x] as const])))
  const declared = Object.entries(given).map(([name, { dtype, shape }]) => [name, `${dtype}:${shape.join(', ')}`])
  const names = inputs.map((x, i) => (x === undefined ? '-' : `x${i}`)).join(' ')
  const results = Array.from({ length: outputs }, (_, i) => `y${i}`)
  const nodes = [node(op, names, results.join(' '), attributes)]
  return { given, model: modelOf({ inputs: Object.fromEntries(declared), nodes, outputs: results, opset }) }
}

/** What onnxruntime does not survive, or does in its own way. */
const isSpecial: Readonly<Record<string, (inputs: Case['inputs']) => boolean>> = {
  // Its process ends with a division by zero.
  Div: ([x]) => x!.dtype === 'int64',
  Mod: ([x]) => x!.dtype === 'int64',
  // Of empty sums it leaves what was in memory.
  MatMul: (inputs) => inputs.some((x) => x!.size === 0),
  // Far ends stand for the first element where a slice runs backward; ONNX clamps them to the last.
  Slice: ([, , ends, , steps]) =>
    steps !== undefined &&
    (steps.toArray() as unknown as bigint[]).some((step, i) => step < 0n && Number(ends!.get(i)) >= 2 ** 31 - 1),
}

async function disagreement(each: Case): Promise<string | undefined | 'refused'> {
  const { given, model } = modelOfCase(each)
  const run = await runModel(
    model,
    Object.fromEntries(Object.entries(given).map(([name, x]) => [name, fed(x as Tensor)])),
  )
  if (run === undefined) return 'refused'
  const results = prepareModel(model).run(given)
  for (const [name, actual] of run) {
    const wrong = difference(results[name], actual, approximate[each.op] ?? 0)
    if (wrong !== undefined) return `${name} is ${wrong}`
  }
  return undefined
}

const runnable = Object.entries(families).filter(
  ([name]) => !['topK', 'nonZero', 'unique', 'compress', 'einsum', 'gatherElements', 'gatherNd'].includes(name),
)

describe('onnxruntime computes the same', () => {
  it.each(runnable)('%s', async (_, cases) => {
    let ran = 0
    const property = fc.asyncProperty(cases, async (each) => {
      if (!isSupported.has(each.op) || isSpecial[each.op]?.(each.inputs)) return
      const wrong = await disagreement(each)
      if (wrong === 'refused') return
      ran++
      const text = `${each.op}-${each.opset} ${JSON.stringify(each.attributes, (_key, x) => (typeof x === 'object' && 'dtype' in x ? String(x) : x))} ${each.inputs.map((x) => `${x?.dtype}(${x?.shape.join()})`).join(' ')}`
      expect(wrong, text).toBe(undefined)
    })
    await fc.assert(property, { numRuns: 40 })
    expect(ran).toBeGreaterThan(8)
  })
})
