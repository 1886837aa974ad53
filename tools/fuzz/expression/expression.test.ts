// The first expressions of the seed; `npm run fuzz -- expression` runs as many as wanted.
import { configure } from 'bcast'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onDefaultSeed, seed } from '../../../testing/seed.ts'
import { exercise, prepare } from './exercise.ts'
import { makeExpression } from './input.ts'

beforeAll(prepare)
afterAll(() => configure({ backend: 'auto' }))

it('are refused at their place or have a result', () => {
  const outcomes = { result: 0, refused: 0, 'operands refused': 0 }
  for (let index = 0; index < 2000; index++) outcomes[exercise(makeExpression(seed, index), index)]++
  onDefaultSeed(() => {
    for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(200)
  })
})
