// The first expressions of one seed; `npm run fuzz -- expression` runs as many as wanted.
import { configure } from 'bcast'
import { afterAll, expect, it } from 'vitest'
import { fuzzExpressions } from './command.ts'

afterAll(() => configure({ backend: 'auto' }))

it('are refused at their place or have a result', () => {
  const { outcomes, failures } = fuzzExpressions(7, 3000, () => {})
  expect(failures).toEqual([])
  for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(200)
})
