// The common shape of shapes alone. Whoever asks for it has no tensors, so that nothing of them is needed here.
import { checkShape, type Shape } from '../shape/dim.ts'
import { checkNames, isOptions } from '../shape/options.ts'
import { operandName } from '../shape/rule.ts'
import { ruleOf } from '../shape/rule-option.ts'
import { numpy } from '../shape/rules/index.ts'
import type { Broadcast, ResultShape } from '../shape/types/broadcast.ts'
import { resolveOrThrow } from '../tensor/resolve.ts'
import type { BroadcastOptions, RuleIn } from './options.ts'
import type { Meet, OptionsIn, ShapesIn } from './types.ts'

/**
 * The common shape of shapes, given one by one or in one array; of none it is `[]`.
 *
 * @example
 * ```ts
 * broadcastShapes([2, 3, 4], [3, 1]) // [2, 3, 4]
 * ```
 */
export function broadcastShapes<const T extends readonly (Shape | readonly Shape[] | BroadcastOptions)[]>(
  ...args: Meet<T, ShapesIn<T>, RuleIn<OptionsIn<T>>>
): ResultShape<Broadcast<ShapesIn<T>, RuleIn<OptionsIn<T>>>> {
  const { operands, options = {} } = collectShapes(args)
  checkNames('broadcastShapes', options, ['broadcast'])
  operands.forEach((shape, i) => {
    checkShape(shape, `shape of ${operandName(i)}`)
  })
  return resolveOrThrow(ruleOf(options.broadcast, numpy), operands).shape as never
}

/** Shapes given one by one, or in one array of arrays. */
function collectShapes(args: readonly unknown[]): {
  operands: readonly Shape[]
  options: BroadcastOptions | undefined
} {
  const last = args.at(-1)
  const options = isOptions(last) ? (last as BroadcastOptions) : undefined
  const rest = options === undefined ? args : args.slice(0, -1)
  const [only] = rest
  const nested = rest.length === 1 && Array.isArray(only) && only.length > 0 && only.every(Array.isArray)
  return { operands: (nested ? only : rest) as readonly Shape[], options }
}
