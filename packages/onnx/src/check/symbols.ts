// Which symbols a caller of the model decides, and which the data: a condition on the latter holds in some runs only.
import { type Dim, type DimCondition, symbolsOf, symbolsThat } from '../dims/index.ts'
import type { Inference } from '../infer/inference.ts'

/** Symbols in the shapes of the model's inputs, and those that stand for elements of small integer ones. */
function inputSymbols(inference: Inference): ReadonlySet<string> {
  const symbols = new Set<string>()
  for (const value of inference.inputs.values()) {
    if (value.kind !== 'tensor') continue
    for (const dim of value.shape ?? []) for (const symbol of symbolsOf(dim)) symbols.add(symbol)
    for (const dim of value.values ?? []) {
      if (dim !== null && typeof dim !== 'number') for (const symbol of symbolsOf(dim)) symbols.add(symbol)
    }
  }
  return symbols
}

/** Gives the symbols of a Dim that no input decides. */
type DataSymbols = (dim: Dim) => ReadonlySet<string>

const known = new WeakMap<Inference, DataSymbols>()

function dataSymbols(inference: Inference): DataSymbols {
  const before = known.get(inference)
  if (before !== undefined) return before
  const ofInputs = inputSymbols(inference)
  const closed = new Map<string, ReadonlySet<string>>()
  const made: DataSymbols = (dim) => symbolsThat(dim, (name) => !ofInputs.has(name), closed)
  known.set(inference, made)
  return made
}

/** The symbols of conditions that no input decides, sorted. */
export function dataSymbolsIn(inference: Inference, conditions: readonly DimCondition[]): readonly string[] {
  const ofData = dataSymbols(inference)
  const dims = conditions.flatMap(({ anyOf }) =>
    anyOf.flatMap((fact) => {
      if (fact.kind === 'other') return []
      return fact.kind === 'within' ? [fact.dim] : [fact.left, fact.right]
    }),
  )
  return [...new Set(dims.flatMap((dim) => [...ofData(dim)]))].sort()
}
