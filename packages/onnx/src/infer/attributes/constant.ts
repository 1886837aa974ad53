// The value of a Constant, which one of several attributes holds.
import type { SparseTensorProto, TensorProto } from '../../proto/onnx_pb.ts'
import type { Said } from './said.ts'

export type ConstantValue =
  | { readonly kind: 'tensor'; readonly proto: TensorProto }
  | { readonly kind: 'sparse'; readonly proto: SparseTensorProto }
  | Elements<'int64', bigint>
  | Elements<'float32', number>
  | Elements<'string', string>

interface Elements<Element extends string, Value> {
  readonly kind: Element
  /** One for a scalar. */
  readonly values: readonly Value[]
  readonly isScalar: boolean
}

type Read = (attributes: Said['attributes'], name: string) => ConstantValue

const forms: Readonly<Record<string, Read>> = {
  value: (given, name) => ({ kind: 'tensor', proto: given.tensor(name) }),
  sparse_value: (given, name) => ({ kind: 'sparse', proto: given.sparseTensor(name) }),
  value_int: (given, name) => ({ kind: 'int64', values: [given.bigint(name)], isScalar: true }),
  value_ints: (given, name) => ({ kind: 'int64', values: given.bigints(name), isScalar: false }),
  value_float: (given, name) => ({ kind: 'float32', values: [given.float(name)], isScalar: true }),
  value_floats: (given, name) => ({ kind: 'float32', values: given.floats(name), isScalar: false }),
  value_string: (given, name) => ({ kind: 'string', values: [given.string(name)], isScalar: true }),
  value_strings: (given, name) => ({ kind: 'string', values: given.strings(name), isScalar: false }),
}

/** Undefined where no attribute holds one. */
export function constantValue({ attributes }: Said): ConstantValue | undefined {
  const name = attributes.names.find((each) => Object.hasOwn(forms, each))
  return name === undefined ? undefined : forms[name]!(attributes, name)
}

/** What ConstantOfShape fills a shape with; undefined for zeros of float32. */
export const fillValue = ({ attributes }: Said): TensorProto | undefined => attributes.tensor('value', undefined)
