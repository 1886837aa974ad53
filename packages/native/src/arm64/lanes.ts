// What vectors lack, lane by lane in general registers: integer division and powers. Lanes that do not count hold what one
// that counts holds, so that none of them has a fault of its own.
import type { DType } from 'bcast/kernels'
import { bytesOf, isSigned } from '../machine/types.ts'
import type { Assembler } from './assembler.ts'
import { X9, X10, X11, X12, X13, ZERO } from './registers.ts'
import { resize } from './resize.ts'
import { partAt, type Vector, type Writer } from './vectors.ts'

/** The register that becomes 1 when an element has no value. */
export const FAULT = 15

/** Runs `compute` for each lane: its operands are in X9 and X10, and it must leave the result in X11. */
export function laneByLane(
  w: Writer,
  width: number,
  signed: boolean,
  operands: readonly Vector[],
  compute: (asm: Assembler) => void,
): Vector {
  const uniform = operands.every((operand) => operand.uniform)
  const perPart = uniform ? 1 : w.perPart(width)
  const parts = Array.from({ length: uniform ? 1 : w.parts(width) }, (_, part) =>
    w.lanewise(
      operands.map((operand) => partAt(operand, part)),
      (asm, to, [a, b]) => {
        for (let lane = 0; lane < perPart; lane++) {
          asm.takeLane(X9, a!, lane, width, signed).takeLane(X10, b!, lane, width, signed)
          compute(asm)
          if (uniform) asm.putLanes(to, width, X11)
          else asm.putLane(to, lane, width, X11)
        }
      },
    ),
  )
  return { width, parts, uniform }
}

/** A fault where a register is zero. */
const faultIfZero = (asm: Assembler, register: number, wide: boolean): Assembler =>
  asm.compareConstant(register, 0, wide).chooseNext('notEqual', FAULT, FAULT, ZERO)

/** Integer division and its rests. */
export function divide(w: Writer, op: Division, dtype: DType, operands: readonly Vector[]): Vector {
  const width = bytesOf(dtype)
  const wide = width === 8
  const signed = isSigned(dtype)
  const isRest = op === 'rem' || op === 'mod'
  const roundsDown = signed && (op === 'floorDiv' || op === 'mod')
  return laneByLane(w, width, signed, operands, (asm) => {
    faultIfZero(asm, X10, wide).divide(X11, X9, X10, signed, wide)
    if (!(isRest || roundsDown)) return
    asm.multiplySubtract(X12, X11, X10, X9, wide)
    if (roundsDown) {
      // The sign of X13 says that a rest has not the divisor's sign: the quotient is one less, the rest a divisor more.
      asm.xor(X13, X12, X10, wide).compareConstant(X12, 0, wide).choose('notEqual', X13, X13, ZERO, wide)
      if (op === 'floorDiv') asm.addSign(X11, X11, X13, wide)
      else asm.andSign(X13, X10, X13, wide).add(X12, X12, X13, wide)
    }
    if (isRest) asm.move(X11, X12)
  })
}

export type Division = 'div' | 'floorDiv' | 'rem' | 'mod'

/** Integer powers by squaring, in words wide enough for both operands; the lower bytes are the power in the type. */
export function power(w: Writer, operands: readonly Vector[], base: DType, exponent: DType): Vector {
  const wide = bytesOf(base) === 8
  const width = wide ? 8 : 4
  const last = wide ? 63 : 31
  const words = operands.map((operand, i) => resize(w, operand, width, isSigned(i === 0 ? base : exponent)))
  const powers = laneByLane(w, width, true, words, (asm) => {
    const [again, even, start, end] = [asm.label(), asm.label(), asm.label(), asm.label()]
    asm.constant(X11, 1n)
    if (isSigned(exponent)) {
      asm.jumpIfClear(X10, last, start)
      faultIfZero(asm, X9, wide)
      // Only 1 and -1 have a whole reciprocal; their powers repeat with the exponent's parity.
      asm.bits(X10, X10, 0, 1, wide).compareConstant(X9, 1, wide).jumpIf('equal', start)
      if (isSigned(base)) asm.compareNegative(X9, -1, wide).jumpIf('equal', start)
      asm.move(X11, ZERO).jump(end)
    }
    asm.set(start)
    asm.set(again).jumpIfZero(X10, end, wide).jumpIfClear(X10, 0, even).multiply(X11, X11, X9, wide)
    asm.set(even).multiply(X9, X9, X9, wide).bits(X10, X10, 1, last, wide).jump(again)
    asm.set(end)
  })
  return resize(w, powers, bytesOf(base), false)
}
