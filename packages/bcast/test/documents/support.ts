// Tensors that number their elements, so that a broadcast shows where each one went.
import { broadcastShapes, explain, type Rule, type Shape, type Tensor, tensor } from 'bcast'
import { expect } from 'vitest'

/** A float32 tensor holding 0, 1, 2, … in row-major order. */
export const numbered = (shape: Shape): Tensor<'float32', number[]> => {
  const count = shape.reduce((product, size) => product * size, 1)
  return tensor(
    Float32Array.from({ length: count }, (_, i) => i),
    { shape: [...shape] as number[] },
  )
}

export function expectMeeting(shapes: readonly Shape[], rule: Rule, result: Shape): void {
  expect(broadcastShapes(shapes as number[][], { broadcast: rule })).toEqual(result)
  expect(explain(shapes, { broadcast: rule })).toMatchObject({ verdict: 'ok', shape: result })
}

export function expectRefused(shapes: readonly Shape[], rule: Rule, axis?: number): void {
  const { verdict, failure } = explain(shapes, { broadcast: rule })
  expect(verdict).toBe('error')
  if (axis !== undefined) expect(failure?.axis).toBe(axis)
  expect(() => broadcastShapes(shapes as number[][], { broadcast: rule })).toThrow()
}
