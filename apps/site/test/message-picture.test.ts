// Pictures of messages that do not have the shapes: every number in them is one that the message has.
import { explained, readMessages, tellingOf } from '@bcast/cli/messages'
import { describe, expect, it } from 'vitest'
import { corpus } from '../../../packages/cli/test/messages/corpus/corpus.ts'
import { drawFigure } from '../src/picture/draw.ts'
import { type SvgNode, svgText } from '../src/picture/svg.ts'
import { figureText } from '../src/picture/words.ts'
import { messageFigure } from '../src/state/message-figure.ts'

function drawn(text: string): { node: SvgNode; words: string; texts: string[] } | undefined {
  const [reading] = readMessages(text)
  const made = messageFigure(explained(reading!))
  if (made === undefined) return undefined
  const node = drawFigure(made.figure, { width: 900, theme: 'light', sign: made.sign })
  const texts = [...svgText(node).matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, all]) => all!.replace(/<[^>]*>/g, ''))
  return { node, words: figureText(made.figure), texts }
}

describe('two sizes', () => {
  const torch =
    'RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1'

  it('are drawn on the axis that fails, the rest as not known', () => {
    const { node, words, texts } = drawn(torch)!
    expect(texts).toEqual(['a (?,3,…)', '?', '3!', '+', 'b (?,4,…)', '?', '4!'])
    expect(svgText(node).match(/class="cell"/g)).toHaveLength(3 + 4)
    expect(words).toBe(
      'a is (?,3,…): other axes are not known, 3 does not fit. b is (?,4,…): other axes are not known, 4 does not fit. There is no result.',
    )
  })

  it('on an axis that nobody named are drawn without its place', () => {
    const { texts } = drawn('Attempting to broadcast an axis by a dimension other than 1. 3 by 4')!
    expect(texts).toEqual(['one (…,3,…)', '?', '3!', '+', 'other (…,4,…)', '?', '4!'])
  })

  it('that are not numbers have no picture', () => {
    expect(
      drawn('The size of tensor a (s0) must match the size of tensor b (s1) at non-singleton dimension 1'),
    ).toBeUndefined()
  })
})

it('every picture of the corpus has only numbers that its message has', () => {
  const entries = Object.values(corpus).flat()
  const drawable = entries.filter(({ sizes, about }) => sizes !== undefined || about === 'matrix product')
  const made = drawable.flatMap(({ text }) => {
    const picture = drawn(text)
    return picture === undefined ? [] : [{ ...picture, text }]
  })
  expect(made.length).toBeGreaterThan(50)
  for (const { words, texts, text } of made) {
    const said = new Set(text.match(/\d+/g))
    // Axes of shapes that are whole are counted from the right.
    const shown = [...texts.join(' ').matchAll(/\d+/g), ...words.matchAll(/(?<!axis -)\b\d+/g)].map(
      ([number]) => number,
    )
    expect([text, shown.filter((number) => !said.has(number))]).toEqual([text, []])
  }
})

it('the factors of a matrix product are drawn with the axes that should agree', () => {
  const { texts, words } = drawn('RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)')!
  expect(texts).toEqual(['A (2,3)', '2', '3!', '×', 'B (4,5)', '4!', '5'])
  expect(words).toContain('A is 2 by 3: axis -1 of size 3 does not fit. B is 4 by 5: axis -2 of size 4 does not fit.')
})

it('a message without sizes has no picture, and asks for the shapes', () => {
  const [reading] = readMessages('Arrays have incompatible sizes for this operation.')
  expect(messageFigure(explained(reading!))).toBeUndefined()
  expect(tellingOf(explained(reading!))).toMatchObject({ asksShapes: true, fromFirst: 'MATLAB' })
})
