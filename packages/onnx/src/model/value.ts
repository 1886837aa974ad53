// The declared types of values: element type, and shape in bcast's symbolic dimensions.
import type { Dim, SymbolicShape } from 'bcast'
import type {
  TensorShapeProto_Dimension as Dimension,
  SparseTensorProto,
  TensorProto,
  TensorShapeProto,
  TypeProto,
  ValueInfoProto,
} from '../proto/onnx_pb.ts'
import { type ElementType, elementTypeOf } from './element-type.ts'

/** What a value is declared to be. `element` is undefined where the file leaves it out or names no type of ONNX. */
export type ValueType =
  | { readonly kind: 'tensor' | 'sparse'; readonly element: ElementType | undefined; readonly shape: SymbolicShape }
  | { readonly kind: 'sequence' | 'optional'; readonly of: ValueType }
  | { readonly kind: 'map'; readonly key: ElementType | undefined; readonly of: ValueType }
  | { readonly kind: 'opaque'; readonly domain: string; readonly name: string }
  | { readonly kind: 'unknown' }

/** A named value: an input or output of a graph or function, or an entry of value_info. */
export interface Value {
  readonly name: string
  readonly type: ValueType
  /** Undefined for an input or output of a function that declares no type. */
  readonly proto: ValueInfoProto | undefined
}

export const unknownType: ValueType = { kind: 'unknown' }

/** A size as files have it; a negative one, which some exporters write for "any", is unknown. */
export function dimOfSize(size: bigint): Dim {
  const known = size >= 0n && size <= BigInt(Number.MAX_SAFE_INTEGER)
  return known ? Number(size) : null
}

function dimOf({ value }: Dimension): Dim {
  if (value.case === 'dimValue') return dimOfSize(value.value)
  return value.case === 'dimParam' && value.value !== '' ? value.value : null
}

/** A shape that the file leaves out is of unknown rank; one that is there and empty is a scalar's. */
const shapeOf = (shape: TensorShapeProto | undefined): SymbolicShape => shape?.dim.map(dimOf) ?? null

export function typeOf(proto: TypeProto | undefined): ValueType {
  const value = proto?.value
  switch (value?.case) {
    case 'tensorType':
      return { kind: 'tensor', element: elementTypeOf(value.value.elemType), shape: shapeOf(value.value.shape) }
    case 'sparseTensorType':
      return { kind: 'sparse', element: elementTypeOf(value.value.elemType), shape: shapeOf(value.value.shape) }
    case 'sequenceType':
      return { kind: 'sequence', of: typeOf(value.value.elemType) }
    case 'optionalType':
      return { kind: 'optional', of: typeOf(value.value.elemType) }
    case 'mapType':
      return { kind: 'map', key: elementTypeOf(value.value.keyType), of: typeOf(value.value.valueType) }
    case 'opaqueType':
      return { kind: 'opaque', domain: value.value.domain, name: value.value.name }
    default:
      return unknownType
  }
}

/** A size as it is written for people: `3`, `N`, `?`, `2..8`. */
const sizeText = (size: Dim): string =>
  typeof size === 'object' && size !== null ? `${size.min}..${size.max ?? ''}` : String(size ?? '?')

/** `(N,3,?)`; `(?…)` where the rank is not known. */
export const declaredShapeText = (shape: SymbolicShape): string =>
  shape === null ? '(?…)' : `(${shape.map(sizeText).join(',')})`

/** Sizes as JSON has them; an interval is a text. */
export const declaredShapeJson = (shape: NonNullable<SymbolicShape>): readonly (number | string | null)[] =>
  shape.map((size) => (typeof size === 'object' && size !== null ? sizeText(size) : size))

export const declaredValue = (proto: ValueInfoProto): Value => ({ name: proto.name, type: typeOf(proto.type), proto })

export const tensorTypeOf = ({ dataType, dims }: TensorProto): ValueType => ({
  kind: 'tensor',
  element: elementTypeOf(dataType),
  shape: dims.map(dimOfSize),
})

export const sparseTypeOf = ({ values, dims }: SparseTensorProto): ValueType => ({
  kind: 'sparse',
  element: elementTypeOf(values?.dataType ?? 0),
  shape: dims.map(dimOfSize),
})
