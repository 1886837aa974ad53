// The cases of a run: repeatable, about everything, and answered by bcast with a result or an error of its own.
import { describe, expect, it } from 'vitest'
import { onDefaultSeed, seed, seedOf } from '../../testing/seed.ts'
import { generate } from './generate.ts'
import { ourAnswer } from './ours.ts'

describe('generate', () => {
  it('depends on the seed alone', () => {
    expect(generate(300, seed)).toEqual(generate(300, seed))
    expect(generate(300, seed)).not.toEqual(generate(300, seedOf(1)))
  })

  it('numbers the cases in order', () => {
    expect(generate(200, seed).every(({ id }, i) => id === i)).toBe(true)
  })

  it('asks about every rule and about shapes of rank 0 to 5, empty ones too', () => {
    const cases = generate(2000, seed)
    onDefaultSeed(() => {
      expect(new Set(cases.map(({ rule }) => rule.name)).size).toBe(10)
      const shapes = cases
        .flatMap((question) => (question.kind === 'compute' ? question.inputs : []))
        .map((x) => x.shape)
      expect(shapes.map((shape) => shape.length)).toEqual(expect.arrayContaining([0, 1, 2, 3, 4, 5]))
      expect(shapes.some((shape) => shape.includes(0))).toBe(true)
    })
  })

  it('gets both results and errors from bcast, and nothing that bcast does not document', () => {
    const kinds = generate(1000, seed).map((question) => ourAnswer(question).kind)
    expect(new Set(kinds)).toEqual(new Set(['tensor', 'shape', 'error']))
    onDefaultSeed(() => expect(kinds.filter((kind) => kind === 'error').length).toBeLessThan(kinds.length / 4))
  })
})
