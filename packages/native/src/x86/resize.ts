// Elements of another width: with their sign or zeros in front, or without their upper bytes.
import type { VectorName } from './forms.ts'
import type { Bits } from './registers.ts'
import type { Virtual } from './steps.ts'
import { BYTES, type Vector, type Writer } from './vectors.ts'

const LETTERS: Readonly<Record<number, string>> = { 1: 'b', 2: 'w', 4: 'd', 8: 'q' }

/** The part of a register that begins at a byte, of as many bytes as there are before it. */
export function upper(w: Writer, part: Virtual, bytes: number): Virtual {
  if (bytes === 32) return w.narrow('vextracti64x4', 512, part, 1)
  if (bytes === 16) {
    return w.isWide ? w.narrow('vextracti32x4', 256, part, 1) : w.narrow('vextracti128', 256, part, 1)
  }
  return w.unary('vpsrldq', 128, part, bytes)
}

/** Two parts of a register one behind the other, each of so many bytes. */
export function joined(w: Writer, low: Virtual, high: Virtual, bytes: number): Virtual {
  if (bytes === 32) return w.op('vinserti64x4', 512, low, high, 1)
  if (bytes === 16) {
    return w.isWide ? w.op('vinserti32x4', 256, low, high, 1) : w.op('vinserti128', 256, low, high, 1)
  }
  return w.op('vpunpcklqdq', 128, low, high)
}

/**
 * Elements of `to` bytes from elements of fewer: `convert` makes a part from the elements at the start of a register.
 */
export function spreadOut(
  w: Writer,
  { width, parts, uniform }: Vector,
  to: number,
  convert: (part: Virtual, bits: Bits) => Virtual,
): Vector {
  if (uniform) return { width: to, parts: [convert(parts[0]!, w.whole)], uniform }
  const perPart = w.parts(to) / parts.length
  // Bytes of a part that one result takes.
  const taken = Math.min(BYTES[w.level], w.lanes * to) * (width / to)
  const made = parts.flatMap((part) => {
    const results: Virtual[] = []
    for (let i = 0; i < perPart; i++) {
      results.push(convert(i === 0 ? part : portion(w, part, i * taken, taken), w.bits(to)))
    }
    return results
  })
  return { width: to, parts: made, uniform }
}

/** Bytes of a register from `at` on, at the start of another. */
function portion(w: Writer, part: Virtual, at: number, length: number): Virtual {
  if (at === length) return upper(w, part, length)
  // The upper half first, then what is left of it.
  const half = 2 ** Math.floor(Math.log2(at))
  const rest = upper(w, part, half)
  return at === half ? rest : portion(w, rest, at - half, length)
}

/** Elements of `to` bytes from elements of twice as many: `convert` leaves those of a part at the start of a register. */
export function pullTogether(
  w: Writer,
  { parts, uniform }: Vector,
  to: number,
  convert: (part: Virtual, bits: Bits) => Virtual,
): Vector {
  const half = BYTES[w.level] / 2
  if (uniform) {
    const one = convert(parts[0]!, w.whole)
    return { width: to, parts: [joined(w, one, one, half)], uniform }
  }
  const converted = parts.map((part) => convert(part, w.bits(2 * to)))
  if (converted.length === 1) return { width: to, parts: converted, uniform }
  const made: Virtual[] = []
  for (let i = 0; i < converted.length; i += 2) made.push(joined(w, converted[i]!, converted[i + 1]!, half))
  return { width: to, parts: made, uniform }
}

/** Elements of twice the width or more, with or without sign. */
const widen = (w: Writer, vector: Vector, to: number, signed: boolean): Vector =>
  spreadOut(w, vector, to, (part, bits) =>
    w.unary(`vpmov${signed ? 's' : 'z'}x${LETTERS[vector.width]}${LETTERS[to]}` as VectorName, bits, part),
  )

/** The even elements of 32 bits, one behind the other. */
const EVEN = Uint8Array.from({ length: 32 }, (_, i) => (i % 4 === 0 ? (i / 4) * 2 : 0) & 7)

/** The lower half of each element. */
function halve(w: Writer, vector: Vector): Vector {
  const { width } = vector
  const to = width / 2
  return pullTogether(w, vector, to, (part, bits) => {
    if (w.isWide) return w.narrow(`vpmov${LETTERS[width]}${LETTERS[to]}` as VectorName, bits, part)
    if (width === 8) return w.op('vpermd', 256, w.literal(EVEN), part)
    // Saturation does not happen to what has no upper half; each half of a register is packed by itself.
    const kept = w.and(bits, part, w.constant(width === 4 ? 'uint32' : 'uint16', width === 4 ? 0xffff : 0xff))
    const packed = w.op(width === 4 ? 'vpackusdw' : 'vpackuswb', bits, kept, kept)
    return bits === 256 ? w.unary('vpermq', 256, packed, 0x08) : packed
  })
}

/** Elements of another width. A mask is signed: its bits are all alike. */
export function resize(w: Writer, vector: Vector, width: number, signed: boolean): Vector {
  if (vector.width < width) return widen(w, vector, width, signed)
  let result = vector
  while (result.width > width) result = halve(w, result)
  return result
}
