// Nodes and constants that are added to one scope, each once: what an equal node before already makes is taken from it.
// So nothing is computed twice, and a model that was rewritten before is found to have what it needs.
import { create } from '@bufbuild/protobuf'
import { constantNode, type FreshNames, int64s } from '../model/build.ts'
import { defaultOf } from '../model/defaults.ts'
import type { Node, Scope } from '../model/scope.ts'
import { tensorOf } from '../model/tensor-data.ts'
import {
  type AttributeProto,
  TensorProto_DataLocation as DataLocation,
  TensorProto_DataType as DataType,
  type NodeProto,
  NodeProtoSchema,
  type TensorProto,
} from '../proto/onnx_pb.ts'

/** What stands for a value: a node of ONNX's own with one output. */
export interface Wanted {
  readonly operator: string
  readonly inputs: readonly string[]
  readonly attributes?: readonly AttributeProto[]
}

/** Where values of small computations come from: looked up, or made. */
export interface Maker<Result> {
  vector(values: readonly number[]): Result
  value(wanted: Wanted, hint: string): Result
}

interface Place {
  readonly output: string
  /** Before which node of the scope it is there. */
  readonly index: number
}

/** Vectors of more elements than this are no shapes. */
const MAX_LENGTH = 64

const attributeKey = ({ name, i, ints }: AttributeProto): string => `${name}=${i},${ints.join(' ')}`

const keyOf = ({ operator, inputs, attributes = [] }: Wanted): string =>
  JSON.stringify([operator, inputs, attributes.map(attributeKey).sort()])

/** The integers of a small vector. */
function vectorOf(proto: TensorProto | undefined): readonly bigint[] | undefined {
  const isSmall = proto?.dims.length === 1 && proto.dims[0]! <= MAX_LENGTH && proto.dims[0]! >= 0n
  if (!isSmall || proto.dataType !== DataType.INT64 || proto.dataLocation === DataLocation.EXTERNAL) return undefined
  return Array.from(tensorOf(proto).data as BigInt64Array)
}

/** Operators whose nodes are worth finding again, with attributes that a key can tell apart. */
const findable = new Set(['Shape', 'Gather', 'Concat', 'Expand', 'Unsqueeze', 'Squeeze'])

export class Additions implements Maker<string> {
  readonly scope: Scope
  /** Nodes to put before the node of an index. */
  readonly before: Map<number, NodeProto[]> = new Map()
  readonly initializers: TensorProto[] = []
  /** What was made so far, in its order. */
  readonly made: { readonly nodes: NodeProto[]; readonly vectors: string[] } = { nodes: [], vectors: [] }
  /** Values of the scope that are read instead of being made again. */
  readonly found: Set<string> = new Set()
  readonly #names: FreshNames
  readonly #constantsAreNodes: boolean
  readonly #values = new Map<string, Place>()
  readonly #vectors = new Map<string, Place>()
  #at = 0

  constructor(scope: Scope, names: FreshNames, constantsAreNodes: boolean) {
    this.scope = scope
    this.#names = names
    this.#constantsAreNodes = constantsAreNodes
    this.#index()
  }

  /** What follows is needed by this node. Nodes are visited in their order. */
  visit({ index }: Node): void {
    this.#at = index
  }

  /** A name that the model does not have. */
  name(hint: string): string {
    return this.#names.make(hint)
  }

  /** What is there already, as far as the node that is visited can read it. */
  readonly there: Maker<string | undefined> = {
    vector: (values) => this.#readable(this.#vectors.get(values.join())),
    value: (wanted) => this.#readable(this.#values.get(keyOf(wanted))),
  }

  vector(values: readonly number[]): string {
    const known = this.there.vector(values)
    if (known !== undefined) return this.#reread(known)
    const name = this.#names.make(`explicit.${values.join('_') || 'scalar'}`)
    this.made.vectors.push(name)
    if (this.#constantsAreNodes) this.#put(constantNode(name, int64s(values)))
    else this.initializers.push(int64s(values, name))
    this.#vectors.set(values.join(), { output: name, index: this.#at })
    return name
  }

  value(wanted: Wanted, hint: string): string {
    const known = this.there.value(wanted, hint)
    if (known !== undefined) return this.#reread(known)
    const { operator, inputs, attributes = [] } = wanted
    const name = this.#names.make(hint)
    const fields = { opType: operator, name, input: [...inputs], output: [name], attribute: [...attributes] }
    const proto = create(NodeProtoSchema, fields)
    this.made.nodes.push(proto)
    this.#put(proto)
    this.#values.set(keyOf(wanted), { output: name, index: this.#at })
    return name
  }

  /** Puts a node before the one that is visited. */
  #put(proto: NodeProto): void {
    const list = this.before.get(this.#at)
    if (list === undefined) this.before.set(this.#at, [proto])
    else list.push(proto)
  }

  #reread(name: string): string {
    this.found.add(name)
    return name
  }

  #readable(place: Place | undefined): string | undefined {
    return place !== undefined && place.index <= this.#at ? place.output : undefined
  }

  #index(): void {
    const { scope } = this
    if (scope.kind === 'graph') {
      for (const { name, sparse, proto } of scope.initializers.values()) {
        // A run may replace a default.
        if (!sparse && defaultOf(scope, name) === undefined)
          this.#keepVector(vectorOf(proto), { output: name, index: 0 })
      }
    }
    for (const node of scope.nodes) this.#keep(node)
  }

  #keep({ domain, opType, inputs, outputs, proto, index, attributes }: Node): void {
    const [output, ...others] = outputs
    if (domain !== '' || output === undefined || output === '' || others.length > 0) return
    const place = { output, index: index + 1 }
    if (opType === 'Constant' && attributes.kind('value') === 'tensor') {
      this.#keepVector(vectorOf(attributes.tensor('value')), place)
    } else if (findable.has(opType) && proto.attribute.every(({ refAttrName }) => refAttrName === '')) {
      const key = keyOf({ operator: opType, inputs, attributes: proto.attribute })
      if (!this.#values.has(key)) this.#values.set(key, place)
    }
  }

  #keepVector(values: readonly bigint[] | undefined, place: Place): void {
    const key = values?.join()
    if (key !== undefined && !this.#vectors.has(key)) this.#vectors.set(key, place)
  }
}
