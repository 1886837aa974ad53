// Lines whose elements lie side by side, turned in registers: so many lines by as many elements become vectors that hold
// one element of each line. Elements of 16 bits become float32 on the way.
import type { DType } from 'bcast/kernels'
import { widthsOf } from '../../machine/product.ts'
import type { Assembler } from '../assembler.ts'
import type { VectorName } from '../forms.ts'
import type { Memory } from '../registers.ts'

/** Where lines lie: the first, and odd multiples of the step from line to line. */
export interface LinesAt {
  readonly first: number
  readonly steps: Readonly<Record<1 | 3 | 5 | 7, number>>
}

/** Lines that are turned at once: as many as 256 bits hold. */
export const linesAtOnce = (dtype: DType): 4 | 8 => (widthsOf(dtype)[1] === 8 ? 4 : 8)

/** Where a line of up to eight lies. */
export function placeOf({ first: base, steps }: LinesAt, line: number, displacement = 0): Memory {
  if (line === 0) return { base, displacement }
  const scale = line % 2 === 1 ? 1 : line === 4 ? 4 : 2
  return { base, index: steps[(line / scale) as 1 | 3 | 5 | 7], scale, displacement }
}

/** Sets the multiples of a step, of which the first is there. */
export function multiply(asm: Assembler, steps: LinesAt['steps']): void {
  for (const odd of [3, 5, 7] as const) asm.times(steps[odd], steps[1], odd)
}

/** Widens sixteen-bit floats in the low half of a register. */
export function widen(asm: Assembler, dtype: DType, bits: 128 | 256, register: number): void {
  if (dtype === 'float16') asm.vector('vcvtph2ps', { bits, to: register, operand: register })
  else {
    asm.vector('vpmovzxwd', { bits, to: register, operand: register })
    asm.vector('vpslld', { bits, to: register, operand: register, immediate: 16 })
  }
}

/** Two stretches of 16 bytes, once they are elements, as the halves of a register. */
function loadHalves(asm: Assembler, dtype: DType, to: number, spare: number, low: Memory, high: Memory): void {
  if (widthsOf(dtype)[0] === 2) {
    asm.vector('vmovq', { bits: 128, to, operand: low }).vector('vmovq', { bits: 128, to: spare, operand: high })
    asm.vector('vpunpcklqdq', { bits: 128, to, from: to, operand: spare })
    widen(asm, dtype, 256, to)
  } else {
    asm.vector('vmovdqu', { bits: 128, to, operand: low })
    asm.vector('vinserti128', { bits: 256, to, from: to, operand: high, immediate: 1 })
  }
}

/** Hands each element's vector of 256 bits to `take`, in order; registers 0 to 7 are lost. */
export function turn(
  asm: Assembler,
  dtype: DType,
  lines: LinesAt,
  take: (register: number, i: number) => void,
  displacement = 0,
): void {
  const [from, to] = widthsOf(dtype)
  const half = linesAtOnce(dtype) / 2
  const stretch = (16 * from) / to
  for (const side of [0, 1]) {
    for (let line = 0; line < half; line++) {
      const place = (own: number): Memory => placeOf(lines, own, displacement + side * stretch)
      loadHalves(asm, dtype, line, 7, place(line), place(line + half))
    }
    const pair = (name: VectorName, register: number, a: number, b: number): void => {
      asm.vector(name, { bits: 256, to: register, from: a, operand: b })
    }
    if (to === 8) {
      pair('vpunpcklqdq', 2, 0, 1)
      pair('vpunpckhqdq', 3, 0, 1)
      take(2, side * 2)
      take(3, side * 2 + 1)
      continue
    }
    pair('vpunpckldq', 4, 0, 1)
    pair('vpunpckhdq', 5, 0, 1)
    pair('vpunpckldq', 6, 2, 3)
    pair('vpunpckhdq', 7, 2, 3)
    for (const [i, [name, a, b]] of (
      [
        ['vpunpcklqdq', 4, 6],
        ['vpunpckhqdq', 4, 6],
        ['vpunpcklqdq', 5, 7],
        ['vpunpckhqdq', 5, 7],
      ] as const
    ).entries()) {
      pair(name, i, a, b)
      take(i, side * 4 + i)
    }
  }
}

/**
 * Sixteen lines of sixteen elements of 32 bits, or eight of eight of 64, in whole registers from 0 on, turned in place with
 * one more register, which comes behind them. Gives the registers that hold an element of each line, in order.
 */
export function turnWide(asm: Assembler, width: 4 | 8): readonly number[] {
  const count = 64 / width
  const registers = Array.from({ length: count }, (_, i) => i)
  let spare = count
  const pairs = (distance: number, even: VectorName, odd: VectorName, immediates: readonly number[] = []): void => {
    for (let i = 0; i < count; i++) {
      if ((i & distance) !== 0) continue
      const [from, operand] = [registers[i]!, registers[i + distance]!]
      const write = (name: VectorName, to: number, immediate: number | undefined): void => {
        asm.vector(name, { bits: 512, to, from, operand, ...(immediate === undefined ? {} : { immediate }) })
      }
      write(even, spare, immediates[0])
      write(odd, operand, immediates[1])
      registers[i] = spare
      spare = from
    }
  }
  // Elements within 128 bits, then those quarters: even ones of two registers and odd ones, twice, which orders them.
  if (width === 4) pairs(1, 'vpunpckldq', 'vpunpckhdq')
  pairs(width === 4 ? 2 : 1, 'vpunpcklqdq', 'vpunpckhqdq')
  for (const distance of [count / 4, count / 2]) pairs(distance, 'vshufi32x4', 'vshufi32x4', [0x88, 0xdd])
  if (width === 8) return registers
  // Of the four elements of a quarter, the second and the third have changed places.
  return registers.map((_, i) => registers[(i & 12) | ((i & 1) << 1) | ((i & 2) >> 1)]!)
}
