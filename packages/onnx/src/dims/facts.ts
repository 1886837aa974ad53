// What is known about the symbols of one model: the bounds they were declared with, and what was learned since. Facts
// take effect by substitution, so Dims themselves never change.
import { type SymbolBounds, symbol } from './atoms.ts'
import { bounds } from './bounds.ts'
import type { Dim, DimLike } from './dim.ts'
import { DimError } from './errors.ts'
import { type Bound, greatestOf, type Interval, leastOf } from './interval.ts'
import { toDim } from './polynomial.ts'
import { solve, whereAtLeast } from './solve.ts'
import { type Known, substitute, symbolName } from './substitute.ts'

/**
 * What an equation told: `known` before; `learned`, so that `apply` respects it from now on; `contradiction`, with
 * nothing learned; or `open`: true for some sizes, in a way that substitution cannot express.
 */
export type Learned = 'known' | 'learned' | 'contradiction' | 'open'

const limit = (bound: Bound): bigint | null => (typeof bound === 'bigint' ? bound : null)

export class Facts {
  readonly #usual: SymbolBounds
  readonly #declared = new Map<string, Dim>()
  /** What each symbol is now; what stands here holds no symbol that was replaced itself. */
  readonly #current = new Map<string, Dim>()
  /** What atoms are now: most Dims of a model are made of the same ones. */
  readonly #known: Known = new Map()

  /** Symbols have these bounds unless declared otherwise: at least 0 when nothing is said; `{ min: 1 }` rules out empty tensors. */
  constructor(usual: SymbolBounds = {}) {
    this.#usual = usual
  }

  /** The symbol of a name, declared by its first use. */
  symbol(name: string, declared?: SymbolBounds): Dim {
    const before = this.#declared.get(name)
    const made = before !== undefined && declared === undefined ? before : symbol(name, declared ?? this.#usual)
    const [was, is] = [bounds(before ?? made), bounds(made)]
    if (was.min !== is.min || was.max !== is.max) {
      throw new DimError(
        'DIM_VALUE',
        `${name} is between ${was.min} and ${was.max}; it was declared again with other bounds.`,
      )
    }
    this.#declared.set(name, made)
    return made
  }

  /** A symbol named like no other one so far: `name`, or `name_2` and so on. Names of the model are declared before. */
  fresh(name: string, declared: SymbolBounds = this.#usual): Dim {
    let free = name
    for (let i = 2; this.#declared.has(free); i++) free = `${name}_${i}`
    return this.symbol(free, declared)
  }

  /** The Dim with everything learned put in. */
  apply(dim: DimLike): Dim {
    return this.#current.size === 0 ? toDim(dim) : substitute(dim, this.#current, this.#known)
  }

  /** Learns that a and b are equal. */
  equate(a: DimLike, b: DimLike): Learned {
    const solution = solve(this.apply(a), this.apply(b))
    if (solution === undefined) return 'open'
    if (solution.kind === 'always') return 'known'
    if (solution.kind === 'never') return 'contradiction'
    if (solution.kind === 'within') {
      const [range, ...others] = solution.ranges
      return others.length > 0 ? 'open' : this.#narrow(solution.symbol, range!)
    }
    // Two symbols that are one lie within the bounds of both.
    if (symbolName(solution.value) !== undefined) this.#narrow(solution.value, bounds(solution.symbol))
    this.#replace(symbolName(solution.symbol)!, this.apply(solution.value))
    return 'learned'
  }

  /** Learns that a Dim is at least `least`, where that bounds one symbol: floor(N/4) is at least 1 from N = 4 on. */
  atLeast(dim: DimLike, least: bigint): Learned {
    const current = this.apply(dim)
    if (bounds(current).min >= least) return 'known'
    const where = whereAtLeast(current, least)
    if (where === undefined) return bounds(current).max < least ? 'contradiction' : 'open'
    return where.range.min > where.range.max ? 'contradiction' : this.#narrow(where.symbol, where.range)
  }

  /** A Dim that meets an interval lies within it from now on, if it is a symbol. */
  #narrow(dim: Dim, { min, max }: Interval): Learned {
    const name = symbolName(dim)
    if (name === undefined) return 'open'
    const own = bounds(dim)
    const within = { min: limit(greatestOf(own.min, min)), max: limit(leastOf(own.max, max)) }
    this.#replace(name, symbol(name, within))
    return 'learned'
  }

  #replace(name: string, by: Dim): void {
    const replacement = new Map([[name, by]])
    for (const [other, value] of this.#current) this.#current.set(other, substitute(value, replacement))
    this.#current.set(name, by)
    this.#known.clear()
  }
}
