// Questions and their answers: fixes applied, sizes tried, bad input told.
import { parseShape } from '@bcast/cli/shapes'
import { explain, numpy, type SymbolicShape } from 'bcast'
import { describe, expect, it } from 'vitest'
import { comparedRules } from '../src/state/compared-rules.ts'
import { type Answered, answerShapes } from '../src/state/question.ts'
import { initial, type State } from '../src/state/state.ts'
import { openSizes, trialSizes, tried } from '../src/state/trial.ts'

const answer = (texts: readonly string[], state: Partial<State> = {}): Answered => {
  const found = answerShapes(texts, { ...initial, ...state })
  if (found.kind !== 'answer') throw new Error(found.text)
  return found
}

const problem = (texts: readonly string[], state: Partial<State> = {}): string => {
  const found = answerShapes(texts, { ...initial, ...state })
  return found.kind === 'problem' ? found.text : 'none'
}

describe('a fix', () => {
  it('is applied, and what was given stays', () => {
    const { explanation, given, question } = answer(['2,3,4', '2,4'], { fix: 0 })
    expect(given.verdict).toBe('error')
    expect(explanation.verdict).toBe('ok')
    expect(question.shapes).toEqual([
      [2, 3, 4],
      [2, 1, 4],
    ])
  })

  it('that is not there changes nothing', () => {
    const { explanation, given } = answer(['2,3,4', '2,4'], { fix: 99 })
    expect(explanation).toBe(given)
  })
})

describe('bad input', () => {
  it.each([
    [['1'.repeat(30)], 'above 2^53 - 1'],
    [['3..2'], 'holds no size'],
    [Array(7).fill('2'), '7 shapes'],
    [[Array(65).fill('1').join()], '65 axes'],
    [['94906267,94906267', '2,1,1'], '2^53 - 1'],
  ])('%j is told', (texts, said) => {
    expect(problem(texts)).toContain(said)
  })

  it('of forty axes and of 10^12 elements is answered soon', () => {
    const forty = Array.from({ length: 40 }, (_, i) => (i % 3) + 1).join()
    expect(answer([forty, forty.replace('3', '5')]).explanation.verdict).toBe('error')
    expect(answer(['1000000,1', '1000000']).explanation.shape).toEqual([1_000_000, 1_000_000])
  })

  it('in the options of a rule is told', () => {
    expect(problem(['2,3', '3'], { rule: { rule: 'numpy', axis: 1 } })).toContain('does not read')
    expect(answer(['2,3', '3'], { onto: 7 }).question.onto).toBe(0)
  })
})

describe('explicit', () => {
  it('has the axes at the end unless others are said', () => {
    expect(answer(['2,3,4', '3,4'], { rule: { rule: 'explicit' } }).explanation.rule).toBe(
      'explicit(axesMapping=[1,2])',
    )
  })
})

describe('sizes that are not known', () => {
  const question = (...texts: string[]): Answered['question'] => ({
    ...{ shapes: texts.map(parseShape), rule: numpy, onto: 0 },
  })

  it('are listed once for each name', () => {
    expect(openSizes(question('N,3', 'N,?', '2..4').shapes).map(({ key, min, max }) => [key, min, max])).toEqual([
      ['N', 0, 8],
      ['?1.1', 0, 8],
      ['?2.0', 2, 4],
    ])
  })

  it.each([
    ['N,3', '4,M'],
    ['N,N', '3,4'],
    ['N,?', '5,1', '?,7'],
    ['2..8,5', '6,1'],
  ])('%s %s are tried with numbers that meet', (...texts) => {
    const asked = question(...(texts as string[]))
    const explanation = explain(asked.shapes as SymbolicShape[])
    expect(explanation.verdict).toBe('conditional')
    const answered: Answered = { kind: 'answer', question: asked, explanation, given: explanation }
    expect(tried(answered, {}).verdict).toBe('ok')
  })

  it('are small and differ where any would do', () => {
    expect(trialSizes(question('1', 'a,16,b,c').shapes, [], {})).toEqual({ a: 2, b: 3, c: 4 })
  })

  it('are as the reader chose them', () => {
    expect(trialSizes(question('N,3', '4,M').shapes, [], { N: 2 })).toMatchObject({ N: 2 })
  })
})

it('rules that are compared are all rules, the one in use with its options', () => {
  const { question } = answer(['2,3,4,5', '3,4'], { rule: { rule: 'pdpd', axis: 1 } })
  const labels = comparedRules(question).map(({ label }) => label)
  expect(labels).toContain('pdpd(axis=1)')
  expect(labels).toContain('explicit(axesMapping=[2,3])')
  expect(labels).toHaveLength(11)
})
