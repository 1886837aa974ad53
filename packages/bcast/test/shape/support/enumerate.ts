// Compares a symbolic verdict with the concrete rule under every assignment of small sizes: the proof that conditions
// are necessary and sufficient. Constants stay below the largest size tried, so that sizes nobody names are among them.
import type { Dim, Shape, SymbolicShape } from '../../../src/shape/dim.ts'
import type { Inference } from '../../../src/shape/inference.ts'
import { isFailure, resolve } from '../../../src/shape/resolve.ts'
import type { Rule } from '../../../src/shape/rule.ts'
import { conditionsHold, type SizeRef } from '../../../src/shape/symbolic/condition.ts'
import { infer } from '../../../src/shape/symbolic/infer.ts'

export type Assignment = (ref: SizeRef) => number

interface Open {
  readonly key: string
  readonly sizes: readonly number[]
}

const keyOf = (ref: SizeRef): string => (typeof ref === 'string' ? ref : `${ref.operand}@${ref.axis}`)

/** The sizes a symbolic tuple leaves open, each with the sizes to try. */
function symbolsOf(shapes: readonly SymbolicShape[], largest: number): Open[] {
  const all = Array.from({ length: largest + 1 }, (_, size) => size)
  const symbols: Open[] = []
  const names = new Set<string>()
  shapes.forEach((shape, operand) => {
    shape?.forEach((dim, axis) => {
      if (typeof dim === 'number' || (typeof dim === 'string' && names.has(dim))) return
      if (typeof dim === 'string') names.add(dim)
      const { min, max } = typeof dim === 'object' && dim !== null ? dim : { min: 0, max: null }
      const sizes = all.filter((size) => size >= min && size <= (max ?? largest))
      symbols.push({ key: typeof dim === 'string' ? dim : keyOf({ operand, axis: axis - shape.length }), sizes })
    })
  })
  return symbols
}

/** Every assignment of sizes to the symbols of a tuple. */
export function* assignments(shapes: readonly SymbolicShape[], largest: number): Generator<Assignment> {
  const symbols = symbolsOf(shapes, largest)
  const sizes = new Map<string, number>()
  const assign = function* (i: number): Generator<Assignment> {
    const symbol = symbols[i]
    if (symbol === undefined) {
      yield (ref) => sizes.get(keyOf(ref))!
      return
    }
    for (const size of symbol.sizes) {
      sizes.set(symbol.key, size)
      yield* assign(i + 1)
    }
  }
  yield* assign(0)
}

export const countSymbols = (shapes: readonly SymbolicShape[]): number => symbolsOf(shapes, 0).length

/** A symbolic shape with its sizes assigned. */
export const substitute = (shape: readonly Dim[], operand: number, sizeOf: Assignment): number[] =>
  shape.map((dim, axis) => {
    if (typeof dim === 'number') return dim
    return sizeOf(typeof dim === 'string' ? dim : { operand, axis: axis - shape.length })
  })

/** Whether a dimension of the inferred result covers the concrete size. */
function covers(dim: Dim, size: number, sizeOf: Assignment): boolean {
  if (dim === null) return true
  if (typeof dim === 'number') return dim === size
  if (typeof dim === 'string') return sizeOf(dim) === size
  return dim.min <= size && size <= (dim.max ?? Number.POSITIVE_INFINITY)
}

const describeCase = (rule: Rule, shapes: readonly SymbolicShape[], outcome: Inference): string =>
  `${rule.label} ${JSON.stringify(shapes)} -> ${JSON.stringify({ ...outcome, alignment: undefined })}`

/**
 * What is wrong with the verdict on a tuple, or undefined. `unranked` are the shapes that operands of unknown rank
 * take in turn; all of them go through all of these shapes.
 */
export function wrongVerdict(
  rule: Rule,
  shapes: readonly SymbolicShape[],
  largest: number,
  unranked: readonly Shape[] = [],
  onto = 0,
): string | undefined {
  const outcome = infer(rule, shapes, onto)
  const given = describeCase(rule, shapes, outcome)
  const unknown = shapes.flatMap((shape, operand) => (shape === null ? [operand] : []))
  const choices = unknown.reduce<Shape[][]>(
    (sofar) => sofar.flatMap((chosen) => unranked.map((shape) => [...chosen, shape])),
    [[]],
  )
  let held = 0
  let tried = 0
  for (const sizeOf of assignments(shapes, largest)) {
    const ranked = shapes.map((shape, operand) => (shape === null ? null : substitute(shape, operand, sizeOf)))
    for (const chosen of choices) {
      const concrete = ranked.map((shape, operand) => shape ?? chosen[unknown.indexOf(operand)]!)
      const resolved = resolve(rule, concrete, onto)
      const holds = !isFailure(resolved)
      tried++
      if (holds) held++
      if (outcome.verdict === 'error') {
        if (holds) return `${given}: holds for ${JSON.stringify(concrete)}`
        continue
      }
      const conditions = outcome.verdict === 'conditional' ? outcome.conditions : []
      if (conditionsHold(conditions, sizeOf, () => holds) !== holds) {
        return `${given}: ${holds ? 'holds' : 'fails'} for ${JSON.stringify(concrete)}`
      }
      if (!holds || outcome.shape === null) continue
      const fits =
        outcome.shape.length === resolved.shape.length &&
        outcome.shape.every((dim, axis) => covers(dim, resolved.shape[axis]!, sizeOf))
      if (!fits) return `${given}: result ${JSON.stringify(resolved.shape)} for ${JSON.stringify(concrete)}`
    }
  }
  if (outcome.verdict === 'ok' && held < tried) return `${given}: does not always hold`
  if (outcome.verdict === 'conditional' && (held === 0 || held === tried)) return `${given}: not conditional`
  return undefined
}
