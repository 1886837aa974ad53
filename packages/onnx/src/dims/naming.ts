// Dims in the broadcast solver's terms, which are numbers and names. A constant is its number and everything else is
// named by its own text, `2*N + 1`: equal expressions share a name, and what the solver prints reads as it is. Only
// expressions too long to read are given a short name, `#1`, that no text of an expression can be.
import type { Dim as Size } from 'bcast'
import { bounds } from './bounds.ts'
import type { Dim } from './dim.ts'
import { DimError } from './errors.ts'
import { constant, constantOf } from './polynomial.ts'
import { format } from './print.ts'

const MAX_LENGTH = 48

export class Names {
  readonly #dims = new Map<string, Dim>()
  readonly #names = new Map<string, string>()
  readonly #longest: number
  #short = 0

  /** `longest`: characters of a text that still is a name. */
  constructor(longest: number = MAX_LENGTH) {
    this.#longest = longest
  }

  /** The number or name of a size. A DimError when it can be no size. */
  nameOf(dim: Dim): number | string {
    const value = constantOf(dim)
    if (bounds(dim).max < 0 || (value !== undefined && value > Number.MAX_SAFE_INTEGER)) {
      throw new DimError('DIM_SIZE', `${format(dim)} is no size: a size lies between 0 and 2^53 - 1.`)
    }
    if (value !== undefined) return Number(value)
    const known = this.#names.get(dim.key)
    if (known !== undefined) return known
    // The text of a Dim of more nodes is longer than that, whatever they are; it is not made.
    const text = dim.weight > 2 * this.#longest ? undefined : format(dim)
    const name = text === undefined || text.length > this.#longest ? `#${++this.#short}` : text
    this.#names.set(dim.key, name)
    this.#dims.set(name, dim)
    return name
  }

  /** The Dim that a number or name stands for; undefined for what was never named. */
  dimOf(size: Size | undefined): Dim | undefined {
    if (typeof size === 'number') return constant(size)
    return typeof size === 'string' ? this.#dims.get(size) : undefined
  }

  /** The short names with what they stand for: `#1 = …`. */
  legend(): string[] {
    return [...this.#dims].filter(([name]) => name.startsWith('#')).map(([name, dim]) => `${name} = ${format(dim)}`)
  }
}
