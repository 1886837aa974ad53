// Sets of sizes as sorted disjoint intervals: what is still possible for one symbol. Sizes are integers from 0.
import type { Interval } from '../dim.ts'

/** Sorted, disjoint, not touching; `max: null` has no bound. */
export type Domain = readonly Interval[]

export const ALL: Domain = [{ min: 0, max: null }]

export const point = (size: number): Domain => [{ min: size, max: size }]

const bound = (max: number | null): number => max ?? Number.POSITIVE_INFINITY
const unbound = (max: number): number | null => (max === Number.POSITIVE_INFINITY ? null : max)

export const contains = (domain: Domain, size: number): boolean =>
  domain.some(({ min, max }) => min <= size && size <= bound(max))

export function intersect(a: Domain, b: Domain): Domain {
  const result: Interval[] = []
  for (const p of a) {
    for (const q of b) {
      const min = Math.max(p.min, q.min)
      const max = Math.min(bound(p.max), bound(q.max))
      if (min <= max) result.push({ min, max: unbound(max) })
    }
  }
  return result
}

export function unite(a: Domain, b: Domain): Domain {
  const result: { min: number; max: number | null }[] = []
  for (const { min, max } of [...a, ...b].sort((p, q) => p.min - q.min)) {
    const last = result.at(-1)
    if (last !== undefined && min <= bound(last.max) + 1) last.max = unbound(Math.max(bound(last.max), bound(max)))
    else result.push({ min, max })
  }
  return result
}

/** The sizes of `a` that are not in `b`. */
export function subtract(a: Domain, b: Domain): Domain {
  const gaps: Interval[] = []
  let from = 0
  for (const { min, max } of b) {
    if (min > from) gaps.push({ min: from, max: min - 1 })
    from = bound(max) + 1
  }
  if (from !== Number.POSITIVE_INFINITY) gaps.push({ min: from, max: null })
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
export const sizeCount = (domain: Domain): number =>
  domain.reduce((count, { min, max }) => count + bound(max) - min + 1, 0)

/** Up to `limit` of the smallest sizes. */
export function firstSizes(domain: Domain, limit: number): number[] {
  const sizes: number[] = []
  for (const { min, max } of domain) {
    for (let size = min; size <= bound(max) && sizes.length < limit; size++) sizes.push(size)
  }
  return sizes
}

/** The smallest interval around a domain. */
export const hull = (domain: Domain): Interval => ({ min: domain[0]!.min, max: domain.at(-1)!.max })
