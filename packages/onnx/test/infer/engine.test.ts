// Random nodes, run in onnxruntime and inferred; what inference says must be true of every run. ENGINE_ROUNDS asks
// for more of them.
import { describe, expect, it } from 'vitest'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import { contribCases } from '../support/cases-contrib.ts'
import { nodeCases } from '../support/cases-nodes.ts'
import { type Generate, windowCases } from '../support/cases-windows.ts'
import { faultIn, newSizes, runCase, type Sizes } from '../support/engine.ts'
import { Random } from '../support/random.ts'

const { ENGINE_ROUNDS = '8' } = process.env
const rounds = Number(ENGINE_ROUNDS)

/** Everything that inference says wrongly about random nodes of one kind, and how many of them ran. */
async function judged(generate: Generate, random: Random, sizes: Sizes): Promise<{ faults: string[]; runs: number }> {
  const faults: string[] = []
  let runs = 0
  for (let i = 0; i < rounds; i++) {
    const one = generate(random)
    const actual = await runCase(one)
    if (typeof actual === 'string') continue
    runs++
    for (const isSymbol of [() => false, () => true, () => random.chance()]) {
      const fault = faultIn(one, actual, isSymbol, sizes)
      if (fault !== undefined) faults.push(`${fault}: ${JSON.stringify(one)}`)
    }
  }
  return { faults, runs }
}

describe('what inference says of a node', () => {
  const sizes = newSizes()
  const cases = [windowCases, nodeCases, contribCases].flat()

  it.each(cases.map((generate, i) => [generate(new Random(i)).op, generate, i] as const))(
    'is true of runs of %s',
    async (_, generate, i) => {
      const { faults, runs } = await judged(generate, new Random(i), sizes)
      expect(faults).toEqual([])
      onDefaultSeed(() => expect(runs).toBeGreaterThan(rounds / 4))
    },
  )

  it('is nearly everything there is to say', () => {
    onDefaultSeed(() => expect(sizes.open / (sizes.open + sizes.exact)).toBeLessThan(0.06))
  })
})
