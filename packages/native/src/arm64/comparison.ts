// Comparisons of vectors, which give masks.
import { type DType, isFloat } from 'bcast/kernels'
import { bytesOf, isSigned } from '../machine/types.ts'
import type { VectorName } from './forms.ts'
import type { Virtual } from './steps.ts'
import type { Writer } from './vectors.ts'

export type Predicate = 'equal' | 'less' | 'lessEqual'

/** Instructions for floats, signed and unsigned integers; those that order have their operands the other way round. */
const NAMES: Readonly<Record<Predicate, readonly [VectorName, VectorName, VectorName]>> = {
  equal: ['fcmeq', 'cmeq', 'cmeq'],
  less: ['fcmgt', 'cmgt', 'cmhi'],
  lessEqual: ['fcmge', 'cmge', 'cmhs'],
}

/** A comparison of two parts, as a mask. */
export function compared(w: Writer, predicate: Predicate, dtype: DType, a: Virtual, b: Virtual): Virtual {
  const name = NAMES[predicate][isFloat(dtype) ? 0 : isSigned(dtype) ? 1 : 2]!
  return w.op(name, bytesOf(dtype), b, a)
}
