// A test directory of ONNX (a model, inputs, outputs) as a judge of inference: what is known of the outputs must be true
// of the recorded ones, with the inputs as declared, with every size of them left open, and with the inputs as constants.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { create } from '@bufbuild/protobuf'
import { type Actual, type Bindings, faultOf, newTally, type Tally } from '../../../../testing/models/agree.ts'
import {
  elementTypeOf,
  type InferOptions,
  inferShapes,
  type Model,
  readModel,
  readTensorProto,
  tensorOf,
  viewModel,
} from '../../src/index.ts'
import { ModelProtoSchema, type TensorProto } from '../../src/proto/onnx_pb.ts'

/** Tensors of a data set by position; those of other kinds are left out. */
export function tensorsIn(folder: string, kind: 'input' | 'output'): Map<number, TensorProto> {
  const files = readdirSync(folder).filter((file) => file.startsWith(`${kind}_`))
  return new Map(
    files.map((file) => [Number(/\d+/.exec(file)![0]), readTensorProto(readFileSync(path.join(folder, file)))]),
  )
}

function elementsOf(proto: TensorProto): Actual['elements'] {
  try {
    const read = tensorOf(proto)
    if (read.dtype === 'string') return undefined
    const flat = ([read.toArray()] as unknown[]).flat(64) as (number | bigint | boolean)[]
    return flat.map((value) => (typeof value === 'boolean' ? Number(value) : value))
  } catch {
    return undefined
  }
}

const actualOf = (proto: TensorProto): Actual => ({
  element: elementTypeOf(proto.dataType) ?? '?',
  shape: proto.dims.map(Number),
  elements: elementsOf(proto),
})

interface Way {
  readonly model: Model
  readonly options: InferOptions
  readonly bindings: Bindings
}

/** Every size a symbol, with the value that the data give it. */
function opened(model: Model, inputs: ReadonlyMap<number, TensorProto>): Way {
  const bindings: Bindings = new Map()
  const shapes: Record<string, readonly string[]> = {}
  for (const [i, proto] of inputs) {
    const { name } = model.graph.inputs[i]!
    shapes[name] = proto.dims.map((size, axis) => {
      bindings.set(`d${i}_${axis}`, size)
      return `d${i}_${axis}`
    })
  }
  return { model, options: { inputs: shapes, symbolBounds: { min: 0 } }, bindings }
}

/** The elements of small integer inputs, which stand for themselves. */
function bindElements(bindings: Bindings, model: Model, inputs: ReadonlyMap<number, TensorProto>): void {
  for (const [i, proto] of inputs) {
    const { name } = model.graph.inputs[i]!
    const elements = Array.from(elementsOf(proto) ?? []).filter((value) => Number.isInteger(Number(value)))
    for (const [j, value] of elements.entries())
      bindings.set(`${name}.value${proto.dims.length === 0 ? '' : `.${j}`}`, BigInt(value))
  }
}

/** The model with the data of its inputs as constants. */
function closed({ proto }: Model, inputs: ReadonlyMap<number, TensorProto>): Way {
  const graph = proto.graph!
  const model = create(ModelProtoSchema, {
    irVersion: proto.irVersion,
    opsetImport: proto.opsetImport,
    functions: proto.functions,
    graph: {
      node: graph.node,
      output: graph.output,
      input: graph.input.filter((_, i) => !inputs.has(i)),
      initializer: [
        ...graph.initializer,
        ...[...inputs].map(([i, tensor]) => Object.assign(tensor, { name: graph.input[i]!.name })),
      ],
    },
  })
  return { model: viewModel(model), options: {}, bindings: new Map() }
}

/** The model without what it declares about anything but its inputs: that would answer for inference. */
const undeclared = ({ proto }: Model): Model =>
  viewModel(
    create(ModelProtoSchema, {
      irVersion: proto.irVersion,
      opsetImport: proto.opsetImport,
      functions: proto.functions,
      graph: {
        ...{ node: proto.graph!.node, input: proto.graph!.input, initializer: proto.graph!.initializer },
        output: proto.graph!.output.map(({ name }) => ({ name })),
      },
    }),
  )

export interface Judgement {
  readonly faults: readonly string[]
  readonly tally: Tally
}

/** What is false of what inference says about the outputs that a run of the model gave. */
export function judgeRun(
  model: Model,
  inputs: ReadonlyMap<number, TensorProto>,
  outputs: ReadonlyMap<number, Actual>,
  tally: Tally,
): string[] {
  const asDeclared: Way = { model, options: {}, bindings: new Map() }
  const ways = { asDeclared, opened: opened(model, inputs), closed: closed(model, inputs) }
  return Object.entries(ways).flatMap(([name, way]) => {
    bindElements(way.bindings, model, inputs)
    const inference = inferShapes(way.model, way.options)
    const { graph } = way.model
    const faults = [...outputs].map(([i, actual]) =>
      faultOf(`output ${i}`, inference.valueOf(graph, graph.outputs[i]!.name), actual, way.bindings, tally),
    )
    const found = inference.findings.map(({ message }) => message)
    return [...found, ...faults.filter((fault) => fault !== undefined)].map((fault) => `${name}: ${fault}`)
  })
}

/** What is false of what inference says about a test directory, and how much it says. */
export function judgeDirectory(folder: string): Judgement {
  const model = undeclared(readModel(readFileSync(path.join(folder, 'model.onnx'))))
  const tally = newTally()
  const sets = readdirSync(folder).filter((name) => name.startsWith('test_data_set'))
  const faults = sets.flatMap((set) => {
    const outputs = [...tensorsIn(path.join(folder, set), 'output')].map(([i, proto]) => [i, actualOf(proto)] as const)
    return judgeRun(model, tensorsIn(path.join(folder, set), 'input'), new Map(outputs), tally)
  })
  return { faults, tally }
}
