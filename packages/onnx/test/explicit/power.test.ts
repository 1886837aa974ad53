// Pow: multiplied out where onnxruntime multiplies, and a power where it computes one.
import { fromData, type Tensor, tensor } from 'bcast'
import * as ort from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { differenceOf, outputsOf } from '../../../../testing/models/bits.ts'
import { ints, type ModelInit, modelOf, node } from '../../../../testing/models/infer.ts'
import { makeExplicit } from '../../src/index.ts'
import { expectExplicit, floats, one } from '../support/explicit.ts'

describe('Pow', () => {
  it('by a constant 2 or 3 becomes a product, which is what onnxruntime computes', async () => {
    const x = { x: floats(3, 5) }
    await expectExplicit(one('Pow', { x: 'N, 5', two: tensor(2) as Tensor }), { lines: ['y = Mul(x, x)'], feeds: [x] })
    const { model } = await expectExplicit(one('Pow', { x: 'N, 5', three: tensor([3]) as Tensor }), {
      lines: ['y.square = Mul(x, x)', 'y = Mul(y.square, x)'],
      feeds: [x],
    })
    expect([...model.graph.initializers.keys()]).toEqual([])
  })

  // The third power of this number is another float where it is rounded twice.
  const telling = new ort.Tensor('float32', Float32Array.of(0.47713, 0.1, 0.85426), [3])

  it('by a constant of more axes than its base may have leaves its rank to the base', async () => {
    const three = tensor([[3]]) as Tensor
    const { report } = await expectExplicit(one('Pow', { x: 'N', three }), {
      lines: [
        'y.A.expanded = Expand(x, [1,1])',
        'y.square = Mul(y.A.expanded, y.A.expanded)',
        'y = Mul(y.square, y.A.expanded)',
      ],
      feeds: [{ x: telling }],
    })
    expect(report.rewritten).toMatchObject([
      { replacedBy: 'Mul', operands: [{ input: 0, name: 'x', axes: [-2] }], constants: ['explicit.1_1'] },
    ])
    expect(report.totals).toMatchObject({ nodes: 2, operators: { Expand: 1, Mul: 1 }, constants: 1 })
    await expectExplicit(one('Pow', { x: '*', three: tensor(3) as Tensor }), {
      lines: ['y.square = Mul(x, x)', 'y = Mul(y.square, x)'],
      feeds: [{ x: telling }],
      findings: ['broadcast-unknown'],
    })
  })

  it('of a single element stays a power, as it is in onnxruntime', async () => {
    await expectExplicit(one('Pow', { x: '1, 1', three: tensor(3) as Tensor }), {
      lines: ['y.B.expanded = Expand(three, [1,1])', 'y = Pow(x, y.B.expanded)'],
      feeds: [{ x: new ort.Tensor('float32', Float32Array.of(0.47713), [1, 1]) }],
    })
  })

  const sizes = [1, 3]
  const shapes: readonly number[][] = [0, 1, 2, 3].flatMap((rank) =>
    Array.from({ length: 2 ** rank }, (_, i) => Array.from({ length: rank }, (_, axis) => sizes[(i >> axis) & 1]!)),
  )

  it.each(shapes.map((shape) => ({ shape, text: shape.join() })))(
    'of ($text) by one exponent of any rank keeps its bits',
    async ({ shape }) => {
      const count = shape.reduce((a, b) => a * b, 1)
      const x = new ort.Tensor('float32', new Float32Array(count).fill(0.47713), shape)
      for (const rank of [0, 1, 2, 3, 4]) {
        const three = fromData('float32', Float32Array.of(3), new Array<number>(rank).fill(1)) as Tensor
        const model = modelOf(one('Pow', { x: shape.join(', '), three }))
        const { model: explicit, report } = makeExplicit(model)
        expect(report.unproven).toEqual([])
        const [before, after] = [await outputsOf(model, { x }), await outputsOf(explicit, { x })]
        expect(before).toBeTypeOf('object')
        expect([rank, differenceOf(before as never, after as never)]).toEqual([rank, undefined])
      }
    },
  )

  it('is a product where the exponent reaches an axis that is not 1, and a power for each element where not', async () => {
    const column = { x: new ort.Tensor('float32', new Float32Array(6).fill(0.47713), [6, 1]) }
    await expectExplicit(one('Pow', { x: 'N, 1', three: tensor([3]) as Tensor }), {
      lines: ['x.shape = Shape(x)', 'y.B.expanded = Expand(three, x.shape)', 'y = Pow(x, y.B.expanded)'],
      feeds: [column],
    })
    await expectExplicit(one('Pow', { x: 'N, 1', three: tensor([[3]]) as Tensor }), {
      lines: ['y.square = Mul(x, x)', 'y = Mul(y.square, x)'],
      feeds: [column],
    })
  })

  it('keeps an exponent that something else reads', async () => {
    const init: ModelInit = {
      inputs: { x: '2, 5', two: tensor([2]) as Tensor },
      nodes: [node('Pow', 'x two', 'p'), node('Add', 'p two', 'y')],
      outputs: ['y'],
    }
    await expectExplicit(init, {
      lines: ['p = Mul(x, x)', 'y.B.expanded = Expand(two, [2,5])', 'y = Add(p, y.B.expanded)'],
      feeds: [{ x: floats(2, 5) }],
    })
  })

  it('by several exponents is expanded', async () => {
    await expectExplicit(one('Pow', { x: 'N, 2', p: tensor([2, 5]) as Tensor }), {
      lines: ['x.shape = Shape(x)', 'y.B.expanded = Expand(p, x.shape)', 'y = Pow(x, y.B.expanded)'],
      feeds: [{ x: floats(3, 2) }],
    })
  })

  it('keeps an exponent that serves as a vector of sizes', async () => {
    const init: ModelInit = {
      inputs: { x: 'int64: 2', two: ints(2), c: ints(5) },
      nodes: [node('Pow', 'x two', 'p'), node('Add', 'p c', 'y')],
      outputs: ['y'],
    }
    await expectExplicit(init, {
      lines: ['p = Mul(x, x)', 'y.B.expanded = Expand([5], [2])', 'y = Add(p, y.B.expanded)'],
      feeds: [{ x: new ort.Tensor('int64', [3n, 4n], [2]) }],
    })
  })

  it('by another constant is expanded', async () => {
    await expectExplicit(one('Pow', { x: 'N, 5', p: tensor(0.5) as Tensor }), {
      lines: ['x.shape = Shape(x)', 'y.B.expanded = Expand(p, x.shape)', 'y = Pow(x, y.B.expanded)'],
      feeds: [{ x: floats(3, 5) }],
    })
  })
})
