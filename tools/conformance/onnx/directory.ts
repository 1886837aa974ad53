// An ONNX backend test: model.onnx beside test_data_set_N folders of input_M.pb and output_M.pb. Files are read when
// the directory is found, so that a damaged one stops the run before anything is judged.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  type Model,
  OnnxError,
  prepareModel,
  readModel,
  readTensorProto,
  scopesOf,
  tensorOf,
  UnsupportedError,
} from '@bcast/onnx'
import type { Tensor } from 'bcast'
import { elementFits, isApproximate } from '../fits.ts'
import { BadCallError, failed, type Outcome, passed, type Subject } from '../outcome.ts'
import { showElements, showError, showShape } from '../show.ts'
import { elementsOf } from '../tensors.ts'
import { hasGradient, runWithGradients } from './gradient.ts'

interface DataSet {
  readonly name: string
  readonly inputs: readonly Tensor[]
  readonly outputs: readonly Tensor[]
}

interface Test {
  readonly model: Model
  readonly dataSets: readonly DataSet[]
}

function readFile<T>(file: string, read: (bytes: Uint8Array) => T): T {
  try {
    return read(readFileSync(file))
  } catch (error) {
    if (error instanceof UnsupportedError) throw error
    const why = error instanceof OnnxError ? `${file} is damaged` : `${file} cannot be read`
    throw new BadCallError(`${why}: ${(error as Error).message}`)
  }
}

/** The tensors `input_0.pb`, `input_1.pb`, … of a data set, in the order of their numbers. */
function readTensors(folder: string, files: readonly string[], prefix: string): Tensor[] {
  const numbered = files.flatMap((file) => {
    const match = new RegExp(`^${prefix}_(\\d+)\\.pb$`).exec(file)
    return match === null ? [] : [{ file, number: Number(match[1]) }]
  })
  numbered.sort((one, other) => one.number - other.number)
  return numbered.map(({ file }) => readFile(path.join(folder, file), (bytes) => tensorOf(readTensorProto(bytes))))
}

function readTest(folder: string): Test {
  const model = readFile(path.join(folder, 'model.onnx'), (bytes) => readModel(bytes))
  const names = readdirSync(folder).filter((name) => name.startsWith('test_data_set_'))
  if (names.length === 0) throw new BadCallError(`${folder} has model.onnx and no test_data_set_ folder`)
  const dataSets = names.sort().map((name): DataSet => {
    const files = readdirSync(path.join(folder, name))
    const inputs = readTensors(path.join(folder, name), files, 'input')
    return { name, inputs, outputs: readTensors(path.join(folder, name), files, 'output') }
  })
  return { model, dataSets }
}

/** Inputs come in the graph's order; a file set that leaves some out leaves out those with an initializer. */
function bind(model: Model, inputs: readonly Tensor[]): Record<string, Tensor> {
  const { inputs: all, initializers } = model.graph
  const taken = inputs.length === all.length ? all : all.filter(({ name }) => !initializers.has(name))
  if (taken.length !== inputs.length) {
    const what = `the graph takes ${taken.length} inputs and the data set has ${inputs.length}`
    throw new UnsupportedError(what, 'inputs')
  }
  return Object.fromEntries(taken.map(({ name }, i) => [name, inputs[i]!]))
}

function compare(got: Tensor, expected: Tensor, approximate: boolean): Outcome {
  if (got.dtype !== expected.dtype) return failed(`${expected.dtype} elements`, `${got.dtype} elements`)
  if (JSON.stringify(got.shape) !== JSON.stringify(expected.shape)) {
    return failed(showShape(expected.shape), showShape(got.shape))
  }
  const elements = elementsOf(got)
  const values = elementsOf(expected)
  const wrong = values.findIndex((value, i) => !elementFits(elements[i]!, value, expected.dtype, approximate))
  if (wrong < 0) return passed
  return failed(
    `${showElements(values)} (${expected.dtype})`,
    `${showElements(elements)}, which differs at position ${wrong}: ${String(elements[wrong])} for ${String(values[wrong])}`,
  )
}

function judgeDataSet(model: Model, { name, inputs, outputs }: DataSet): Outcome {
  const bound = bind(model, inputs)
  const results = hasGradient(model) ? runWithGradients(model, bound) : prepareModel(model).run(bound)
  const got = model.graph.outputs.map((output) => results[output.name]!)
  if (got.length !== outputs.length) return failed(`${outputs.length} outputs`, `${got.length} outputs`)
  const approximate = [...scopesOf(model)].some(({ nodes }) => nodes.some(({ opType }) => isApproximate(opType)))
  for (const [i, output] of got.entries()) {
    const outcome = compare(output, outputs[i]!, approximate)
    if (outcome.status === 'failed') return failed(outcome.expected, `${name}, output ${i}: ${outcome.got}`)
  }
  return passed
}

function judgeTest({ model, dataSets }: Test): Outcome {
  for (const dataSet of dataSets) {
    const outcome = judgeDataSet(model, dataSet)
    if (outcome.status !== 'passed') return outcome
  }
  return passed
}

/** The test in a folder; its id is the folder's name after its parent's, for names repeat between collections. */
export function onnxSubject(folder: string): Subject {
  const id = path.join(path.basename(path.dirname(folder)), path.basename(folder)).replaceAll(path.sep, '/')
  try {
    const test = readTest(folder)
    return { id, judge: () => judgeTest(test) }
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error
    return { id, judge: () => failed('a model that the runner can read', showError(error)) }
  }
}
