// Every example of the gallery gives what it says, by the library.
import { explained, readMessages } from '@bcast/cli/messages'
import { parseShape } from '@bcast/cli/shapes'
import { describe, expect, it } from 'vitest'
import { chapters } from '../src/gallery/examples.ts'
import { inferExpression } from '../src/recognise/expression.ts'
import { recognise } from '../src/recognise/recognise.ts'
import { answerShapes } from '../src/state/question.ts'
import { initial } from '../src/state/state.ts'

describe.each(chapters)('$title', ({ examples }) => {
  it.each(examples)('$text $rule.rule', ({ text, rule = {}, gives }) => {
    const what = recognise(text)
    if (what.kind === 'message') {
      const [found] = readMessages(text)
      expect(explained(found!).verdict).toBe('error')
      return
    }
    if (what.kind === 'expression') {
      expect(inferExpression(what)).toMatchObject({ kind: 'inferred', shape: [100, 3] })
      return
    }
    expect(what.kind).toBe('shapes')
    const answer = answerShapes(what.kind === 'shapes' ? what.shapes : [], { ...initial, rule })
    if (answer.kind !== 'answer') throw new Error(answer.text)
    const { verdict, shape } = answer.explanation
    if (verdict === 'conditional') return
    expect(verdict === 'ok' ? shape : undefined).toEqual(gives === undefined ? undefined : parseShape(gives))
  })
})

it('has the five documents and a beginning', () => {
  expect(chapters.map(({ title }) => title.split(':')[0])).toEqual([
    'Begin here',
    'ONNX',
    'OpenVINO',
    'nGraph',
    'SONNX',
  ])
})
