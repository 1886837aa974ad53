// The attributes of a node by name and type. A value that is there under another type is never converted: asking for
// the wrong one is an error that says what the attribute is.
import { isFieldSet } from '@bufbuild/protobuf'
import { AttributeError } from '../errors/index.ts'
import {
  type AttributeProto,
  AttributeProtoSchema,
  AttributeProto_AttributeType as AttributeType,
  type SparseTensorProto,
  type TensorProto,
} from '../proto/onnx_pb.ts'
import { typeOf, type ValueType } from './value.ts'

/** The kind of an attribute. */
export type AttributeKind =
  | 'float'
  | 'int'
  | 'string'
  | 'tensor'
  | 'graph'
  | 'sparse tensor'
  | 'type'
  | 'floats'
  | 'ints'
  | 'strings'
  | 'tensors'
  | 'graphs'
  | 'sparse tensors'
  | 'types'
  /** Stands for an attribute of the function it is in. */
  | 'reference'
  /** The file names no type, or one that this version of ONNX does not have. */
  | 'unknown'

interface KindRow {
  readonly kind: AttributeKind
  readonly field: keyof typeof AttributeProtoSchema.field
}

const kinds: Readonly<Record<number, KindRow>> = {
  [AttributeType.FLOAT]: { kind: 'float', field: 'f' },
  [AttributeType.INT]: { kind: 'int', field: 'i' },
  [AttributeType.STRING]: { kind: 'string', field: 's' },
  [AttributeType.TENSOR]: { kind: 'tensor', field: 't' },
  [AttributeType.GRAPH]: { kind: 'graph', field: 'g' },
  [AttributeType.SPARSE_TENSOR]: { kind: 'sparse tensor', field: 'sparseTensor' },
  [AttributeType.TYPE_PROTO]: { kind: 'type', field: 'tp' },
  [AttributeType.FLOATS]: { kind: 'floats', field: 'floats' },
  [AttributeType.INTS]: { kind: 'ints', field: 'ints' },
  [AttributeType.STRINGS]: { kind: 'strings', field: 'strings' },
  [AttributeType.TENSORS]: { kind: 'tensors', field: 'tensors' },
  [AttributeType.GRAPHS]: { kind: 'graphs', field: 'graphs' },
  [AttributeType.SPARSE_TENSORS]: { kind: 'sparse tensors', field: 'sparseTensors' },
  [AttributeType.TYPE_PROTOS]: { kind: 'types', field: 'typeProtos' },
}

/** What an attribute holds. The oldest files leave its type out, and the field with a value shows it. */
export function attributeKind(proto: AttributeProto): AttributeKind {
  if (proto.refAttrName !== '') return 'reference'
  const said = kinds[proto.type]
  if (said !== undefined) return said.kind
  const shown = Object.values(kinds).find(({ field }) => isFieldSet(proto, AttributeProtoSchema.field[field]))
  return shown?.kind ?? 'unknown'
}

const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A graph in an attribute, in whatever form the layer above gives it. */
interface GraphAttribute<Graph> {
  readonly attribute: string
  readonly graph: Graph
}

/**
 * Attributes by name. Each accessor takes a second argument to return when there is no such attribute; without it a
 * missing attribute is an error.
 */
export class Attributes<Graph = unknown> {
  private readonly protos: readonly AttributeProto[]
  private readonly subgraphs: readonly GraphAttribute<Graph>[]
  private readonly owner: () => string

  constructor(owner: () => string, protos: readonly AttributeProto[], subgraphs: readonly GraphAttribute<Graph>[]) {
    this.owner = owner
    this.protos = protos
    this.subgraphs = subgraphs
  }

  /** In the order of the file. */
  get names(): readonly string[] {
    return this.protos.map(({ name }) => name)
  }

  has(name: string): boolean {
    return this.proto(name) !== undefined
  }

  /** Undefined when there is no such attribute. */
  kind(name: string): AttributeKind | undefined {
    const proto = this.proto(name)
    return proto && attributeKind(proto)
  }

  /** The message itself, to read what no accessor reads or to edit. */
  proto(name: string): AttributeProto | undefined {
    return this.protos.find((proto) => proto.name === name)
  }

  /** An integer of 64 bits as a number; one beyond 2^53 is an error, see `bigint`. */
  int<F = never>(name: string, ...otherwise: readonly F[]): number | F {
    return this.read(name, 'int', otherwise, ({ i }) => this.exact(name, i))
  }

