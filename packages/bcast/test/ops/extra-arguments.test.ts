// Arguments that a call does not take, and options that it does not have: what is taken silently is a wrong result. The
// habits of NumPy and PyTorch come first, each refused with the spelling that does what was meant.
import {
  arange,
  empty,
  eye,
  flip,
  fromData,
  fromJSON,
  full,
  linspace,
  meshgrid,
  normal,
  OperandError,
  ones,
  pad,
  random,
  split,
  squeeze,
  take,
  tensor,
  tile,
  uniform,
  unsqueeze,
  zeros,
} from 'bcast'
import { readNpy, readNpz, writeNpy, writeNpz } from 'bcast/npy'
import { describe, expect, it } from 'vitest'
import { thrownBy } from '../support/thrown.ts'

type Loose = (...args: unknown[]) => unknown
const loosely = (fn: unknown): Loose => fn as Loose

const x = zeros([2, 3])
const v = tensor([1, 2])

const EXTRA: readonly (readonly [call: () => unknown, operator: string, spelling: string])[] = [
  [() => loosely(flip)(x, 0, 1), 'flip', 'several of them in one array: flip(x, [0, 1]).'],
  [() => loosely(flip)(x, [0], {}), 'flip', 'flip(x, [0, 1]).'],
  [() => loosely(squeeze)(zeros([1, 1, 2]), 0, 1), 'squeeze', 'squeeze(x, [0, 1]).'],
  [() => loosely(unsqueeze)(x, 0, 1), 'unsqueeze', 'unsqueeze(x, [0, 1]).'],
  [() => loosely(zeros)([2], {}, 1), 'zeros', "zeros([2, 3], { dtype: 'int32' })."],
  [() => loosely(ones)(2, 3, 4), 'ones', "ones([2, 3], { dtype: 'int32' })."],
  [() => loosely(full)([2], 1, undefined, 2), 'full', "full([2, 3], 7, { dtype: 'int32' })."],
  [() => loosely(empty)([2], {}, 1), 'empty', "empty([2, 3], { dtype: 'int32' })."],
  [() => loosely(linspace)(0, 1, 5, {}, true), 'linspace', 'linspace(0, 1, 5, { endpoint: false }).'],
  [() => loosely(arange)(0, 5, 1, 'int32'), 'arange', "arange(0, 10, 2, { dtype: 'int32' })"],
  [() => loosely(eye)(2, 3, {}, 1), 'eye', 'eye(2, 3, { k: 1 }).'],
  [() => loosely(uniform)(random(1), [2], {}, 1), 'uniform', 'uniform(random(42), [2, 3], { low: 0, high: 1 }).'],
  [() => loosely(uniform)(random(1), [2], 0, 1), 'uniform', '{ low: 0, high: 1 }'],
  [() => loosely(normal)(random(1), [2], {}, 1), 'normal', '{ mean: 0, std: 1 }'],
  [() => loosely(random)(1, {}, 2), 'random', 'random(42, { stream: 1 }).'],
  [() => loosely(split)(x, 2, {}, 1), 'split', 'split(x, 3, { axis: 1 }).'],
  [() => loosely(take)(x, [0], {}, 1), 'take', 'take(x, [0, 2], { axis: 1 }).'],
  [() => loosely(pad)(v, [[1, 1]], {}, 'edge'), 'pad', "pad(x, [[1, 1]], { mode: 'edge' })."],
  [() => loosely(tile)(v, [2], {}, 2), 'tile', 'tile(x, [2, 1], { out }).'],
  [() => loosely(meshgrid)(v, { indexing: 'ij' }, v), 'meshgrid', "meshgrid(x, y, { indexing: 'ij' })."],
  [() => loosely(meshgrid)(v, { indexing: 'ij' }, 1), 'meshgrid', "meshgrid(x, y, { indexing: 'ij' })."],
  [() => loosely(fromData)('float32', new Float32Array(1), [1], {}), 'fromData', "fromData('float32', data, [2, 3])."],
]

describe('an argument too many', () => {
  it.each(EXTRA.map(([call, operator, spelling], i) => [`${operator} (${i})`, call, operator, spelling] as const))(
    'of %s',
    (_, call, operator, spelling) => {
      const error = thrownBy(call)
      expect(error).toBeInstanceOf(OperandError)
      expect(error).toMatchObject({ operator })
      expect(error.message).toContain(spelling)
    },
  )

  it('is told apart from a shape that is given size by size', () => {
    expect(() => loosely(zeros)(2, 3)).toThrow('shape is not an array: got 2. A shape is an array of sizes')
  })

  it('is refused asynchronously, too', async () => {
    await expect(loosely(take.async)(x, [0], {}, 1)).rejects.toThrow('take(x, [0, 2], { axis: 1 })')
  })
})

describe('an option of functions that have none', () => {
  const file = writeNpy(x)

  it.each([
    [() => loosely(writeNpy)(x, { foo: 1 }), 'writeNpy', 'foo'],
    [() => loosely(writeNpz)({ x }, { compress: true }), 'writeNpz', 'compress'],
    [() => loosely(fromJSON)(x.toJSON(), { dtype: 'float64' }), 'fromJSON', 'dtype'],
    [() => loosely(readNpy)(file, { mmap: true }), 'readNpy', 'mmap'],
  ])('%#', (call, operator, option) => {
    const error = thrownBy(call)
    expect(error).toBeInstanceOf(OperandError)
    expect(error).toMatchObject({ operator, option, message: `${operator} has no option ${option}; it has none.` })
  })

  it('of an asynchronous one', async () => {
    await expect(loosely(readNpz)(writeNpz({ x }), { keys: ['x'] })).rejects.toThrow('readNpz has no option keys')
  })

  it('is nothing that map gives', () => {
    expect([file, file].map(readNpy).map(({ shape }) => shape)).toEqual([
      [2, 3],
      [2, 3],
    ])
    expect([x].map(writeNpy)).toEqual([file])
  })
})
