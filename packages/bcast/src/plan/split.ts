// Loops cut into parts that run one after another or on several threads. The outermost loop that is long enough is
// cut, so that each part walks through memory the way the whole does; the inner one only where nothing else will do.
import { elementCount } from '../shape/dim.ts'

export interface Split {
  /** The loop that is cut. */
  readonly loop: number
  /** Steps of it in each part; the last part may have fewer. */
  readonly length: number
  readonly parts: number
}

export interface SplitWish {
  /** About how many elements a part should compute. */
  readonly elements: number
  /** The most parts there may be. */
  readonly most: number
  /** Elements of a vector: a cut inner loop is cut between vectors. */
  readonly lanes: number
  /** Rows computed at once: a cut row loop is cut between blocks of them. */
  readonly rows: number
}

export function splitLoops(sizes: readonly number[], { elements, most, lanes, rows }: SplitWish): Split {
  const total = elementCount(sizes)
  const wanted = Math.min(most, Math.ceil(total / elements))
  const steps = sizes.map((size, i) => (i === sizes.length - 2 ? size / rows : size))
  const outermost = steps.findIndex((count) => count >= wanted)
  const loop = outermost >= 0 ? outermost : steps.indexOf(Math.max(...steps))
  const size = sizes[loop]!
  const align = loop === sizes.length - 1 ? lanes : loop === sizes.length - 2 ? rows : 1
  const length = Math.ceil(Math.ceil(size / wanted) / align) * align
  return { loop, length, parts: Math.ceil(size / length) }
}
