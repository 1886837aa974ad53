// The branch that the exposed values come from is the one that a run takes.
import { type Tensor, tensor } from 'bcast'
import { expect, it } from 'vitest'
import { exposeValues } from './expose.ts'
import { declared, modelOf, node } from './infer.ts'

it.each([true, false])('a condition that is the constant %s', async (condition) => {
  const branch = (op: string, name: string) => ({
    graph: { name, node: [node(op, 'x', name)], output: [declared(name, '2')] },
  })
  const nodes = [node('If', 'c', 'y', { then_branch: branch('Neg', 'a'), else_branch: branch('Abs', 'b') })]
  const model = modelOf({ inputs: { x: '2', c: tensor(condition) as Tensor }, nodes, outputs: ['y'] })
  const exposed = await exposeValues(model, {
    x: { element: 'float32', shape: [2], elements: new Float32Array([1, -2]) },
  })
  expect(exposed.map(({ name, actual }) => [name, Array.from(actual.elements!)])).toEqual(
    condition
      ? [
          ['a', [-1, 2]],
          ['y', [-1, 2]],
        ]
      : [
          ['b', [1, 2]],
          ['y', [1, 2]],
        ],
  )
})
