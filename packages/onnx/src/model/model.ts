// Models: read from bytes, looked at, written to bytes.
import { isFieldSet } from '@bufbuild/protobuf'
import { DamagedModelError, VersionError } from '../errors/index.ts'
import {
  type ModelProto,
  ModelProtoSchema,
  type OperatorSetIdProto,
  type TensorProto,
  TensorProtoSchema,
  Version,
} from '../proto/onnx_pb.ts'
import { type DecodeOptions, decode } from '../wire/decode.ts'
import { encode } from '../wire/encode.ts'
import { DEFAULTS_SINCE } from './defaults.ts'
import type { FunctionBody, Graph, Node } from './scope.ts'
import { domainOf, viewFunction, viewGraph } from './view.ts'

/** A model that was read. */
export interface Model {
  readonly proto: ModelProto
  readonly irVersion: number
  /** Versions of the imported operator sets, by domain; ONNX's own is ''. */
  readonly opsets: ReadonlyMap<string, number>
  readonly graph: Graph
  /** Functions that the model defines itself. */
  readonly functions: readonly FunctionBody[]
  /** The same by `functionKey`; see `functionOf`. */
  readonly functionsByKey: ReadonlyMap<string, FunctionBody>
}

interface Callee {
  readonly domain: string
  readonly name: string
  readonly overload: string
}

/** What tells one function from another. */
export const functionKey = ({ domain, name, overload }: Callee): string => JSON.stringify([domain, name, overload])

/** IR versions from the first that says which operator sets a model means, to the newest that is known here. */
export const irVersions: { readonly oldest: number; readonly newest: number } = {
  oldest: Version.IR_VERSION_2017_11_3,
  newest: Version.IR_VERSION,
}

/** The newest version that is known here of each operator set of ONNX, by domain: those of ONNX 1.23, as the messages are. */
export const newestOpsets: ReadonlyMap<string, number> = new Map([
  ['', 28],
  ['ai.onnx.ml', 5],
])

/** The first import of a domain counts; the structural checks report the others. */
function opsetsOf(imports: readonly OperatorSetIdProto[]): Map<string, number> {
  const opsets = new Map<string, number>()
  for (const { domain, version } of imports) {
    if (!opsets.has(domainOf(domain))) opsets.set(domainOf(domain), Number(version))
  }
  return opsets
}

function checkVersion(proto: ModelProto): void {
  if (!isFieldSet(proto, ModelProtoSchema.field.irVersion)) {
    throw new VersionError('the model has no IR version; every ONNX model says one.', undefined)
  }
  if (proto.irVersion < BigInt(irVersions.oldest)) {
    throw new VersionError(
      `the model has IR version ${proto.irVersion}, which does not say which operator sets it means; ` +
        `versions from ${irVersions.oldest} on do. Convert it with an early release of onnx.`,
      proto.irVersion,
    )
  }
}

/** Looks at a model's messages; again after they were edited, for a view does not follow. */
export function viewModel(proto: ModelProto): Model {
  if (proto.graph === undefined) throw new DamagedModelError('the model has no graph', 0, 'graph')
  checkVersion(proto)
  const opsets = opsetsOf(proto.opsetImport)
  const functions = proto.functions.map((body, i) => viewFunction(body, `functions[${i}]`, opsetsOf(body.opsetImport)))
  return {
    proto,
    irVersion: Number(proto.irVersion),
    opsets,
    graph: viewGraph(proto.graph, 'graph', opsets, undefined, proto.irVersion >= BigInt(DEFAULTS_SINCE)),
    functions,
    // From the last to the first, so that the first of several counts.
    functionsByKey: new Map(functions.toReversed().map((body) => [functionKey(body), body])),
  }
}

/**
 * A model from the bytes of an .onnx file. Weights stay where they are: raw_data fields are views into `bytes`.
 * Newer IR versions than the known ones are read too, for what they add is kept; `checkStructure` mentions it.
 *
 * @example
 * ```ts
 * readModel(bytes).graph.nodes.map(({ opType }) => opType) // ['Add']
 * ```
 */
export function readModel(bytes: Uint8Array, options?: DecodeOptions): Model {
  // No bytes are a sound message, of a model without anything.
  if (bytes.length === 0) throw new DamagedModelError('it is empty and ends', 0, '')
  return viewModel(decode(ModelProtoSchema, bytes, options))
}

/** A tensor message from the bytes of a .pb file, as ONNX's test data has them. */
export const readTensorProto = (bytes: Uint8Array, options?: DecodeOptions): TensorProto =>
  decode(TensorProtoSchema, bytes, options)

/**
 * The bytes of an .onnx file, from the messages as they are now.
 *
 * @example
 * ```ts
 * writeModel(readModel(bytes)) // bytes
 * ```
 */
export const writeModel = ({ proto }: Pick<Model, 'proto'>): Uint8Array => encode(ModelProtoSchema, proto)

/** A tensor as the bytes of a TensorProto, as `.pb` files hold it. */
export const writeTensorProto = (proto: TensorProto): Uint8Array => encode(TensorProtoSchema, proto)

/** The model's own function that a node calls, if it calls one. */
export const functionOf = ({ functionsByKey }: Model, { domain, opType, overload }: Node): FunctionBody | undefined =>
  functionsByKey.size === 0 ? undefined : functionsByKey.get(functionKey({ domain, name: opType, overload }))
