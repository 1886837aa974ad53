// One node, run here and in onnxruntime.
import type { Tensor } from 'bcast'
import { modelOf, node } from '../../../../testing/models/infer.ts'
import { runModel } from '../../../../testing/models/onnxruntime.ts'
import { prepareModel } from '../../src/index.ts'
import type { Case } from './cases.ts'
import { difference, fed } from './values.ts'

/** The model of one node, and its inputs by name. */
export function modelOfCase({ op, opset, inputs, attributes, outputs }: Case) {
  const given = Object.fromEntries(inputs.flatMap((x, i) => (x === undefined ? [] : [[`x${i}`, x] as const])))
  const declared = Object.entries(given).map(([name, { dtype, shape }]) => [name, `${dtype}:${shape.join(', ')}`])
  const names = inputs.map((x, i) => (x === undefined ? '-' : `x${i}`)).join(' ')
  const results = Array.from({ length: outputs }, (_, i) => `y${i}`)
  const nodes = [node(op, names, results.join(' '), attributes)]
  return { given, model: modelOf({ inputs: Object.fromEntries(declared), nodes, outputs: results, opset }) }
}

/** How a run here differs from one in onnxruntime by more than `most` units; 'refused' where that one does not run it. */
export async function disagreement(each: Case, most: number): Promise<string | undefined | 'refused'> {
  const { given, model } = modelOfCase(each)
  const run = await runModel(
    model,
    Object.fromEntries(Object.entries(given).map(([name, x]) => [name, fed(x as Tensor)])),
  )
  if (run === undefined) return 'refused'
  const results = prepareModel(model).run(given)
  for (const [name, actual] of run) {
    const wrong = difference(results[name], actual, most)
    if (wrong !== undefined) return `${name} is ${wrong}`
  }
  return undefined
}

/** A case in words. */
export function caseText({ op, opset, attributes, inputs }: Case): string {
  const plain = JSON.stringify(attributes, (_, x) => (typeof x === 'object' && 'dtype' in x ? String(x) : x))
  return `${op}-${opset} ${plain} ${inputs.map((x) => x && `${x.dtype}(${x.shape.join()})`).join(' ')}`
}
