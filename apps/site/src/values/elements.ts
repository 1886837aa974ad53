// Elements as people type and read them, of any type.
import { type DType, dtypeInfo, tensor, ValueError } from 'bcast'

const WORDS: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '+inf': Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  '-infinity': Number.NEGATIVE_INFINITY,
}

type Leaf = number | bigint | boolean | string

/** The value that a text means in a type; throws a ValueError where it means none. */
export function parseElement(text: string, dtype: DType): Leaf {
  const typed = text.trim()
  if (dtype === 'string') return text
  if (dtype === 'bool') {
    if (/^(true|1)$/i.test(typed)) return true
    if (/^(false|0)$/i.test(typed)) return false
    throw new ValueError(`${JSON.stringify(typed)} is no bool: true or false.`, typed)
  }
  // Exact numbers are read from their text: 1/3, 0.1.
  if (dtype === 'real') return typed
  const word = WORDS[typed.toLowerCase()]
  if (word !== undefined) return word
  if (typed === '' || Number.isNaN(Number(typed))) throw new ValueError(`${JSON.stringify(typed)} is no number.`, typed)
  return dtypeInfo(dtype).bits === 64 && /^[+-]?\d+$/.test(typed) ? BigInt(typed) : Number(typed)
}

/** An element as the library prints it: as few digits as mean this element and no other. */
export const elementText = (element: unknown, dtype: DType): string => {
  if (dtype === 'string') return String(element)
  if (dtype === 'real') return (element as { toFraction(): string }).toFraction()
  const text = String(tensor(element as number, { dtype }))
  // Python writes 1.0 and 2.048e+03; the type is said elsewhere, so that 1 and 2048 are enough.
  return dtypeInfo(dtype).isFloat && Number.isFinite(Number(text)) && text !== '-0.0' ? String(Number(text)) : text
}

/** Elements to begin with: 1, 2, 3, … in the first operand, 10, 20, 30, … in the second. */
export function firstElement(dtype: DType, operand: number, position: number): Leaf {
  const { kind, max } = dtypeInfo(dtype)
  if (dtype === 'bool') return (position + operand) % 2 === 0
  if (kind === 'string') return String.fromCharCode(97 + ((position + 3 * operand) % 26))
  const step = operand === 1 ? 10 : operand + 1
  const most = typeof max === 'number' ? max : Number.MAX_SAFE_INTEGER
  const value = ((position % 99) + 1) * step
  if (dtype === 'real') return String(value)
  return dtypeInfo(dtype).bits === 64 && dtypeInfo(dtype).isInteger ? BigInt(value) : Math.min(value, most)
}
