// Pieces that edits of models are made of: messages with other fields, small constants, attributes, names that are free.
import { create } from '@bufbuild/protobuf'
import {
  type AttributeProto,
  AttributeProtoSchema,
  AttributeProto_AttributeType as AttributeType,
  TensorProto_DataType as DataType,
  type NodeProto,
  NodeProtoSchema,
  type TensorProto,
  TensorProtoSchema,
} from '../proto/onnx_pb.ts'

/** A message with other fields; those that are not set come from the prototype, so it is kept. */
export const changed = <T extends object>(message: T, fields: Partial<T>): T =>
  Object.assign(Object.create(Object.getPrototypeOf(message)), message, fields)

/** A vector of integers, as shapes and axes are. */
export const int64s = (values: readonly number[], name?: string): TensorProto =>
  create(TensorProtoSchema, {
    dims: [BigInt(values.length)],
    dataType: DataType.INT64,
    int64Data: values.map(BigInt),
    ...(name === undefined ? {} : { name }),
  })

export const intAttribute = (name: string, value: number): AttributeProto =>
  create(AttributeProtoSchema, { name, type: AttributeType.INT, i: BigInt(value) })

export const intsAttribute = (name: string, values: readonly number[]): AttributeProto =>
  create(AttributeProtoSchema, { name, type: AttributeType.INTS, ints: values.map(BigInt) })

/** A node of ONNX's own that holds a tensor. */
export const constantNode = (name: string, tensor: TensorProto): NodeProto =>
  create(NodeProtoSchema, {
    opType: 'Constant',
    name,
    output: [name],
    attribute: [create(AttributeProtoSchema, { name: 'value', type: AttributeType.TENSOR, t: tensor })],
  })

/** Names that a model does not have yet. */
export class FreshNames {
  readonly #taken: Set<string>
  /** The number to try next, so that many of one hint take no longer than many of several. */
  readonly #next = new Map<string, number>()

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  /** `hint`, or `hint_2` and so on; taken from now on. */
  make(hint: string): string {
    let name = hint
    let next = this.#next.get(hint) ?? 2
    while (this.#taken.has(name)) name = `${hint}_${next++}`
    this.#next.set(hint, next)
    this.#taken.add(name)
    return name
  }
}
