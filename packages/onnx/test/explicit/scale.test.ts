// Models of many nodes are made explicit in time that grows with their number.
import { type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { type ModelInit, modelOf, node } from '../../../../testing/models/infer.ts'
import { processorTime } from '../../../../testing/processor-time.ts'
import { Rewrite } from '../../src/explicit/rewrite.ts'
import { inferShapes, type Model, makeExplicit } from '../../src/index.ts'

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

/** Nodes that each read what the one before made. */
const chain = (inputs: ModelInit['inputs'], count: number, make: (from: string, to: string) => ModelInit['nodes'][0]) =>
  modelOf({ inputs: { v0: 'N, 3', ...inputs }, nodes: times(count, (i) => make(`v${i}`, `v${i + 1}`)) })

const shift = { name: 'Shift', domain: 'local', input: ['p', 'q'], output: ['r'], opsetImport: [{ version: 22n }] }

const models: Readonly<Record<string, (count: number) => Model>> = {
  'nodes of one name': (count) =>
    chain({ b: '3' }, count, (from, to) => ({ ...node('Add', `${from} b`, to), name: 'add' })),
  'powers by one exponent': (count) =>
    chain({ two: tensor(2) as Tensor }, count, (from, to) => node('Pow', `${from} two`, to)),
  'calls of one function': (count) =>
    modelOf({
      inputs: { v0: 'N, 3', b: '3' },
      functions: [{ ...shift, node: [node('Add', 'p q', 'r')] }],
      nodes: times(count, (i) => node('Shift', `v${i} b`, `v${i + 1}`, {}, 'local')),
    }),
  'sums behind many Expands': (count) =>
    modelOf({
      inputs: { v0: '*', b: '*', t: 'int64: *' },
      nodes: times(count, (i) =>
        i < count / 2 ? node('Expand', `v${i} t`, `v${i + 1}`) : node('Add', `v${count / 2} b`, `v${i + 1}`),
      ),
    }),
}

describe('many nodes are made explicit in linear time', () => {
  it.each(Object.keys(models))('%s', (name) => {
    const make = models[name]!
    const time = (count: number): number => {
      const model = make(count)
      return processorTime(() => makeExplicit(model))
    }
    time(250)
    const few = time(500)
    const many = time(4000)
    expect(many).toBeLessThan(Math.max(20 * few, 1500))
  })

  // Inference has to compare sizes that are the largest of many; what follows from it is not to compare them anew.
  it('one sum of many operands', () => {
    const names = times(300, (i) => `x${i}`)
    const model = modelOf({
      inputs: Object.fromEntries(names.map((name, i) => [name, `S${i}, T`])),
      nodes: [node('Sum', names.join(' '), 'y')],
    })
    const inference = inferShapes(model)
    expect(processorTime(() => new Rewrite(model, inference).run())).toBeLessThan(6000)
    // The largest of so many is no longer open: that each of them is in it has to be seen all the same.
    expect(processorTime(() => makeExplicit(model))).toBeLessThan(20_000)
  })
})
