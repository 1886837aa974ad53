// Equal shapes that follow from how values are made. Expand(x, Shape(y)) has the shape that x and y broadcast to; that
// is the same in whatever order values come together, so two values made from the same ones have the same shape. It
// holds where nothing is known of sizes, not even the rank.
import { type Node, resolve, type Scope } from '../model/scope.ts'

/** A value: where it is defined, and its name there. */
const keyOf = (scope: Scope, name: string): string => `${scope.path}/${name}`

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

/** A value by the scope that defines it. */
interface Value {
  readonly scope: Scope
  readonly name: string
  readonly key: string
}

function valueIn(from: Scope, name: string): Value {
  const scope = resolve(from, name)?.scope ?? from
  return { scope, name, key: keyOf(scope, name) }
}

/** What a shape comes from: the shapes of other values, and a vector of sizes. */
interface Parts {
  readonly values: readonly Value[]
  readonly sizes: string | undefined
}

/** What the shape of a value comes from, where a node tells it: Expand, and Mul of a value with itself. */
function partsOf({ scope, name }: Value): Parts | undefined {
  const square = madeBy(scope, name, 'Mul')
  if (square !== undefined) {
    const [base, other] = square.node.inputs
    return base !== undefined && base === other ? { values: [valueIn(scope, base)], sizes: undefined } : undefined
  }
  const expand = madeBy(scope, name, 'Expand')
  const [data, target] = expand?.node.inputs ?? []
  if (data === undefined || target === undefined) return undefined
  const shape = madeBy(scope, target, 'Shape')
  const [measured] = shape?.node.proto.attribute.length === 0 ? shape.node.inputs : []
  if (measured === undefined) return { values: [valueIn(scope, data)], sizes: `sizes ${valueIn(scope, target).key}` }
  return { values: [valueIn(scope, data), valueIn(shape!.scope, measured)], sizes: undefined }
}

type Support = ReadonlySet<string>

/** More of them than this are not followed: the value then stands for itself. */
const MAX_SUPPORT = 256

/** All supports together; one that the others add nothing to serves again. */
function union(supports: readonly Support[], own: string): Support {
  const [largest, ...others] = [...supports].sort((a, b) => b.size - a.size)
  const more = others.flatMap((support) => [...support].filter((key) => !largest!.has(key)))
  const all = more.length === 0 ? largest! : new Set([...largest!, ...more])
  return all.size > MAX_SUPPORT ? new Set([own]) : all
}

// A scope never changes, and values behind many Expands are asked for again and again.
const known = new WeakMap<Scope, Map<string, Support>>()

const knownIn = (scope: Scope): Map<string, Support> => {
  const own = known.get(scope) ?? new Map<string, Support>()
  known.set(scope, own)
  return own
}

const knownOf = ({ scope, name }: Value): Support | undefined => known.get(scope)?.get(name)

/** The values whose shapes come together in the shape of a value. */
function supportOf(scope: Scope, name: string): Support {
  const asked = valueIn(scope, name)
  const open: Value[] = [asked]
  const entered = new Set<string>()
  for (let value = open.at(-1); value !== undefined; value = open.at(-1)) {
    const { key } = value
    const parts = knownOf(value) === undefined ? partsOf(value) : undefined
    const missing = parts?.values.filter((part) => knownOf(part) === undefined && !entered.has(part.key)) ?? []
    entered.add(key)
    if (missing.length > 0) {
      open.push(...missing)
      continue
    }
    open.pop()
    if (knownOf(value) !== undefined) continue
    // In a model whose nodes go round in a circle, a value that is not known yet stands for itself.
    const supports = parts?.values.map((part) => knownOf(part) ?? new Set([part.key])) ?? []
    const sizes = parts?.sizes === undefined ? [] : [new Set([parts.sizes])]
    knownIn(value.scope).set(value.name, parts === undefined ? new Set([key]) : union([...supports, ...sizes], key))
  }
  return knownOf(asked)!
}

/** Whether values have one shape by the way they are made. */
export function haveOneShape(scope: Scope, names: readonly string[]): boolean {
  const [first, ...others] = [...new Set(names)].map((name) => supportOf(scope, name))
  return others.every(
    (other) => other === first || (other.size === first!.size && [...other].every((value) => first!.has(value))),
  )
}

/** The vector that an Expand gave a value its shape from; undefined for other values. */
export const expandedTo = (scope: Scope, name: string): string | undefined =>
  madeBy(scope, name, 'Expand')?.node.inputs[1]
