// What every kind of code says of element types.
import { bitsOf, type DType, kindOf } from 'bcast/kernels'

export const bytesOf = (dtype: DType): number => bitsOf(dtype) / 8

export const isSigned = (dtype: DType): boolean => kindOf(dtype) === 'int'

export const isHalf = (dtype: DType): boolean => dtype === 'float16' || dtype === 'bfloat16'
