// Random loops over operands: how they step in each loop, forwards, backwards, across, or not at all, and how far they reach.
import type { Random } from '../random.ts'

export interface Stepping {
  /** From the outermost loop to the innermost. */
  readonly sizes: readonly number[]
  /** In elements, for each operand, the result last. */
  readonly strides: readonly (readonly number[])[]
}

/** Bytes that an operand may reach over. */
export const REACH = 1 << 16

/** How far below and above its first element an operand lies. */
export function extentOf(sizes: readonly number[], strides: readonly number[]): { low: number; high: number } {
  let [low, high] = [0, 0]
  for (const [i, stride] of strides.entries()) {
    const far = stride * (sizes[i]! - 1)
    if (far < 0) low += far
    else high += far
  }
  return { low, high }
}

function innerSize(random: Random): number {
  switch (random.below(6)) {
    case 0:
      return 1 + random.below(4)
    case 1:
      return 1 + random.below(2000)
    case 2:
      return Math.max(1, 16 * (1 + random.below(20)) + random.below(3) - 1)
    default:
      return 1 + random.below(140)
  }
}

function stridesOf(random: Random, sizes: readonly number[], isResult: boolean): number[] {
  const rank = sizes.length
  const strides = new Array<number>(rank).fill(0)
  let step = 1
  const across = !isResult && rank > 1 && random.chance(0.15)
  const order = sizes.map((_, i) => rank - 1 - i)
  // Two loops change places where an operand lies across the result.
  if (across) [order[0], order[1]] = [order[1]!, order[0]!]
  for (const loop of order) {
    const gap = random.chance(0.2) ? 1 + random.below(4) : 0
    const isInner = loop === rank - 1
    if (isResult) {
      strides[loop] = step
      step = step * sizes[loop]! + gap
      continue
    }
    if (random.chance(0.25)) continue
    const jump = isInner && random.chance(0.3) ? 1 + random.below(5) : 1
    strides[loop] = step * jump * (random.chance(0.15) ? -1 : 1)
    step = step * jump * sizes[loop]! + gap
  }
  return strides
}

export function makeLoops(random: Random, widths: readonly number[]): Stepping {
  for (;;) {
    const inner = innerSize(random)
    const sizes = [inner]
    let total = inner
    const rank = 1 + random.below(4)
    while (sizes.length < rank) {
      const size = random.chance(0.3) ? 4 * (1 + random.below(6)) : 1 + random.below(random.chance(0.1) ? 70 : 9)
      if (total * size > 6000) break
      sizes.unshift(size)
      total *= size
    }
    const strides = widths.map((_, i) => stridesOf(random, sizes, i === widths.length - 1))
    const fits = strides.every((own, i) => {
      const { low, high } = extentOf(sizes, own)
      return (high - low + 1) * widths[i]! <= REACH
    })
    if (fits) return { sizes, strides }
  }
}
