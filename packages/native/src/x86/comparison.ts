// Comparisons of vectors, which give masks.
import { type DType, isFloat, kindOf } from 'bcast/kernels'
import type { VectorName } from './forms.ts'
import { suffixOf } from './names.ts'
import type { Bits } from './registers.ts'
import type { Virtual } from './steps.ts'
import { bytesOf, type Writer } from './vectors.ts'

/** Predicates of comparisons, of floats and of integers. */
const PREDICATES = { equal: 0, less: 1, lessEqual: 2, notEqual: 4 } as const
export type Predicate = keyof typeof PREDICATES

/** A comparison of two parts, as a mask. */
export function compared(w: Writer, predicate: Predicate, dtype: DType, bits: Bits, a: Virtual, b: Virtual): Virtual {
  const width = bytesOf(dtype)
  const code = PREDICATES[predicate]
  if (isFloat(dtype)) {
    const name = dtype === 'float32' ? 'vcmpps' : 'vcmppd'
    return w.isWide ? w.compared(name, width, bits, a, b, code) : w.op(name, bits, a, b, code)
  }
  const unsigned = kindOf(dtype) !== 'int'
  if (w.isWide) {
    return w.compared(`vpcmp${unsigned ? 'u' : ''}${suffixOf(dtype)}` as VectorName, width, bits, a, b, code)
  }
  const not = (mask: Virtual): Virtual => w.xor(bits, mask, w.ones())
  if (code % 4 === 0) {
    const same = w.op(`vpcmpeq${suffixOf(dtype)}` as VectorName, bits, a, b)
    return code === 0 ? same : not(same)
  }
  // There is "greater" for signed numbers; with their highest bits turned, unsigned ones have its order.
  const turned = (x: Virtual): Virtual =>
    unsigned ? w.xor(bits, x, w.constant(dtype, 1n << BigInt(8 * width - 1))) : x
  const greater = `vpcmpgt${suffixOf(dtype)}` as VectorName
  return code === 1 ? w.op(greater, bits, turned(b), turned(a)) : not(w.op(greater, bits, turned(a), turned(b)))
}
