// ONNX's element types by number, and which of them bcast has.
import { type DType, dtypeInfo, dtypes } from 'bcast'
import { UnsupportedError } from '../errors/index.ts'
import { TensorProto_DataType as DataType } from '../proto/onnx_pb.ts'

/** Element types that a tensor can have here; `real` has no place in ONNX. */
export type OnnxDType = Exclude<DType, 'real'>

/** Element types of ONNX; those that bcast has bear bcast's names. */
export type ElementType =
  | OnnxDType
  | 'complex64'
  | 'complex128'
  | 'float8e4m3fn'
  | 'float8e4m3fnuz'
  | 'float8e5m2'
  | 'float8e5m2fnuz'
  | 'float8e8m0'
  | 'float6e2m3'
  | 'float6e3m2'
  | 'float4e2m1'
  | 'int4'
  | 'int2'
  | 'uint4'
  | 'uint2'

const names: Readonly<Record<number, ElementType>> = {
  [DataType.FLOAT]: 'float32',
  [DataType.UINT8]: 'uint8',
  [DataType.INT8]: 'int8',
  [DataType.UINT16]: 'uint16',
  [DataType.INT16]: 'int16',
  [DataType.INT32]: 'int32',
  [DataType.INT64]: 'int64',
  [DataType.STRING]: 'string',
  [DataType.BOOL]: 'bool',
  [DataType.FLOAT16]: 'float16',
  [DataType.DOUBLE]: 'float64',
  [DataType.UINT32]: 'uint32',
  [DataType.UINT64]: 'uint64',
  [DataType.COMPLEX64]: 'complex64',
  [DataType.COMPLEX128]: 'complex128',
  [DataType.BFLOAT16]: 'bfloat16',
  [DataType.FLOAT8E4M3FN]: 'float8e4m3fn',
  [DataType.FLOAT8E4M3FNUZ]: 'float8e4m3fnuz',
  [DataType.FLOAT8E5M2]: 'float8e5m2',
  [DataType.FLOAT8E5M2FNUZ]: 'float8e5m2fnuz',
  [DataType.UINT4]: 'uint4',
  [DataType.INT4]: 'int4',
  [DataType.FLOAT4E2M1]: 'float4e2m1',
  [DataType.FLOAT8E8M0]: 'float8e8m0',
  [DataType.UINT2]: 'uint2',
  [DataType.INT2]: 'int2',
  [DataType.FLOAT6E2M3]: 'float6e2m3',
  [DataType.FLOAT6E3M2]: 'float6e3m2',
}

/** The types that bcast has. */
const own: readonly string[] = dtypes.filter((dtype) => dtype !== 'real')

/** Bytes of one element in raw_data; 0 where raw_data cannot hold it. */
export const bytesOf = (dtype: OnnxDType): number => dtypeInfo(dtype).bytes

/** The element type that a TensorProto.DataType number names; undefined for 0 and for numbers ONNX does not have. */
export const elementTypeOf = (dataType: number): ElementType | undefined => names[dataType]

/** Whether bcast has the type. */
export const isDType = (type: ElementType | undefined): type is OnnxDType => type !== undefined && own.includes(type)

/**
 * The number of a type, as files have it.
 *
 * @example
 * ```ts
 * dataTypeOf('float32') // 1
 * ```
 */
export function dataTypeOf(dtype: OnnxDType): number {
  return Number(Object.keys(names).find((number) => names[Number(number)] === dtype))
}

/**
 * The type of bcast that a number names; throws an UnsupportedError that says which type it is.
 *
 * @example
 * ```ts
 * dtypeOf(1) // 'float32'
 * ```
 */
export function dtypeOf(dataType: number, where: string): OnnxDType {
  const type = elementTypeOf(dataType)
  if (isDType(type)) return type
  const what = type ?? `number ${dataType}`
  throw new UnsupportedError(
    `${where} has element type ${what}, which bcast does not have. It has ${own.join(', ')}.`,
    what,
  )
}
