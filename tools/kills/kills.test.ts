// A few kills; `npm run kills` does a hundred, of longer evaluations.
import { expect, it } from 'vitest'
import { killRepeatedly } from './kills.ts'

it('leave the output absent, old or whole', async () => {
  const { killed, absent, old, whole, broken } = await killRepeatedly(8, 2 ** 26, 3, () => {})
  expect(broken).toEqual([])
  expect(absent + old + whole).toBe(8)
  expect(killed).toBeGreaterThan(2)
})
