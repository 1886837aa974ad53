// Parts of an array that users hold. Memory that kernels compute in is given back when the array over it is collected, so
// a part of that array, and a part of the part, keeps it.
import type { TypedArray } from '../dtype/dtype.ts'

const wholes = new WeakMap<object, object>()
/** One function for arrays of every type. */
const { subarray } = Uint8Array.prototype

const keeping: PropertyDescriptor = {
  value(this: TypedArray, begin?: number, end?: number): TypedArray {
    return partOf(this, begin, end)
  },
}

/** From here on whatever `subarray` gives of the array keeps it. */
export const keepAliveByParts = (array: TypedArray): TypedArray => Object.defineProperty(array, 'subarray', keeping)

/** A part that keeps the array it is part of. */
export function partOf(array: TypedArray, begin?: number, end?: number): TypedArray {
  const part: TypedArray = subarray.call(array as Uint8Array, begin, end)
  wholes.set(part, array)
  return keepAliveByParts(part)
}
