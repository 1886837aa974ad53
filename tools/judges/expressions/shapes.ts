// Shapes of operands that have something to do with each other: most meet by broadcasting, some are matrices with a
// product, vectors and batches among them.
import type { Random } from '../../../testing/random.ts'
import { partOf, randomShape } from '../shapes.ts'

type Shape = readonly number[]

const MAX_RANK = 4

/** Whether shapes meet by broadcasting; undefined where they do not. */
export function meet(...shapes: readonly Shape[]): Shape | undefined {
  const rank = Math.max(...shapes.map(({ length }) => length))
  const all: number[] = []
  for (let axis = 0; axis < rank; axis++) {
    const sizes = shapes.map((shape) => shape[shape.length - rank + axis] ?? 1)
    const size = sizes.find((each) => each !== 1) ?? 1
    if (sizes.some((each) => each !== 1 && each !== size)) return undefined
    all.push(size)
  }
  return all
}

/** Whether two shapes have a product of matrices. */
export function multiply(a: Shape, b: Shape): boolean {
  if (a.length === 0 || b.length === 0) return false
  return a.at(-1) === b.at(b.length > 1 ? -2 : -1) && meet(a.slice(0, -2), b.slice(0, -2)) !== undefined
}

/** Shapes of matrices with a product; either may be a vector. */
function factors(random: Random): [number[], number[]] {
  const batch = random.chance(0.5) ? [] : randomShape(random).slice(-2)
  const size = (): number => (random.chance(0.05) ? 0 : 1 + random.below(5))
  const [m, k, n] = [size(), size(), size()]
  const left = random.chance(0.2) ? [k] : [...partOf(random, batch, 0.3), m, k]
  return [left, random.chance(0.2) ? [k] : [...partOf(random, batch, 0.3), k, n]]
}

/** Shapes of 1 to 4 operands. */
export function operandShapes(random: Random): number[][] {
  const whole = randomShape(random).slice(-MAX_RANK)
  const count = 1 + random.below(4)
  const parts = Array.from({ length: count }, (_, i) => (i === 0 ? whole : partOf(random, whole, 0.3)))
  return count > 1 && random.chance(0.3) ? [...factors(random), ...parts.slice(2)] : parts
}
