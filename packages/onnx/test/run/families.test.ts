// Operators that are made of several steps, run here and in onnxruntime on random elements, sizes and versions.
import { describe, expect, it } from 'vitest'
import { isDefaultSeed, onDefaultSeed } from '../../../../testing/seed.ts'
import { caseText, disagreement } from '../support/judge.ts'
import { Random } from '../support/random.ts'
import { families } from './families/index.ts'

/** Sums that cancel and groups of equal elements magnify a rounding: how far is measured for the default seed alone. */
const ROOM = isDefaultSeed ? 1 : 256

describe('onnxruntime computes nearly the same', () => {
  it.each(families.map(([generate, most], i) => [generate(new Random(i)).op, generate, most, i] as const))(
    '%s',
    async (_, generate, most, i) => {
      const random = new Random(i)
      let ran = 0
      for (let round = 0; round < 8; round++) {
        const each = generate(random)
        const wrong = await disagreement(each, most * ROOM)
        if (wrong === 'refused') continue
        ran++
        expect(wrong, caseText(each)).toBe(undefined)
      }
      onDefaultSeed(() => expect(ran).toBeGreaterThan(2))
    },
  )
})
