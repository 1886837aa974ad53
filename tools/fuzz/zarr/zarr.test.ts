// The first inputs of the seed; `npm run fuzz -- zarr` runs as many as wanted.
import { expect, it } from 'vitest'
import { onDefaultSeed, seed } from '../../../testing/seed.ts'
import { exercise } from './exercise.ts'
import { makeInput } from './input.ts'

it('damaged Zarr arrays are read or refused with a typed error', async () => {
  const outcomes = { read: 0, refused: 0 }
  const used = new Set<string>()
  for (let index = 0; index < 500; index++) {
    const input = await makeInput(seed, index)
    for (const name of input.mutations) used.add(name)
    outcomes[await exercise(input)]++
  }
  onDefaultSeed(() => {
    expect(outcomes.read).toBeGreaterThan(100)
    expect(outcomes.refused).toBeGreaterThan(150)
    expect(used.size).toBeGreaterThan(12)
  })
})
