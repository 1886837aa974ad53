// The first inputs of the seed; `npm run fuzz -- npy` and `npm run fuzz -- npz` run as many as wanted.
import { describe, expect, it } from 'vitest'
import { onDefaultSeed, seed } from '../../../testing/seed.ts'
import { exercise } from './exercise.ts'
import { type Kind, makeInput } from './input.ts'

describe('damaged arrays', () => {
  it.each([
    ['npy', 2000],
    ['npz', 1000],
  ] as const)('are read or refused with a typed error: %s', async (kind: Kind, count: number) => {
    const outcomes = { read: 0, refused: 0 }
    const used = new Set<string>()
    for (let index = 0; index < count; index++) {
      const { bytes, mutations } = makeInput(kind, seed, index)
      for (const name of mutations) used.add(name)
      outcomes[await exercise(kind, bytes)]++
    }
    onDefaultSeed(() => {
      expect(outcomes.read).toBeGreaterThan(count / 20)
      expect(outcomes.refused).toBeGreaterThan(count / 2)
      expect(used.size).toBeGreaterThan(11)
    })
  })
})
