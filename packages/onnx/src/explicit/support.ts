// Equal shapes that follow from how values are made. Expand(x, Shape(y)) has the shape that x and y broadcast to; that
// is the same in whatever order values come together, so two values made from the same ones have the same shape. It
// holds where nothing is known of sizes, not even the rank.
import { type Node, resolve, type Scope } from '../model/scope.ts'

/** A value: where it is defined, and its name there. */
const keyOf = (scope: Scope | undefined, name: string): string => `${scope?.path}/${name}`

interface Made {
  readonly scope: Scope
  readonly node: Node
}

/** The node of an operator that makes a value. */
function madeBy(scope: Scope, name: string, operator: string): Made | undefined {
  const found = resolve(scope, name)
  if (found?.definition.kind !== 'output') return undefined
  const { node } = found.definition
  return node.opType === operator && node.domain === '' ? { scope: found.scope, node } : undefined
}

/** The values whose shapes come together in the shape of a value. */
function supportOf(from: Scope, value: string): ReadonlySet<string> {
  const support = new Set<string>()
  const seen = new Set<string>()
  const open: (readonly [Scope, string])[] = [[from, value]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [scope, name] = next
    const key = keyOf(resolve(scope, name)?.scope, name)
    if (seen.has(key)) continue
    seen.add(key)
    const expand = madeBy(scope, name, 'Expand')
    if (expand === undefined) {
      support.add(key)
      continue
    }
    const [data, target] = expand.node.inputs as [string, string]
    open.push([expand.scope, data])
    const shape = madeBy(expand.scope, target, 'Shape')
    if (shape?.node.proto.attribute.length === 0) open.push([shape.scope, shape.node.inputs[0]!])
    else support.add(`sizes ${keyOf(resolve(expand.scope, target)?.scope, target)}`)
  }
  return support
}

/** Whether values have one shape by the way they are made. */
export function haveOneShape(scope: Scope, names: readonly string[]): boolean {
  const [first, ...others] = names.map((name) => supportOf(scope, name))
  return others.every((other) => other.size === first!.size && [...other].every((value) => first!.has(value)))
}

/** The vector that an Expand gave a value its shape from; undefined for other values. */
export const expandedTo = (scope: Scope, name: string): string | undefined =>
  madeBy(scope, name, 'Expand')?.node.inputs[1]
