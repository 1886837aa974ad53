// Results too large to exist are refused before anything is computed; views of that size cost nothing.
import { add, broadcastTo, EngineError, ShapeError, tensor } from 'bcast'
import { expect, it } from 'vitest'

const view = broadcastTo(tensor([1]), [1_000_000, 1_000_000])

it('a view of a million by a million shares the one element', () => {
  expect(view.size).toBe(1e12)
  expect(view.get(999_999, -1)).toBe(1)
  expect(view.readOnly).toBe(true)
})

it('a result that memory cannot hold says its size', () => {
  expect(() => add(view, 1)).toThrow(EngineError)
  expect(() => add(view, 1)).toThrow('float32 tensor of shape (1000000,1000000), 4000000000000 bytes')
})

it('a result with more elements than can be counted is no shape', () => {
  const tall = broadcastTo(tensor([1]), [2 ** 50, 1] as [number, 1])
  const wide = broadcastTo(tensor([1]), [1, 2 ** 50] as [1, number])
  expect(() => add(tall, wide)).toThrow(ShapeError)
})
