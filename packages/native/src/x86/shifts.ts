// Shifts by amounts of their own for each element; amounts lie within the width of the type.
import { type DType, kindOf } from 'bcast/kernels'
import { compared } from './comparison.ts'
import type { VectorName } from './forms.ts'
import { suffixOf } from './names.ts'
import { resize } from './resize.ts'
import { bytesOf, eachPart, type Vector, type Writer } from './vectors.ts'

export function shift(w: Writer, direction: 'l' | 'r', dtype: DType, operands: readonly Vector[]): Vector {
  const signed = kindOf(dtype) === 'int'
  const width = bytesOf(dtype)
  const least = w.isWide ? 2 : 4
  if (width < least) {
    // No shifts of such elements by lane: wider ones have them, with the sign in front.
    const words = operands.map((operand, i) => resize(w, operand, least, i === 0 && signed))
    const own = `${signed ? '' : 'u'}int${8 * least}` as DType
    return resize(w, shift(w, direction, own, words), width, false)
  }
  const arithmetic = direction === 'r' && signed
  if (arithmetic && width === 8 && !w.isWide) {
    // With all bits turned where the number is negative, zeros come in as ones.
    return eachPart(w, operands, 8, ([a, n], bits) => {
      const sign = compared(w, 'less', dtype, bits, a!, w.zeros())
      return w.xor(bits, w.op('vpsrlvq', bits, w.xor(bits, a!, sign), n!), sign)
    })
  }
  const name = `vps${direction}${arithmetic ? 'a' : 'l'}v${suffixOf(dtype)}` as VectorName
  return eachPart(w, operands, width, ([a, n], bits) => w.op(name, bits, a!, n!))
}
