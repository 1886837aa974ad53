// Integer powers by squaring, element by element, in words wide enough for both operands: the lower bytes are the power in
// the type.
import { type DType, kindOf } from 'bcast/kernels'
import { compared } from './comparison.ts'
import { fault } from './faults.ts'
import { RAX, RCX, RDX, RSI } from './registers.ts'
import { resize } from './resize.ts'
import { elementwise } from './scalar.ts'
import { bytesOf, eachPart, type Vector, type Writer } from './vectors.ts'

export function power(w: Writer, operands: readonly Vector[], base: DType, exponent: DType): Vector {
  const width = bytesOf(base) === 8 ? 8 : 4
  const word: DType = width === 8 ? 'int64' : 'int32'
  const one = w.constant(word, width === 8 ? 1n : 1)
  const words = operands.map((operand, i) => resize(w, operand, width, kindOf(i === 0 ? base : exponent) === 'int'))
  const powers = eachPart(w, words, width, ([x, n], bits, part) => {
    const negative = kindOf(exponent) === 'int' ? compared(w, 'less', word, bits, n!, w.zeros()) : undefined
    w.put(bits, x!, w.buffer(0))
    // Of negative powers only those of 1 and -1 are whole, and they repeat with the exponent's parity.
    const shown = negative === undefined ? n! : w.choose(bits, negative, w.and(bits, n!, one), n!)
    w.put(bits, shown, w.buffer(1))
    elementwise(w, bits, width, (asm, of) => {
      const [again, end] = [asm.label(), asm.label()]
      asm.number(RAX, 1).moveElement(width, RCX, of(0)).moveElement(width, RDX, of(1))
      asm.set(again).test(RDX, RDX).jumpIf('equal', end)
      // The bit that is shifted out says whether this square is a factor.
      asm.move(RSI, RAX).multiply(RSI, RCX).shiftRight(RDX, 1).moveIf('below', RAX, RSI)
      asm.multiply(RCX, RCX).jump(again)
      asm.set(end).storeElement(width, of(2), RAX)
    })
    const raised = w.take(bits, w.buffer(2))
    if (negative === undefined) return raised
    const none = compared(w, 'equal', word, bits, x!, w.zeros())
    fault(w, w.and(bits, negative, none), width, bits, part)
    const same = compared(w, 'equal', word, bits, x!, one)
    const isUnit = kindOf(base) === 'int' ? w.or(bits, same, compared(w, 'equal', word, bits, x!, w.ones())) : same
    return w.without(bits, w.without(bits, isUnit, negative), raised)
  })
  return resize(w, powers, bytesOf(base), false)
}