  bigint<F = never>(name: string, ...otherwise: readonly F[]): bigint | F {
    return this.read(name, 'int', otherwise, ({ i }) => i)
  }

  float<F = never>(name: string, ...otherwise: readonly F[]): number | F {
    return this.read(name, 'float', otherwise, ({ f }) => f)
  }

  string<F = never>(name: string, ...otherwise: readonly F[]): string | F {
    return this.read(name, 'string', otherwise, ({ s }) => this.decoded(name, s))
  }

  tensor<F = never>(name: string, ...otherwise: readonly F[]): TensorProto | F {
    return this.read(name, 'tensor', otherwise, ({ t }) => t ?? this.empty(name, 'tensor'))
  }

  sparseTensor<F = never>(name: string, ...otherwise: readonly F[]): SparseTensorProto | F {
    return this.read(
      name,
      'sparse tensor',
      otherwise,
      ({ sparseTensor }) => sparseTensor ?? this.empty(name, 'sparse tensor'),
    )
  }

  graph<F = never>(name: string, ...otherwise: readonly F[]): Graph | F {
    return this.read(name, 'graph', otherwise, () => this.graphsOf(name)[0] ?? this.empty(name, 'graph'))
  }

  type<F = never>(name: string, ...otherwise: readonly F[]): ValueType | F {
    return this.read(name, 'type', otherwise, ({ tp }) => typeOf(tp))
  }

  ints<F = never>(name: string, ...otherwise: readonly F[]): readonly number[] | F {
    return this.read(name, 'ints', otherwise, ({ ints }) => ints.map((value) => this.exact(name, value)))
  }

  bigints<F = never>(name: string, ...otherwise: readonly F[]): readonly bigint[] | F {
    return this.read(name, 'ints', otherwise, ({ ints }) => ints)
  }

  floats<F = never>(name: string, ...otherwise: readonly F[]): readonly number[] | F {
    return this.read(name, 'floats', otherwise, ({ floats }) => floats)
  }

  strings<F = never>(name: string, ...otherwise: readonly F[]): readonly string[] | F {
    return this.read(name, 'strings', otherwise, ({ strings }) => strings.map((bytes) => this.decoded(name, bytes)))
  }

  tensors<F = never>(name: string, ...otherwise: readonly F[]): readonly TensorProto[] | F {
    return this.read(name, 'tensors', otherwise, ({ tensors }) => tensors)
  }

  graphs<F = never>(name: string, ...otherwise: readonly F[]): readonly Graph[] | F {
    return this.read(name, 'graphs', otherwise, () => this.graphsOf(name))
  }

  /** The attribute of the enclosing function that this one stands for. */
  reference<F = never>(name: string, ...otherwise: readonly F[]): string | F {
    return this.read(name, 'reference', otherwise, ({ refAttrName }) => refAttrName)
  }

  private graphsOf(name: string): readonly Graph[] {
    return this.subgraphs.filter(({ attribute }) => attribute === name).map(({ graph }) => graph)
  }

  private read<T, F>(
    name: string,
    kind: AttributeKind,
    otherwise: readonly F[],
    of: (proto: AttributeProto) => T,
  ): T | F {
    const proto = this.proto(name)
    if (proto === undefined) {
      if (otherwise.length > 0) return otherwise[0]!
      const have = this.names.length === 0 ? 'it has none' : `it has ${this.names.join(', ')}`
      throw new AttributeError(this.owner(), name, `is missing; ${have}.`)
    }
    const got = attributeKind(proto)
    if (got === kind) return of(proto)
    const refers = got === 'reference' ? ` to attribute ${JSON.stringify(proto.refAttrName)} of the function` : ''
    throw new AttributeError(this.owner(), name, `is of kind ${got}${refers}, not ${kind}.`)
  }

  private empty(name: string, kind: AttributeKind): never {
    throw new AttributeError(this.owner(), name, `says it holds a ${kind} and holds none.`)
  }

  private exact(name: string, value: bigint): number {
    const number = Number(value)
    if (Number.isSafeInteger(number)) return number
    throw new AttributeError(this.owner(), name, `holds ${value}, beyond 2^53; read it as bigint.`)
  }

  private decoded(name: string, bytes: Uint8Array): string {
    try {
      return text.decode(bytes)
    } catch {
      throw new AttributeError(this.owner(), name, 'is not UTF-8 text; its bytes are in the message.')
    }
  }
}
