// Random shapes that mostly meet, and now and then just miss: the interesting cases lie on both sides of a rule.
import type { Dim, SymbolicShape } from 'bcast'
import type { Random } from '../../testing/random.ts'

type Shape = readonly number[]

const MAX_ELEMENTS = 300

function size(random: Random): number {
  const draw = random.unit()
  if (draw < 0.04) return 0
  if (draw < 0.22) return 1
  if (draw < 0.27) return random.pick([8, 15, 16, 17, 33])
  return 2 + random.below(4)
}

/** A shape of rank 0 to 5 with few elements. */
export function randomShape(random: Random, minRank = 0): number[] {
  const rank = Math.max(minRank, random.pick([0, 1, 1, 2, 2, 2, 3, 3, 4, 5]))
  const shape: number[] = []
  let elements = 1
  for (let i = 0; i < rank; i++) {
    const next = elements * size(random) > MAX_ELEMENTS ? 1 : size(random)
    shape.push(elements * next > MAX_ELEMENTS ? 1 : next)
    elements *= Math.max(1, shape.at(-1)!)
  }
  return shape
}

/** One size changed, so that a rule may fail. */
function disturbed(random: Random, shape: Shape): number[] {
  if (shape.length === 0) return [2 + random.below(2)]
  const at = random.below(shape.length)
  const other = random.pick([0, 1, 2, 3, shape[at]! + 1])
  return shape.map((dim, axis) => (axis === at ? other : dim))
}

/** A part of `shape` from the right, with some sizes 1. */
export function partOf(random: Random, shape: Shape, ones: number): number[] {
  const kept = random.chance(0.6) ? shape : shape.slice(random.below(shape.length + 1))
  return kept.map((dim) => (random.chance(ones) ? 1 : dim))
}

const MISS = 0.12

/** Shapes that meet as numpy's do, most of the time. */
export function meeting(random: Random, count: number): number[][] {
  const whole = randomShape(random)
  return Array.from({ length: count }, () => {
    const part = partOf(random, whole, 0.3)
    return random.chance(MISS / count) ? disturbed(random, part) : part
  })
}

/** A shape and another that goes onto it, most of the time. */
export function onto(random: Random): [target: number[], data: number[]] {
  const target = randomShape(random)
  if (random.chance(0.05)) return [partOf(random, target, 0.3), target]
  const data = partOf(random, target, 0.35)
  return [target, random.chance(MISS) ? disturbed(random, data) : data]
}

/** A, B and the axis at which B starts; B may carry inner and trailing ones. */
export function startingAt(random: Random): { a: number[]; b: number[]; axis: number } {
  const a = randomShape(random, 1)
  const start = random.below(a.length + 1)
  const length = random.below(a.length - start + 1)
  let b = a.slice(start, start + length).map((dim) => (random.chance(0.25) ? 1 : dim))
  if (random.chance(0.25)) b = [...b, ...new Array<number>(1 + random.below(2)).fill(1)]
  if (random.chance(MISS)) b = disturbed(random, b)
  const suffix = start + length === a.length && random.chance(0.5)
  const axis = suffix || random.chance(0.15) ? -1 : start
  return { a, b, axis }
}

/** Data, a target and the target's axis for each axis of the data. */
export function mapped(random: Random): { data: number[]; target: number[]; axesMapping: number[] } {
  const target = randomShape(random)
  const axesMapping = target.flatMap((_, axis) => (random.chance(0.55) ? [axis] : []))
  let data = axesMapping.map((axis) => (random.chance(0.2) ? 1 : target[axis]!))
  if (random.chance(MISS)) data = disturbed(random, data)
  if (random.chance(0.05)) axesMapping.reverse()
  if (random.chance(0.03) && axesMapping.length > 0) axesMapping.push(axesMapping[0]!)
  return { data, target, axesMapping }
}

/** Which kinds of dimension an engine knows besides numbers. */
export type DimKind = 'name' | 'unknown' | 'interval'

function blurred(random: Random, dim: number, kinds: readonly DimKind[]): Dim {
  if (!random.chance(0.35)) return dim
  const kind = random.pick(kinds)
  if (kind === 'unknown') return null
  if (kind === 'interval') {
    const min = Math.max(0, dim - random.below(3))
    return { min, max: random.chance(0.2) ? null : dim + 1 + random.below(3) }
  }
  return random.pick(['N', 'M', 'K'])
}

/** The same shapes with some sizes given up for a name, an interval or nothing, and rarely the rank too. */
export function blur(random: Random, shapes: readonly Shape[], kinds: readonly DimKind[]): SymbolicShape[] {
  if (kinds.length === 0) return shapes.map((shape) => [...shape])
  return shapes.map((shape) =>
    random.chance(0.03) ? null : shape.map((dim) => (random.chance(0.8) ? blurred(random, dim, kinds) : dim)),
  )
}
