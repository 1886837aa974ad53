// Patterns by example, for every operand of a node.
import { describe, expect, it } from 'vitest'
import { ints, modelOf, node } from '../../../../testing/models/infer.ts'
import { patternsOf } from '../../src/census/pattern.ts'
import { checkModel } from '../../src/index.ts'

/** The pattern of each operand, `-` for one that has the shape of the result. */
function patternsIn(operator: string, shapes: readonly string[], opset = 22, attributes = {}): string {
  const inputs = Object.fromEntries(shapes.map((shape, i) => [String.fromCharCode(97 + i), shape]))
  const nodes = [node(operator, Object.keys(inputs).join(' '), 'y', attributes)]
  const { broadcasts } = checkModel(modelOf({ inputs, nodes, opset }), { fixes: false })
  expect(broadcasts).toHaveLength(1)
  return patternsOf(broadcasts[0]!)
    .map((pattern) => pattern ?? '-')
    .join(' ')
}

describe('the pattern of operands', () => {
  it.each<[string, string, string]>([
    ['2, 3', '', '- scalar'],
    ['2, 3', '1', '- scalar'],
    ['1, 1', '2, 3', 'scalar -'],
    ['N, M', '1, 1', '- scalar'],
    ['5', '', '- scalar'],
    ['2, 3', '3', '- row'],
    ['2, 3', '1, 3', '- row'],
    ['N, 8, 8, 3', '3', '- row'],
    ['1, 3', 'N, 3', 'row -'],
    ['2, 3', '2, 1', '- column'],
    ['N, T, D', 'N, T, 1', '- column'],
    ['1, T, D', '1, T, 1', '- column'],
    ['N, 4, 8, 16', 'N, 4, 8, 1', '- column'],
    ['N, 3, 8, 8', '3, 1, 1', '- channel'],
    ['N, 3, 8, 8', '1, 3, 1, 1', '- channel'],
    ['1, 3, 8, 8', '3, 1, 1', '- channel'],
    ['N, 3, 8, 8', 'N, 3, 1, 1', '- channel'],
    ['N, 3, 1, 8', 'N, 3, 1, 1', '- channel'],
    ['N, 3, 8, 8, 8', '3, 1, 1, 1', '- channel'],
    ['N, 3, 8', '3, 1', '- channel'],
    ['5, 1', '3', 'outer outer'],
    ['1, 3', '5, 1', 'outer outer'],
    ['N, 1', 'M', 'outer outer'],
    ['5, 1, 3', '1, 7, 1', 'outer outer'],
    ['5, 1, 3', '7, 3', 'both both'],
    ['5, 1, 7, 3', '5, 4, 1, 3', 'both both'],
    ['1, 3', '3', '- rank'],
    ['1, 1', '', '- rank'],
    ['1, 3', '1, 1, 3', 'rank -'],
    ['3', '1, 1', 'rank scalar'],
    ['N, 8, 8', '8, 8', '- other'],
    ['N, 4, T, T', 'N, 1, 1, T', '- other'],
    ['N, 3, 8, 8', 'N, 1, 1, 1', '- other'],
    ['N, 3, 8, 8', '8, 1', '- other'],
    ['2, 3', '2, 3', '- -'],
    ['2, 3', '4', '- -'],
    ['N', '4', '- -'],
    ['*', '4', '- -'],
    ['0, 3', '1, 3', '- row'],
  ])('Add of (%s) and (%s): %s', (a, b, expected) => {
    expect(patternsIn('Add', [a, b])).toBe(expected)
  })

  it('is that of each of three', () => {
    expect(patternsIn('Where', ['bool: 3', '2, 3', ''])).toBe('row - scalar')
    expect(patternsIn('Where', ['bool: 5, 1', '3', ''])).toBe('outer outer scalar')
    expect(patternsIn('Sum', ['5, 1, 1', '3, 1', '4'])).toBe('outer outer outer')
    expect(patternsIn('Sum', ['5, 3, 1', '3, 1', '4'])).toBe('both both both')
    expect(patternsIn('Sum', ['5, 3', '5, 1', '3'])).toBe('- column row')
  })

  it('of a matrix that serves a batch is its own', () => {
    expect(patternsIn('MatMul', ['2, 5, 3, 4', '4, 7'])).toBe('- batch')
    expect(patternsIn('MatMul', ['2, 1, 3, 4', '5, 4, 7'])).toBe('batch batch')
    expect(patternsIn('MatMul', ['1, 3, 4', '4, 7'])).toBe('- rank')
    expect(patternsIn('MatMul', ['5, 3, 4', '5, 4, 7'])).toBe('- -')
  })

  it('follows the rule, not the right edge', () => {
    const attributes = { broadcast: 1, axis: 1 }
    expect(patternsIn('Add', ['2, 3, 4, 5', '3'], 6, attributes)).toBe('- channel')
    expect(patternsIn('Gemm', ['2, 4', '4, 3', '3'])).toBe('- row')
    expect(patternsIn('PRelu', ['N, 3, 8, 8', '3, 1, 1'])).toBe('- channel')
  })

  it('of Expand is that of its data, also where the target stretches too', () => {
    const nodes = [node('Expand', 'x s', 'y')]
    const patterns = (x: string, ...sizes: number[]) =>
      patternsOf(checkModel(modelOf({ inputs: { x, s: ints(...sizes) }, nodes })).broadcasts[0]!)
    expect(patterns('3, 1', 2, 3, 4)).toEqual(['channel', undefined])
    expect(patterns('3', 2, 1)).toEqual(['row', undefined])
  })
})
