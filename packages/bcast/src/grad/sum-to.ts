// The adjoint of broadcasting: the gradient of a result becomes that of an operand, summed over the axes along which
// the operand was stretched or that it did not have. Sums are the library's reduction, so that their bits are too.
import { add, instructionsOf } from '../backend/instructions.ts'
import { OperandError } from '../errors/index.ts'
import * as rows from '../expr/reductions.ts'
import { type Allowed, checkOptions, checkTensors, described } from '../ops/arguments.ts'
import { checkOut } from '../ops/checks.ts'
import type { Computation } from '../ops/computation.ts'
import { bothWays } from '../ops/elementwise.ts'
import type { ElementwiseOptions } from '../ops/options.ts'
import { type Reduction, reduction } from '../ops/reduce.ts'
import { freshTensor } from '../ops/result.ts'
import { checkShape, formatShape, type Shape } from '../shape/dim.ts'
import { isOptions } from '../shape/options.ts'
import type { Rule } from '../shape/rule.ts'
import { ruleOf } from '../shape/rule-option.ts'
import { unidirectional } from '../shape/rules/index.ts'
import type { Layout } from '../tensor/layout.ts'
import { resolveElements } from '../tensor/resolve.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { SumTo } from './sum-types.ts'
import { summedAxes } from './summed.ts'

const OPTIONS: Allowed = { broadcast: undefined, out: undefined }

/** The sum as an operation calls it; made once for each, because programs are kept by their row. */
export const summing = (name: string): Reduction => ({ row: { ...rows.sum, name }, instructions: instructionsOf(add) })

/** The gradient of an operand of `shape` that lies in the axes of `delta` as `places` say. */
export function* gradientOf(
  own: Reduction,
  delta: Tensor,
  shape: Shape,
  places: readonly number[],
  out?: Tensor,
): Computation {
  const { dtype } = delta
  if (out !== undefined) checkOut(own.row.name, out, dtype, shape)
  const axes = summedAxes(delta.shape, shape, places)
  const result = out ?? freshTensor(dtype, [...shape])
  const seen = result.viewAs(asLeft(result.layout, delta.shape, axes, places), result.readOnly)
  let given: Tensor | undefined
  try {
    yield* reduction(own, [delta, { axes, out: seen }])
    given = result
    return given
  } finally {
    seen.dispose()
    if (given === undefined && out === undefined) result.dispose()
  }
}

/** A result as the sum leaves it: its axes in the order of delta's, without ones that were stretched. */
function asLeft(
  { shape, strides, offset }: Layout,
  delta: Shape,
  axes: readonly number[],
  places: readonly number[],
): Layout {
  const kept = delta.flatMap((_, axis) => (axes.includes(axis) ? [] : [places.indexOf(axis)]))
  return { shape: kept.map((own) => shape[own]!), strides: kept.map((own) => strides[own]!), offset }
}

/** Where the axes of an operand of `shape` lie in those of delta; throws unless it is broadcast to delta's shape. */
function placesIn(delta: Shape, shape: Shape, rule: Rule): readonly number[] {
  const met = resolveElements(rule, [delta, shape])
  if (met.shape.some((size, axis) => size !== delta[axis])) {
    throw new OperandError(
      `sumTo: delta has shape ${formatShape(delta)}, and with an operand of shape ${formatShape(shape)} the result under ${rule.label} has ${formatShape(met.shape)}; delta has the shape of the result.`,
      { operator: 'sumTo', operand: 0 },
    )
  }
  return met.axes[1]!
}

const own = /* @__PURE__ */ summing('sumTo')

function computing(...args: readonly unknown[]): Computation {
  const [delta, shape, options, ...rest] = args
  checkTensors('sumTo', [delta])
  if (rest.length > 0 || args.length < 2 || isOptions(shape)) {
    throw new OperandError(
      `sumTo takes delta, the shape of the operand and, if anything, options behind them; argument 2 is ${described(shape)}.`,
      { operator: 'sumTo' },
    )
  }
  checkOptions('sumTo', options, OPTIONS)
  checkShape(shape)
  const { broadcast, out } = (options ?? {}) as ElementwiseOptions
  const rule = ruleOf(broadcast, unidirectional)
  return gradientOf(own, delta as Tensor, shape, placesIn((delta as Tensor).shape, shape, rule), out)
}

/**
 * The adjoint of `broadcastTo`: what is left of `delta`, the gradient of a result, for an operand of `shape`. It is
 * summed over the axes along which the operand was stretched or that it did not have, and has exactly that shape.
 *
 * @example
 * ```ts
 * sumTo(tensor([[1, 2, 3], [4, 5, 6]]), [3]).toArray() // [5, 7, 9]
 * sumTo(tensor([[1, 2, 3], [4, 5, 6]]), [2], { broadcast: pdpd({ axis: 0 }) }).toArray() // [6, 15]
 * ```
 */
export const sumTo: SumTo = /* @__PURE__ */ bothWays('sumTo', computing)
