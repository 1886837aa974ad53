// Sets of sizes as sorted disjoint intervals: what is still possible for one symbol. Sizes are integers from 0.
import type { Dim } from '../dim.ts'

/** Sizes from `min` to `max`, which may be infinite. */
interface Range {
  readonly min: number
  readonly max: number
}

/** Sorted, disjoint, not touching. */
export type Domain = readonly Range[]

export const ALL: Domain = [{ min: 0, max: Infinity }]

/** The sizes that a dimension may be of itself. */
export const domainOf = (dim: Dim): Domain =>
  typeof dim === 'number'
    ? point(dim)
    : typeof dim === 'object' && dim
      ? [{ min: dim.min, max: dim.max ?? Infinity }]
      : ALL

/** The dimension that stands for a set of sizes: the smallest interval around them. */
export const dimAround = (domain: Domain): Dim => {
  const { min } = domain[0]!
  const { max } = domain.at(-1)!
  if (min === 0 && max === Infinity) return null
  return min === max ? min : { min, max: max === Infinity ? null : max }
}

export const point = (size: number): Domain => [{ min: size, max: size }]

export const contains = (domain: Domain, size: number): boolean =>
  domain.some(({ min, max }) => min <= size && size <= max)

export function intersect(a: Domain, b: Domain): Domain {
  const result: Range[] = []
  for (const p of a) {
    for (const q of b) {
      const min = Math.max(p.min, q.min)
      const max = Math.min(p.max, q.max)
      if (min <= max) result.push({ min, max })
    }
  }
  return result
}

export function unite(a: Domain, b: Domain): Domain {
  const result: { min: number; max: number }[] = []
  for (const { min, max } of [...a, ...b].sort((p, q) => p.min - q.min)) {
    const last = result.at(-1)
    if (last !== undefined && min <= last.max + 1) last.max = Math.max(last.max, max)
    else result.push({ min, max })
  }
  return result
}

/** The sizes of `a` that are not in `b`. */
export function subtract(a: Domain, b: Domain): Domain {
  const gaps: Range[] = []
  let from = 0
  for (const { min, max } of b) {
    if (min > from) gaps.push({ min: from, max: min - 1 })
    from = max + 1
  }
  if (from !== Infinity) gaps.push({ min: from, max: Infinity })
  return intersect(a, gaps)
}

export const without = (domain: Domain, size: number): Domain => subtract(domain, point(size))

export const isEmpty = (domain: Domain): boolean => domain.length === 0

/** The only size of a domain, or undefined when there are several or none. */
export const single = (domain: Domain): number | undefined =>
  domain.length === 1 && domain[0]!.min === domain[0]!.max ? domain[0]!.min : undefined

export const sameDomain = (a: Domain, b: Domain): boolean =>
  a.length === b.length && a.every((p, i) => p.min === b[i]!.min && p.max === b[i]!.max)

/** How many sizes a domain holds. */
export const sizeCount = (domain: Domain): number => domain.reduce((count, { min, max }) => count + max - min + 1, 0)

/** Up to `limit` of the smallest sizes. */
export function firstSizes(domain: Domain, limit: number): number[] {
  const sizes: number[] = []
  for (const { min, max } of domain) {
    for (let size = min; size <= max && sizes.length < limit; size++) sizes.push(size)
  }
  return sizes
}
