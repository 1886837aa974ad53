// Elements of another width: with their sign or zeros in front, or without their upper bytes.
import type { VectorName } from './forms.ts'
import type { Virtual } from './steps.ts'
import { BYTES, type Vector, type Writer } from './vectors.ts'

/** Elements of twice the width: `convert` makes a part from the lower half of a register, or from the upper. */
export function spreadOut(
  w: Writer,
  { width, parts, uniform }: Vector,
  convert: (part: Virtual, upper: boolean) => Virtual,
): Vector {
  const isHalf = uniform || w.lanes * width <= BYTES / 2
  const made = parts.flatMap((part) => (isHalf ? [convert(part, false)] : [convert(part, false), convert(part, true)]))
  return { width: 2 * width, parts: made, uniform }
}

/** Elements of half the width: `convert` makes a part from one register, or from two. */
export function pullTogether(
  { width, parts, uniform }: Vector,
  convert: (low: Virtual, high: Virtual | undefined) => Virtual,
): Vector {
  const made: Virtual[] = []
  // What is the same in every lane stays so in the upper half.
  for (let i = 0; i < parts.length; i += 2) made.push(convert(parts[i]!, uniform ? parts[i] : parts[i + 1]))
  return { width: width / 2, parts: made, uniform }
}

/** Elements of half the width by an instruction, whose name with a 2 behind it is that for the upper half. */
export const narrowed = (w: Writer, vector: Vector, name: 'fcvtn' | 'fcvtxn' | 'sqxtn' | 'uqxtn'): Vector =>
  pullTogether(vector, (low, high) => {
    const first = w.op(name, vector.width / 2, low)
    return high === undefined ? first : w.change(`${name}2`, vector.width / 2, first, high)
  })

/** The lower halves of elements. */
const halve = (w: Writer, vector: Vector): Vector =>
  pullTogether(vector, (low, high) => w.op('uzp1', vector.width / 2, low, high ?? low))

/** Elements of another width. A mask is signed: its bits are all alike. */
export function resize(w: Writer, vector: Vector, width: number, signed: boolean): Vector {
  let result = vector
  while (result.width < width) {
    const own = result.width
    const name = signed ? 'sshll' : 'ushll'
    result = spreadOut(w, result, (part, upper) => w.shift(`${name}${upper ? '2' : ''}` as VectorName, own, part, 0))
  }
  while (result.width > width) result = halve(w, result)
  return result
}
