// The nGraph document clause by clause.
import { describe, expect, it } from 'vitest'
import { broadcast, explicit, fromFlat, fromNested, p, type RuleResult, type SpecTensor, toFlat } from '../src/index.ts'

const shapeOf = (result: RuleResult): number[] | string => (result.ok ? result.shape : result.clause)

const Broadcast = <T>(arg: SpecTensor<T>, shape: number[], broadcastAxes: number[]): SpecTensor<T> => {
  const result = explicit([shape, arg.shape], { broadcastAxes })
  if (!result.ok) throw new Error(result.clause)
  return broadcast({ ...result, maps: result.maps.slice(1) }, [arg])[0]!
}

describe('nGraph Broadcast', () => {
  const arg = fromNested<string>(['a', 'b', 'c'])

  it('[ngraph.example.1] a new axis 0 repeats the row', () => {
    expect(toFlat(Broadcast(arg, [2, 3], [0]))).toEqual([...'abcabc'])
  })
  it('[ngraph.example.2] a new axis 1 repeats each element', () => {
    expect(toFlat(Broadcast(arg, [3, 2], [1]))).toEqual([...'aabbcc'])
  })
  it('[ngraph.arg] any shape will do, a scalar and an empty tensor too', () => {
    expect(toFlat(Broadcast(fromNested<number>(6), [2, 2], [0, 1]))).toEqual([6, 6, 6, 6])
    expect(toFlat(Broadcast(fromFlat([0], []), [2, 0], [0]))).toEqual([])
    expect(toFlat(Broadcast(fromFlat([2, 2], [1, 2, 3, 4]), [2, 2], []))).toEqual([1, 2, 3, 4])
  })
  it('[ngraph.axisset] the axes are a set of positions in the shape', () => {
    expect(toFlat(Broadcast(fromNested<string>(['x', 'y']), [2, 2, 2], [2, 0]))).toEqual(
      toFlat(Broadcast(fromNested<string>(['x', 'y']), [2, 2, 2], [0, 2])),
    )
    expect(shapeOf(explicit([[2, 3], [3]], { broadcastAxes: [0, 0] }))).toBe('ngraph.axisset')
    expect(shapeOf(explicit([[2, 3], [3]], { broadcastAxes: [2] }))).toBe('ngraph.axisset')
    expect(shapeOf(explicit([[2, 3], [3]], { broadcastAxes: [-2] }))).toBe('ngraph.axisset')
  })
  it('[ngraph.output] the output has the given shape', () => {
    expect(shapeOf(explicit([[5, 3, 1], [3]], { broadcastAxes: [0, 2] }))).toEqual([5, 3, 1])
  })
  it('[ngraph.match] the shape without the axes is the shape of the argument; a 1 does not stretch', () => {
    expect(shapeOf(explicit([[2, 3], [2]], { broadcastAxes: [0] }))).toBe('ngraph.match')
    expect(shapeOf(explicit([[2, 3], [1]], { broadcastAxes: [0] }))).toBe('ngraph.match')
    expect(shapeOf(explicit([[2, 3], [3]], { broadcastAxes: [] }))).toBe('ngraph.match')
  })
  it('[ngraph.p] p removes the coordinates of the axes', () => {
    expect(p([1, 3])([10, 11, 12, 13, 14])).toEqual([10, 12, 14])
  })
  it('[ngraph.definition] the output at C is the argument at p(C)', () => {
    const matrix = fromFlat([2, 3], [1, 2, 3, 4, 5, 6])
    const output = Broadcast(matrix, [2, 4, 3], [1])
    for (const C of [
      [0, 0, 0],
      [1, 3, 2],
      [0, 2, 1],
    ])
      expect(output.at(C)).toBe(matrix.at(p([1])(C)))
  })
})
