// Random nodes, run in onnxruntime: what inference says of their outputs is true, with the inputs' sizes fixed, with all
// of them left open, and with the inputs as constants; and no node that runs is called impossible.
import fc from 'fast-check'
import * as ort from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { newTally } from '../../../../testing/models/agree.ts'
import { modelOf, node } from '../../../../testing/models/infer.ts'
import { runModel } from '../../../../testing/models/onnxruntime.ts'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import { tensorProtoOf } from '../../src/index.ts'
import { type Case, families } from '../support/cases.ts'
import { judgeRun } from '../support/directory.ts'

const names = (count: number, letter: string): string[] => Array.from({ length: count }, (_, i) => `${letter}${i}`)

function modelOfCase({ op, opset, inputs, attributes, outputs }: Case) {
  const given = inputs.flatMap((input, i) => (input === undefined ? [] : [[`x${i}`, input] as const]))
  const inputNames = inputs.map((input, i) => (input === undefined ? '-' : `x${i}`)).join(' ')
  const results = names(outputs, 'y')
  const declared = given.map(([name, { dtype, shape }]) => [name, `${dtype}:${shape.join(', ')}`] as const)
  const model = modelOf({
    inputs: Object.fromEntries(declared),
    nodes: [node(op, inputNames, results.join(' '), attributes)],
    outputs: results,
    opset,
  })
  return { model, given: given.map(([, value]) => value), results }
}

async function check(each: Case, tally: ReturnType<typeof newTally>): Promise<boolean> {
  const { model, given, results } = modelOfCase(each)
  const feeds = given.map((value, i) => {
    const { name } = model.graph.inputs[i]!
    return [
      name,
      new ort.Tensor(value.dtype as 'float32', (value.data as Float32Array).slice() as never, [...value.shape]),
    ] as const
  })
  const run = await runModel(model, Object.fromEntries(feeds))
  if (run === undefined) return false
  const inputs = new Map(given.map((value, i) => [i, tensorProtoOf(value)]))
  const outputs = new Map(results.map((name, i) => [i, run.get(name)!]))
  const text = `${each.op}-${each.opset} ${JSON.stringify(each.attributes, (_, x) => (typeof x === 'object' && 'dtype' in x ? String(x) : x))} ${given.map(String).join(' ')}`
  expect(judgeRun(model, inputs, outputs, tally), text).toEqual([])
  return true
}

describe('onnxruntime agrees on random nodes', () => {
  it.each(Object.entries(families))('%s', async (_, cases) => {
    const tally = newTally()
    let ran = 0
    const property = fc.asyncProperty(cases, async (each) => {
      if (await check(each, tally)) ran++
    })
    await fc.assert(property, { numRuns: 30 })
    onDefaultSeed(() => {
      expect(ran).toBeGreaterThan(8)
      expect(tally.fixed + tally.symbolic).toBeGreaterThan(ran)
    })
  })
})
