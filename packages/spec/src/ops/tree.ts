// The order in which many elements become one. Rounding makes it part of the result, so it is fixed: it depends on how
// many elements there are and on nothing else. Errors grow with the logarithm of that number.

/** Lanes that elements are dealt to in turn. */
const LANES = 8
/** Elements of a lane that are taken one after the other. */
const BLOCK = 16

/** Parts of `length`, the last of which may be shorter. */
const partsOf = <T>(values: readonly T[], length: number): T[][] =>
  Array.from({ length: Math.ceil(values.length / length) }, (_, i) => values.slice(i * length, (i + 1) * length))

/** Halves, of which the first is the largest power of two below the whole, each combined likewise. */
const inPairs = <T>(combine: (x: T, y: T) => T, values: readonly T[]): T => {
  if (values.length === 1) return values[0]!
  const half = 2 ** Math.ceil(Math.log2(values.length) - 1)
  return combine(inPairs(combine, values.slice(0, half)), inPairs(combine, values.slice(half)))
}

/** Combines elements, of which there is at least one: each lane in blocks, blocks in pairs, and lanes in pairs. */
export const inTree = <T>(combine: (x: T, y: T) => T, values: readonly T[]): T => {
  const lanes = values.slice(0, LANES).map((_, lane) => values.filter((_, i) => i % LANES === lane))
  return inPairs(
    combine,
    lanes.map((lane) =>
      inPairs(
        combine,
        partsOf(lane, BLOCK).map((block) => block.reduce((x, y) => combine(x, y))),
      ),
    ),
  )
}
