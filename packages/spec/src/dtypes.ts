// The element types and the mathematical sets they stand for.

/** The name of a floating-point type. */
export type FloatType = 'float16' | 'bfloat16' | 'float32' | 'float64'

/** The name of an integer type. */
export type IntegerType = 'int8' | 'int16' | 'int32' | 'int64' | 'uint8' | 'uint16' | 'uint32' | 'uint64'

/** The name of an element type. */
export type DType = FloatType | IntegerType | 'bool' | 'string' | 'real'

/** The names of the floating-point types. */
export const floatTypes: readonly FloatType[] = ['float16', 'bfloat16', 'float32', 'float64']

/** The names of the integer types. */
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

/** The names of all element types. */
export const dtypes: readonly DType[] = [...floatTypes, ...integerTypes, 'bool', 'string', 'real']

/** Whether a type is a floating-point type. */
export const isFloat = (dtype: DType): dtype is FloatType => floatTypes.some((name) => name === dtype)

/** Whether a type is an integer type. */
export const isInteger = (dtype: DType): dtype is IntegerType => integerTypes.some((name) => name === dtype)

export const isSigned = (dtype: IntegerType): boolean => dtype.startsWith('int')
export const widthOf = (dtype: IntegerType): number => Number(dtype.replace(/^u?int/, ''))
