// The reductions by name, each with the code of the instructions that its programs hold.
import { abs, add, cast, instructionsOf, max, min, mul, sqrt } from '../backend/instructions.ts'
import { wrongOption } from '../errors/index.ts'
import * as rows from '../expr/reductions.ts'
import { isOptions } from '../shape/options.ts'
import { show } from '../shape/show.ts'
import type { Reduce } from './calls.ts'
import { bothWays } from './elementwise.ts'
import { type Reduction, reduction } from './reduce.ts'
import type { ReduceOptions } from './reduce-types.ts'
import { SmallCalls } from './small-calls.ts'

const reducing = (own: Reduction): Reduce =>
  bothWays(
    own.row.name,
    (...args) => reduction(own, args),
    ({ recording }, args) => recording.reduce(own.row, args),
    new SmallCalls(),
  )

/**
 * The product of elements over axes.
 *
 * @example
 * ```ts
 * prod(tensor([[1, 2], [3, 4]]), { axes: 0 }).toArray() // [3, 8]
 * ```
 */
export const prod: Reduce = /* @__PURE__ */ reducing({
  row: rows.prod,
  instructions: /* @__PURE__ */ instructionsOf(mul),
})
/**
 * The sum of squares over axes.
 *
 * @example
 * ```ts
 * sumSquare(tensor([3, 4])).item() // 25
 * ```
 */
export const sumSquare: Reduce = /* @__PURE__ */ reducing({
  row: rows.sumSquare,
  instructions: /* @__PURE__ */ instructionsOf(add, mul),
})
/**
 * Whether any element over axes is true.
 *
 * @example
 * ```ts
 * any(tensor([[false, false], [true, false]]), { axes: 1 }).toArray() // [false, true]
 * ```
 */
export const any: Reduce = /* @__PURE__ */ reducing({
  row: rows.any,
  instructions: /* @__PURE__ */ instructionsOf(max, cast),
})
/**
 * Whether all elements over axes are true.
 *
 * @example
 * ```ts
 * all(tensor([[true, true], [true, false]]), { axes: 1 }).toArray() // [true, false]
 * ```
 */
export const all: Reduce = /* @__PURE__ */ reducing({
  row: rows.all,
  instructions: /* @__PURE__ */ instructionsOf(min, cast),
})

const norms: Readonly<Record<number, Reduction>> = {
  1: { row: rows.norm1, instructions: /* @__PURE__ */ instructionsOf(add, abs) },
  2: { row: rows.norm2, instructions: /* @__PURE__ */ instructionsOf(add, mul, sqrt) },
}

/** What `norm` takes behind its tensor. */
export interface NormOptions extends ReduceOptions {
  /** 1: the sum of magnitudes; 2, unless said: the root of the sum of squares. */
  readonly ord?: 1 | 2
}

/** Which norm is meant, and the other arguments. */
function normOf([x, given, ...rest]: readonly unknown[]): { own: Reduction; args: readonly unknown[] } {
  const { ord = 2, ...options } = isOptions(given) ? (given as NormOptions) : {}
  const own = norms[ord as number]
  if (own === undefined) throw wrongOption('norm', 'ord', `is ${show(ord)}`, 'it is 1 or 2')
  return { own, args: [x, isOptions(given) ? options : given, ...rest] }
}

/**
 * The length of vectors over axes.
 *
 * @example
 * ```ts
 * norm(tensor([3, 4])).item() // 5
 * norm(tensor([3, -4]), { ord: 1 }).item() // 7
 * ```
 */
export const norm: Reduce<NormOptions> = /* @__PURE__ */ bothWays(
  'norm',
  (...given) => {
    const { own, args } = normOf(given)
    return reduction(own, args)
  },
  ({ recording }, given) => {
    const { own, args } = normOf(given)
    return recording.reduce(own.row, args)
  },
  /* @__PURE__ */ new SmallCalls(),
)
