// nGraph's Broadcast, clause by clause, on the library.
import { broadcastBackprop, broadcastTo, explicit, RuleError, sumTo, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { expectMeeting, expectRefused, numbered } from './support.ts'

const axes = (...broadcastAxes: number[]) => explicit({ broadcastAxes })
const arg = tensor([1, 2, 3])

describe('Broadcast', () => {
  it('[ngraph.description] the output does not depend on the new axes', () => {
    const output = broadcastTo(arg, [2, 3], { broadcast: axes(0) })
    expect(output.slice(0).toArray()).toEqual(output.slice(1).toArray())
  })
  it('[ngraph.arg] takes any element type and any shape', () => {
    expect(broadcastTo(tensor(['a', 'b']), [2, 2], { broadcast: axes(1) }).toArray()).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ])
    expect(broadcastTo(tensor(7n), [2], { broadcast: axes(0) }).toArray()).toEqual([7n, 7n])
  })
  it('[ngraph.axisset] the axes are a set: unordered, unique, positions in shape', () => {
    const one = broadcastTo(arg, [2, 3, 4], { broadcast: axes(0, 2) })
    expect(broadcastTo(arg, [2, 3, 4], { broadcast: axes(2, 0) }).toArray()).toEqual(one.toArray())
    expect(() => axes(1, 1)).toThrow(RuleError)
    expectRefused([[2, 3], [3]], axes(2))
  })
  it('[ngraph.output] has the type of arg and the given shape', () => {
    const output = broadcastTo(tensor([1n, 2n]), [3, 2], { broadcast: axes(0) })
    expect([output.dtype, output.shape]).toEqual(['int64', [3, 2]])
  })
  it("[ngraph.match] shape without the axes is arg's shape, exactly", () => {
    expectMeeting([[2, 3, 4], [3]], axes(0, 2), [2, 3, 4])
    expectRefused([[2, 3], [1]], axes(0), -1)
    expectRefused([[2, 3], [2]], axes(0), -1)
  })
  it('[ngraph.example.1] along axis 0', () => {
    expect(broadcastTo(arg, [2, 3], { broadcast: axes(0) }).toArray()).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  })
  it('[ngraph.example.2] along axis 1', () => {
    expect(broadcastTo(arg, [3, 2], { broadcast: axes(1) }).toArray()).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
  })
  it('[ngraph.p, ngraph.definition] output at C is arg at C without axes {1,3}', () => {
    const from = numbered([2, 3, 4])
    const output = broadcastTo(from, [2, 5, 3, 6, 4], { broadcast: axes(1, 3) })
    for (const [d0, d1, d2, d3, d4] of [
      [0, 0, 0, 0, 0],
      [1, 4, 2, 5, 3],
      [1, 0, 1, 3, 2],
    ] as const) {
      expect(output.get(d0, d1, d2, d3, d4)).toBe(from.get(d0, d2, d4))
    }
  })
  it('[ngraph.backprop] the gradient of arg is Sum(delta, broadcast_axes)', () => {
    const delta = numbered([2, 3, 4])
    expect(broadcastBackprop(delta, { broadcastAxes: [0, 2] }).toArray()).toEqual([60, 92, 124])
    expect(sumTo(delta, [3], { broadcast: axes(0, 2) }).toArray()).toEqual([60, 92, 124])
    expect(broadcastBackprop(delta, { broadcastAxes: [] }).toArray()).toEqual(delta.toArray())
  })
})
