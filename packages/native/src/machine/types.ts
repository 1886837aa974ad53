// What every kind of code says of element types.
import { bitsOf, type DType } from 'bcast/kernels'

export const bytesOf = (dtype: DType): number => bitsOf(dtype) / 8
