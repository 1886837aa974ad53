// The element types and the mathematical sets they stand for.

export type FloatType = 'float16' | 'bfloat16' | 'float32' | 'float64'
export type IntegerType = 'int8' | 'int16' | 'int32' | 'int64' | 'uint8' | 'uint16' | 'uint32' | 'uint64'
export type DType = FloatType | IntegerType | 'bool' | 'string' | 'real'

export const floatTypes: readonly FloatType[] = ['float16', 'bfloat16', 'float32', 'float64']
export const integerTypes: readonly IntegerType[] = [
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
]
export const dtypes: readonly DType[] = [...floatTypes, ...integerTypes, 'bool', 'string', 'real']

export const isFloat = (dtype: DType): dtype is FloatType => floatTypes.some((name) => name === dtype)
export const isInteger = (dtype: DType): dtype is IntegerType => integerTypes.some((name) => name === dtype)

export const isSigned = (dtype: IntegerType): boolean => dtype.startsWith('int')
export const widthOf = (dtype: IntegerType): number => Number(dtype.replace(/^u?int/, ''))
