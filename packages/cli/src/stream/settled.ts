// An expression over arrays whose names, types and shapes are settled: what it gives, where each array lies in that, and
// how a part of it is computed. Results are the same to the bit whatever the parts, because each element is computed
// alone.
import { DivisionByZeroError, type DType, type FusedOfMany, fuse, type Rule, type Shape, type Tensor } from 'bcast'
import { Composer } from '../expression/compose.ts'
import { EvaluationError } from '../expression/expression-error.ts'
import type { Value } from '../expression/operators.ts'
import { refusalOf } from '../expression/refusal.ts'
import { type Placed, placeArrays } from '../expression/shapes.ts'
import type { Expression, Name } from '../expression/syntax.ts'
import type { StoredDType } from '../files/element.ts'
import type { ArraySource } from '../files/source.ts'
import type { FedArray } from './feed.ts'
import { product, type Tile } from './tiles.ts'

export interface Question {
  /** The text, for errors. */
  readonly expression: string
  readonly root: Expression
  readonly sources: ReadonlyMap<string, ArraySource>
  /** For every operator; each its own otherwise. */
  readonly rule: Rule | undefined
  /** The result's type; that of the expression otherwise. */
  readonly dtype: StoredDType | undefined
}

/** An element of the result without a value. */
export interface Fault {
  readonly index: readonly number[]
  readonly error: Error
}

/** Bytes of the widest element. */
const WIDEST = 8

export class Settled {
  readonly dtype: StoredDType
  readonly shape: Shape
  /** Where they lie in the result; a name may stand for several. */
  readonly arrays: readonly FedArray[]
  /** What each of them is called in the expression. */
  readonly names: readonly string[]
  /** The result where there is no array, only numbers. */
  readonly constant: Tensor | undefined
  readonly #question: Question
  readonly #placed: Placed
  readonly #compute: FusedOfMany | undefined

  /** Throws where types or shapes do not go together, at the place in the expression. */
  constructor(question: Question) {
    const { expression, root, sources, rule, dtype } = question
    this.#question = question
    this.#placed = placeArrays(expression, root, (name) => sources.get(name)!.shape, rule)
    const { shape, placements } = this.#placed
    this.shape = shape
    if (!Number.isSafeInteger(product(shape) * WIDEST)) {
      const problem = `the result would have shape (${shape.join()}), which is larger than any file.`
      throw new EvaluationError({ expression, span: root.span, problem })
    }
    this.arrays = placements.map(({ name, axes }) => ({
      source: sources.get(name)!,
      sizes: shape.map((size, axis) => ((sources.get(name)!.shape[axes.indexOf(axis)] ?? 1) === 1 ? 1 : size)),
      axes,
    }))
    this.names = placements.map(({ name }) => name)
    if (placements.length === 0) {
      this.constant = this.#compose([], dtype) as Tensor
      this.dtype = this.constant.dtype as StoredDType
      return
    }
    this.#compute = fuse((...operands: readonly Value[]) => this.#compose(operands, dtype), {
      operands: placements.length,
    })
    const parts = this.arrays.map(({ source, sizes }) => ({ dtype: source.dtype, shape: sizes }))
    this.dtype = this.#compute.infer(...parts).dtype as StoredDType
  }

  /** `index`: of the element of the result that is computed alone. */
  #compose(operands: readonly Value[], dtype: DType | undefined, index?: readonly number[]): Value {
    const { expression, root } = this.#question
    const valueNamed = (name: Name): Value => operands[this.#placed.placementOf.get(name)!]!
    return new Composer({ expression, valueNamed, index }).compose(root, dtype)
  }

  /** Computes a part of the result from the parts of the arrays, in their order; says which element has no value. */
  compute(tile: Tile, parts: readonly Tensor[], out: Tensor): Fault | undefined {
    try {
      this.#compute!(...parts, { out })
      return undefined
    } catch (error) {
      if (!(error instanceof DivisionByZeroError)) throw error
      return this.#faultAt(error, tile, parts)
    }
  }

  /** The error of an element without a value: where in the result, and which operator of the expression. */
  #faultAt(error: DivisionByZeroError, tile: Tile, parts: readonly Tensor[]): Fault {
    const index = error.index.map((at, axis) => at + tile.origin[axis]!)
    const elements = parts.map((part) =>
      part.slice(...part.shape.map((size, axis) => (size === 1 ? 0 : error.index[axis]!))),
    )
    const { expression, root, dtype } = this.#question
    try {
      // Alone, operator by operator, the element fails at the operator that has no value for it.
      this.#compose(elements, dtype, index)
    } catch (fault) {
      if (fault instanceof EvaluationError) return { index, error: fault }
    }
    const refusal = refusalOf(error, { expression, operands: [], index })
    return { index, error: new EvaluationError({ expression, span: root.span, ...refusal, cause: error }) }
  }
}
