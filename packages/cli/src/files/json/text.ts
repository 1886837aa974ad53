// Elements of arrays as JSON text: numbers that read back as the same element, and words for what JSON has no number
// for.
import { converted } from '../blocks/convert.ts'
import type { StoredDType, TypedArray } from '../element.ts'

/** Fewest digits that give the float32 back. */
function float32Text(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits))
    if (Math.fround(text) === value) return String(text)
  }
  return String(Number(value.toPrecision(9)))
}

/**
 * JSON has no NaN and no infinities, so they are strings; a reader of numbers alone would lose the sign of -0 without
 * the point.
 */
function floatText(value: number, digits: (value: number) => string): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0.0' : digits(value)
  return `"${value}"`
}

/** The text of each element of a run. */
export function elementTexts(dtype: StoredDType, elements: TypedArray): (position: number) => string {
  switch (dtype) {
    case 'bool':
      return (i) => (elements[i] === 0 ? 'false' : 'true')
    case 'float16':
    case 'bfloat16': {
      const values = converted(dtype, elements, 'float64') as Float64Array
      return (i) => floatText(values[i]!, String)
    }
    case 'float32':
      return (i) => floatText(elements[i] as number, float32Text)
    case 'float64':
      return (i) => floatText(elements[i] as number, String)
    default:
      return (i) => String(elements[i])
  }
}
