// Joins and moves as calls of a sequence: settled once, and computed from what the operands hold in each run.
import { concat, identity, pad, type SequencedOperation, sequence, stack, type Tensor, take, tensor, tile } from 'bcast'
import { expect, it } from 'vitest'
import { onEveryBackend } from '../../../../../testing/backends.ts'

const scattered = Array.from({ length: 60 }, (_, i) => (i * i * 5) % 3)

/** Calls over two vectors of three. */
const CALLS: Readonly<Record<string, readonly [SequencedOperation, (x: Tensor, y: Tensor) => readonly unknown[]]>> = {
  concat: [concat, (x, y) => [[x, y, x]]],
  stack: [stack, (x, y) => [[x, y], { axis: 1 }]],
  take: [take, (x) => [x, [2, 0]]],
  'take, one by one': [take, (x) => [x, scattered]],
  tile: [tile, (x) => [x, [2, 2]]],
  pad: [pad, (x) => [x, [[1, 2]], { value: 7 }]],
  'pad, repeating': [pad, (x) => [x.reshape(1, 3), [[1, 1], [2, 0]], { mode: 'wrap' }]], // biome-ignore format: pairs
}

onEveryBackend(() => {
  it.each(Object.entries(CALLS))('%s', async (_, [operation, args]) => {
    const made = sequence(({ input, call }) => {
      const [x, y] = [input('float32', [3]), input('float32', [3])]
      return { x, y, result: call(operation, ...args(x, y)) }
    })
    const { x, y, result } = made.tensors
    for (const [a, b] of [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      [
        [-1, 0, 9],
        [8, 7, 5],
      ],
    ] as const) {
      // biome-ignore format: pairs
      identity(tensor(a), { out: x })
      identity(tensor(b), { out: y })
      const wanted = (operation as unknown as (...all: unknown[]) => Tensor)(...args(tensor(a), tensor(b)))
      made.run()
      expect(result.toArray()).toEqual(wanted.toArray())
      await made.async()
      expect(result.toArray()).toEqual(wanted.toArray())
    }
    made.dispose()
  })
})
