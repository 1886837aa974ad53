// Random kernels, for each kind of code that the processor has: they give what the interpreter gives, and read and write
// nothing beyond their operands, each of which lies against a wall. One byte beyond ends the process, and the test with
// it. `npm run fuzz -- kernels` runs as many as wanted.
import { describe, expect, it } from 'vitest'
import { describeCase, makeCase, runCase } from '../../../testing/kernels/kernel.ts'
import { makeRandom } from '../../../testing/random.ts'
import { onDefaultSeed, seed } from '../../../testing/seed.ts'
import { found } from './found.ts'

describe.each(found)('kernels of %s', (level) => {
  it('give what the interpreter gives, and touch nothing beyond their operands', () => {
    const outcomes = { computed: 0, 'a fault': 0, 'no code': 0 }
    for (let index = 0; index < 1000; index++) {
      const random = makeRandom(Math.imul(seed + index, 0x9e3779b1))
      const made = makeCase(random, [level])
      try {
        outcomes[runCase(random, made)]++
      } catch (error) {
        expect.fail(`${(error as Error).message}\n${describeCase(made)}`)
      }
    }
    expect(outcomes['no code']).toBe(0)
    onDefaultSeed(() => expect(Math.min(outcomes.computed, outcomes['a fault'])).toBeGreaterThan(5))
  })
})
