// What a text is taken for.
import { describe, expect, it } from 'vitest'
import { recognise, shapesWithin } from '../src/recognise/recognise.ts'

describe('shapes', () => {
  it.each([
    ['2,3,4  3,1', ['2,3,4', '3,1']],
    ['(2, 3, 4) (3, 1)', ['(2, 3, 4)', '(3, 1)']],
    ['[2, 3] and [3]', ['[2, 3]', '[3]']],
    ['(2,3)+(3,)', ['(2,3)', '(3,)']],
    ['(2,3), (3,)', ['(2,3)', '(3,)']],
    ['(2,3)(3,1)', ['(2,3)', '(3,1)']],
    ['2, 3   3', ['2, 3', '3']],
    ['2x3x4 3x1', ['2x3x4', '3x1']],
    ['N,3 4,M', ['N,3', '4,M']],
    ['N M', ['N', 'M']],
    ['?,3 2..8,1', ['?,3', '2..8,1']],
    ['() 5', ['()', '5']],
    ['?… 3', ['?…', '3']],
    ['1000\n1000,1', ['1000', '1000,1']],
    ['2,3 vs 3,2', ['2,3', '3,2']],
    ['torch.Size([2, 3]) torch.Size([])', ['[2, 3]', '[]']],
    ['torch.Size([2, 3]), torch.Size([4])', ['[2, 3]', '[4]']],
    ['TensorShape([None, 3]) vs TensorShape([3])', ['[None, 3]', '[3]']],
    ['x: (2,3), y: (3,)', ['(2,3)', '(3,)']],
    ['a.shape=(2, 3) b.shape=(3,)', ['(2, 3)', '(3,)']],
    ['x = 2,3  y = 3,1', ['2,3', '3,1']],
    ['2×3  3', ['2x3', '3']],
  ])('%j', (text, shapes) => {
    expect(recognise(text)).toEqual({ kind: 'shapes', shapes })
  })
})

describe('expressions', () => {
  it.each([
    ['(x - mean) / std  x=100,3 mean=3 std=3', '(x - mean) / std', ['x', 'mean', 'std']],
    ['x + y; x=(2, 3), y=(3,)', 'x + y', ['x', 'y']],
    ['leakyRelu(x, alpha=0.1) + y x=2,3 y=3', 'leakyRelu(x, alpha=0.1) + y', ['x', 'y']],
    ['where(c, x, 0) c: (3,) x: (2,3)', 'where(c, x, 0)', ['c', 'x']],
    ['a and not b a=3 b=3', 'a and not b', ['a', 'b']],
    ['x == y x=2 y=2', 'x == y', ['x', 'y']],
  ])('%j', (text, expression, names) => {
    const found = recognise(text)
    expect(found).toMatchObject({ kind: 'expression', expression })
    expect(found.kind === 'expression' && found.arrays.map(({ name }) => name)).toEqual(names)
  })
})

describe('messages', () => {
  it.each([
    'operands could not be broadcast together with shapes (2,3) (2,4)',
    'RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1',
    'hello',
    'error in x',
    'Incompatible shapes: [32,10] vs. [32] [Op:AddV2] name: x=1',
    '<img src=x onerror=alert(1)>',
    '2,x!,3',
    'ValueError: 5',
    'expected: 3, got: 4',
    'x: (2,3)',
  ])('%j', (text) => {
    expect(recognise(text).kind).toBe('message')
  })

  it('of any length are told at once', () => {
    expect(recognise(`${'2,3 '.repeat(250_000)}`).kind).toBe('message')
    expect(recognise('('.repeat(4000)).kind).toBe('message')
    expect(recognise(`x=${'1,'.repeat(1900)}`).kind).toBe('message')
  })
})

it('a text that is no message may have shapes in it', () => {
  expect(shapesWithin('why can I not add (2,3) and (4,)?')).toEqual(['(2,3)', '(4,)'])
  expect(shapesWithin('a is torch.Size([2, N]) here, and f(x) calls g()')).toEqual(['[2, N]'])
  expect(shapesWithin('(a note) [see 3] (line 12)')).toEqual([])
})

it('nothing is nothing', () => {
  expect(recognise('  \n ')).toEqual({ kind: 'empty' })
})
