// Sizes that are not known yet, and numbers to try for them: those that the reader chose, else small ones with which
// the shapes meet.
import { type Dim, type Explanation, explain, type Shape, type SymbolicShape } from 'bcast'
import type { Answered, Question } from './question.ts'

/** A size that can be tried. */
export interface Symbol {
  /** A name, or `?operand.axis` for a size without one. */
  readonly key: string
  readonly label: string
  readonly min: number
  readonly max: number
}

type Ranked = readonly (readonly Dim[])[]

const FARTHEST = 8

function symbolOf(dim: Dim, operand: number, axis: number): Symbol | undefined {
  if (typeof dim === 'number') return undefined
  if (typeof dim === 'string') return { key: dim, label: dim, min: 0, max: FARTHEST }
  const { min, max } = dim ?? { min: 0, max: null }
  const letter = String.fromCharCode(65 + operand)
  return {
    ...{ key: `?${operand}.${axis}`, label: `${letter}, axis ${axis} from the left`, min },
    max: Math.min(max ?? Number.MAX_SAFE_INTEGER, min + FARTHEST),
  }
}

/** Every size that is not known, each name once. */
export function symbolsOf(shapes: readonly SymbolicShape[]): Symbol[] {
  const symbols = shapes.flatMap((shape, operand) =>
    (shape ?? []).flatMap((dim, axis) => symbolOf(dim, operand, axis) ?? []),
  )
  return [...new Map(symbols.map((symbol) => [symbol.key, symbol])).values()]
}

/** The shapes with numbers for every symbol. */
const withSizes = (shapes: Ranked, sizes: Readonly<Record<string, number>>): Shape[] =>
  shapes.map((shape, operand) =>
    shape.map((dim, axis) => (typeof dim === 'number' ? dim : sizes[symbolOf(dim, operand, axis)!.key]!)),
  )

/** Tries that are made before sizes are taken as they come. */
const MOST_TRIES = 400

/** A size for every symbol: as chosen, else such that the shapes meet where that is found soon. */
export function trialSizes(
  { shapes, rule, onto }: Question,
  chosen: Readonly<Record<string, number>>,
): Record<string, number> {
  const ranked = shapes as Ranked
  const symbols = symbolsOf(shapes)
  const numbers = ranked.flat().filter((dim): dim is number => typeof dim === 'number' && dim > 1 && dim <= 64)
  const candidates = symbols.map(({ key, min, max }) => {
    const own = chosen[key]
    if (own !== undefined) return [Math.min(Math.max(own, min), Math.max(max, own))]
    const wanted = [...new Set([...numbers, 3, 2, 4, 1, min])]
    return wanted.filter((size) => size >= min && size <= Math.max(max, ...numbers))
  })
  const sizesAt = (choice: number): Record<string, number> => {
    const sizes: Record<string, number> = {}
    let rest = choice
    for (const [i, { key }] of symbols.entries()) {
      const own = candidates[i]!
      sizes[key] = own[rest % own.length]!
      rest = Math.floor(rest / own.length)
    }
    return sizes
  }
  const all = candidates.reduce((count, { length }) => count * length, 1)
  for (let choice = 0; choice < Math.min(all, MOST_TRIES); choice++) {
    const sizes = sizesAt(choice)
    if (explain(withSizes(ranked, sizes), { broadcast: rule, onto }).verdict === 'ok') return sizes
  }
  return sizesAt(0)
}

/** The shapes with numbers for everything that is not known. */
export const triedShapes = (question: Question, chosen: Readonly<Record<string, number>>): Shape[] =>
  withSizes(question.shapes as Ranked, trialSizes(question, chosen))

/** The explanation with numbers for everything that is not known. */
export function tried({ question, explanation }: Answered, chosen: Readonly<Record<string, number>>): Explanation {
  const { shapes, rule, onto } = question
  if (symbolsOf(shapes).length === 0) return explanation
  return explain(triedShapes(question, chosen), { broadcast: rule, onto })
}
