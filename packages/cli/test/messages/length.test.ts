// Logs are long, and may be made to be slow: every form is read in time that grows with the length of the text.
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../../testing/processor-time.ts'
import type { Framework } from '../../src/messages/form.ts'
import { forms, type Reading, readMessages } from '../../src/messages/read.ts'
import { explained, readingText } from '../../src/messages/words.ts'
import { corpus } from './corpus/corpus.ts'

describe('texts of any length', () => {
  /** Where a message may break off: behind brackets, quotes, colons and words. */
  function beginningsOf(text: string): string[] {
    const ends = [...text.matchAll(/[\s()[\]{}'":,=]+/g)].map(({ index, 0: found }) => index + found.length)
    const step = Math.max(1, ends.length / 2)
    return [...Array.from({ length: 2 }, (_, i) => text.slice(0, ends[Math.floor(i * step)])), text]
  }

  const LENGTH = 10_000
  const many = (part: string): string => part.repeat(Math.ceil(LENGTH / part.length))
  const examples = (Object.keys(forms) as Framework[]).flatMap((framework) =>
    forms[framework].map(({ name }) => ({ framework, name, entry: corpus[framework].find((e) => e.form === name)! })),
  )

  it.each(examples)('are read in linear time when they begin like $framework: $name', ({ framework, entry }) => {
    const [{ text }] = readMessages(entry.text, framework) as [Reading]
    for (const beginning of new Set([...beginningsOf(text), ...beginningsOf(entry.text)])) {
      for (const long of [many(beginning), `${beginning}${many('1')}`]) {
        const spent = processorTime(() => readMessages(long, framework))
        expect(spent, JSON.stringify(beginning)).toBeLessThan(150)
      }
    }
  })

  it.each([
    'x',
    '(',
    'x:',
    'element_wise_ops.h:1 ',
    "While validating node 'opset1::Add Add_3 (a[0]:f32[2,3], ",
    "while running Add node. Name:'a' Status Message: ",
    '(op_type:Add, node name: ',
    'operands could not be broadcast together with shapes (',
    'Incompatible shapes: [2,3] vs. ',
    'invalid expand shape ',
    'The size of tensor a (',
    'call_function <built-in function mul>(*(FakeTensor(..., size=(2,)), ',
    'IElementWiseLayer ',
    'dimensions not compatible for elementwise [a] ',
    'Error when checking : expected ',
    'DimensionMismatch: destination axes (Base.OneTo(2), ',
    'Invalid blob shape": cannot broadcast [',
    'operator .*: nonconformant arguments (op1 is 1x',
    '\n> ',
  ])('of 400 kB are read in linear time for all frameworks together: %j', (part) => {
    expect(processorTime(() => readMessages(many(part).repeat(40)))).toBeLessThan(800)
  })

  it.each([
    ["While validating node 'opset1::Add Add_3 (", ') -> ('],
    ['operands could not be broadcast together with shapes ', '(2,3) '],
    ['operands could not be broadcast together with remapped shapes [original->remapped]: ', '(2,3)->(2,newaxis,3) '],
    ['vmap got inconsistent sizes for array axes to be mapped:', ' * one axis had size 2: axis 0 of type f32[2];'],
    [
      '',
      "call_function f(*(FakeTensor(..., size=(2, 3)), FakeTensor(..., size=(4,))), **{}): got RuntimeError('The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1') ",
    ],
    ['operator +: nonconformant arguments (op1 is 1', 'x1'],
    [
      "Can't compute static output shape for Eltwise node with name: a. Input shapes = ( 0 port = {2}",
      ', 1 port = {3}',
    ],
  ])('are read and explained in linear time: %j, then %j', (start, part) => {
    for (const end of ['', 'and requested shape (4,3)']) {
      const text = `${start}${many(part).repeat(6)}${end}`
      expect(processorTime(() => readMessages(text).map(explained).map(readingText))).toBeLessThan(2000)
    }
  })
})
