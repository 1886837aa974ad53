// An expression computed without fuse: one call for each operator, every result in memory and given back when it was
// read.
import { Composer, type Expression, partsOf } from '@bcast/cli/expression'
import type { Tensor } from 'bcast'

type Name = Extract<Expression, { kind: 'name' }>

/** Numbers among themselves are no calls. */
const isConstant = (part: Expression): boolean => part.kind !== 'name' && partsOf(part).every(isConstant)

/** Something computed stands in its place under a name. */
const named = (part: Expression): Name => ({ kind: 'name', name: '', span: part.span })

export function unfused(expression: string, root: Expression, arrays: ReadonlyMap<string, Tensor>): Tensor {
  const compute = (part: Expression): Tensor => {
    if (part.kind === 'name') return arrays.get(part.name)!
    const made = new Map<Expression, Tensor>()
    const own = (arg: Expression): Expression => {
      if (isConstant(arg)) return arg
      const name = named(arg)
      made.set(name, compute(arg))
      return name
    }
    const call: Expression =
      part.kind === 'apply'
        ? { ...part, args: part.args.map(own) }
        : part.kind === 'cast'
          ? { ...part, arg: own(part.arg) }
          : part
    const result = new Composer({ expression, valueNamed: (name) => made.get(name)! }).compose(
      call,
      undefined,
    ) as Tensor
    const given = new Set(arrays.values())
    for (const tensor of made.values()) if (!given.has(tensor) && tensor !== result) tensor.dispose()
    return result
  }
  return compute(root)
}
