// A result as JSON: {"dtype": …, "shape": …, "data": nested arrays}, one innermost row to a line.
import { countOf, type TypedArray } from '../element.ts'
import type { ArrayDescription } from '../sink.ts'
import { elementTexts } from './text.ts'

/** Elements whose text is made at a time: while it grows, a text is many small pieces that all take memory. */
const RUN = 2 ** 10

/** Texts of the parts of a JSON file, in order. Nothing but the position is kept between runs. */
export class JsonText {
  readonly #description: ArrayDescription
  /** Elements within one array at each depth, the innermost first. */
  readonly #blocks: readonly number[]
  #position = 0

  constructor(description: ArrayDescription) {
    this.#description = description
    const { shape } = description
    this.#blocks = shape.map((_, axis) => countOf(shape.slice(shape.length - 1 - axis)))
  }

  begin(): string {
    const { dtype, shape } = this.#description
    // An array without elements is one empty list, whatever its other sizes: they stand in the shape.
    const empty = countOf(shape) === 0 ? '[]' : ''
    return `{"dtype": "${dtype}", "shape": ${JSON.stringify(shape).replaceAll(',', ', ')}, "data": ${empty}`
  }

  /** How many arrays begin, or end, at a position. */
  #edges(position: number): number {
    const inside = this.#blocks.findIndex((block) => position % block !== 0)
    return inside < 0 ? this.#blocks.length : inside
  }

  *elements(run: TypedArray): Generator<string> {
    for (let start = 0; start < run.length; start += RUN) {
      const part = run.subarray(start, start + RUN)
      const text = elementTexts(this.#description.dtype, part)
      let texts = ''
      for (let i = 0; i < part.length; i++) {
        const opening = this.#edges(this.#position)
        if (this.#position > 0) texts += opening > 0 ? ',\n' : ', '
        texts += '['.repeat(opening) + text(i)
        this.#position++
        texts += ']'.repeat(this.#edges(this.#position))
      }
      yield texts
    }
  }

  end(): string {
    return '}\n'
  }
}
