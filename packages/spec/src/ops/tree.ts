// The order in which many elements become one. Rounding makes it part of the result, so it is fixed: it depends on how
// many elements there are and on nothing else. Errors grow with the logarithm of that number.

/** Elements of a block, and the lanes that they are dealt to in turn. */
export const BLOCK = 128
export const LANES = 8

/** Halves, of which the first is the largest power of two below the whole, each combined likewise. */
const inPairs = <T>(combine: (x: T, y: T) => T, values: readonly T[]): T => {
  if (values.length === 1) return values[0]!
  const half = 2 ** Math.ceil(Math.log2(values.length) - 1)
  return combine(inPairs(combine, values.slice(0, half)), inPairs(combine, values.slice(half)))
}

/** The elements of one lane one after the other, the lanes in pairs. */
const block = <T>(combine: (x: T, y: T) => T, values: readonly T[]): T => {
  const lanes = values.slice(0, LANES).map((first, lane) => {
    const others = values.filter((_, i) => i % LANES === lane && i !== lane)
    return others.reduce(combine, first)
  })
  return inPairs(combine, lanes)
}

/** Combines elements, of which there is at least one: blocks, and those in pairs. */
export const inTree = <T>(combine: (x: T, y: T) => T, values: readonly T[]): T => {
  const count = Math.ceil(values.length / BLOCK)
  const blocks = Array.from({ length: count }, (_, i) => block(combine, values.slice(i * BLOCK, (i + 1) * BLOCK)))
  return inPairs(combine, blocks)
}
