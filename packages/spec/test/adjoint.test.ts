// The adjoint of broadcasting: Sum(delta, broadcast_axes) as nGraph states it, and the same for every operand of a rule.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  broadcast,
  broadcastBackprop,
  explicit,
  fromFlat,
  fromNested,
  numpy,
  paddle,
  pdpd,
  type Rational,
  rational,
  type Shape,
  type SpecTensor,
  scalar,
  sumToEach,
  toFlat,
  type Value,
} from '../src/index.ts'

const delta = fromNested<Value>([
  [1, 2, 3],
  [4, 5, 6],
])

describe('nGraph', () => {
  it('[ngraph.backprop] the gradient of arg is Sum(delta, broadcast_axes)', () => {
    expect(toFlat(broadcastBackprop('float32', delta, [0]))).toEqual([5, 7, 9])
    expect(toFlat(broadcastBackprop('float32', delta, [1]))).toEqual([6, 15])
    expect(toFlat(broadcastBackprop('float32', delta, [1, 0]))).toEqual([21])
    expect(toFlat(broadcastBackprop('float32', delta, []))).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('[ngraph.backprop] is what the index map of Broadcast says', () => {
    const met = explicit([[2, 3], [3]], { broadcastAxes: [0] })
    const [, gradient] = sumToEach('float32', met, [[2, 3], [3]], [delta, delta])
    expect(toFlat(gradient!)).toEqual(toFlat(broadcastBackprop('float32', delta, [0])))
  })
})

describe('several operands', () => {
  const gradients = (shapes: readonly Shape[], met = numpy(shapes)): Value[][] =>
    sumToEach(
      'float32',
      met,
      shapes,
      shapes.map(() => delta),
    ).map(toFlat)

  it('sums over axes that are stretched or missing, and keeps ones', () => {
    expect(gradients([[2, 1], [3]])).toEqual([
      [6, 15],
      [5, 7, 9],
    ])
    expect(gradients([[2, 3], [1, 1], []])).toEqual([[1, 2, 3, 4, 5, 6], [21], [21]])
    expect(gradients([[2, 3], [2]], pdpd([[2, 3], [2]], { axis: 0 }))[1]).toEqual([6, 15])
    expect(gradients([[2], [2, 3]], paddle([[2], [2, 3]], { axis: 0 }))[0]).toEqual([6, 15])
  })

  it('is 0 where nothing is summed', () => {
    const none = fromFlat<Value>([0, 3], [])
    const [, row, ones] = sumToEach('float32', numpy([[0, 3], [3], [1, 1]]), [[0, 3], [3], [1, 1]], [none, none, none])
    expect([toFlat(row!), toFlat(ones!)]).toEqual([[0, 0, 0], [0]])
  })

  it('refuses shapes that do not meet, and gradients of another shape', () => {
    expect(() => gradients([[2], [3]])).toThrow('onnx.multi.2')
    expect(() => gradients([[2, 1], [1]])).toThrow('the gradient of a result has its shape')
  })

  it('<broadcast(x), d> = <x, sumTo(d)>, exactly', () => {
    const [plus, times] = [scalar('Add', 'real'), scalar('Mul', 'real')]
    const dot = (a: SpecTensor<Value>, b: SpecTensor<Value>): Value =>
      toFlat(a)
        .map((x, i) => times(x, toFlat(b)[i]!))
        .reduce((a, b) => plus(a, b), rational(0n))
    const number: fc.Arbitrary<Rational> = fc
      .tuple(fc.bigInt({ min: -20n, max: 20n }), fc.bigInt({ min: 1n, max: 6n }))
      .map(([n, d]) => rational(n, d))
    const filled = (shape: Shape): fc.Arbitrary<SpecTensor<Value>> => {
      const length = shape.reduce((product, size) => product * size, 1)
      return fc.array(number, { minLength: length, maxLength: length }).map((values) => fromFlat<Value>(shape, values))
    }
    const drawn = fc
      .tuple(fc.array(fc.nat(3), { maxLength: 3 }), fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), fc.nat(3))
      .map(([result, ones, drop]) => [result, result.map((size, i) => (ones[i] ? 1 : size)).slice(drop)] as const)
      .chain(([result, shape]) => fc.tuple(filled(shape), filled(result)))
    fc.assert(
      fc.property(drawn, ([x, d]) => {
        const shapes = [d.shape, x.shape]
        const met = numpy(shapes)
        const [, stretched] = broadcast(met, [d, x])
        const [, gradient] = sumToEach('real', met, shapes, [d, d])
        expect(dot(x, gradient!)).toEqual(dot(stretched!, d))
      }),
      { numRuns: 60 },
    )
  })
})
