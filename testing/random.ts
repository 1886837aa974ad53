// A seeded generator, so that a run and every number in its report can be repeated.

export interface Random {
  /** In [0, 1). */
  unit(): number
  /** An integer from 0 to n - 1. */
  below(n: number): number
  /** 32 random bits. */
  bits(): number
  chance(probability: number): boolean
  pick<T>(choices: readonly T[]): T
}

/** Mulberry32: small, fast and good enough to spread cases. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  const bits = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }
  const unit = (): number => bits() / 2 ** 32
  const below = (n: number): number => Math.floor(unit() * n)
  return {
    unit,
    below,
    bits,
    chance: (probability) => unit() < probability,
    pick: (choices) => {
      if (choices.length === 0) throw new Error('nothing to pick from')
      return choices[below(choices.length)]!
    },
  }
}
