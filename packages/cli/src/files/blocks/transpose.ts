// Elements from column-major to row-major order. They move as integers: a NaN read as a float may lose bits.
import { countOf, type TypedArray } from '../element.ts'

/** Elements of a tile on each side: two tiles of 8 bytes an element stay in the fastest cache. */
const TILE = 32

export type Words = Uint8Array | Uint16Array | Uint32Array

/** The memory of an array as words of at most 32 bits; 64-bit elements are two. */
export function wordsOf({ buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: width }: TypedArray): Words {
  if (width === 1) return new Uint8Array(buffer, byteOffset, byteLength)
  return width === 2
    ? new Uint16Array(buffer, byteOffset, byteLength / 2)
    : new Uint32Array(buffer, byteOffset, byteLength / 4)
}

/** One plane of `rows` and `columns`; places and distances count words, of which an element has one or two. */
function transposePlane(
  from: Words,
  source: number,
  columnStep: number,
  to: Words,
  destination: number,
  rowStep: number,
  rows: number,
  columns: number,
  words: number,
): void {
  for (let top = 0; top < rows; top += TILE) {
    const bottom = Math.min(rows, top + TILE)
    for (let left = 0; left < columns; left += TILE) {
      const right = Math.min(columns, left + TILE)
      for (let row = top; row < bottom; row++) {
        let read = source + row * words + left * columnStep
        let write = destination + row * rowStep + left * words
        for (let column = left; column < right; column++, read += columnStep, write += words) {
          to[write] = from[read]!
          if (words === 2) to[write + 1] = from[read + 1]!
        }
      }
    }
  }
}

/** `stored` holds an array of `shape` in column-major order; `target` gets it in row-major order. */
export function transposeInto(stored: TypedArray, shape: readonly number[], target: TypedArray): void {
  const [from, to] = [wordsOf(stored), wordsOf(target)]
  if (shape.length < 2) {
    to.set(from)
    return
  }
  const words = stored.BYTES_PER_ELEMENT === 8 ? 2 : 1
  const [rows, columns] = [shape[0]!, shape.at(-1)!]
  const middle = shape.slice(1, -1)
  const columnStep = countOf(shape.slice(0, -1)) * words
  const rowStep = countOf(shape.slice(1)) * words
  const index = middle.map(() => 0)
  for (let plane = countOf(middle); plane > 0; plane--) {
    const source = index.reduce((sum, i, axis) => sum + i * countOf(shape.slice(0, axis + 1)), 0) * words
    const destination = index.reduce((sum, i, axis) => sum + i * countOf(shape.slice(axis + 2)), 0) * words
    transposePlane(from, source, columnStep, to, destination, rowStep, rows, columns, words)
    for (let axis = middle.length - 1; axis >= 0 && ++index[axis]! === middle[axis]; axis--) index[axis] = 0
  }
}
