// What the wire format needs to know of each message: its fields by number, how each is encoded and where it goes.
// Read once from the generated descriptors, so that the reader never asks them per byte.
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf'
import { WireType } from '@bufbuild/protobuf/wire'

/** How the elements of a field are encoded. ONNX uses these and no others. */
export type FieldKind = 'message' | 'string' | 'bytes' | 'enum' | 'int32' | 'int64' | 'uint64' | 'float' | 'double'

export interface FieldRow {
  readonly number: number
  /** As the .proto file spells it. */
  readonly name: string
  /** The property of the message, or of the oneof's case. */
  readonly property: string
  readonly kind: FieldKind
  readonly repeated: boolean
  /** The property of the oneof that the field belongs to. */
  readonly oneof: string | undefined
  /** The wire type of one element; a repeated number may also come packed. */
  readonly wire: WireType
  /** The message a field of kind `message` holds. */
  readonly message: DescMessage | undefined
  /** The values a field of kind `enum` may take. */
  readonly values: ReadonlySet<number> | undefined
}

export interface MessageTable {
  readonly desc: DescMessage
  readonly fields: ReadonlyMap<number, FieldRow>
  /** Bytes of memory that an empty message and its view take. */
  readonly cost: number
}

const SCALARS: Readonly<Partial<Record<ScalarType, FieldKind>>> = {
  [ScalarType.STRING]: 'string',
  [ScalarType.BYTES]: 'bytes',
  [ScalarType.INT32]: 'int32',
  [ScalarType.INT64]: 'int64',
  [ScalarType.UINT64]: 'uint64',
  [ScalarType.FLOAT]: 'float',
  [ScalarType.DOUBLE]: 'double',
}

const WIRE_OF: Readonly<Record<FieldKind, WireType>> = {
  message: WireType.LengthDelimited,
  string: WireType.LengthDelimited,
  bytes: WireType.LengthDelimited,
  enum: WireType.Varint,
  int32: WireType.Varint,
  int64: WireType.Varint,
  uint64: WireType.Varint,
  float: WireType.Bit32,
  double: WireType.Bit64,
}

function kindOf(field: DescField): FieldKind {
  if (field.message !== undefined) return 'message'
  if (field.enum !== undefined) return 'enum'
  const kind = field.scalar === undefined ? undefined : SCALARS[field.scalar]
  if (kind === undefined) throw new TypeError(`${field.toString()} has an encoding that ONNX does not use`)
  return kind
}

function rowOf(field: DescField): FieldRow {
  const kind = kindOf(field)
  return {
    number: field.number,
    name: field.name,
    property: field.localName,
    kind,
    repeated: field.fieldKind === 'list',
    oneof: field.oneof?.localName,
    wire: WIRE_OF[kind],
    message: field.message,
    values: field.enum === undefined ? undefined : new Set(field.enum.values.map(({ number }) => number)),
  }
}

/** What the typed view of a model keeps beside the message, in bytes; measured on V8 and rounded up. */
const viewCosts: Readonly<Record<string, number>> = {
  'onnx.GraphProto': 1400,
  'onnx.FunctionProto': 1700,
  'onnx.NodeProto': 320,
  'onnx.TensorProto': 300,
  'onnx.ValueInfoProto': 160,
}

// Measured on V8: the object itself, an empty array for each repeated field, a case object for each oneof.
const costOf = ({ typeName, fields, oneofs }: DescMessage): number =>
  72 +
  40 * fields.filter(({ fieldKind }) => fieldKind === 'list').length +
  40 * oneofs.length +
  (viewCosts[typeName] ?? 0)

const tables = new WeakMap<DescMessage, MessageTable>()

export function tableOf(desc: DescMessage): MessageTable {
  let table = tables.get(desc)
  if (table === undefined) {
    table = { desc, fields: new Map(desc.fields.map((field) => [field.number, rowOf(field)])), cost: costOf(desc) }
    tables.set(desc, table)
  }
  return table
}
