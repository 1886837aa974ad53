// Views made by broadcasting are read-only, whether or not they repeat an element, and so are views of them. A copy is
// its own maker's. However a tensor is made, `readOnly` and `out` must agree.
import { broadcast, broadcastTo, configure, explicit, fuse, pdpd, ReadOnlyError, type Tensor, tensor } from 'bcast'
import { afterEach, describe, expect, it } from 'vitest'
import { loosely, looselyLater } from '../support/operators.ts'

afterEach(() => configure({ backend: 'auto' }))

const vector = (): Tensor => tensor(Float32Array.of(1, 2, 3), { share: true }) as Tensor
const matrix = (): Tensor => tensor(Float32Array.of(1, 2, 3, 4, 5, 6), { share: true, shape: [2, 3] }) as Tensor
const loose = (x: Tensor): { broadcastTo(shape: readonly number[]): Tensor } => x as never

const views = broadcast as unknown as (...operands: Tensor[]) => Tensor[]

const broadcasts: [string, () => Tensor][] = [
  ['broadcastTo to its own shape', () => broadcastTo(vector(), [3] as never) as Tensor],
  ['the method to its own shape', () => loose(vector()).broadcastTo([3])],
  ['broadcastTo with an axis of size 1 in front', () => loose(vector()).broadcastTo([1, 3])],
  ['broadcastTo that repeats', () => loose(vector()).broadcastTo([2, 3])],
  ['broadcastTo of no elements', () => loose(tensor([], { shape: [0, 1] }) as Tensor).broadcastTo([0, 3])],
  ['broadcastTo of a scalar', () => loose(tensor(1) as Tensor).broadcastTo([])],
  ['broadcastTo under another rule', () => broadcastTo(vector(), [3, 2] as never, { broadcast: pdpd({ axis: 0 }) })],
  ['broadcastTo by axes', () => broadcastTo(vector(), [3] as never, { broadcast: explicit({ axesMapping: [0] }) })],
  ['broadcast of one', () => broadcast(vector())[0]!],
  ['broadcast of equal shapes', () => broadcast(vector(), vector())[1]!],
  ['broadcast, the one that keeps its shape', () => views(matrix(), vector())[0]!],
  ['broadcast, the one that stretches', () => views(matrix(), vector())[1]!],
  ['broadcast without broadcasting', () => broadcast(vector(), vector(), { broadcast: 'none' })[0]],
]

const waysOn: [string, (x: Tensor) => Tensor][] = [
  ['itself', (x) => x],
  ['a slice', (x) => x.slice()],
  ['a slice of one place per axis', (x) => x.slice(...x.shape.map((): [number, number] => [0, 1])) as Tensor],
  ['a transpose', (x) => x.transpose() as Tensor],
  ['a reshape', (x) => x.reshape(1, ...x.shape) as Tensor],
  [
    'a slice of a transpose of a reshape',
    (x) =>
      x
        .reshape(1, ...x.shape)
        .transpose()
        .slice() as Tensor,
  ],
  ['broadcast again', (x) => loose(x).broadcastTo(x.shape)],
]

describe.each(broadcasts)('%s', (_, make) => {
  it.each(waysOn)('%s is read-only', (_, view) => {
    const out = view(make())
    expect(out.readOnly).toBe(true)
    const before = JSON.stringify(out.toArray())
    const zeros = tensor(new Float32Array(out.size), { share: true, shape: out.shape })
    expect(() => loosely('add')(zeros, 10, { out })).toThrow(ReadOnlyError)
    expect(JSON.stringify(out.toArray())).toBe(before)
  })
})

describe('what is not made by broadcasting', () => {
  it.each([
    ['a tensor', (x: Tensor) => x],
    ['a slice', (x: Tensor) => x.slice([0, 2])],
    ['a transpose', (x: Tensor) => x.transpose()],
    ['a reshape', (x: Tensor) => x.reshape(3, 2)],
    ['a reshape that copies', (x: Tensor) => x.transpose().reshape(6)],
    ['a copy of a broadcast view', (x: Tensor) => loose(x).broadcastTo([2, 2, 3]).reshape(12)],
    ['a result', (x: Tensor) => loosely('expand')(x, [2, 3])],
    ['a result of operands that are broadcast', (x: Tensor) => loosely('add')(loose(x).broadcastTo([2, 2, 3]), 1)],
  ])('%s is written', (_, view) => {
    const out = view(matrix()) as Tensor
    expect(out.readOnly).toBe(false)
    loosely('add')(tensor(new Float32Array(out.size), { share: true, shape: out.shape }), 10, { out })
    expect(Array.from(out.data as Float32Array)).toEqual(new Array(out.size).fill(10))
  })
})

describe('every way of writing refuses it', () => {
  const x = vector()
  const out = broadcastTo(x, [3] as never) as Tensor
  const writable = vector()
  const fused = fuse((a, b) => a.add(b)) as unknown as ((...args: unknown[]) => Tensor) & {
    async(...args: unknown[]): Promise<Tensor>
  }
  const square = tensor(new Float32Array(4), { share: true, shape: [2, 2] }) as Tensor

  it.each(['auto', 'interpreter'] as const)('%s', async (backend) => {
    configure({ backend })
    // Calls that are known from before take a shorter way.
    for (let i = 0; i < 3; i++) {
      loosely('add')(x, 10, { out: writable })
      loosely('add')(x, x, { out: writable })
      fused(x, x, { out: writable })
    }
    expect(() => loosely('add')(x, 10, { out })).toThrow(ReadOnlyError)
    expect(() => loosely('add')(x, x, { out })).toThrow(ReadOnlyError)
    expect(() => fused(x, x, { out })).toThrow(ReadOnlyError)
    expect(() => loosely('cast')(tensor([1n, 2n, 3n]), 'float32', { out })).toThrow(ReadOnlyError)
    expect(() => loosely('expand')(x, [3], { out })).toThrow(ReadOnlyError)
    expect(() => loosely('gemm')(square, square, undefined, { out: loose(square).broadcastTo([2, 2]) })).toThrow(
      ReadOnlyError,
    )
    await expect(looselyLater('add')(x, 10, { out })).rejects.toThrow(ReadOnlyError)
    await expect(fused.async(x, x, { out })).rejects.toThrow(ReadOnlyError)
    expect(x.toArray()).toEqual([1, 2, 3])
  })
})
