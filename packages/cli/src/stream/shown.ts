// A result that is printed, not kept: every element passes by, so that what is wrong anywhere is found, and those that
// are shown are remembered. Of a large result that is its corners, as for any tensor.
import { fromData, type Shape, Tensor } from 'bcast'
import { newElements, type StoredDType, type TypedArray } from '../files/element.ts'
import type { ArraySink } from '../files/sink.ts'

/** Results of many axes have many corners; with more than so many elements only type and shape are shown. */
const MOST = 50_000
const CORNERS = 6

type ElementAt = (...index: number[]) => unknown

/** Prints as tensors print, asking for the elements it needs. */
const textOf = (dtype: StoredDType, shape: Shape, get: ElementAt): string =>
  Tensor.prototype.toString.call({ dtype, shape, get } as unknown as Tensor)

export class ShownElements implements ArraySink {
  readonly #dtype: StoredDType
  readonly #shape: Shape
  /** Row-major positions of the elements that are shown, ascending. */
  readonly #positions: readonly number[]
  readonly #elements: TypedArray
  #found = 0
  #passed = 0

  constructor(dtype: StoredDType, shape: Shape) {
    this.#dtype = dtype
    this.#shape = shape
    this.#positions = this.#isShown ? askedFor(dtype, shape) : []
    this.#elements = newElements(dtype, this.#positions.length)
  }

  get #isShown(): boolean {
    return this.#shape.reduce((count, size) => count * Math.min(size, CORNERS), 1) <= MOST
  }

  async write(elements: TypedArray): Promise<void> {
    const end = this.#passed + elements.length
    for (; this.#found < this.#positions.length && this.#positions[this.#found]! < end; this.#found++) {
      this.#elements[this.#found] = elements[this.#positions[this.#found]! - this.#passed]!
    }
    this.#passed = end
  }

  async finish(): Promise<void> {}

  async abort(): Promise<void> {}

  /** Type, shape and elements. */
  toString(): string {
    const head = `${this.#dtype} (${this.#shape.join()})`
    if (!this.#isShown) return `${head} of too many axes to be shown`
    const kept = fromData(this.#dtype, this.#elements, [this.#elements.length]) as Tensor
    const places = new Map(this.#positions.map((position, i) => [position, i]))
    const text = textOf(this.#dtype, this.#shape, (...index) => kept.get(places.get(positionOf(this.#shape, index))!))
    return `${head}${this.#shape.length === 0 ? ' ' : '\n'}${text}`
  }
}

const positionOf = (shape: Shape, index: readonly number[]): number =>
  index.reduce((position, at, axis) => position * shape[axis]! + at, 0)

/** The positions that printing looks at. */
function askedFor(dtype: StoredDType, shape: Shape): number[] {
  const positions: number[] = []
  textOf(dtype, shape, (...index) => {
    positions.push(positionOf(shape, index))
    return dtype.endsWith('64') && dtype !== 'float64' ? 0n : 0
  })
  return positions.sort((a, b) => a - b)
}
