// Everything that can be done with a model, done to a file that may be anything. Errors of the package and of the
// library are answers; any other error is a bug.
import {
  type Attributes,
  attributeKind,
  census,
  checkModel,
  checkStructure,
  inferShapes,
  type Model,
  makeExplicit,
  memoryFiles,
  OnnxError,
  prepareModel,
  readModel,
  reportText,
  type Scope,
  scopesOf,
  tensorOf,
  writeModel,
} from '@bcast/onnx'
import { ModelProtoSchema, type TensorProto } from '@bcast/onnx/proto'
import { createRegistry, equals } from '@bufbuild/protobuf'

export type Outcome = { readonly read: boolean; readonly code: string }

const registry = createRegistry()
const files = memoryFiles({ 'data.bin': new Uint8Array(8) })

function attempt(use: () => unknown): void {
  try {
    use()
  } catch (error) {
    if (!(error instanceof OnnxError)) throw error
  }
}

function tensorsOf(scope: Scope): TensorProto[] {
  const attributes = scope.nodes.flatMap(({ proto }) => proto.attribute)
  const held = attributes.flatMap(({ t, tensors }) => [...(t === undefined ? [] : [t]), ...tensors])
  return scope.kind === 'graph' ? [...scope.proto.initializer, ...held] : held
}

const accessors = ['int', 'bigint', 'float', 'string', 'tensor', 'graph', 'type', 'ints', 'floats', 'strings'] as const

function readAttributes(attributes: Attributes): void {
  // A node may have thousands of attributes, and finding one looks through them all.
  for (const name of attributes.names.slice(0, 20)) {
    const proto = attributes.proto(name)
    if (proto !== undefined) attributeKind(proto)
    for (const accessor of accessors) attempt(() => attributes[accessor](name))
  }
}

function roundTrip(model: Model): void {
  const again = readModel(writeModel(model))
  // NaN is equal to itself here: messages are compared by their bytes when they hold one.
  if (equals(ModelProtoSchema, model.proto, again.proto, { registry, unknown: true })) return
  const [one, other] = [writeModel(model), writeModel(again)]
  if (Buffer.compare(one, other) !== 0) throw new Error('a model changed when it was written and read again')
}

function useModel(model: Model): void {
  checkStructure(model)
  for (const scope of scopesOf(model)) {
    for (const tensor of tensorsOf(scope)) attempt(() => tensorOf(tensor, { files }))
    for (const { attributes } of scope.nodes) readAttributes(attributes)
  }
  inferShapes(model, { files }).symbols()
  reportText(checkModel(model, { files, profile: 'sonnx-strict' }))
  census([{ name: 'model', model }])
  attempt(() => makeExplicit(model, { files }))
  attempt(() => prepareModel(model, { files }))
  roundTrip(model)
}

/** What became of a file; throws what is neither a model nor a typed error. */
export function exercise(bytes: Uint8Array): Outcome {
  let model: Model
  try {
    model = readModel(bytes)
  } catch (error) {
    if (!(error instanceof OnnxError)) throw error
    return { read: false, code: error.code }
  }
  useModel(model)
  return { read: true, code: 'read' }
}
