// Broadcasting backwards, one call each: nGraph's Broadcast by the names of its document, and `broadcast` of several
// operands.
import { OperandError } from '../errors/index.ts'
import { checkOptions, checkTensors } from '../ops/arguments.ts'
import { type Computation, computeAsync, computeNow } from '../ops/computation.ts'
import { bothWays } from '../ops/elementwise.ts'
import { withHeld } from '../ops/held.ts'
import type { BroadcastOptions } from '../ops/options.ts'
import { checkShape, formatShape, type Shape } from '../shape/dim.ts'
import { operandName } from '../shape/rule.ts'
import { ruleOf } from '../shape/rule-option.ts'
import { explicit, numpy } from '../shape/rules/index.ts'
import { resolveElements } from '../tensor/resolve.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { gradientOf, summing } from './sum-to.ts'
import type { BroadcastBackprop, BroadcastBackpropOptions, SumToEach } from './sum-types.ts'

const summingAxes = /* @__PURE__ */ summing('broadcastBackprop')
const summingEach = /* @__PURE__ */ summing('sumToEach')

function backprop(...args: readonly unknown[]): Computation {
  const { name } = summingAxes.row
  const [given, options, ...rest] = args
  checkTensors(name, [given])
  checkOptions(name, options, { broadcastAxes: undefined, out: undefined })
  if (rest.length > 0 || options === undefined) {
    throw new OperandError(`${name} takes delta and options behind it, such as { broadcastAxes: [0] }.`, {
      operator: name,
    })
  }
  const delta = given as Tensor
  const { broadcastAxes, out } = options as BroadcastBackpropOptions
  const rule = explicit({ broadcastAxes })
  const shape = delta.shape.filter((_, axis) => !broadcastAxes.includes(axis))
  const { axes } = resolveElements(rule, [delta.shape, shape])
  return gradientOf(summingAxes, delta, shape, axes[1]!, out)
}

/**
 * nGraph's Broadcast backwards: the gradient of `arg` is Sum(delta, broadcast_axes), where `delta` is the gradient of the
 * output.
 *
 * @example
 * ```ts
 * broadcastBackprop(tensor([[1, 2, 3], [4, 5, 6]]), { broadcastAxes: [0] }).toArray() // [5, 7, 9]
 * ```
 * @clause ngraph.backprop
 */
export const broadcastBackprop: BroadcastBackprop = /* @__PURE__ */ bothWays('broadcastBackprop', backprop)

/** The computation of each gradient. */
function each(args: readonly unknown[]): readonly Computation[] {
  const { name } = summingEach.row
  const [given, shapes, options, ...rest] = args
  if (!Array.isArray(given) || !Array.isArray(shapes) || rest.length > 0) {
    throw new OperandError(`${name} takes an array of deltas, an array of shapes, and options behind them.`, {
      operator: name,
    })
  }
  checkOptions(name, options, { broadcast: undefined })
  const deltas: readonly unknown[] = given
  checkTensors(name, deltas)
  shapes.forEach((shape, i) => {
    checkShape(shape, `shape of ${operandName(i)}`)
  })
  if (deltas.length !== shapes.length) {
    throw new OperandError(
      `${name}: there are ${deltas.length} deltas and ${shapes.length} shapes; each operand has one of both.`,
      { operator: name },
    )
  }
  const rule = ruleOf((options as BroadcastOptions | undefined)?.broadcast, numpy)
  const met = resolveElements(rule, shapes)
  const { length } = met.shape
  for (const [operand, { shape }] of deltas.entries()) {
    if (shape.length === length && shape.every((size, axis) => size === met.shape[axis])) continue
    throw new OperandError(
      `${name}: delta ${operandName(operand)} has shape ${formatShape(shape)}, and the result under ${rule.label} has ${formatShape(met.shape)}; they must be equal.`,
      { operator: name, operand },
    )
  }
  return deltas.map((delta, i) => gradientOf(summingEach, delta, shapes[i] as Shape, met.axes[i]!))
}

/** Every result, or none: what was made before one fails is given back. */
function allNow(computations: readonly Computation[]): Tensor[] {
  const made: Tensor[] = []
  try {
    for (const computation of computations) made.push(computeNow(computation))
    return made
  } catch (error) {
    for (const tensor of made) tensor.dispose()
    throw error
  }
}

async function allAsync(computations: readonly Computation[]): Promise<Tensor[]> {
  const made = await Promise.allSettled(computations.map((each) => computeAsync(each)))
  const failed = made.find((outcome) => outcome.status === 'rejected')
  const tensors = made.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  if (failed === undefined) return tensors
  for (const tensor of tensors) tensor.dispose()
  throw failed.reason
}

/**
 * `broadcast` backwards: of each operand's view the gradient is given, in the order of the operands and in the shape of
 * the result; the gradient of each operand comes back, in its own shape.
 *
 * @example
 * ```ts
 * sumToEach([ones([2, 3]), ones([2, 3])], [[2, 1], [3]]).map((x) => x.toArray()) // [[[3], [3]], [2, 2, 2]]
 * ```
 */
export const sumToEach: SumToEach = /* @__PURE__ */ Object.assign((...args: readonly unknown[]) => allNow(each(args)), {
  async: (...args: readonly unknown[]) => withHeld(args, (held) => allAsync(each(held))),
}) as SumToEach
