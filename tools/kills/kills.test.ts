// A few kills; `npm run kills` does a hundred, of longer evaluations.
import { expect, it } from 'vitest'
import { seed } from '../../testing/seed.ts'
import { killRepeatedly } from './kills.ts'

it('leave the output absent, old or whole', async () => {
  const { absent, old, whole, broken } = await killRepeatedly(3, 2 ** 26, seed, () => {})
  expect(broken).toEqual([])
  expect(absent + old + whole).toBe(3)
  // A kill between the renaming and the end finds it whole; others come before.
  expect(absent + old).toBeGreaterThan(0)
})
