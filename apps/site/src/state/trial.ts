// Sizes that are not known yet, and numbers to try for them: those that the reader chose, else small ones with which
// the conditions hold.
import {
  conditionsHold,
  type Dim,
  type Explanation,
  explain,
  type Shape,
  type SizeRef,
  type SymbolicShape,
} from 'bcast'
import { operandLetter } from '../picture/figure.ts'
import type { Answered } from './question.ts'

/** A size that can be tried. */
export interface OpenSize {
  /** A name, or `?operand.axis` for a size without one. */
  readonly key: string
  /** As the verdict calls it. */
  readonly label: string
  readonly min: number
  readonly max: number
}

type Sizes = Readonly<Record<string, number>>
type Ranked = readonly (readonly Dim[])[]

const FARTHEST = 8

/** What stands for a size that nothing is said of. */
const OTHERWISE = 3

function openSize(dim: Dim, operand: number, axis: number, rank: number): OpenSize | undefined {
  if (typeof dim === 'number') return undefined
  if (typeof dim === 'string') return { key: dim, label: dim, min: 0, max: FARTHEST }
  const { min, max } = dim ?? { min: 0, max: null }
  return {
    ...{ key: `?${operand}.${axis}`, label: `${operandLetter(operand)}[${axis - rank}]`, min },
    max: Math.min(max ?? Number.MAX_SAFE_INTEGER, min + FARTHEST),
  }
}

/** Every size that is not known, each name once. */
export function openSizes(shapes: readonly SymbolicShape[]): OpenSize[] {
  const all = shapes.flatMap((shape, operand) =>
    (shape ?? []).flatMap((dim, axis) => openSize(dim, operand, axis, shape!.length) ?? []),
  )
  return [...new Map(all.map((each) => [each.key, each])).values()]
}

/** Shapes with numbers for what is not known. */
export const withSizes = (shapes: readonly SymbolicShape[], sizes: Sizes): Shape[] =>
  (shapes as Ranked).map((shape, operand) =>
    shape.map((dim, axis) =>
      typeof dim === 'number' ? dim : (sizes[openSize(dim, operand, axis, shape.length)!.key] ?? OTHERWISE),
    ),
  )

const SMALL = [2, 3, 4, 5]

/** Tries that are made before sizes are taken as they come. */
const MOST_TRIES = 5000

/** A size for everything that is not known: as chosen, else such that the conditions hold where that is found soon. */
export function trialSizes(
  shapes: readonly SymbolicShape[],
  conditions: Explanation['conditions'],
  chosen: Sizes,
): Sizes {
  const open = openSizes(shapes)
  const numbers = (shapes as Ranked)
    .flat()
    .filter((dim): dim is number => typeof dim === 'number' && dim > 1 && dim <= 64)
  const candidates = open.map(({ key, min, max }, i) => {
    const own = chosen[key]
    if (own !== undefined) return [Math.max(own, min)]
    // Whatever they are, it holds or fails: small ones that differ, so that axes can be told apart.
    if (conditions.length === 0) return [Math.min(Math.max(SMALL[i % SMALL.length]!, min), max)]
    return [...new Set([...numbers, OTHERWISE, 2, 4, 1, min])].filter(
      (size) => size >= min && size <= Math.max(max, ...numbers),
    )
  })
  const sizesAt = (choice: number): Record<string, number> => {
    let rest = choice
    return Object.fromEntries(
      open.map(({ key }, i) => {
        const own = candidates[i]!
        const size = own[rest % own.length]!
        rest = Math.floor(rest / own.length)
        return [key, size]
      }),
    )
  }
  const holds = (sizes: Sizes): boolean => {
    const known = withSizes(shapes, sizes)
    return conditionsHold(conditions, (ref: SizeRef) =>
      typeof ref === 'string' ? sizes[ref]! : known[ref.operand]!.at(ref.axis)!,
    )
  }
  const all = candidates.reduce((count, { length }) => count * length, 1)
  for (let choice = 0; choice < Math.min(all, MOST_TRIES); choice++) {
    const sizes = sizesAt(choice)
    if (holds(sizes)) return sizes
  }
  return sizesAt(0)
}

/** The sizes that an answer is shown with. */
export const sizesFor = ({ question, explanation }: Answered, chosen: Sizes): Sizes =>
  trialSizes(question.shapes, explanation.conditions, chosen)

/** The explanation with numbers for everything that is not known. */
export function tried(answer: Answered, chosen: Sizes): Explanation {
  const { shapes, rule, onto } = answer.question
  if (openSizes(shapes).length === 0) return answer.explanation
  return explain(withSizes(shapes, sizesFor(answer, chosen)), { broadcast: rule, onto })
}
