// Sequences and optional values: lengths, what holds of all elements, elements one by one where they are known.
import { describe, expect, it } from 'vitest'
import { int, ints, modelOf, node, texts } from '../../../../testing/models/infer.ts'
import { inferShapes } from '../../src/index.ts'

const run = (
  inputs: Parameters<typeof modelOf>[0]['inputs'],
  ...nodes: Parameters<typeof modelOf>[0]['nodes'][number][]
) => texts(inferShapes(modelOf({ inputs, nodes })))

describe('sequences', () => {
  it('are made, read and changed', () => {
    const got = run(
      { a: 'N, 3', b: 'M, 3', one: int(1), zero: int(0) },
      node('SequenceConstruct', 'a b', 's'),
      node('SequenceAt', 's one', 'at'),
      node('SequenceAt', 's p', 'some'),
      node('SequenceInsert', 's a', 'more'),
      node('SequenceErase', 'more zero', 'less'),
      node('SequenceAt', 'less zero', 'first'),
      node('SequenceLength', 'more', 'length'),
      node('SequenceEmpty', '', 'none', { dtype: 7 }),
      node('ConcatFromSequence', 's', 'joined', { axis: 0 }),
    )
    expect(got).toEqual({
      s: '2 of float32(s.element, 3)',
      at: 'float32(M, 3)',
      some: 'float32(s.element, 3)',
      more: '3 of float32(more.element_2, 3)',
      less: '2 of float32(less.element, 3)',
      first: 'float32(M, 3)',
      length: 'int64()[3]',
      none: '0 of int64(*)',
      joined: 'float32(M + N, 3)',
    })
  })

  it('are split and stacked', () => {
    const got = run(
      { x: '7, N', three: int(3), parts: ints(2, 5) },
      node('SplitToSequence', 'x three', 'equal'),
      node('SplitToSequence', 'x parts', 'said', { axis: 0 }),
      node('SplitToSequence', 'x', 'rows', { keepdims: 0 }),
      node('SequenceAt', 'equal m', 'piece'),
      node('ConcatFromSequence', 'rows', 'stacked', { axis: 1, new_axis: 1 }),
      node('ConcatFromSequence', 'said', 'whole', { axis: 0 }),
    )
    expect(got).toMatchObject({
      equal: '3 of float32(equal.element, N)',
      said: '2 of float32(said.element, N)',
      rows: '7 of float32(N)',
      stacked: 'float32(N, 7)',
      whole: 'float32(7, N)',
    })
  })

  it('are joined with constants that tell sizes', () => {
    const got = run(
      { x: 'int64: N, 1', two: ints(1, 2).reshape([2, 1]) },
      node('SequenceConstruct', 'two x', 's'),
      node('ConcatFromSequence', 's', 'joined', { axis: 1 }),
    )
    expect(got['joined']).toBe('int64(2, 2)[1, ?, 2, ?]')
  })

  it('are mapped by a graph', () => {
    const body = {
      input: [{ name: 'e' }],
      node: [node('Transpose', 'e', 't')],
      output: [{ name: 't' }],
    }
    const got = run(
      { a: 'N, 3', b: 'N, 3' },
      node('SequenceConstruct', 'a b', 's'),
      node('SequenceMap', 's', 'm', { body: { graph: body } }),
    )
    expect(got['m']).toBe('2 of float32(3, N)')
  })
})

describe('optional values', () => {
  it('are there or not', () => {
    const got = run(
      { a: 'N, 3' },
      node('Optional', 'a', 'o'),
      node('OptionalHasElement', 'o', 'has'),
      node('OptionalGetElement', 'o', 'got'),
      node('OptionalHasElement', 'a', 'plain'),
      node('OptionalHasElement', '', 'none'),
    )
    expect(got).toEqual({
      o: 'some float32(N, 3)',
      has: 'bool()[1]',
      got: 'float32(N, 3)',
      plain: 'bool()[1]',
      none: 'bool()[0]',
    })
  })
})
