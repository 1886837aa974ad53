// The sets of element types that operator tables are written in.
import { type DType, dtypes } from '../dtype/dtype.ts'

const ORDER = new Map<string, number>(dtypes.map((dtype, i) => [dtype, i]))

/** A union in the one order that messages use. */
export const union = (...sets: readonly (readonly DType[])[]): readonly DType[] =>
  [...new Set(sets.flat())].sort((a, b) => ORDER.get(a)! - ORDER.get(b)!)

/** float16 float32 float64. */
export const F3: readonly DType[] = ['float16', 'float32', 'float64']
/** F3 and bfloat16. */
export const F4: readonly DType[] = /* @__PURE__ */ union(F3, ['bfloat16'])
export const SIGNED: readonly DType[] = ['int8', 'int16', 'int32', 'int64']
export const UNSIGNED: readonly DType[] = ['uint8', 'uint16', 'uint32', 'uint64']
/** The integers of 32 and 64 bits. */
export const I4: readonly DType[] = ['int32', 'int64', 'uint32', 'uint64']
export const I8: readonly DType[] = /* @__PURE__ */ union(SIGNED, UNSIGNED)
export const BOOL: readonly DType[] = ['bool']
export const STRING: readonly DType[] = ['string']
export const REAL: readonly DType[] = ['real']
/** Every type of ONNX that bcast has, before bfloat16 came. */
export const ALL: readonly DType[] = /* @__PURE__ */ union(I8, F3, STRING, BOOL)
/** Every numeric type of OpenVINO. */
export const NUMERIC: readonly DType[] = /* @__PURE__ */ union(I8, F4)
